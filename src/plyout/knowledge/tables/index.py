"""The index of a position in the table of its ending, and the position of an index.

Symmetric positions share an index. Without pawns the white king is brought into the triangle a1-d1-d4 by mirroring the
board; if it stands on the long diagonal, the black king is brought to the lower side of that diagonal. With pawns only
left and right can be exchanged: the white king is brought to the files a to d. Both kings then have one number between
them, and the squares of the other pieces follow as digits; two like pieces are a pair without order.

    placement = ((kings · squares of the first piece) + first piece) · squares of the second + second piece
    entry     = placement · 2 + side to move

Where both kings stand on the diagonal a position and its mirror image have the same kings; the smaller number counts.
"""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games.chess.attacks import KING
from plyout.games.chess.board import WHITE, P
from plyout.kernel import Ints, at, inlined, kernel, shr
from plyout.knowledge.tables.endings import KINGS, KINGS_WITH_PAWNS

Table = npt.NDArray[np.int64]

LEFT_RIGHT, UP_DOWN, DIAGONAL = 1, 2, 4  # reflections of the board, in the order in which they are done
ON_DIAGONAL = 8  # not a reflection: both kings stand on the diagonal
_FLAGS = 4  # bits of these


def _reflected(square: Any, flags: Any) -> Any:
    """Squares after the reflections in `flags`; both are arrays."""
    square = square ^ np.where(flags & LEFT_RIGHT, 7, 0) ^ np.where(flags & UP_DOWN, 56, 0)
    return np.where(flags & DIAGONAL, square >> 3 | (square & 7) << 3, square)


def _above(square: Any) -> Any:
    """How far above the diagonal a1-h8 a square stands."""
    return (square >> 3) - (square & 7)


def _reflections(white: Any, black: Any, pawns: bool) -> Any:
    """What brings two kings to where they are counted."""
    flags = np.where(white & 7 > 3, LEFT_RIGHT, 0)
    if pawns:
        return flags
    flags |= np.where(white >> 3 > 3, UP_DOWN, 0)
    white, black = _above(_reflected(white, flags)), _above(_reflected(black, flags))
    flags |= np.where((white > 0) | (white == 0) & (black > 0), DIAGONAL, 0)
    return flags | np.where((white == 0) & (black == 0), ON_DIAGONAL, 0)


def _number_kings(pawns: bool) -> tuple[Table, Table]:
    """(for each pair of squares the number of the pair and the reflections that lead to it, or -1 where kings touch;
    the squares of each number). In NumPy, because it is done whenever the module is imported."""
    pairs = np.arange(4096)
    white, black = pairs >> 6, pairs & 63
    legal = (white != black) & (KING[white] >> black & 1 == 0)
    flags = _reflections(white, black, pawns)
    counted = legal & (flags & ~ON_DIAGONAL == 0)
    number = np.cumsum(counted) - 1
    numbered = number[_reflected(white, flags) << 6 | _reflected(black, flags)] << _FLAGS | flags
    return np.where(legal, numbered, -1).astype(np.int64), (white | black << 6)[counted].astype(np.int64)


_FREE, _FREE_SQUARES = _number_kings(pawns=False)
_PAWNS, _PAWNS_SQUARES = _number_kings(pawns=True)
assert len(_FREE_SQUARES) == KINGS and len(_PAWNS_SQUARES) == KINGS_WITH_PAWNS


@inlined
def reflected(square: int, flags: int) -> int:
    square ^= (7 if flags & LEFT_RIGHT else 0) ^ (56 if flags & UP_DOWN else 0)
    return shr(square, 3) | (square & 7) << 3 if flags & DIAGONAL else square


@inlined
def _digits(first: int, second: int, second_is_black: int, kings: int, a: int, b: int) -> int:
    squares, lowest = (48, 8) if first == P else (64, 0)
    placement = kings * squares + a - lowest
    if second < 0:
        return placement
    if first == second and not second_is_black:
        small, large = min(a, b) - lowest, max(a, b) - lowest
        return kings * shr(squares * (squares - 1), 1) + shr(large * (large - 1), 1) + small
    return placement * 48 + b - 8 if second == P else placement * 64 + b


@inlined
def placement_of(first: int, second: int, second_is_black: int, white: int, black: int, a: int, b: int) -> int:
    """The number of a placement: kings on `white` and `black`, the pieces on `a` and `b`; -1 if the kings touch."""
    pawns = first == P or second == P
    numbered = at(_PAWNS, white << 6 | black) if pawns else at(_FREE, white << 6 | black)
    if numbered < 0:
        return -1
    kings, flags = shr(numbered, _FLAGS), numbered & 15
    a, b = reflected(a, flags), reflected(b, flags)
    placement = _digits(first, second, second_is_black, kings, a, b)
    if flags & ON_DIAGONAL:
        mirrored = _digits(first, second, second_is_black, kings, reflected(a, DIAGONAL), reflected(b, DIAGONAL))
        placement = min(placement, mirrored)
    return placement


@inlined
def squares_of(first: int, second: int, second_is_black: int, placement: int) -> tuple[int, int, int, int]:
    """(white king, black king, first piece, second piece or -1) of the placement with that number."""
    squares, lowest = (48, 8) if first == P else (64, 0)
    b = -1
    if second >= 0 and first == second and not second_is_black:
        pairs = shr(squares * (squares - 1), 1)
        rest = placement % pairs
        placement //= pairs
        b = int((1.0 + sqrt(1.0 + 8.0 * rest)) / 2.0)
        a = rest - shr(b * (b - 1), 1) + lowest
        b += lowest
    else:
        if second >= 0:
            others, above = (48, 8) if second == P else (64, 0)
            b = placement % others + above
            placement //= others
        a = placement % squares + lowest
        placement //= squares
    pair = at(_PAWNS_SQUARES, placement) if first == P or second == P else at(_FREE_SQUARES, placement)
    return pair & 63, shr(pair, 6), a, b


@inlined
def entry_parts(shape: Ints, entry: int) -> tuple[int, int]:
    """(placement, side to move) of an entry."""
    if shape[0] == shape[1] and shape[2]:
        return entry, WHITE
    return shr(entry, 1), entry & 1


@inlined
def entry_at(shape: Ints, white: int, black: int, a: int, b: int, turn: int) -> int:
    """The entry of pieces on squares, or -1 if the kings touch."""
    if shape[0] == shape[1] and shape[2]:
        if turn != WHITE:
            return placement_of(shape[0], shape[1], 1, black ^ 56, white ^ 56, b ^ 56, a ^ 56)
        return placement_of(shape[0], shape[1], 1, white, black, a, b)
    placement = placement_of(shape[0], shape[1], shape[2], white, black, a, b)
    return 2 * placement + turn if placement >= 0 else -1


@kernel
def unpack(shape: Ints, entry: int, out: Ints) -> None:
    """Write what an entry means: white king, black king, first piece, second piece or -1, side to move."""
    placement, turn = entry_parts(shape, entry)
    out[0], out[1], out[2], out[3] = squares_of(shape[0], shape[1], shape[2], placement)
    out[4] = turn
