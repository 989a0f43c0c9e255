"""The network inside of a Stockfish: its program file holds it as it would stand in a file of its own."""

import mmap
import re
import shutil
import struct
from pathlib import Path

from plyout.errors import InputError
from plyout.networks.nnue.file import VERSION, Header, extent, validated

_GAMES = "/usr/games"
"""where Debian puts games, and not every user's $PATH leads"""
_NAME = re.compile(rb"nn-([0-9a-f]{12})\.nnue")
_ADVICE = "Debian 12's package 'stockfish' (apt install stockfish) has the one that is wanted"


def find_stockfish(program: str | Path | None = None) -> Path:
    """The program file, the given or the installed one; `InputError` says what to install."""
    found = program or shutil.which("stockfish") or shutil.which("stockfish", path=_GAMES)
    if found is None:
        raise InputError(f"there is no Stockfish here: {_ADVICE}; or give --program")
    if not Path(found).is_file():
        raise InputError(f"--program: {found} is not a file")
    return Path(found)


def extract(program: Path) -> tuple[Header, bytes]:
    """The network of Stockfish 15.1 in a program file, validated; `InputError` where there is none."""
    try:
        with program.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found = _network_in(content)
            names = {name.decode() for name in _NAME.findall(content)} if found else set()
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise InputError(f"cannot read {program}: {error}") from None
    if found is None:
        raise InputError(f"{program} holds no network of Stockfish 15.1: {_ADVICE}")
    header, _ = found
    if names and header.digest not in names:
        raise InputError(f"the network in {program} is damaged: it is nn-{header.digest}, and not {_listed(names)}")
    return found


def _network_in(content: mmap.mmap) -> tuple[Header, bytes] | None:
    """The first stretch that is a network, by its version word and by all that must follow."""
    word = struct.pack("<I", VERSION)
    place = content.find(word)
    while place >= 0:
        try:
            size = extent(content, place)
            found = content[place : place + size]
            return validated(found), found
        except ValueError:  # the word stands in the program's code as well
            place = content.find(word, place + 1)
    return None


def _listed(names: set[str]) -> str:
    return " or ".join(f"nn-{name}" for name in sorted(names))
