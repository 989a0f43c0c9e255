"""Where compiled kernels are kept: one folder for one state of the sources.

A change in any file that a kernel calls makes its machine code stale. So the folder's name is the hash of every source
file that kernels are made of, of Numba's version and of the bounds-check setting: whatever of these changes, another
folder is used. What only Python reads may change, and nothing is compiled anew.
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from plyout.cache.store import files_of
from plyout.cache.trust import folder_objection, make_private, reason
from plyout.progress import note, warn

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = (
    "parameters.py", "kernel", "games", "evaluate", "knowledge/tables", "networks/small", "networks/nnue",
    "networks/view.py", "playout", "search",
)  # fmt: skip
"""The files and folders whose functions other kernels call."""
FOLDERS_KEPT = 6


def switch(name: str) -> bool:
    """Whether a variable of the environment is set, and not to 0."""
    return os.environ.get(name, "") not in ("", "0")


def cache_root() -> Path:
    """The folder of all cache folders: ``$PLYOUT_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("PLYOUT_CACHE")
    if chosen:
        return Path(chosen).absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData/Local") / "plyout/cache"
    if sys.platform == "darwin":
        return _home() / "Library/Caches/plyout"
    return Path(os.environ.get("XDG_CACHE_HOME") or _home() / ".cache").absolute() / "plyout"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home, as in a container
        return Path(os.devnull)  # where no folder can be made


def temporary_root() -> Path:
    """What serves where the cache folder does not: one that bears this user's name among the temporary files."""
    return Path(tempfile.gettempdir()) / f"plyout-{os.geteuid() if hasattr(os, 'geteuid') else 0}"


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


class Distrusted(Exception):
    """A folder that somebody else could have written to; the text says so, and what to do."""


def open_folder(name: str) -> Path | None:
    """The folder of this name, made if it is not there; None where nothing can be kept. One line tells if it is not
    where it should be."""
    root = cache_root()
    try:
        return _ready(root, name)
    except Distrusted as why:
        tell, text = warn, str(why)
    except OSError as error:
        tell, text = note, f"no machine code can be kept in {root}: {reason(error)}"
    folder = None
    with contextlib.suppress(OSError, Distrusted):  # there may be no temporary folder at all
        root = temporary_root()
        folder = None if root.is_symlink() else _ready(root, name)
    tell(f"{text}; {f'{root} serves instead' if folder else 'nothing is kept for the next start'}")
    return folder


def _ready(root: Path, name: str) -> Path:
    """A folder of the cache that can be used."""
    folder = root / name
    for path in (root, folder):
        if why := folder_objection(path):
            raise Distrusted(f"the cache {path} is not used, because {why}: {advice(path, why)}")
    make_private(folder)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        # Code that somebody has put where nothing can be written, as in the image of a container, is still good.
        if any(files_of(folder)):
            return folder
        raise OSError(errno.EROFS, "it is read-only")
    os.utime(folder)  # the time of last use: what `_clear_old` goes by
    _clear_old(root)
    return folder


def advice(path: Path, why: str) -> str:
    """What a user can do about a folder that is not trusted."""
    own = "set PLYOUT_CACHE to a folder of your own"
    return f"'chmod go-w {path}' or {own}" if "write" in why else own


def folders_of(root: Path) -> Iterator[Path]:
    """The cache folders in `root`; whatever else lies there is none of ours."""
    for folder in root.iterdir():
        if re.fullmatch("[0-9a-f]{16}", folder.name) and folder.is_dir() and not folder.is_symlink():
            yield folder


def _clear_old(root: Path) -> None:
    used: list[tuple[float, Path]] = []
    for folder in folders_of(root):
        with contextlib.suppress(OSError):  # another process may be clearing, too
            used.append((folder.stat().st_mtime, folder))
    for _, old in sorted(used, reverse=True)[FOLDERS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
