"""A move as one number: from | to << 6 | piece << 12 | promotion << 15 | flags.

Castling is the king taking its own rook, which is unambiguous in Chess960 too; a drop has from = to.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from plyout.kernel import inlined, shr

DOUBLE, EN_PASSANT, CASTLE, DROP = 1 << 18, 1 << 19, 1 << 20, 1 << 21
Moves = TypeVar("Moves", int, npt.NDArray[np.int64])

MOVE_BITS = 0o7777 | 7 << 15  # from, to and promotion: what tells the moves of one position apart


@inlined
def from_square(move: int) -> int:
    return move & 63


@inlined
def to_square(move: int) -> int:
    return shr(move, 6) & 63


@inlined
def piece_of(move: int) -> int:
    """The piece that moves, or is dropped: P, N, B, R, Q or K."""
    return shr(move, 12) & 7


@inlined
def promotion_of(move: int) -> int:
    """The piece that a pawn becomes, or 0."""
    return shr(move, 15) & 7


def fields(move: Moves) -> tuple[Moves, Moves, Moves, Moves]:
    """(from, to, piece, promotion) for plain Python, of one move or of an array of moves.

    >>> fields(12 | 28 << 6)
    (12, 28, 0, 0)
    """
    return move & 63, move >> 6 & 63, move >> 12 & 7, move >> 15 & 7
