"""Attacks of each piece: tables for the leapers, hyperbola quintessence for the sliders.

Squares count a1 = 0, b1 = 1 … h8 = 63; a bitboard has bit `s` set for square `s`.
"""

import numpy as np
import numpy.typing as npt

from plyout.kernel import at, bswap, inlined, shr, signed

Table = npt.NDArray[np.int64]

_STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _walk(square: int, steps: tuple[tuple[int, int], ...], reach: int = 7) -> int:
    """The squares met by walking from `square` in each of the directions `steps` over an empty board."""
    met = 0
    for east, north in steps:
        file, rank = square % 8, square // 8
        for _ in range(reach):
            file, rank = file + east, rank + north
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            met |= 1 << rank * 8 + file
    return met


def _leaps(*steps: tuple[int, int]) -> Table:
    return np.array([signed(_walk(s, steps, 1)) for s in range(64)], np.int64)


KNIGHT = _leaps(*_KNIGHT)
KING = _leaps(*_STRAIGHT, *_DIAGONAL)
PAWN = np.concatenate([_leaps((-1, 1), (1, 1)), _leaps((-1, -1), (1, -1))])
"""PAWN[colour * 64 + square]: the squares that a pawn of that colour (0 white, 1 black) attacks."""


def _pairs() -> tuple[Table, Table]:
    between, line = np.zeros(4096, np.int64), np.zeros(4096, np.int64)
    for a in range(64):
        for step in _STRAIGHT + _DIAGONAL:
            back = (-step[0], -step[1])
            ray = _walk(a, (step,))
            for b in range(64):
                if ray >> b & 1:
                    between[a * 64 + b] = signed(ray & _walk(b, (back,)))
                    line[a * 64 + b] = signed(ray | _walk(a, (back,)) | 1 << a)
    return between, line


BETWEEN, LINE = _pairs()
"""BETWEEN[a * 64 + b]: the squares strictly between a and b; LINE: the whole line through both; 0 if there is none."""


_FILE = np.array([signed(_walk(s, ((0, 1), (0, -1)))) for s in range(64)], np.int64)
_RISING = np.array([signed(_walk(s, ((1, 1), (-1, -1)))) for s in range(64)], np.int64)
_FALLING = np.array([signed(_walk(s, ((1, -1), (-1, 1)))) for s in range(64)], np.int64)


def _rank_attacks(file: int, inner: int) -> int:
    """The files that a rook on `file` attacks along its rank; `inner` has the occupied ones of files b to g."""
    attacked = 0
    for step in (1, -1):
        f = file + step
        while 0 <= f < 8:
            attacked |= 1 << f
            if inner << 1 >> f & 1:
                break
            f += step
    return attacked


_RANK = np.array([_rank_attacks(f, inner) for f in range(8) for inner in range(64)], np.int64)


@inlined
def _along(square: int, occupied: int, line: int) -> int:
    """The attacks of a slider along a file or diagonal, by hyperbola quintessence.

    Subtracting twice the slider's bit from the occupied squares of the line flips all bits up to the first blocker
    above it; on the board with its ranks reversed, the same finds the first blocker below.
    """
    blockers = occupied & line
    return (blockers - (2 << square) ^ bswap(bswap(blockers) - (2 << (square ^ 56)))) & line


@inlined
def rook_attacks(square: int, occupied: int) -> int:
    rank = square & 56
    along_rank = at(_RANK, (square & 7) << 6 | shr(occupied, rank + 1) & 63) << rank
    return _along(square, occupied, at(_FILE, square)) | along_rank


@inlined
def bishop_attacks(square: int, occupied: int) -> int:
    return _along(square, occupied, at(_RISING, square)) | _along(square, occupied, at(_FALLING, square))
