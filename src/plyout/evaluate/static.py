"""The static evaluation of a python-chess board, for callers in Python."""

import chess
import chess.variant
import numpy as np

from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, POCKETS, QUIET_ROOM, quiet_value
from plyout.evaluate.tapered import evaluate
from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.games.crazyhouse import load_house
from plyout.kernel import Ints, kernel


@kernel
def _evaluate(state: Ints) -> int:
    return evaluate(load(state))


@kernel
def _quiet_value(state: Ints, switches: int, depth: int, scratch: Ints, nodes: Ints) -> int:
    return quiet_value(load_house(state), switches, 0, depth, scratch, nodes)


def centipawns_of(board: chess.Board) -> int:
    """The tapered evaluation for the side to move.

    >>> abs(centipawns_of(chess.Board())) < 50
    True
    """
    return int(_evaluate(state_of(board)))


def quiet_centipawns_of(board: chess.Board, depth: int = 6) -> int:
    """The same after captures that do not lose material, and evasions of checks, have been played out.

    >>> quiet_centipawns_of(chess.Board("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")) > 300
    True
    """
    switches = EVASIONS | EXCHANGES | (POCKETS if isinstance(board, chess.variant.CrazyhouseBoard) else 0)
    scratch, nodes = np.empty(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    return int(_quiet_value(state_of(board), np.int64(switches), np.int64(depth), scratch, nodes))
