"""What small networks see: each piece on its square, and whether it is attacked and defended, by pieces or by pawns.

Seen from the side to move: for Black the ranks are reversed, and the board is mirrored where its king stands on the
files e to h. So a position, its colours reversed or its left and right, are one to a network. A feature is a square
(64) with a *code* (108): the piece (12, own first), by what the other side attacks it (nothing, a piece, a pawn), and
by what its own side defends it.
"""

from plyout.games.chess.board import Board, sides
from plyout.games.chess.sight import Attacks, attacks_of_side
from plyout.kernel import Ints, inlined, low, put, shr

CODES = 108
FEATURES = 64 * CODES
MOST = 32
"""features that can be on"""


@inlined
def flip_of(b: Board, own: int) -> int:
    """What turns a square of the board into one that the network sees, by ``^``."""
    flip = 56 * b.turn
    return flip ^ 7 if low(b.kings & own) & 7 > 3 else flip


@inlined
def _add(pieces: int, kind: int, flip: int, attacked: Attacks, defended: Attacks, features: Ints, n: int) -> int:
    while pieces:
        square = low(pieces)
        pieces &= pieces - 1
        code = kind
        code += 12 * ((shr(attacked.once, square) & 1) + (shr(attacked.by_pawn, square) & 1))
        code += 36 * ((shr(defended.once, square) & 1) + (shr(defended.by_pawn, square) & 1))
        put(features, n, (square ^ flip) * CODES + code)
        n += 1
    return n


@inlined
def _add_side(b: Board, side: int, kind: int, flip: int, by: tuple[Attacks, Attacks], features: Ints, n: int) -> int:
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
    n = _add_side(b, own, 0, flip, (theirs, mine), features, 0)
    n = _add_side(b, enemies, 6, flip, (mine, theirs), features, n)
    return n, flip, theirs
