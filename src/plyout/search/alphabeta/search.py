"""Negamax with alpha-beta: the search itself.

What chess programs add to the plain search are switches (see `plyout.search.alphabeta.stack`). All recursive calls
stand in `negamax`; what it decides by stands in small functions above it, which are inlined.
"""

from math import log
from typing import NamedTuple

import numpy as np

from plyout.evaluate.exchange import exchange
from plyout.evaluate.quiescence import INFINITE, MATE_SCORE, Buffers, Options, evaluation, quiesce
from plyout.evaluate.sums import Sums, for_opponent, raised, sums_of, tapered
from plyout.evaluate.tapered import gain
from plyout.games.chess.board import KEY, Board, K, in_check, load, make, sides
from plyout.games.chess.keys import ep_key, key_change, repetition_key, turn_key
from plyout.games.chess.moves import SETS_SIZE, STEP, add, find, safe_steps, write
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, kernel, borrowed, low, put, shr, tail
from plyout.search.alphabeta.ordering import (
    MOST, MOVE, history, is_late, is_quiet, next_move, note_cutoff, place_of, score_moves,
)  # fmt: skip
from plyout.search.alphabeta.stack import (
    ABORTED, CAME_BY, FIRST_MOVE, KEPT, MAX_NODES, MAX_PLY, NETWORK, NODES, NULL_MOVE, PLACES, PRUNE, QUIET_DELTA,
    QUIET_DEPTH, QUIET_SWITCHES, REDUCE, SCRATCH, SELECTIVE_DEPTH, STATICS, SWITCHES, TABLE, WEIGHTED, WEIGHTS, Memory,
    begin_path, clear_pv, extend_pv, must_stop, repeats,
)  # fmt: skip
from plyout.search.alphabeta.table import LOWER, MATE_LIKE, UPPER, Entry, bound_of, decides, no_entry, probe, store

_UNDECIDED = INFINITE
_MARGIN = 80  # centipawns that a ply of search may be expected to change
_MUCH = 1000  # centipawns
_SHALLOW = 8  # plies: nearer to the leaves, moves may be left out unsearched
_SINGULAR = 7  # plies: with less left, it is not asked whether a move has an equal
_ONE = 1024  # a ply, in the table of reductions

NO_PASS = -1
"""in the place of a move that is barred"""

_REDUCTIONS = np.array(
    [0 if d * i == 0 else int(_ONE * (0.5 + log(d) * log(i) / 2.2)) for d in range(64) for i in range(64)], np.int64
)
"""_REDUCTIONS[depth * 64 + i]: by how much the ordering's move in place `i` is trusted less."""


class Window(NamedTuple):
    alpha: int
    beta: int


class Known(NamedTuple):
    """What is known of a node before any of its moves is searched."""

    value: int
    """which may stand for the search; else _UNDECIDED"""
    entry: Entry
    """what the table knows"""
    static: int
    """the evaluation, as far as the table does not know better; _UNDECIDED in check"""
    leaves_out: bool
    """whether moves may be left out by it"""
    improves: bool
    """whether it is better than two plies before"""


class Position(NamedTuple):
    """A position, with what is carried along from move to move."""

    board: Board
    key: int
    sums: Sums


class Node(NamedTuple):
    """A position within the search, and how it is to be searched."""

    p: Position
    checkers: int
    ply: int
    depth: int
    barred: int
    """see `negamax`"""


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
    return Buffers(tail(stack, SCRATCH + used), stack, weights, stack[NETWORK], stack[KEPT])


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
def _remember(node: Node, entry: Entry, memory: Memory) -> None:
    """Not what a node is worth without one of its moves."""
    if memory.stack[SWITCHES] & TABLE and node.barred <= 0:
        store(memory.table, node.p.key, node.ply, entry)


@inlined
def _may_cut(entry: Entry, window: Window, depth: int, stack: Ints) -> bool:
    """Whether the table's value is the answer. In principal variation search the few nodes with an open window are
    searched all the same: the line through them is what people see."""
    closed = window.beta - window.alpha == 1 or not stack[SWITCHES] & REDUCE
    return closed and decides(entry, window.alpha, window.beta, depth)


@inlined
def _extended(depth: int, checkers: int, stack: Ints) -> int:
    """A ply more in check: what seems quiet there may be lost."""
    return depth + 1 if checkers and stack[SWITCHES] & PRUNE else depth


@inlined
def _shortened(node: Node, entry: Entry, alpha: int, stack: Ints) -> int:
    """A ply less where the search does not know where to begin: it is better made later, when it does."""
    blind = not entry.move and node.depth >= 4 and stack[SWITCHES] & REDUCE != 0 and abs(alpha) < MATE_LIKE
    return node.depth - 1 if blind else node.depth


@inlined
def _evaluated(node: Node, entry: Entry, used: int, stack: Ints) -> tuple[int, bool]:
    """(the evaluation, whether it has improved); _UNDECIDED in check, and where nobody asks for it."""
    p, ply = node.p, node.ply
    if node.checkers or not stack[SWITCHES] & PRUNE:
        put(stack, STATICS + ply, _UNDECIDED)
        return _UNDECIDED, False
    static = evaluation(House(p.board, 0, 0), p.sums, _buffers(used, stack))
    put(stack, STATICS + ply, static)
    before = at(stack, STATICS + max(ply - 2, 0))
    improves = ply >= 2 and before != _UNDECIDED and static > before
    above = entry.bound != UPPER and entry.value > static
    below = entry.bound != LOWER and entry.value < static
    if entry.bound != 0 and abs(entry.value) < MATE_LIKE and (above or below):
        static = entry.value
    return static, improves


@inlined
def _known(node: Node, result: int, window: Window, used: int, memory: Memory) -> Known:
    """What may stand for a search: how the game has ended, if the `result` is one; quiescence, at a leaf; the table's
    value; or the evaluation, where it is far above the window."""
    stack, depth, ply = memory.stack, node.depth, node.ply
    if result != _UNDECIDED:
        return Known(result, no_entry(), _UNDECIDED, False, False)
    stack[SELECTIVE_DEPTH] = max(stack[SELECTIVE_DEPTH], ply)
    if window.alpha >= window.beta:
        return Known(window.alpha, no_entry(), _UNDECIDED, False, False)
    if depth <= 0 or ply >= MAX_PLY - 1:
        value = _quiescence(node.p, window.alpha, window.beta, ply, used, stack)
        return Known(value, no_entry(), _UNDECIDED, False, False)
    entry = _recalled(node.p, ply, memory)
    if node.barred <= 0 and _may_cut(entry, window, depth, stack):
        return Known(entry.value, entry, _UNDECIDED, False, False)
    static, improves = _evaluated(node, entry, used, stack)
    # Not where the value itself is wanted, nor where so much is won that mates are what is looked for.
    leaves_out = static != _UNDECIDED and window.beta - window.alpha == 1 and abs(window.beta) < _MUCH
    margin = _MARGIN * (depth - 1 if improves else depth)
    far_above = leaves_out and node.barred <= 0 and depth <= _SHALLOW and static - margin >= window.beta
    return Known(static if far_above else _UNDECIDED, entry, static, leaves_out, improves)


@inlined
def _is_hopeless(node: Node, known: Known, alpha: int, best: int, i: int, packed: int, stack: Ints) -> bool:
    """Whether the scored move in place `i` may be left out if it gives no check: it is late, and one of many, far from
    what it would have to reach, or it loses material. Not where all others lose to a mate: that would claim too much.
    """
    depth, b, move = node.depth, node.p.board, packed & MOVE
    if i == 0 or not known.leaves_out or depth > _SHALLOW or best <= -MATE_LIKE or not is_late(packed):
        return False
    if not is_quiet(b, move):
        return depth <= 6 and exchange(b, move) < -100 * depth
    many = 3 + depth * depth
    if i > (many if known.improves else shr(many, 1)):
        return True
    left = max(depth - 1 - shr(at(_REDUCTIONS, 64 * depth + min(i, 63)), 10), 0)
    return known.static + 100 + 100 * left <= alpha or exchange(b, move) < -30 * left * left


@inlined
def _may_pass(node: Node, beta: int, static: int, stack: Ints) -> bool:
    """Whether a null move is worth trying: who stands so well that passing is good enough need not search for a move.

    With pawns and king alone it may be better to pass than to move (zugzwang).
    """
    b = node.p.board
    own, _ = sides(b)
    sound = node.depth >= 3 and node.checkers == 0 and own & ~(b.pawns | b.kings) != 0
    stands = tapered(node.p.sums) if static == _UNDECIDED else static
    allowed = node.barred == 0 and stack[SWITCHES] & NULL_MOVE != 0
    return allowed and sound and beta < MATE_LIKE and stands >= beta


@inlined
def _after_passing(depth: int, beta: int, static: int) -> int:
    """How deep the opponent's answers to a null move are searched: the less, the better who passes stands."""
    surplus = 0 if static == _UNDECIDED else min((static - beta) // 200, 3)
    return depth - 4 - depth // 4 - surplus


@inlined
def _may_be_singular(node: Node, entry: Entry, stack: Ints) -> bool:
    """Whether it is worth a search without the table's move to learn if it has an equal."""
    deep = node.depth >= _SINGULAR and entry.depth >= node.depth - 3 and 2 * node.ply < MAX_PLY
    refutes = entry.bound != 0 and entry.bound != UPPER and abs(entry.value) < MATE_LIKE
    return deep and refutes and node.ply > 0 and node.barred <= 0 and stack[SWITCHES] & PRUNE != 0


@inlined
def _reduction(node: Node, known: Known, window: Window, i: int, packed: int, stack: Ints) -> int:
    """Plies by which the depth of the scored move in place `i` is reduced: the ordering trusts it little.

    Not where a mate is known: whether there is a shorter one must not depend on the order of the moves.
    """
    depth, b, move = node.depth, node.p.board, packed & MOVE
    if i < 2 or depth < 3 or node.checkers or not is_late(packed) or abs(window.alpha) >= MATE_LIKE:
        return 0
    less = at(_REDUCTIONS, 64 * min(depth, 63) + min(i, 63))
    if window.beta - window.alpha > 1:
        less -= _ONE
    if not known.improves:
        less += shr(_ONE, 1)
    if is_quiet(b, move):
        less -= history(stack, b.turn, node.ply, move) * _ONE // MOST
    return min(max(less, 0) // _ONE, depth - 2)


@kernel
def negamax(p: Position, alpha: int, beta: int, depth: int, ply: int, used: int, barred: int, memory: Memory) -> int:
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

    `used` is how much of the scratch the lists of moves of the plies above take. `barred` is NO_PASS after a null move,
    or a move that is left out, to learn what the others are worth; 0: nothing.
    """
    memory = borrowed(memory)  # here, too: Numba counts no references to what it sees to be borrowed
    stack, below, word = memory.stack, ply + 1, np.int64
    clear_pv(stack, ply)
    result, sets, checkers = _arrive(p, ply, memory)
    node = Node(p, checkers, ply, _extended(depth, checkers, stack), barred)
    # Mate-distance pruning: no line is worth more than mate at the next ply, nor less than being mated here.
    alpha, beta = max(alpha, ply - MATE_SCORE), min(beta, MATE_SCORE - ply - 1)
    known = _known(node, result, Window(alpha, beta), used, memory)
    if known.value != _UNDECIDED:
        return known.value

    moves, entry = tail(stack, SCRATCH + used), known.entry
    count = write(tail(stack, SCRATCH), sets, moves)
    used += count
    if _may_pass(node, beta, known.static, stack):
        shallow = _after_passing(node.depth, beta, known.static)
        put(stack, CAME_BY + below, PLACES)
        value = -negamax(_after_null_move(p), -beta, 1 - beta, shallow, below, used, word(NO_PASS), memory)
        if value >= beta and not stack[ABORTED]:
            return beta
    node = Node(p, checkers, ply, _shortened(node, entry, alpha, stack), barred)
    longer = 0
    if _may_be_singular(node, entry, stack):
        bound: int = word(entry.value - 2 * node.depth)
        value = negamax(p, bound - 1, bound, (node.depth - 1) // 2, ply, used, entry.move, memory)
        clear_pv(stack, ply)
        if value >= bound and bound >= beta and beta - alpha == 1:
            return bound  # several moves refute
        longer = 1 if value < bound else -1 if entry.value >= beta else 0

    hash_move = stack[FIRST_MOVE] if ply == 0 and stack[FIRST_MOVE] else entry.move
    score_moves(p.board, p.sums, hash_move, ply, moves, count, stack)
    lowest, best, best_move = alpha, -INFINITE, 0
    for i in range(count):
        move, packed = next_move(moves, i, count)
        after = _after(p, move)
        hopeless = _is_hopeless(node, known, alpha, best, i, packed, stack)
        if move == barred or (hopeless and not in_check(after.board)):
            continue
        put(stack, CAME_BY + below, place_of(move))
        rest = node.depth - 1 + longer if move == entry.move else node.depth - 1
        value, full = 0, best == -INFINITE or not stack[SWITCHES] & REDUCE
        if not full:
            # A later move need only be shown to be no better: with a null window, and perhaps with less depth.
            less = _reduction(node, known, Window(alpha, beta), i, packed, stack)
            value = -negamax(after, -alpha - 1, -alpha, rest - less, below, used, word(0), memory)
            if value > alpha and less > 0:
                value = -negamax(after, -alpha - 1, -alpha, rest, below, used, word(0), memory)
            full = value > alpha and value < beta
        if full:
            value = -negamax(after, -beta, -alpha, rest, below, used, word(0), memory)
        if stack[ABORTED]:
            return 0
        if value > best:
            best, best_move = value, move
        if value > alpha:
            alpha = value
            extend_pv(stack, ply, move)
        if value >= beta:
            note_cutoff(p.board, moves, i, ply, node.depth, stack)
            break
    _remember(node, Entry(best_move, best, node.depth, bound_of(best, lowest, beta)), memory)
    return best if best > -INFINITE else alpha  # -INFINITE: there is no move but the one that is barred


@kernel
def search_move(
    state: Ints, move: int, alpha: int, beta: int, depth: int, stack: Ints, table: Ints, stop: Ints
) -> int:  # fmt: skip
    """What `move` is worth to its mover in the position `state`, searched `depth` plies deep, the move included; the
    window is the mover's. See `negamax`."""
    memory = borrowed(Memory(stack, table, stop))
    after = _after(root_position(state, memory.stack), move)
    put(memory.stack, STATICS, _UNDECIDED)
    put(memory.stack, CAME_BY + 1, place_of(move))
    word = np.int64  # see `plyout.evaluate.quiescence.quiesce` for why
    return -negamax(after, word(-beta), word(-alpha), word(depth - 1), word(1), word(SETS_SIZE), word(0), memory)
