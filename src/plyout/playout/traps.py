"""What playouts know of traps: moves on the list end them, and a mate at their end must be forced (Topolewski 2019).

The list travels behind the parameters and the weights of the evaluation, in the same vector: the player it belongs to,
the chance that a listed move loses, how many moves there are, and the moves.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.evaluate.weighted import TERMS
from plyout.games.chess.board import Board, load, make, store
from plyout.games.chess.moves import list_moves
from plyout.kernel import Ints, inlined, kernel, tail
from plyout.kernel.random import below
from plyout.parameters import WEIGHTS_AT
from plyout.playout.mates import allows_mate
from plyout.playout.scratch import A_BOARD, BEFORE, LIST, MORE_SETS, SETS, TRACE

_LIST_AT = WEIGHTS_AT + len(TERMS)
_PLAYER, _CHANCE, _COUNT, _MOVES = range(_LIST_AT, _LIST_AT + 4)
_CHANCES = 1 << 20  # the grain of a probability


def with_list(
    parameters: npt.NDArray[np.float64], player: int, similarity: float, moves: tuple[int, ...]
) -> npt.NDArray[np.float64]:
    """The parameters of a search, with a list of the moves that are traps for `player` behind them."""
    return np.concatenate((parameters[:_LIST_AT], [player, similarity, len(moves)], moves))


@inlined
def lists_traps(parameters: Any) -> bool:
    return parameters.size > _COUNT and parameters[_COUNT] > 0.0  # type: ignore[no-any-return]


@inlined
def is_trapped(parameters: Any, player: int, move: int, rng: int) -> tuple[bool, int]:
    """(whether `move` of `player` ends the playout as lost, rng): by chance, if it is on the list."""
    if parameters[_PLAYER] == player:
        for i in range(_MOVES, _MOVES + int(parameters[_COUNT])):
            if parameters[i] == move:
                r, rng = below(rng, _CHANCES)
                return r < parameters[_CHANCE] * _CHANCES, rng
    return False, rng


@inlined
def remember(scratch: Ints, b: Board) -> None:
    """Keep the last two positions of a playout: `b`, and the one before it."""
    for word in range(BEFORE, BEFORE + A_BOARD):
        scratch[word + A_BOARD] = scratch[word]
    store(tail(scratch, BEFORE), b)


@kernel
def otherwise(scratch: Ints, back: int, plies: int, rng: int) -> tuple[bool, Board, int, int]:
    """BL-BFS: (whether the side that is mated had a way out `back` plies ago, the position that leads to, plies, rng).

    Every move it had is searched two plies deep: does it allow a mate in one? One that does not is drawn by chance,
    and takes the place of the one played.
    """
    b = load(tail(scratch, BEFORE + A_BOARD * (back - 1)))
    moves = tail(scratch, LIST)
    count = list_moves(b, moves, tail(scratch, SETS)) if plies >= back else 0
    while count > 0:
        r, rng = below(rng, count)
        move = moves[r]
        count -= 1
        moves[r] = moves[count]
        after = make(b, move)
        if not allows_mate(after, tail(scratch, SETS), tail(scratch, MORE_SETS)):
            store(tail(scratch, BEFORE), b)
            plies -= back
            if plies < TRACE:
                scratch[1 + plies] = move
            return True, after, plies + 1, rng
    return False, b, plies, rng
