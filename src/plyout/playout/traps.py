"""What playouts know of traps: moves on the list end them, and a mate at their end must be forced (Topolewski 2019).

The list travels behind the parameters, in the same vector: the player it belongs to, the chance that a listed move
loses, how many moves there are, and the moves.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games.chess.board import Board, load, make, store
from plyout.games.chess.moves import list_moves
from plyout.kernel import Ints, inlined, tail
from plyout.kernel.random import below
from plyout.parameters import TABLE
from plyout.playout.mates import allows_mate
from plyout.playout.scratch import BEFORE, LIST, MORE_SETS, SETS

_PLAYER, _CHANCE, _COUNT, _MOVES = range(len(TABLE), len(TABLE) + 4)
_CHANCES = 1 << 20  # the grain of a probability


def with_list(
    parameters: npt.NDArray[np.float64], player: int, similarity: float, moves: list[int]
) -> npt.NDArray[np.float64]:
    """The parameters of a search, with a list of the moves that are traps for `player` behind them."""
    return np.concatenate((parameters[: len(TABLE)], [player, similarity, len(moves)], moves))


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
    """Keep the last two positions of a playout: the one before `b`, and `b`."""
    for word in range(BEFORE, BEFORE + 16):
        scratch[word + 16] = scratch[word]
    store(tail(scratch, BEFORE), b)


@inlined
def otherwise(scratch: Ints, plies: int, rng: int) -> tuple[bool, Board, int]:
    """BL-BFS: (whether the side that was mated could have avoided it `plies` plies ago, how it goes on then, rng).

    Every move it had is searched two plies deep: does it allow a mate in one? One that does not is drawn by chance.
    """
    b = load(tail(scratch, BEFORE + 16 * (plies - 1)))
    moves = tail(scratch, LIST)
    count = list_moves(b, moves, tail(scratch, SETS))
    while count > 0:
        r, rng = below(rng, count)
        count -= 1
        after = make(b, moves[r])
        moves[r] = moves[count]
        if not allows_mate(after, tail(scratch, SETS), tail(scratch, MORE_SETS)):
            return True, after, rng
    return False, b, rng
