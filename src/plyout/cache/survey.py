"""What lies in the cache: for the command line, which shows, checks and clears it."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from plyout.cache.place import advice, cache_root, fingerprint, folders_of, switch, temporary_root
from plyout.cache.trust import folder_objection


@dataclass(frozen=True)
class Folder:
    """The kernels of one state of the sources."""

    path: Path
    files: int
    bytes: int
    last_used: float
    current: bool
    """Whether it is that of the present sources."""


@dataclass(frozen=True)
class Place:
    """A folder with cache folders in it."""

    root: Path
    objection: str
    """Why it is not used, and what to do; empty where it may be."""
    folders: list[Folder]


def places() -> list[Place]:
    """The cache, and the temporary folder that has served in its place, if there is one."""
    current = fingerprint(version("numba"), switch("NUMBA_BOUNDSCHECK"))  # Numba itself is not loaded: it takes long
    found = [_place(cache_root(), current)]
    with contextlib.suppress(OSError):
        temporary = temporary_root()
        if temporary.is_dir() and not temporary.is_symlink() and not folder_objection(temporary):
            found.append(_place(temporary, current))
    return found


def _place(root: Path, current: str) -> Place:
    objections = [f"{why}: {advice(path, why)}" for path in (root, root / current) if (why := folder_objection(path))]
    folders = []
    with contextlib.suppress(OSError):  # it may not be there yet
        for path in sorted(folders_of(root)):
            sizes = list(_sizes(path))
            with contextlib.suppress(FileNotFoundError):  # another process is clearing
                folders.append(Folder(path, len(sizes), sum(sizes), path.stat().st_mtime, path.name == current))
    return Place(root, objections[0] if objections else "", folders)


def _sizes(folder: Path) -> Iterator[int]:
    """The bytes of every file in a folder and below; earlier versions of Plyout had folders in folders."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                yield from _sizes(path)
            else:
                yield path.lstat().st_size
