"""The arrays of a thread that searches."""

from typing import Any, NamedTuple

import numpy as np

from plyout.games.contract import Game
from plyout.kernel import INTERPRETED, Ints
from plyout.playout.scratch import Scratch, new_scratch
from plyout.search.backup import AMAF_MOVES
from plyout.search.proof.checking import BUFFER

DEEPEST = 1024  # plies of a descent

# What a thread counts: iterations, leaves evaluated, the sum of the leaves' depths, the greatest depth, how often a
# leaf was good, even or bad for the side to move at the root, how often a shared node was found, and how often endgame
# tables knew a position (which their directory counts while a search is going on).
ITERATIONS, EVALUATED, DEPTHS, DEEPEST_YET, WON, DREW, LOST, SHARINGS, TABLE_HITS, COUNTERS = range(10)


class Way(NamedTuple):
    """Room for one descent."""

    state: Ints  # the position where it is
    nodes: Ints  # that it has visited
    edges: Ints  # that it has followed


class Workspace(NamedTuple):
    way: Way
    trial: Ints  # a position to try a move in
    moves: Ints  # the legal moves of a position, and what listing them needs
    scores: Any  # float64: their scores by the prior rule
    scratch: Scratch  # the evaluator's, with the random generator
    mate_buffer: Ints  # for the search for mates by checks
    stack: Ints  # alpha-beta's, where it looks ahead
    table: Ints  # alpha-beta's transposition table, all threads' own
    stamps: Ints  # RAVE: in which iteration a side last played a move
    counters: Ints
    stop: Ints  # stop[0] is set from outside to end the search


def new_way(game: Game, count: int = 1) -> Way:
    """Room for so many descents, one behind the other."""
    state, nodes, edges = (np.zeros(count * size, np.int64) for size in (game.size, DEEPEST + 1, DEEPEST + 1))
    return Way(state, nodes, edges)


def new_workspace(game: Game, scratch: Scratch, stack: Ints, table: Ints) -> Workspace:
    """Arrays for one thread; `stop` and `counters` are replaced when a search begins."""
    return Workspace(
        way=new_way(game),
        trial=np.zeros(game.size, np.int64),
        moves=np.zeros(game.room, np.int64),
        scores=np.zeros(game.room),
        scratch=scratch,
        mate_buffer=np.zeros(BUFFER, np.int64),
        stack=stack,
        table=table,
        stamps=np.zeros(2 * AMAF_MOVES if scratch.trace.size else 0, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        stop=np.zeros(1, np.int64),
    )


def _kind() -> Any:
    from numba import typeof

    from plyout.games import TICTACTOE
    from plyout.knowledge.tables.probe import no_tables

    none = np.zeros(1, np.int64)
    return typeof(new_workspace(TICTACTOE, new_scratch(no_tables(), rave=False), none, none))


WORKSPACE: Any = None if INTERPRETED else _kind()
