"""What an evaluator works with: arrays of the thread that calls it."""

from typing import Any, NamedTuple

import numpy as np

from plyout.games.chess.board import CLOCK
from plyout.games.chess.moves import SETS_SIZE
from plyout.games.chess.rules import MOVES
from plyout.kernel import INTERPRETED, Ints
from plyout.knowledge.tables.probe import DIRECTORY
from plyout.parameters import Leaf, group, values

TRACE = 1023  # moves of a playout that are remembered
A_BOARD = CLOCK + 1  # words of a state without its history


class Scratch(NamedTuple):
    """The rules of the game need room to list moves; the rest is what a playout knows or tells."""

    rng: Ints  # one word: the state of the random generator, to be left as the last draw made it
    trace: Ints  # the number of moves of the playout, and the moves, which RAVE reads; empty where nobody does
    sets: Ints  # moves as sets, and lists behind them
    more_sets: Ints
    moves: Ints  # a list of moves
    boards: Ints  # the last two positions of the playout
    counters: Ints  # positions searched by quiescence, and how many at most
    directory: Ints  # endgame tables (see `plyout.knowledge.tables.probe`)
    weights: Ints  # of the weighted evaluation; empty where the tapered one is used
    traps: Ints  # a list of traps (see `plyout.playout.traps`); empty where there is none
    accumulators: Ints  # what a network keeps from position to position; empty where none is asked


def new_scratch(directory: Any, rave: bool, weights: Any = (), traps: Any = (), accumulators: int = 0) -> Scratch:
    """Arrays for one thread; `directory` is copied, because it counts what was found."""

    def words(count: int) -> Any:
        return np.zeros(count, np.int64)

    return Scratch(
        rng=words(1), trace=words(1 + TRACE if rave else 0), sets=words(2 * SETS_SIZE + 2 * MOVES),
        more_sets=words(SETS_SIZE), moves=words(MOVES), boards=words(2 * A_BOARD), counters=words(2),
        directory=np.array(directory, np.int64), weights=np.array(weights, np.int64),
        traps=np.array(traps, np.int64), accumulators=words(accumulators),
    )  # fmt: skip


if INTERPRETED:
    SCRATCH: Any = None
    LEAF: Any = None
else:
    from numba import typeof

    SCRATCH = typeof(new_scratch(np.zeros(DIRECTORY, np.int64), rave=False))
    LEAF = typeof(group(Leaf, values({})))
