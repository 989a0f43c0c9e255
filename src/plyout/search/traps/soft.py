"""Soft traps: moves that needlessly lose material (future work of Topolewski 2019, section 6.2).

A move is worth what is left when both sides have made their best moves for `level` - 1 plies and then played out the
captures that do not lose by exchange. It is a soft trap if that is at least `loss` centipawns below both the present
evaluation and what the best move is worth: a piece that is lost anyway, or a gain that is missed, makes no trap.
"""

import numpy as np

from plyout.evaluate.quiescence import (
    EVASIONS, EXCHANGES, INFINITE, MATE_SCORE, QUIET_ROOM, Options, mvv_lva, quiesce, unweighted,
)  # fmt: skip
from plyout.evaluate.sums import sums_of
from plyout.evaluate.tapered import evaluate
from plyout.games import State
from plyout.games.chess.board import Board, in_check, load, make
from plyout.games.chess.moves import list_moves
from plyout.games.chess.rules import MOVES, ROOM
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, keep, kernel, borrowed, put, tail
from plyout.search.similarity.sets import sort
from plyout.search.traps.hard import Trap, check_level

_SWITCHES = EVASIONS | EXCHANGES
_CAPTURES = 8  # plies of captures that are played out
_MOVE = (1 << 24) - 1


@inlined
def _ordered(b: Board, moves: Ints) -> int:
    """Write the legal moves, captures first, in MVV-LVA order; how many there are."""
    count = list_moves(b, moves, tail(moves, MOVES))
    for i in range(count):
        move = at(moves, i)
        put(moves, i, 255 - mvv_lva(House(b, 0, 0), move) << 24 | move)
    sort(moves, count)
    for i in range(count):
        put(moves, i, at(moves, i) & _MOVE)
    return count


@kernel
def _worth(b: Board, depth: int, alpha: int, beta: int, ply: int, buffer: Ints, scratch: Ints, nodes: Ints) -> int:
    """Centipawns for the side to move after `depth` plies of best play and the captures (fail-soft alpha-beta)."""
    if depth == 0:
        options, buffers = Options(_SWITCHES, 0, ply + _CAPTURES), unweighted(scratch, nodes)
        return quiesce(House(b, 0, 0), sums_of(b), alpha, beta, ply, options, buffers)
    moves = tail(buffer, depth * ROOM)
    count = _ordered(b, moves)
    if count == 0:
        return ply - MATE_SCORE if in_check(b) else 0
    best = -INFINITE
    for i in range(count):
        after = make(b, at(moves, i))
        value = -_worth(after, depth - 1, -beta, -max(alpha, best), ply + 1, buffer, scratch, nodes)
        if value > best:
            best = value
            if value >= beta:
                break
    return best


@kernel
def _find(state: Ints, depth: int, loss: int, moves: Ints, levels: Ints, found: int) -> int:
    """Write the soft traps to `moves`, `found` to `levels` beside them; return how many there are."""
    b = load(state)
    arrays = np.empty((depth + 1) * ROOM, np.int64), np.empty(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    buffer, scratch, nodes = borrowed(arrays)
    every = np.empty(ROOM, np.int64)
    count = _ordered(b, every)
    infinite, one = np.int64(INFINITE), np.int64(1)
    best = -infinite
    for i in range(count):
        best = max(best, -_worth(make(b, at(every, i)), depth, -infinite, -best, one, buffer, scratch, nodes))
    bound = min(best, evaluate(b)) - loss
    traps = 0
    for i in range(count):
        if -_worth(make(b, at(every, i)), depth, -bound - 1, -bound, one, buffer, scratch, nodes) <= bound:
            put(moves, traps, at(every, i))
            put(levels, traps, found)
            traps += 1
    keep(arrays)
    return traps


def soft_traps(state: State, level: int = 3, loss: float = 200) -> list[Trap]:
    """The moves in a chess position that needlessly lose `loss` centipawns within `level` plies and the captures.

    >>> from plyout.games import CHESS
    >>> state = CHESS.parse("4k3/8/8/3p4/8/1Q6/8/4K3 w - - 0 1")
    >>> [CHESS.move_text(state, trap.move) for trap in soft_traps(state, 1)]
    ['b3c4']
    """
    moves, levels = np.empty(MOVES, np.int64), np.empty(MOVES, np.int64)
    depth = np.int64(check_level(level) - 1)
    count = _find(state, depth, np.int64(loss), moves, levels, np.int64(level))
    return sorted((Trap(int(m), level) for m in moves[:count]), key=lambda trap: trap.move)
