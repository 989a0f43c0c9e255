"""Alpha-beta: negamax with quiescence at its leaves, the rival of the tree search with the same evaluation.

Ordered as in Xu's AlphaOne: captures by the most valuable victim, checks, gain in the piece-square tables. What chess
programs add to that are switches. Everything that a search remembers lies in one array, the *desk*:

    0           16 …         KILLERS …      HISTORY …        PATH …          LINES …          SCRATCH …
    counters    weights      2 a ply        piece and        keys on         best lines       sets, and lists
    and limits               refuting       square of good   the way here    found below      of moves
                             moves          quiet moves                      each ply

The transposition table is a second array, two words an entry: move, value, depth and kind of bound, and before it the
key with those bits flipped that are set in it: where two threads have written at once, the two do not fit.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, INFINITE, LIMITED, MATE, promise, quiesce_weighted
from plyout.evaluate.tapered import gain, taper, totals
from plyout.evaluate.weighted import TERMS
from plyout.games.chess.attacks import KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import (
    HISTORY as STATE_HISTORY, KEY, MEMORY, NUMBER, PAST, TURN, B, Board, K, N, P, Q, R, load, make, sides,
)  # fmt: skip
from plyout.games.chess.keys import ep_key, key_change, repetition_key, turn_key
from plyout.games.chess.move import EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.chess.moves import SETS_SIZE, STEP, add, find, safe_steps, write
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, atomic_load, inlined, kernel, borrowed, low, put, shr, tail

TABLE, KILLER, HISTORY, NULL_MOVE, REDUCE = 1, 2, 4, 8, 16
"""Switches: transposition table; killers; history; null move; late moves with less depth and a narrow window."""

ALL = TABLE | KILLER | HISTORY | NULL_MOVE | REDUCE

DEEPEST = 64  # plies, quiescence apart
_LIST = 256  # no chess position has as many moves

# The words of the desk; the first two are those that quiescence counts in.
NODES, MOST_NODES, SELECTIVE, CUT_SHORT, SWITCHES, QUIET, DELTA, QUIET_DEPTH, WEIGHED, BEGAN, FIRST = range(11)
WEIGHTS = 16
KILLERS = WEIGHTS + len(TERMS)
HISTORIES = KILLERS + 2 * DEEPEST
PATH = HISTORIES + 2 * 6 * 64
LINES = PATH + MEMORY + DEEPEST
SCRATCH = LINES + DEEPEST * DEEPEST
DESK = SCRATCH + SETS_SIZE + (DEEPEST + 8) * _LIST

# The second word of a table's entry: move | value + _ZERO << 24 | depth << 41 | bound << 49.
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
_ZERO = 1 << 16
_MOVE = (1 << 24) - 1

# The order of moves: in these bands, and within them by victim, history or gain.
_REMEMBERED, _CAPTURE, _KILLER, _CHECK, _MOST_HISTORY = 1 << 30, 1 << 24, 1 << 20, 1 << 9, 1 << 16


def new_desk(numbers: Mapping[str, float], switches: int, weights: Any) -> Ints:
    """A desk for searches with these switches, and quiescence and evaluation by the parameters."""
    desk = np.zeros(DESK, np.int64)
    desk[SWITCHES] = switches
    desk[QUIET] = LIMITED | (EVASIONS if numbers["quiet_evasions"] else 0)
    desk[QUIET] |= EXCHANGES if numbers["quiet_exchanges"] else 0
    desk[QUIET_DEPTH], desk[DELTA] = int(numbers["quiet_depth"]), int(numbers["quiet_delta"])
    desk[WEIGHED] = int(numbers["weighted"])
    desk[WEIGHTS:KILLERS] = weights
    return desk


@inlined
def _repeats(desk: Ints, ply: int, clock: int, key: int) -> bool:
    """Whether the position was there since the root, or twice before it; `desk[BEGAN]` is the root's place."""
    here = at(desk, BEGAN) + ply
    times = 0
    back = 4
    while back <= clock and back <= here:
        if at(desk, PATH + here - back) == key:
            if back <= ply or times:
                return True
            times += 1
        back += 2
    return False


@inlined
def _checking(b: Board, move: int) -> bool:
    """Whether the man that moves strikes the enemy king from its target; uncovered checks are not seen."""
    own, enemies = sides(b)
    king, to = low(b.kings & enemies), 1 << to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    landed = promotion if promotion else piece
    occupied = (own | enemies) & ~(1 << from_square(move))
    if landed == P:
        return at(PAWN, (1 - b.turn) * 64 + king) & to != 0
    if landed == N:
        return at(KNIGHT, king) & to != 0
    lines = 0
    if landed == B or landed == Q:  # noqa: SIM109 (a kernel would build the tuple)
        lines = bishop_attacks(king, occupied)
    if landed == R or landed == Q:  # noqa: SIM109
        lines |= rook_attacks(king, occupied)
    return lines & to != 0


@inlined
def _is_quiet(b: Board, move: int) -> bool:
    _, enemies = sides(b)
    return not (enemies & 1 << to_square(move) or move & EN_PASSANT or promotion_of(move))


@inlined
def _of_history(turn: int, move: int) -> int:
    return HISTORIES + turn * 384 + (piece_of(move)) * 64 + (to_square(move))


@inlined
def _rank(b: Board, move: int, remembered: int, ply: int, now: int, sums: tuple[int, int, int], desk: Ints) -> int:
    """What `move` promises: a number to sort by."""
    if move == remembered:
        return _REMEMBERED
    more_mg, more_eg, more_phase = gain(b, move)
    rank = taper(sums[0] + more_mg, sums[1] + more_eg, sums[2] + more_phase) - now
    if not _is_quiet(b, move):
        return _CAPTURE + (promise(House(b, 0, 0), move) << 12) + rank
    switches = at(desk, SWITCHES)
    if switches & KILLER and (at(desk, KILLERS + 2 * ply) == move or at(desk, KILLERS + 2 * ply + 1) == move):
        return _KILLER
    if switches & HISTORY:
        rank += at(desk, _of_history(b.turn, move))
    return rank + (_CHECK if _checking(b, move) else 0)


@inlined
def _next(moves: Ints, first: int, last: int) -> int:
    """Bring the best ranked move from `first` on to the front and return it."""
    best = first
    for j in range(first + 1, last):
        if at(moves, j) > at(moves, best):
            best = j
    packed = at(moves, best)
    put(moves, best, at(moves, first))
    put(moves, first, packed)
    return packed & _MOVE


@inlined
def _note_refutation(b: Board, move: int, ply: int, depth: int, desk: Ints) -> None:
    """A quiet move was too good: try it early elsewhere."""
    if not _is_quiet(b, move):
        return
    switches = at(desk, SWITCHES)
    if switches & KILLER and at(desk, KILLERS + 2 * ply) != move:
        put(desk, KILLERS + 2 * ply + 1, at(desk, KILLERS + 2 * ply))
        put(desk, KILLERS + 2 * ply, move)
    if switches & HISTORY:
        i = _of_history(b.turn, move)
        put(desk, i, min(at(desk, i) + depth * depth, _MOST_HISTORY))


@inlined
def _keep_line(desk: Ints, ply: int, move: int) -> None:
    """The best line at `ply` is `move` and the best line at the next; -1 ends a line."""
    here, below = LINES + ply * DEEPEST, LINES + (ply + 1) * DEEPEST
    put(desk, here, move)
    i = 0
    while i < DEEPEST - 2 and ply + 1 < DEEPEST and at(desk, below + i) >= 0:
        put(desk, here + 1 + i, at(desk, below + i))
        i += 1
    put(desk, here + 1 + i, -1)


@inlined
def _remember(table: Ints, key: int, move: int, value: int, ply: int, depth: int, bound: int) -> None:
    """Write an entry, unless a deeper one of this position is there; mates are kept as seen from the position."""
    slot = 2 * (shr(key, 1) % (shr(table.size, 1)))
    if at(table, slot) ^ at(table, slot + 1) == key and shr(at(table, slot + 1), 41) & 255 > depth:
        return
    if value > MATE - 1000:
        value += ply
    elif value < 1000 - MATE:
        value -= ply
    data = move | value + _ZERO << 24 | depth << 41 | bound << 49
    put(table, slot, key ^ data)
    put(table, slot + 1, data)


@inlined
def recalled(table: Ints, key: int, ply: int) -> tuple[int, int, int, int]:
    """(move, value, depth, bound) of an entry; the bound is 0 where there is none."""
    slot = 2 * (shr(key, 1) % (shr(table.size, 1)))
    data = at(table, slot + 1)
    if at(table, slot) ^ data != key:
        return 0, 0, 0, 0
    value = (shr(data, 24) & (1 << 17) - 1) - _ZERO
    if value > MATE - 1000:
        value -= ply
    elif value < 1000 - MATE:
        value += ply
    return data & _MOVE, value, shr(data, 41) & 255, shr(data, 49) & 3


@kernel
def _search(
    b: Board, key: int, middlegame: int, endgame: int, phase: int, alpha: int, beta: int, depth: int, ply: int,
    used: int, may_pass: int, desk: Ints, table: Ints, stop: Ints,
) -> int:  # fmt: skip
    """Centipawns for the side to move, searched `depth` plies deep (fail-soft); what it says is void once
    `desk[CUT_SHORT]` is set. `used` is how much of the scratch is taken."""
    put(desk, LINES + ply * DEEPEST, -1)
    if desk[NODES] >= desk[MOST_NODES] or atomic_load(stop, 0):
        desk[CUT_SHORT] = 1
        return 0
    desk[NODES] += 1
    place = repetition_key(b, key)
    put(desk, PATH + desk[BEGAN] + ply, place)
    if insufficient(b) or _repeats(desk, ply, b.clock, place):
        return 0
    scratch = tail(desk, SCRATCH)
    n, total, steps, checkers = find(b, scratch)
    own, _ = sides(b)
    n, total = add(scratch, n, total, safe_steps(b, steps), low(b.kings & own) | K << 12, STEP)
    if total == 0:
        return ply - MATE if checkers else 0
    if b.clock >= 100:
        return 0
    desk[SELECTIVE] = max(desk[SELECTIVE], ply)
    # No line is worth more than mate at the next ply, nor less than being mated here.
    alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha
    if depth <= 0 or ply >= DEEPEST - 1:
        desk[NODES] -= 1  # quiescence counts it
        value = quiesce_weighted(
            House(b, 0, 0), desk[QUIET], desk[DELTA], middlegame, endgame, phase, alpha, beta, ply,
            ply + desk[QUIET_DEPTH], tail(scratch, used), desk, tail(desk, WEIGHTS if desk[WEIGHED] else desk.size),
        )  # fmt: skip
        if desk[NODES] >= desk[MOST_NODES]:
            desk[CUT_SHORT] = 1
        return value
    switches, before = desk[SWITCHES], alpha
    remembered = 0
    if switches & TABLE:
        remembered, known, known_depth, bound = recalled(table, key, ply)
        decides = bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
        if decides and known_depth >= depth and (beta - alpha == 1 or not switches & REDUCE):
            return known
    if ply == 0 and desk[FIRST]:
        remembered = desk[FIRST]
    moves = tail(scratch, used)
    count = write(scratch, n, moves)
    now = taper(middlegame, endgame, phase)
    if (
        switches & NULL_MOVE and may_pass and depth >= 3 and not checkers and now >= beta and beta < MATE - 1000
        and own & ~(b.pawns | b.kings)
    ):  # fmt: skip
        # Who stands so well that passing is good enough need not look for a move.
        passed = Board(
            b.pawns, b.knights, b.bishops, b.rooks, b.queens, b.kings, b.white, b.black, b.rights, 0, 1 - b.turn, 0
        )  # fmt: skip
        value = -_search(
            passed, key ^ turn_key() ^ ep_key(b), -middlegame, -endgame, phase, -beta, 1 - beta,
            depth - 3 - depth // 4, ply + 1, used + count, np.int64(0), desk, table, stop,
        )  # fmt: skip
        if value >= beta and not desk[CUT_SHORT]:
            return beta
    for i in range(count):
        move = at(moves, i)
        rank = _rank(b, move, remembered, ply, now, (middlegame, endgame, phase), desk)
        put(moves, i, (rank << 24) + move)
    best, best_move = -INFINITE, 0
    for i in range(count):
        move = _next(moves, i, count)
        more_mg, more_eg, more_phase = gain(b, move)
        mg, eg, ph = -(middlegame + more_mg), -(endgame + more_eg), phase + more_phase
        after = make(b, move)
        after_key = key ^ key_change(b, move, after)
        value = INFINITE
        if switches & REDUCE and i > 0:
            # Later moves need only be shown to be no better: with no window, and the last ones with less depth.
            less = 0
            if i >= 3 and depth >= 3 and not checkers and shr(at(moves, i), 24) < _KILLER and _is_quiet(b, move):
                less = 1 + (1 if i >= 10 else 0)
            value = -_search(
                after, after_key, mg, eg, ph, -alpha - 1, -alpha, depth - 1 - less, ply + 1, used + count,
                np.int64(1), desk, table, stop,
            )  # fmt: skip
            if less and value > alpha:
                value = INFINITE
        if value > alpha and (value == INFINITE or value < beta):
            value = -_search(
                after, after_key, mg, eg, ph, -beta, -alpha, depth - 1, ply + 1, used + count,
                np.int64(1), desk, table, stop,
            )  # fmt: skip
        if desk[CUT_SHORT]:
            return 0
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                _keep_line(desk, ply, move)
            if value >= beta:
                _note_refutation(b, move, ply, depth, desk)
                break
    if switches & TABLE:
        bound = AT_LEAST if best >= beta else EXACT if best > before else AT_MOST
        _remember(table, key, best_move, best, ply, depth, bound)
    return best


@inlined
def _begin(state: Ints, b: Board, desk: Ints) -> None:
    """Lay out the positions on the way to the root, in which repetitions are looked for."""
    began = state[PAST]
    ply = 2 * state[NUMBER] + state[TURN]
    for back in range(1, began + 1):
        put(desk, PATH + began - back, at(state, STATE_HISTORY + (ply - back & MEMORY - 1)))
    desk[BEGAN] = began
    put(desk, PATH + began, repetition_key(b, state[KEY]))


@kernel
def search_move(
    state: Ints, move: int, alpha: int, beta: int, depth: int, desk: Ints, table: Ints, stop: Ints
) -> int:  # fmt: skip
    """What `move` is worth to its mover in the position `state`, searched `depth` plies deep, the move included."""
    desk, table, stop = borrowed((desk, table, stop))
    b = load(state)
    _begin(state, b, desk)
    middlegame, endgame, phase = totals(b)
    more_mg, more_eg, more_phase = gain(b, move)
    after = make(b, move)
    word = np.int64  # see `plyout.evaluate.quiescence.quiesce_weighted` for why
    return -_search(
        after, state[KEY] ^ key_change(b, move, after), -(middlegame + more_mg), -(endgame + more_eg),
        phase + more_phase, word(-beta), word(-alpha), word(depth - 1), word(1), word(SETS_SIZE), word(1), desk, table,
        stop,
    )  # fmt: skip


@kernel
def look_ahead(
    state: Ints, preferred: int, beta: int, margin: int, positions: int, desk: Ints, table: Ints, stop: Ints
) -> int:
    """Whether a move is worth `beta` centipawns or more, and `margin` more than the move `preferred`: a question
    without a window, asked a ply deeper each time, until so many positions have been looked at; how deep that was.

    Where the preferred move itself is worth that much, more is asked for. The answer, with the move, is left in the
    table, where another look goes on.
    """
    b = load(state)
    _begin(state, b, desk)
    desk[NODES] = desk[CUT_SHORT] = desk[SELECTIVE] = 0
    desk[MOST_NODES], desk[FIRST] = positions, preferred
    for i in range(KILLERS, HISTORIES):
        put(desk, i, 0)
    middlegame, endgame, phase = totals(b)
    word = np.int64
    depth = 1
    while depth < DEEPEST - 1:
        value = _search(
            b, state[KEY], word(middlegame), word(endgame), word(phase), word(beta - 1), word(beta), word(depth),
            word(0), word(SETS_SIZE), word(1), desk, table, stop,
        )  # fmt: skip
        if desk[CUT_SHORT] or beta > MATE - 1000:
            break
        best, _, _, _ = recalled(table, state[KEY], 0)
        if value >= beta and best == preferred:
            beta += margin
        else:
            depth += 1
    desk[FIRST] = 0
    return depth
