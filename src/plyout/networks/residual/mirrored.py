"""Positions as twelve planes of pieces, and moves as pairs of squares: what the trained residual networks see.

All is seen from the side to move, whose pawns go up, and mirrored so that its king stands on the files a to d: what is
the same to a player looks the same to a network. Castling rights and en passant are not seen.

    0 … 5     own pawns, knights, bishops, rooks, queens, king          6 … 11    the other side's

A policy has a number for each *pair*: two squares between which a queen or a knight can go on an empty board. Castling
is the pair that the king goes; a promotion to something else than a queen has the queen's number, less a penalty.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games import Game
from plyout.games.chess.board import BLACKS, KINGS, PAWNS, TURN, WHITES, Q
from plyout.games.chess.move import CASTLE, fields
from plyout.networks.small.pairs import PAIR_OF

PLANES = 12
_UNDERPROMOTION = -4.0  # added to the logit
_RIGHT_HALF = np.uint64(0xF0F0F0F0F0F0F0F0)
_TO_LEFT = np.array([int(f"{i:08b}"[::-1], 2) for i in range(256)], np.uint8)  # a rank of a bitboard, mirrored

Words = npt.NDArray[np.int64]

FROM, TO = np.divmod(np.flatnonzero(PAIR_OF >= 0), 64)
"""the squares where the pairs begin, and those where they end"""


def _bitboards(states: Words) -> tuple[Any, Any]:
    """(n, 12) bitboards as the side to move sees them, not yet mirrored, and which rows are to be."""
    words = states.view(np.uint64)
    black = states[:, TURN] == 1
    white_first = words[:, [WHITES, BLACKS]]
    sides = np.where(black[:, None], white_first[:, ::-1], white_first)
    boards = (sides[:, :, None] & words[:, None, PAWNS : KINGS + 1]).reshape(-1, PLANES)
    boards = np.where(black[:, None], boards.byteswap(), boards)
    return boards, boards[:, 5] & _RIGHT_HALF != 0


def planes(states: Words, game: Game) -> npt.NDArray[np.float32]:
    """(n, 12, 8, 8) for (n, words) states."""
    boards, mirrored = _bitboards(np.ascontiguousarray(states))
    ranks = boards.astype("<u8").view(np.uint8).reshape(-1, PLANES, 8)
    ranks[mirrored] = _TO_LEFT[ranks[mirrored]]
    return np.unpackbits(ranks, axis=2, bitorder="little").reshape(-1, PLANES, 8, 8).astype(np.float32)


def pairs(moves: Words, states: Words) -> Words:
    """The pair of each move: `moves` (n, most) as an evaluator gets them."""
    start, to, _, _ = fields(moves)
    goes = (start & 56) | np.where(to > start, 6, 2)  # a castling move is the king taking its rook …
    goes = np.where(goes == start, to, goes)  # … which is what it is where the king stays, as in Chess960
    to = np.where((moves & CASTLE) != 0, goes, to)
    words, turn = states.view(np.uint64), states[:, TURN]
    own = np.where(turn == 1, words[:, BLACKS], words[:, WHITES])
    mirrored = (own & words[:, KINGS] & _RIGHT_HALF) != 0
    seen = (np.where(turn == 1, 56, 0) ^ np.where(mirrored, 7, 0))[:, None]
    return np.where(moves < 0, 0, PAIR_OF[(64 * (start ^ seen) + (to ^ seen)) & 4095])


def likings(policy: Any, moves: Words, states: Words) -> Any:
    """The logit of each move in a policy, which has a number a pair."""
    found = np.take_along_axis(policy, pairs(moves, states), axis=1)
    _, _, _, promotion = fields(moves)
    return np.where((promotion > 0) & (promotion < Q), found + _UNDERPROMOTION, found)
