"""Negamax with alpha-beta: the search itself.

What chess programs add to the plain search are switches (see `plyout.search.alphabeta.stack`). All recursive calls
stand in `negamax`; what it decides by stands in small functions above it, which are inlined.
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.quiescence import INFINITE, MATE_SCORE, Buffers, Options, evaluation, quiesce
from plyout.evaluate.sums import Sums, for_opponent, raised, sums_of, tapered
from plyout.evaluate.tapered import gain
from plyout.games.chess.board import KEY, Board, K, in_check, load, make, sides
from plyout.games.chess.keys import ep_key, key_change, repetition_key, turn_key
from plyout.games.chess.moves import SETS_SIZE, STEP, add, find, safe_steps, write
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, kernel, borrowed, low, tail
from plyout.search.alphabeta.ordering import is_late, is_quiet, next_move, note_cutoff, score_moves
from plyout.search.alphabeta.stack import (
    ABORTED, FIRST_MOVE, MAX_NODES, MAX_PLY, NETWORK, NODES, NULL_MOVE, PRUNE, QUIET_DELTA, QUIET_DEPTH, QUIET_SWITCHES,
    REDUCE, SCRATCH, SELECTIVE_DEPTH, SWITCHES, TABLE, WEIGHTED, WEIGHTS, Memory, begin_path, clear_pv, extend_pv,
    must_stop, repeats,
)  # fmt: skip
from plyout.search.alphabeta.table import MATE_LIKE, Entry, bound_of, decides, no_entry, probe, store

_UNDECIDED = INFINITE
_MARGIN = 90  # centipawns that a ply of search may be expected to change
_MUCH = 1000  # centipawns
_SHALLOW = 4  # plies: nearer to the leaves, moves may be left out unsearched


class Window(NamedTuple):
    alpha: int
    beta: int


class Known(NamedTuple):
    """What is known of a position before it is searched."""

    value: int
    """which may stand for the search; else _UNDECIDED"""
    static: int
    """by which moves may be left out; _UNDECIDED where none may"""


class Position(NamedTuple):
    """A position, with what is carried along from move to move."""

    board: Board
    key: int
    sums: Sums


@inlined
def root_position(state: Ints, stack: Ints) -> Position:
    """The position `state`; the game so far is laid out on the stack."""
    b = load(state)
    begin_path(state, b, stack)
    return Position(b, state[KEY], sums_of(b))


@inlined
def _after(p: Position, move: int) -> Position:
    after = make(p.board, move)
    return Position(after, p.key ^ key_change(p.board, move, after), for_opponent(raised(p.sums, gain(p.board, move))))


@inlined
def _after_null_move(p: Position) -> Position:
    """The opponent is to move in the same position; nothing before it can be repeated."""
    b = p.board
    passed = Board(
        b.pawns, b.knights, b.bishops, b.rooks, b.queens, b.kings, b.white, b.black, b.rights, 0, 1 - b.turn, 0
    )  # fmt: skip
    return Position(passed, p.key ^ turn_key() ^ ep_key(b), for_opponent(p.sums))


@inlined
def _arrive(p: Position, ply: int, memory: Memory) -> tuple[int, int, int]:
    """(result, sets, checkers): the legal moves as so many sets at the front of the scratch, and who gives check.

    Where the game is over, the result is what it is worth to the side to move: a draw by material, repetition,
    stalemate or the fifty-move rule, or mate, which comes before the latter; and 0 where the search must stop.
    Otherwise it is _UNDECIDED.
    """
    stack = memory.stack
    if must_stop(memory):
        return 0, 0, 0
    stack[NODES] += 1
    b, scratch = p.board, tail(stack, SCRATCH)
    if insufficient(b) or repeats(stack, ply, b.clock, repetition_key(b, p.key)):
        return 0, 0, 0
    n, total, steps, checkers = find(b, scratch)
    own, _ = sides(b)
    n, total = add(scratch, n, total, safe_steps(b, steps), low(b.kings & own) | K << 12, STEP)
    if total == 0:
        return ply - MATE_SCORE if checkers else 0, n, checkers
    return 0 if b.clock >= 100 else _UNDECIDED, n, checkers


@inlined
def _buffers(used: int, stack: Ints) -> Buffers:
    """What the evaluation and quiescence work with: the scratch behind its first `used` words."""
    weights = tail(stack, WEIGHTS if stack[WEIGHTED] else stack.size)
    return Buffers(tail(stack, SCRATCH + used), stack, weights, stack[NETWORK])


@inlined
def _quiescence(p: Position, alpha: int, beta: int, ply: int, used: int, stack: Ints) -> int:
    """The value at a leaf."""
    stack[NODES] -= 1  # quiescence counts this position
    options = Options(stack[QUIET_SWITCHES], stack[QUIET_DELTA], ply + stack[QUIET_DEPTH])
    value = quiesce(House(p.board, 0, 0), p.sums, alpha, beta, ply, options, _buffers(used, stack))
    if stack[NODES] >= stack[MAX_NODES]:
        stack[ABORTED] = 1
    return value


@inlined
def _recalled(p: Position, ply: int, memory: Memory) -> Entry:
    """What the table knows, if it is used."""
    return probe(memory.table, p.key, ply) if memory.stack[SWITCHES] & TABLE else no_entry()


@inlined
def _remember(p: Position, ply: int, entry: Entry, memory: Memory) -> None:
    if memory.stack[SWITCHES] & TABLE:
        store(memory.table, p.key, ply, entry)


@inlined
def _may_cut(entry: Entry, alpha: int, beta: int, depth: int, stack: Ints) -> bool:
    """Whether the table's value is the answer. In principal variation search the few nodes with an open window are
    searched all the same: the line through them is what people see."""
    return decides(entry, alpha, beta, depth) and (beta - alpha == 1 or not stack[SWITCHES] & REDUCE)


@inlined
def _static(p: Position, alpha: int, beta: int, checkers: int, used: int, stack: Ints) -> int:
    """The evaluation by which something may be left out here; _UNDECIDED where nothing may: in check, where the value
    itself is wanted, and where so much is won that mates are what is looked for."""
    null_window = beta - alpha == 1 and abs(beta) < _MUCH
    if checkers or not null_window or not stack[SWITCHES] & PRUNE:
        return _UNDECIDED
    return evaluation(House(p.board, 0, 0), p.sums, _buffers(used, stack))


@inlined
def _extended(depth: int, checkers: int, stack: Ints) -> int:
    """A ply more in check: what seems quiet there may be lost."""
    return depth + 1 if checkers and stack[SWITCHES] & PRUNE else depth


@inlined
def _known(p: Position, window: Window, depth: int, checkers: int, entry: Entry, used: int, stack: Ints) -> Known:
    """What may stand for a search of the position: the table's value, or the evaluation where it is far above."""
    if _may_cut(entry, window.alpha, window.beta, depth, stack):
        return Known(entry.value, _UNDECIDED)
    static = _static(p, window.alpha, window.beta, checkers, used, stack)
    far_above = static != _UNDECIDED and depth <= _SHALLOW + 2 and static - _MARGIN * depth >= window.beta
    return Known(static if far_above else _UNDECIDED, static)


@inlined
def _is_hopeless(static: int, alpha: int, best: int, depth: int, i: int, packed: int) -> bool:
    """Whether the scored move in place `i` may be left out if it gives no check: it is quiet, late, and either one of
    many or far from what it would have to reach. Not where all others lose to a mate: that would claim too much."""
    if i == 0 or static == _UNDECIDED or depth > _SHALLOW or best <= -MATE_LIKE or not is_late(packed):
        return False
    return i > 3 + depth * depth or static + _MARGIN * (depth + 1) <= alpha


@inlined
def _may_pass(p: Position, beta: int, depth: int, checkers: int, static: int, stack: Ints) -> bool:
    """Whether a null move is worth trying: who stands so well that passing is good enough need not search for a move.

    With pawns and king alone it may be better to pass than to move (zugzwang).
    """
    b = p.board
    own, _ = sides(b)
    sound = depth >= 3 and checkers == 0 and own & ~(b.pawns | b.kings) != 0
    stands = tapered(p.sums) if static == _UNDECIDED else static
    return stack[SWITCHES] & NULL_MOVE != 0 and sound and beta < MATE_LIKE and stands >= beta


@inlined
def _reduction(b: Board, packed: int, move: int, i: int, depth: int, checkers: int) -> int:
    """Plies by which the depth of the scored move in place `i` is reduced: the ordering trusts it little."""
    if i < 3 or depth < 3 or checkers or not is_late(packed) or not is_quiet(b, move):
        return 0
    return 2 if i >= 10 else 1


@kernel
def negamax(
    p: Position, alpha: int, beta: int, depth: int, ply: int, used: int, may_pass: int, memory: Memory
) -> int:  # fmt: skip
    """Centipawns for the side to move in `p`, `ply` plies from the root, searched `depth` plies deep (fail-soft).

    Wanted is the value v of plain negamax to that depth, with quiescence at its leaves. For alpha < beta, the value r
    returned says

        r <= alpha          v <= r      fail low, an upper bound
        alpha < r < beta    v == r      exact
        r >= beta           v >= r      fail high, a lower bound

    This is exact with KILLER and HISTORY, which change the order of moves only. TABLE may bring in values of deeper
    searches and of other paths, on which other positions repeat; NULL_MOVE, REDUCE and PRUNE bet that the moves that
    they do not search, or not so deeply, would not change the side of the window on which v lies. The value is void
    once `stack[ABORTED]` is set. The best line is left in the stack's row `ply` if r > alpha.

    `used` is how much of the scratch the lists of moves of the plies above take; `may_pass` is 0 after a null move.
    """
    memory = borrowed(memory)  # here, too: Numba counts no references to what it sees to be borrowed
    stack = memory.stack
    clear_pv(stack, ply)
    result, sets, checkers = _arrive(p, ply, memory)
    if result != _UNDECIDED:
        return result
    stack[SELECTIVE_DEPTH] = max(stack[SELECTIVE_DEPTH], ply)
    # Mate-distance pruning: no line is worth more than mate at the next ply, nor less than being mated here.
    alpha, beta = max(alpha, ply - MATE_SCORE), min(beta, MATE_SCORE - ply - 1)
    if alpha >= beta:
        return alpha
    depth = _extended(depth, checkers, stack)
    if depth <= 0 or ply >= MAX_PLY - 1:
        return _quiescence(p, alpha, beta, ply, used, stack)
    entry = _recalled(p, ply, memory)
    known = _known(p, Window(alpha, beta), depth, checkers, entry, used, stack)
    if known.value != _UNDECIDED:
        return known.value

    moves = tail(stack, SCRATCH + used)
    count = write(tail(stack, SCRATCH), sets, moves)
    used, below = used + count, ply + 1
    if may_pass and _may_pass(p, beta, depth, checkers, known.static, stack):
        shallow = depth - 3 - depth // 4
        value = -negamax(_after_null_move(p), -beta, 1 - beta, shallow, below, used, np.int64(0), memory)
        if value >= beta and not stack[ABORTED]:
            return beta

    hash_move = stack[FIRST_MOVE] if ply == 0 and stack[FIRST_MOVE] else entry.move
    score_moves(p.board, p.sums, hash_move, ply, moves, count, stack)
    lowest, best, best_move = alpha, -INFINITE, 0
    for i in range(count):
        move = next_move(moves, i, count)
        after = _after(p, move)
        if _is_hopeless(known.static, alpha, best, depth, i, at(moves, i)) and not in_check(after.board):
            continue
        value, full = 0, i == 0 or not stack[SWITCHES] & REDUCE
        if not full:
            # A later move need only be shown to be no better: with a null window, and perhaps with less depth.
            less = _reduction(p.board, at(moves, i), move, i, depth, checkers)
            value = -negamax(after, -alpha - 1, -alpha, depth - 1 - less, below, used, np.int64(1), memory)
            full = value > alpha and (less > 0 or value < beta)
        if full:
            value = -negamax(after, -beta, -alpha, depth - 1, below, used, np.int64(1), memory)
        if stack[ABORTED]:
            return 0
        if value > best:
            best, best_move = value, move
        if value > alpha:
            alpha = value
            extend_pv(stack, ply, move)
        if value >= beta:
            note_cutoff(p.board, move, ply, depth, stack)
            break
    _remember(p, ply, Entry(best_move, best, depth, bound_of(best, lowest, beta)), memory)
    return best


@kernel
def search_move(
    state: Ints, move: int, alpha: int, beta: int, depth: int, stack: Ints, table: Ints, stop: Ints
) -> int:  # fmt: skip
    """What `move` is worth to its mover in the position `state`, searched `depth` plies deep, the move included; the
    window is the mover's. See `negamax`."""
    memory = borrowed(Memory(stack, table, stop))
    after = _after(root_position(state, memory.stack), move)
    word = np.int64  # see `plyout.evaluate.quiescence.quiesce` for why
    return -negamax(after, word(-beta), word(-alpha), word(depth - 1), word(1), word(SETS_SIZE), word(1), memory)
