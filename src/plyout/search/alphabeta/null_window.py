"""One question to alpha-beta, asked deeper and deeper: is there a move that is worth so much?

A search with the null window (beta - 1, beta) answers it with a bound and is much cheaper than the value itself.
"""

import numpy as np

from plyout.games.chess.moves import SETS_SIZE
from plyout.kernel import Ints, kernel, borrowed, put
from plyout.search.alphabeta.search import negamax, root_position
from plyout.search.alphabeta.stack import (
    ABORTED, FIRST_MOVE, HISTORIES, KILLERS, MAX_NODES, MAX_PLY, NODES, SELECTIVE_DEPTH, Memory,
)  # fmt: skip
from plyout.search.alphabeta.table import MATE_LIKE, probe


@kernel
def null_window_search(
    state: Ints, preferred: int, beta: int, margin: int, positions: int, stack: Ints, table: Ints, stop: Ints
) -> int:
    """Null-window searches of the position `state` for a move worth `beta` centipawns or more, by iterative deepening,
    until so many positions have been searched; returns the depth that was reached.

    Where the move `preferred` is itself worth that much, `beta` is raised by `margin`: wanted is a move that is better
    than it. The answer, with the move, is left in the table, and another search goes on from there.
    """
    memory = borrowed(Memory(stack, table, stop))
    stack = memory.stack
    root = root_position(state, stack)
    stack[NODES] = stack[ABORTED] = stack[SELECTIVE_DEPTH] = 0
    stack[MAX_NODES], stack[FIRST_MOVE] = positions, preferred
    for i in range(KILLERS, HISTORIES):
        put(stack, i, 0)
    word = np.int64
    depth = 1
    while depth < MAX_PLY - 1:
        value = negamax(root, word(beta - 1), word(beta), word(depth), word(0), word(SETS_SIZE), word(0), memory)
        if stack[ABORTED] or beta > MATE_LIKE:
            break
        if value >= beta and probe(memory.table, root.key, 0).move == preferred:
            beta += margin
        else:
            depth += 1
    stack[FIRST_MOVE] = 0
    return depth
