"""Networks by name: those that come with Plyout, and those that a user keeps among his data.

A setting such as ``value_net`` is a name or a path. A name is that of a file without its suffix, in the package's
``shipped`` folder or in ``$PLYOUT_NETWORKS``.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from plyout.errors import InputError
from plyout.folders import data_folder

SHIPPED = Path(__file__).parent / "shipped"
SUFFIXES = (".plynet", ".onnx", ".nnue")
"""of small networks, of residual ones, of Stockfish's"""


def networks_folder() -> Path:
    """Where a user's networks are: ``$PLYOUT_NETWORKS``, or a folder among his data."""
    chosen = os.environ.get("PLYOUT_NETWORKS")
    return Path(chosen) if chosen else data_folder() / "networks"


def networks() -> Iterator[Path]:
    """The files of all networks that have names."""
    for folder in (SHIPPED, networks_folder()):
        if folder.is_dir():
            yield from sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES)


def find(name: str) -> Path:
    """The file of a network, by its name or path; `InputError` says which names there are."""
    for path in networks():
        if path.stem == name:
            return path
    if Path(name).is_file():
        return Path(name)
    known = ", ".join(p.stem for p in networks()) or "none"
    raise InputError(f"there is no network {name!r}: give a file, or a name ({known})")
