"""The static evaluation of a python-chess board, for callers in Python."""

import chess

from plyout.evaluate.tapered import evaluate
from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.kernel import Ints, kernel


@kernel
def _evaluate(state: Ints) -> int:
    return evaluate(load(state))


def centipawns_of(board: chess.Board) -> int:
    """The tapered evaluation for the side to move.

    >>> abs(centipawns_of(chess.Board())) < 50
    True
    """
    return int(_evaluate(state_of(board)))
