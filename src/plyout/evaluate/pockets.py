"""The tapered evaluation of crazyhouse: a piece in the pocket is worth what it is worth on an average square.

Pieces in the pockets count for the phase, too: nothing leaves the game.
"""

import numpy as np

from plyout.evaluate.piece_square import ENDGAME, MIDDLEGAME
from plyout.evaluate.tapered import PHASE, gain, totals
from plyout.games.chess.board import K, P, sides
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import DROP, EN_PASSANT, from_square, piece_of, to_square
from plyout.games.crazyhouse import House, in_pocket
from plyout.kernel import at, inlined


def _means(table: tuple[int, ...]) -> list[int]:
    """The mean of each piece's squares; pawns stand on the inner ranks only."""
    squares = [table[64 * piece : 64 * piece + 64] for piece in range(K)]
    squares[P] = squares[P][8:56]
    return [round(sum(values) / len(values)) for values in squares]


POCKET_MIDDLEGAME = np.array(_means(MIDDLEGAME), np.int64)
POCKET_ENDGAME = np.array(_means(ENDGAME), np.int64)
_MIDDLEGAME, _ENDGAME = np.array(MIDDLEGAME, np.int64), np.array(ENDGAME, np.int64)


@inlined
def house_totals(h: House) -> tuple[int, int, int]:
    """(middlegame, endgame, phase) of a position, for the side to move; with empty pockets that of chess."""
    middlegame, endgame, phase = totals(h.board)
    if h.pockets:
        for piece in range(P, K):
            own, other = in_pocket(h.pockets, h.board.turn, piece), in_pocket(h.pockets, 1 - h.board.turn, piece)
            middlegame += (own - other) * at(POCKET_MIDDLEGAME, piece)
            endgame += (own - other) * at(POCKET_ENDGAME, piece)
            phase += (own + other) * at(PHASE, piece)
    return middlegame, endgame, phase


@inlined
def house_gain(h: House, move: int) -> tuple[int, int, int]:
    """What `move` adds to the (middlegame, endgame, phase) of its own side."""
    b = h.board
    if move & DROP:
        piece = piece_of(move)
        i = piece * 64 + (from_square(move) ^ (0 if b.turn == 0 else 56))
        return at(_MIDDLEGAME, i) - at(POCKET_MIDDLEGAME, piece), at(_ENDGAME, i) - at(POCKET_ENDGAME, piece), 0
    middlegame, endgame, phase = gain(b, move)
    to = to_square(move)
    _, enemies = sides(b)
    if enemies & 1 << to or move & EN_PASSANT:
        taken = P if move & EN_PASSANT or h.promoted & 1 << to else piece_at(b, to)
        middlegame += at(POCKET_MIDDLEGAME, taken)
        endgame += at(POCKET_ENDGAME, taken)
        phase += at(PHASE, taken)
    return middlegame, endgame, phase
