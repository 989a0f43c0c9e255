"""Where compiled kernels are kept: one folder for one state of the sources.

Numba's own cache looks only at the file of the function itself, so a change in
a file that it calls would leave stale machine code behind. Here the folder's
name is the hash of every source file that kernels are made of, of Numba's
version and of the bounds-check setting: whatever of these changes, another
folder is used. What only Python reads may change, and nothing is compiled anew.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = ("parameters.py", "kernel", "games", "evaluate", "knowledge/tables", "playout", "search")
"""The files and folders whose functions other kernels call."""
FOLDERS_KEPT = 6


def cache_root() -> Path:
    """The folder of all cache folders: ``$PLYOUT_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("PLYOUT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "plyout/cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/plyout"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "plyout"


def fingerprint(numba_version: str, bounds_checked: bool) -> str:
    """A name for the present state of everything that machine code depends on."""
    digest = hashlib.sha256(f"{numba_version} {bounds_checked} {sys.version_info[:2]}".encode())
    files = [
        p for name in SOURCES for p in ([PACKAGE / name] if name.endswith(".py") else (PACKAGE / name).rglob("*.py"))
    ]
    for path in sorted(files):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def open_folder(numba_version: str, bounds_checked: bool) -> Path:
    """Make and return the folder for the present sources; clear old ones away."""
    name = fingerprint(numba_version, bounds_checked)
    for find_root in (cache_root, _own_temporary_folder):
        root = find_root()
        folder = root / name
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)  # the time of last use: what `_clear_old` goes by
            if os.access(folder, os.W_OK):
                _clear_old(root)
                return folder
    return Path(tempfile.mkdtemp(prefix="plyout-"))


def _own_temporary_folder() -> Path:
    """A folder that only this user can write to: cached code is code, and the temporary folder is everybody's."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"plyout-{user}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        about = folder.stat()
        if sys.platform == "win32" or (about.st_uid == user and not about.st_mode & 0o022):
            return folder
    return Path(tempfile.mkdtemp(prefix="plyout-"))


def _clear_old(root: Path) -> None:
    used: list[tuple[float, Path]] = []
    for folder in root.iterdir():
        if re.fullmatch("[0-9a-f]{16}", folder.name) and folder.is_dir():
            with contextlib.suppress(OSError):  # another process may be clearing, too
                used.append((folder.stat().st_mtime, folder))
    for _, old in sorted(used, reverse=True)[FOLDERS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
