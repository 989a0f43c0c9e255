"""Where a position stands in the table of its ending: symmetry folded away, and unfolded again.

Without pawns the white king is brought into the triangle a1-d1-d4 by turning and mirroring the board; if it stands on
the long diagonal, so is the black king to that diagonal's lower side. With pawns only left and right can be exchanged:
the white king is brought to the files a to d. The place of both kings is then one number, and the other men follow
as digits; two like men are a pair without order.

    entry = ((kings · squares of the first man) + first man) · squares of the second + second man
            · 2 + side to move

Where both kings stand on the diagonal a position and its mirror image are the same; the smaller number counts.
"""

from math import sqrt

import numpy as np
import numpy.typing as npt

from plyout.games.chess.attacks import KING
from plyout.games.chess.board import P
from plyout.kernel import at, inlined, shr
from plyout.knowledge.tables.endings import KINGS, KINGS_WITH_PAWNS

Table = npt.NDArray[np.int64]

LEFT_RIGHT, UP_DOWN, DIAGONAL, ON_DIAGONAL = 1, 2, 4, 8  # what to do to the board; both kings stand on the diagonal
_SHIFT = 4


def _turned(square: int, how: int) -> int:
    square ^= (7 if how & LEFT_RIGHT else 0) ^ (56 if how & UP_DOWN else 0)
    return square >> 3 | (square & 7) << 3 if how & DIAGONAL else square


def _above(square: int) -> int:
    """How far above the diagonal a1-h8 a square stands."""
    return (square >> 3) - (square & 7)


def _how(white: int, black: int, pawns: bool) -> int:
    """What brings two kings to where they are counted."""
    how = LEFT_RIGHT if white & 7 > 3 else 0
    if pawns:
        return how
    if white >> 3 > 3:
        how |= UP_DOWN
    white, black = _turned(white, how), _turned(black, how)
    if _above(white) > 0 or (_above(white) == 0 and _above(black) > 0):
        how |= DIAGONAL
    return how | (ON_DIAGONAL if _above(white) == 0 == _above(black) else 0)


def _fold_kings(pawns: bool) -> tuple[Table, Table]:
    """(for each pair of squares the number of the pair and how to get there, or -1; the squares of each number)"""
    legal = [(w, b) for w in range(64) for b in range(64) if w != b and not int(KING[w]) >> b & 1]
    counted = [(w, b) for w, b in legal if not _how(w, b, pawns) & ~ON_DIAGONAL]
    number = {kings: i for i, kings in enumerate(counted)}
    folded = np.full(4096, -1, np.int64)
    for white, black in legal:
        how = _how(white, black, pawns)
        folded[white * 64 + black] = number[_turned(white, how), _turned(black, how)] << _SHIFT | how
    return folded, np.array([white | black << 6 for white, black in counted], np.int64)


_FREE, _FREE_SQUARES = _fold_kings(pawns=False)
_PAWNS, _PAWNS_SQUARES = _fold_kings(pawns=True)
assert len(_FREE_SQUARES) == KINGS and len(_PAWNS_SQUARES) == KINGS_WITH_PAWNS


@inlined
def turned(square: int, how: int) -> int:
    square ^= (7 if how & LEFT_RIGHT else 0) ^ (56 if how & UP_DOWN else 0)
    return shr(square, 3) | (square & 7) << 3 if how & DIAGONAL else square


@inlined
def _digits(first: int, second: int, second_is_black: int, kings: int, a: int, b: int) -> int:
    squares, lowest = (48, 8) if first == P else (64, 0)
    place = kings * squares + a - lowest
    if second < 0:
        return place
    if first == second and not second_is_black:
        small, large = min(a, b) - lowest, max(a, b) - lowest
        return kings * shr(squares * (squares - 1), 1) + shr(large * (large - 1), 1) + small
    return place * 48 + b - 8 if second == P else place * 64 + b


@inlined
def place_of(first: int, second: int, second_is_black: int, white: int, black: int, a: int, b: int) -> int:
    """The number of a way to stand: kings on `white` and `black`, the men on `a` and `b`; -1 if the kings touch."""
    pawns = first == P or second == P
    folded = at(_PAWNS, white << 6 | black) if pawns else at(_FREE, white << 6 | black)
    if folded < 0:
        return -1
    kings, how = shr(folded, _SHIFT), folded & 15
    a, b = turned(a, how), turned(b, how)
    place = _digits(first, second, second_is_black, kings, a, b)
    if how & ON_DIAGONAL:
        mirrored = _digits(first, second, second_is_black, kings, turned(a, DIAGONAL), turned(b, DIAGONAL))
        place = min(place, mirrored)
    return place


@inlined
def squares_of(first: int, second: int, second_is_black: int, place: int) -> tuple[int, int, int, int]:
    """(white king, black king, first man, second man or -1) of the way to stand with that number."""
    squares, lowest = (48, 8) if first == P else (64, 0)
    b = -1
    if second >= 0 and first == second and not second_is_black:
        pairs = shr(squares * (squares - 1), 1)
        rest = place % pairs
        place //= pairs
        b = int((1.0 + sqrt(1.0 + 8.0 * rest)) / 2.0)
        a = rest - shr(b * (b - 1), 1) + lowest
        b += lowest
    else:
        if second >= 0:
            others, above = (48, 8) if second == P else (64, 0)
            b = place % others + above
            place //= others
        a = place % squares + lowest
        place //= squares
    pair = at(_PAWNS_SQUARES, place) if first == P or second == P else at(_FREE_SQUARES, place)
    return pair & 63, shr(pair, 6), a, b
