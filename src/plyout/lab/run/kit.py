"""What a machine must have to do the same work as another: versions, and the things that tasks need.

What differs is named, and the machine is not used: results would not be the same, or not worth the same.
"""

import hashlib
import platform
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import chess

from plyout import __version__
from plyout.errors import InputError
from plyout.knowledge.tables.files import tables_folder
from plyout.lab.match.players import find_program
from plyout.lab.run.work import Thing
from plyout.networks.library import find as find_network

_PACKAGE = Path(__file__).resolve().parents[2]
_NOT_SENT = ("folder", "tables")
_SHOWN = 12  # digits of a checksum
MISSING = ""
"""The checksum of what is not there."""


@dataclass(frozen=True)
class Kit:
    """What a machine has: versions by name, and the checksums of things."""

    versions: Mapping[str, str]
    things: Mapping[Thing, str] = field(default_factory=dict)

    @classmethod
    def here(cls, things: Iterable[Thing]) -> "Kit":
        return cls(versions(), {thing: checksum(thing) for thing in things})

    def objections(self, other: "Kit") -> list[str]:
        """Why `other` cannot do the work of this one, in words; a file that it lacks is no reason: it can be sent."""
        found = []
        for name, mine in self.versions.items():
            theirs = other.versions.get(name, "missing")
            if theirs != mine:
                found.append(f"{name} is {theirs} there and {mine} here")
        for thing, mine in self.things.items():
            theirs = other.things.get(thing, MISSING)
            if theirs != mine and theirs != MISSING:
                found.append(f"{thing} is another one there ({theirs[:_SHOWN]}, {mine[:_SHOWN]} here)")
            elif theirs != mine and thing.kind in _NOT_SENT:
                found.append(f"{thing} is not there")
        return found

    def lacks(self, other: "Kit") -> list[Thing]:
        """What has to be sent to `other`."""
        return [thing for thing in self.things if other.things.get(thing, MISSING) == MISSING]


@cache
def versions() -> dict[str, str]:
    """Of whatever decides what a search finds."""
    return {
        "Plyout": f"{__version__} ({_package_checksum()})",
        "Python": platform.python_version(),
        "Numba": metadata.version("numba"),
        "python-chess": chess.__version__,
    }


def _package_checksum() -> str:
    """Of all that is installed of Plyout, networks included: the number of a version says little between releases."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if path.is_file() and "__pycache__" not in inside.parts and path.suffix != ".pyc":
            digest.update(f"{inside.as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:_SHOWN]


def place(thing: Thing) -> Path | None:
    """Where this machine has a thing; None if it has not. A program may lie elsewhere than on the driver's machine."""
    try:
        if thing.kind == "network":
            return find_network(thing.name)
        if thing.kind == "tables":
            return tables_folder()
        if thing.kind == "program":
            return Path(thing.name if Path(thing.name).is_file() else find_program(Path(thing.name).name))
        return Path(thing.name) if Path(thing.name).exists() else None
    except InputError:
        return None


def checksum(thing: Thing) -> str:
    """Of a file its contents', of a folder its names' and sizes'."""
    path = place(thing)
    if path is None:
        return MISSING
    try:
        if path.is_dir() or thing.kind == "tables":  # of which there may be none as yet
            lines = sorted(f"{p.relative_to(path).as_posix()} {p.stat().st_size}" for p in path.rglob("*"))
            return hashlib.sha256("\n".join(lines).encode()).hexdigest()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else _read(path)
    except OSError:
        return MISSING


def _read(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()  # Python 3.10


def speed(seconds: float = 0.3) -> float:
    """Positions a second of python-chess' move generator, the best of three tries: how fast one core is, about.

    What counts is the thread's own time: others may be at work on the machine.
    """
    return max(_speed(seconds / 3) for _ in range(3))


def _speed(seconds: float) -> float:
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    began, positions = time.thread_time(), 0
    while (spent := time.thread_time() - began) < seconds:
        for move in list(board.legal_moves):
            board.push(move)
            positions += board.legal_moves.count()
            board.pop()
    return positions / spent
