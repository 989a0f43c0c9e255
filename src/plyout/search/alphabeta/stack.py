"""What an alpha-beta search remembers: the search stack, one flat array of int64 for each thread.

    0           16 …         KILLERS …       HISTORIES …          REPLIES …            STATICS …
    counters,   weights of   2 moves a ply   how quiet moves,     … after another      the evaluation,
    limits,     the                          by piece and         piece and square     a word a ply
    settings    evaluation                   square, have fared

    CAME_BY …          PATH …             PV …                  SCRATCH …
    piece and square   keys of the        triangular table of   sets of moves, then the lists of
    of the move that   positions up to    best lines, a row     moves, ply behind ply
    led to a ply       here               a ply

A search lends itself to plain arrays: Python fills in the limits before it starts and reads counters and best lines
while it runs. Threads share nothing but the transposition table (see `plyout.search.alphabeta.table`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, LIMITED
from plyout.evaluate.weighted import TERMS
from plyout.games.chess.board import HISTORY as STATE_HISTORY, KEY, MEMORY, NUMBER, PAST, TURN, Board
from plyout.games.chess.keys import repetition_key
from plyout.games.chess.moves import SETS_SIZE
from plyout.kernel import Ints, at, atomic_load, inlined, put

TABLE, KILLER, HISTORY, NULL_MOVE, REDUCE, PRUNE = 1, 2, 4, 8, 16, 32
"""Switches: transposition table; killer moves; history heuristic; null move; principal variation search, in which late
moves are searched with a null window and less depth; near the leaves, what the evaluation puts far from the window is
left out, a check is searched a ply deeper, and so is a move without an equal."""

ALL = TABLE | KILLER | HISTORY | NULL_MOVE | REDUCE | PRUNE

MAX_PLY = 64  # plies, quiescence apart
_MAX_MOVES = 256  # no chess position has as many

# Counters, limits and settings; the first two are those that quiescence counts in.
(
    NODES, MAX_NODES, SELECTIVE_DEPTH, ABORTED, SWITCHES, QUIET_SWITCHES, QUIET_DELTA, QUIET_DEPTH, WEIGHTED, ROOT_PLY,
    FIRST_MOVE, NETWORK, KEPT,
) = range(13)  # fmt: skip
WEIGHTS = 16
KILLERS = WEIGHTS + len(TERMS)
HISTORIES = KILLERS + 2 * MAX_PLY
PLACES = 6 * 64
"""pieces and squares that a move may go to; as the move before, one more stands for none"""
REPLIES = HISTORIES + 2 * PLACES
STATICS = REPLIES + (PLACES + 1) * PLACES
CAME_BY = STATICS + MAX_PLY
PATH = CAME_BY + MAX_PLY
PV = PATH + MEMORY + MAX_PLY
SCRATCH = PV + MAX_PLY * MAX_PLY
STACK_SIZE = SCRATCH + SETS_SIZE + (2 * MAX_PLY + 8) * _MAX_MOVES  # twice: a ply may be searched without a move first


class Memory(NamedTuple):
    """The arrays of a search."""

    stack: Ints
    table: Ints
    """The transposition table, shared by all threads."""
    stop: Ints
    """A flag that anybody may raise."""


def new_stack(numbers: Mapping[str, float], switches: int, weights: Any, network: int = 0, room: int = 0) -> Ints:
    """A stack for searches with these switches, and quiescence and evaluation by the parameters, or by the value
    network whose weights stand at an address; it needs so many words of room to keep its sums."""
    whole = np.zeros(room + STACK_SIZE, np.int64)
    stack = whole[room:]  # which keeps the rest
    stack[KEPT] = whole.ctypes.data
    stack[SWITCHES] = switches
    stack[QUIET_SWITCHES] = LIMITED | (EVASIONS if numbers["quiet_evasions"] else 0)
    stack[QUIET_SWITCHES] |= EXCHANGES if numbers["quiet_exchanges"] else 0
    stack[QUIET_DEPTH], stack[QUIET_DELTA] = int(numbers["quiet_depth"]), int(numbers["quiet_delta"])
    stack[WEIGHTED] = int(numbers["weighted"])
    stack[WEIGHTS:KILLERS] = weights
    stack[NETWORK] = network
    return stack


@inlined
def must_stop(memory: Memory) -> bool:
    """Whether a limit is reached or the flag raised; the search is aborted then."""
    stack = memory.stack
    if stack[NODES] >= stack[MAX_NODES] or atomic_load(memory.stop, 0):
        stack[ABORTED] = 1
        return True
    return False


# -- the path from the start of the game, for repetitions -------------------------------------------------------------


@inlined
def begin_path(state: Ints, b: Board, stack: Ints) -> None:
    """Write down the positions of the game up to the root, which stands at `stack[ROOT_PLY]`."""
    root_ply = state[PAST]
    ply = 2 * state[NUMBER] + state[TURN]
    for back in range(1, root_ply + 1):
        put(stack, PATH + root_ply - back, at(state, STATE_HISTORY + (ply - back & MEMORY - 1)))
    stack[ROOT_PLY] = root_ply
    put(stack, PATH + root_ply, repetition_key(b, state[KEY]))


@inlined
def repeats(stack: Ints, ply: int, clock: int, key: int) -> bool:
    """Write the key of the position at `ply` on the path; whether it occurred since the root, or twice before it.

    One repetition inside the search counts as a draw: who could repeat once can do so again.
    """
    here = stack[ROOT_PLY] + ply
    put(stack, PATH + here, key)
    times = 0
    back = 4
    while back <= clock and back <= here:
        if at(stack, PATH + here - back) == key:
            if back <= ply or times:
                return True
            times += 1
        back += 2
    return False


# -- the principal variation ------------------------------------------------------------------------------------------


@inlined
def clear_pv(stack: Ints, ply: int) -> None:
    put(stack, PV + ply * MAX_PLY, -1)


@inlined
def extend_pv(stack: Ints, ply: int, move: int) -> None:
    """The best line at `ply` is `move` and the best line at the next ply; -1 ends a line."""
    here, below = PV + ply * MAX_PLY, PV + (ply + 1) * MAX_PLY
    put(stack, here, move)
    i = 0
    while i < MAX_PLY - 2 and ply + 1 < MAX_PLY and at(stack, below + i) >= 0:
        put(stack, here + 1 + i, at(stack, below + i))
        i += 1
    put(stack, here + 1 + i, -1)


def principal_variation(stack: Ints, ply: int) -> list[int]:
    """The best line that was found below `ply`."""
    row: list[int] = stack[PV + ply * MAX_PLY : PV + (ply + 1) * MAX_PLY].tolist()
    return row[: row.index(-1)] if -1 in row else row
