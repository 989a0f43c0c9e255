"""Positions as input of a network: planes of 8 × 8 numbers, from the point of view of the side to move.

    0 … 5     own pawns, knights, bishops, rooks, queens, king          6 … 11    the other side's
    12        rooks that may castle      13   the en passant square     14        plies since a capture, / 100
    15 … 24   crazyhouse: own pocket (pawn … queen, / 8), then the other's      25   promoted pieces

For Black the ranks are reversed, so that own pawns always go up; square a1 of the mover is [0, 0]. `move_places` gives
a move's index in the policy output.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import (
    BLACKS, CLOCK, EP, KINGS, PAWNS, POCKET_BITS, POCKETS, PROMOTED, RIGHTS, TURN, WHITES, K, Q,
)  # fmt: skip
from plyout.games.chess.move import DROP, fields

PLANES = {CHESS.name: 15, CRAZYHOUSE.name: 26}
POLICY = 64 * 64 + 3 * 8 * 3 + 5 * 64
"""The size of a policy: from and to; underpromotions, by piece, file and direction; drops, by piece and square."""


def _squares(bitboards: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """(n,) bitboards as (n, 64) zeros and ones."""
    octets = np.ascontiguousarray(bitboards.astype("<i8")).view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little")


def planes(states: npt.NDArray[np.int64], game: Game) -> npt.NDArray[np.float32]:
    """(n, planes, 8, 8) for (n, words) states of chess or crazyhouse."""
    turn = states[:, TURN]
    own = np.where(turn == 0, states[:, WHITES], states[:, BLACKS])
    others = np.where(turn == 0, states[:, BLACKS], states[:, WHITES])
    found = np.zeros((len(states), PLANES[game.name], 64), np.float32)
    for piece in range(K + 1):
        both = states[:, PAWNS + piece]
        found[:, piece] = _squares(both & own)
        found[:, 6 + piece] = _squares(both & others)
    found[:, 12] = _squares(states[:, RIGHTS])
    found[:, 13] = _squares(states[:, EP])
    found[:, 14] = states[:, CLOCK, None] / 100.0
    if game is CRAZYHOUSE:
        for piece in range(Q + 1):
            for i, colour in enumerate((turn, 1 - turn)):
                shifts = POCKET_BITS * (5 * colour + piece)
                held = states[:, POCKETS].view(np.uint64) >> shifts.astype(np.uint64)
                found[:, 15 + 5 * i + piece] = (held & np.uint64((1 << POCKET_BITS) - 1))[:, None] / 8.0
        found[:, 25] = _squares(states[:, PROMOTED])
    boards = found.reshape(len(states), -1, 8, 8)
    boards[turn == 1] = boards[turn == 1][:, :, ::-1]
    return boards


assert KINGS == PAWNS + K


def move_places(moves: npt.NDArray[np.int64], turn: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The indices of moves in a policy: `moves` (n, most) as an evaluator gets them, `turn` (n,) who moves."""
    flip = np.where(turn == 1, 56, 0)[:, None]
    start, to, piece, promotion = fields(moves)
    start, to = start ^ flip, to ^ flip
    places = 64 * start + to
    underpromotion = (promotion > 0) & (promotion < Q)
    direction = (to & 7) - (start & 7) + 1
    places = np.where(underpromotion, 4096 + (promotion - 1) * 24 + (start & 7) * 3 + direction, places)
    places = np.where((moves & DROP) != 0, 4096 + 72 + 64 * piece + to, places)
    return np.where(moves < 0, 0, places)
