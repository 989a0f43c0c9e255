"""Labelled games on disk: ``games-*.bin.xz``, as ``plyout label`` writes them.

Little endian, game after game: u16 number of plies, u8 White's points × 2, u8 0, then for each ply three words: the
move that was played, the best move by the labelling engine, and its score for the side to move in centipawns (a mate in
n is 30000 - n, or the same below zero). A ply that was not labelled has 32767 there, and 0 for the best move. A move is
from | to << 6 | promotion << 12, with promotions 2 (knight) to 5 (queen). All games begin at the start position.
"""

import lzma
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError

UNLABELLED = 32767
MATE = 30_000
_HEAD = struct.Struct("<HBB")
_PLY = 6  # bytes


@dataclass(frozen=True)
class LabelledGame:
    points: float
    """White's: 1, 0.5 or 0"""
    plies: npt.NDArray[np.uint16]
    """a row each: played, best, score"""


def read_games(paths: Iterable[Path]) -> Iterator[LabelledGame]:
    """The games of some files, one after the other; `InputError` names a file that is none of ours."""
    for path in paths:
        try:
            data = lzma.decompress(path.read_bytes())
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise InputError(f"{path} cannot be read as labelled games: {error}") from None
        at = 0
        while at < len(data):
            found = game_at(data, at)
            if found is None:
                raise InputError(f"{path} is damaged at byte {at}: no game begins so, or it is cut off")
            game, at = found
            yield game


def game_at(data: bytes, at: int) -> tuple[LabelledGame, int] | None:
    """(the game that begins there, where the next one would); None if none does, or not all of it is there."""
    if len(data) - at < _HEAD.size:
        return None
    plies, doubled, zero = _HEAD.unpack_from(data, at)
    at += _HEAD.size
    if doubled > 2 or zero or len(data) - at < _PLY * plies:
        return None
    return LabelledGame(doubled / 2, np.frombuffer(data, "<u2", 3 * plies, at).reshape(plies, 3)), at + _PLY * plies


def game_bytes(game: LabelledGame) -> bytes:
    """A game as the file has it, before compression."""
    return _HEAD.pack(len(game.plies), round(2 * game.points), 0) + game.plies.astype("<u2").tobytes()


def files_in(folder: Path) -> list[Path]:
    """The files of labelled games in a folder, or `InputError`."""
    found = sorted(folder.glob("games-*.bin.xz"))
    if not found:
        raise InputError(f"{folder} holds no labelled games: 'plyout label --out {folder}' makes some")
    return found
