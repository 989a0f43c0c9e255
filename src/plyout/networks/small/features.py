"""What small networks see: each piece on its square, and whether it is attacked and defended, and by what.

Seen from the side to move: for Black the ranks are reversed, and the board is mirrored where its king stands on the
files e to h. So a position, its colours reversed or its left and right, are one to a network. A feature is a square
(64) with a *code* (192): the piece (12, own first), by what the other side attacks it (nothing, one piece, a pawn, more
than one piece), and by what its own side defends it.
"""

from typing import NamedTuple

from plyout.games.chess.board import Board, sides
from plyout.games.chess.sight import Attacks, attacks_of_side
from plyout.kernel import Ints, inlined, low, put, shr

LEVELS = 4
"""of attack: 0 none, 1 by one piece, 2 by a pawn (and whatever else), 3 by more than one piece"""
CODES = 12 * LEVELS * LEVELS
FEATURES = 64 * CODES
MOST = 32
"""features that can be on"""


@inlined
def flip_of(b: Board, own: int) -> int:
    """What turns a square of the board into one that the network sees, by ``^``."""
    flip = 56 * b.turn
    return flip ^ 7 if low(b.kings & own) & 7 > 3 else flip


class _Levels(NamedTuple):
    """The level of a side's attack on each square, as two bitboards: what counts 1 and what counts 2."""

    one: int
    two: int


@inlined
def _levels(attacks: Attacks) -> _Levels:
    return _Levels(attacks.once & ~attacks.by_pawn, attacks.twice | attacks.by_pawn)


@inlined
def _level(levels: _Levels, square: int) -> int:
    return (shr(levels.one, square) & 1) + 2 * (shr(levels.two, square) & 1)


@inlined
def _add(pieces: int, kind: int, flip: int, attacked: _Levels, defended: _Levels, features: Ints, n: int) -> int:
    while pieces:
        square = low(pieces)
        pieces &= pieces - 1
        code = kind + 12 * (_level(attacked, square) + LEVELS * _level(defended, square))
        put(features, n, (square ^ flip) * CODES + code)
        n += 1
    return n


@inlined
def _add_side(b: Board, side: int, kind: int, flip: int, by: tuple[_Levels, _Levels], features: Ints, n: int) -> int:
    attacked, defended = by
    n = _add(b.pawns & side, kind, flip, attacked, defended, features, n)
    n = _add(b.knights & side, kind + 1, flip, attacked, defended, features, n)
    n = _add(b.bishops & side, kind + 2, flip, attacked, defended, features, n)
    n = _add(b.rooks & side, kind + 3, flip, attacked, defended, features, n)
    n = _add(b.queens & side, kind + 4, flip, attacked, defended, features, n)
    return _add(b.kings & side, kind + 5, flip, attacked, defended, features, n)


@inlined
def active(b: Board, features: Ints) -> tuple[int, int, Attacks]:
    """Write the features that are on; how many these are, the flip, and what the enemy attacks."""
    own, enemies = sides(b)
    flip = flip_of(b, own)
    mine = attacks_of_side(b, own, b.turn, own | enemies)
    theirs = attacks_of_side(b, enemies, 1 - b.turn, own | enemies)
    by_me, by_them = _levels(mine), _levels(theirs)
    n = _add_side(b, own, 0, flip, (by_them, by_me), features, 0)
    n = _add_side(b, enemies, 6, flip, (by_me, by_them), features, n)
    return n, flip, theirs
