"""Networks by name: those that come with Plyout, and those that a user keeps among his data.

A setting such as ``value_net`` is a name or a path. A name is that of a file without its suffix, in the package's
``shipped`` folder or in ``$PLYOUT_NETWORKS``.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from plyout.errors import InputError
from plyout.folders import data_folder

SHIPPED = Path(__file__).parent / "shipped"
SUFFIXES = (".plynet", ".onnx", ".nnue")
"""of small networks, of residual ones, of Stockfish's"""

STOCKFISH = "stockfish"
"""The name that `plyout networks extract stockfish` gives to what it finds."""
NO_STOCKFISH = (
    "Stockfish's network is not here: 'plyout networks extract stockfish' takes it out of an installed Stockfish 15.1 "
    "(Debian 12's); the preset 'singh-mcts' is 'nnue-mcts' without it"
)


def networks_folder() -> Path:
    """Where a user's networks are: ``$PLYOUT_NETWORKS``, or a folder among his data."""
    chosen = os.environ.get("PLYOUT_NETWORKS")
    return Path(chosen) if chosen else data_folder() / "networks"


def networks() -> Iterator[Path]:
    """The files of all networks that have names."""
    for folder in (SHIPPED, networks_folder()):
        try:
            there = sorted(folder.iterdir()) if folder.is_dir() else []
        except OSError as error:
            raise InputError(f"cannot read the folder of networks {folder}: {error.strerror}") from None
        yield from (path for path in there if path.suffix in SUFFIXES)


def are_there(settings: Mapping[str, str]) -> bool:
    """Whether all networks can be found that the settings of a preset name."""
    try:
        for setting in ("value_net", "policy_net", "network"):
            if settings[setting]:
                find(settings[setting])
    except InputError:
        return False
    return True


def find(name: str) -> Path:
    """The file of a network, by its name or path; `InputError` says which names there are."""
    for path in networks():
        if path.stem == name:
            return path
    with contextlib.suppress(OSError):  # such as a name that is too long
        if Path(name).is_file():
            return Path(name)
    if name == STOCKFISH:
        raise InputError(NO_STOCKFISH)
    known = ", ".join(p.stem for p in networks()) or "none"
    raise InputError(f"there is no network {name!r}: give a file, or a name ({known})")
