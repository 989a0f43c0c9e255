"""Playouts with knowledge: greedy, mixed and decisive moves, each a parameter (Arenz, 2.2.6 and 4.2.1)."""

from typing import NamedTuple

from plyout.evaluate.exchange import exchange
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games.chess.board import WHITE, Board, K, attackers, make, sides
from plyout.games.chess.move import EN_PASSANT, promotion_of
from plyout.games.chess.moves import STEP, add, draw_from, find, safe_steps, set_at, write
from plyout.games.chess.rules import insufficient
from plyout.kernel import Ints, inlined, low, put
from plyout.kernel.random import below
from plyout.parameters import EXCHANGE, MIXED, RANDOM, Leaf
from plyout.playout.mates import allows_mate, mating_move
from plyout.playout.random import by_tables
from plyout.playout.scratch import Scratch
from plyout.playout.traps import CHANCES, escape, is_trapped, remember

_TRIES = 8
_LEAST_WEIGHT = 1  # centipawns, for a move of the corrective strategy that makes things worse


class Found(NamedTuple):
    """What `find` has found in a position: `n` sets of `total` moves, and the king's steps, safe or not."""

    n: int
    total: int
    steps: int


@inlined
def _list(b: Board, found: Found, scratch: Scratch) -> int:
    """Write all legal moves to `scratch.moves`, the king's steps too; what `find` found stays usable."""
    own, _ = sides(b)
    king = low(b.kings & own) | K << 12
    n, _ = add(scratch.sets, found.n, found.total, safe_steps(b, found.steps), king, STEP)
    return write(scratch.sets, n, scratch.moves)


@inlined
def _either(best: int, new: int, equals: int, rng: int) -> tuple[int, int, int]:
    """Reservoir sampling: (one of the moves that are equally good so far, their number, rng).

    `best` was drawn from so many `equals`; `new` is as good and takes its place with the chance 1 / (equals + 1).
    """
    r, rng = below(rng, equals + 1)
    return (new if r == 0 else best), equals + 1, rng


@inlined
def _best_capture(b: Board, sets: Ints, n: int, steps: int, rng: int) -> tuple[int, int, int]:
    """(the capture or promotion that wins most by exchanges, what it wins, rng); equals have equal chances."""
    own, enemies = sides(b)
    king = b.kings & own
    best, best_gain, equals = -1, 0, 0
    for i in range(n + 1):
        if i < n:
            targets, base, step = set_at(sets, i)
            one = base + step * low(targets)
            if not (promotion_of(one) or one & EN_PASSANT):
                targets &= enemies
        else:
            targets, base, step = steps & enemies, low(king) | K << 12, STEP
        while targets:
            to = low(targets)
            targets &= targets - 1
            if i == n and attackers(b, to, enemies, (own | enemies) ^ king):
                continue
            move = base + step * to
            won = exchange(b, move)
            if won > best_gain:
                best, best_gain, equals = move, won, 1
            elif won == best_gain and best >= 0:
                best, equals, rng = _either(best, move, equals, rng)
    return best, best_gain, rng


@inlined
def _best_exchange(b: Board, found: Found, scratch: Scratch, rng: int) -> tuple[int, int]:
    """(the move with the best exchange value or -1 if there is no move, rng); equals have equal chances.

    Where no capture wins anything, the best are the moves that lose nothing, mostly quiet ones. They need not be
    listed: draw moves until one of them comes.
    """
    moves = scratch.moves
    best, _, rng = _best_capture(b, scratch.sets, found.n, found.steps, rng)
    if best >= 0:
        return best, rng
    for _ in range(_TRIES):
        move, rng = draw_from(b, scratch.sets, found.total, found.steps, rng)
        if move < 0 or exchange(b, move) >= 0:
            return move, rng
    best, best_gain, equals = -1, -(1 << 30), 0
    for i in range(_list(b, found, scratch)):
        won = exchange(b, moves[i])
        if won > best_gain:
            best, best_gain, equals = moves[i], won, 1
        elif won == best_gain:
            best, equals, rng = _either(best, moves[i], equals, rng)
    return best, rng


@inlined
def _evaluate_moves(b: Board, moves: Ints, count: int, worth: Ints) -> int:
    """Write the static evaluation after each move, for its mover; return the evaluation now."""
    middlegame, endgame, phase = totals(b)
    for i in range(count):
        more_mg, more_eg, more_phase = gain(b, moves[i])
        put(worth, i, taper(middlegame + more_mg, endgame + more_eg, phase + more_phase))
    return taper(middlegame, endgame, phase)


@inlined
def _best_evaluation(count: int, worth: Ints, rng: int) -> tuple[int, int]:
    """(number of the best of `count` moves, rng); equals have equal chances."""
    best, equals = 0, 1
    for i in range(1, count):
        if worth[i] > worth[best]:
            best, equals = i, 1
        elif worth[i] == worth[best]:
            best, equals, rng = _either(best, i, equals, rng)
    return best, rng


@inlined
def _corrective(count: int, worth: Ints, now: int, rng: int) -> tuple[int, int]:
    """(number of a move drawn by how much it improves the evaluation, rng); what makes it worse is seldom drawn."""
    total = 0
    for i in range(count):
        total += max(worth[i] - now, _LEAST_WEIGHT)
    r, rng = below(rng, total)
    i = 0
    r -= max(worth[0] - now, _LEAST_WEIGHT)
    while r >= 0:
        i += 1
        r -= max(worth[i] - now, _LEAST_WEIGHT)
    return i, rng


@inlined
def _safer(b: Board, move: int, count: int, scratch: Scratch, rng: int) -> tuple[int, int]:
    """(`move` if it allows no mate in one, else one drawn from the `count` listed that do not, else `move`; rng)"""
    moves, tried = scratch.moves, move
    while allows_mate(make(b, tried), scratch.sets, scratch.more_sets):
        if count == 0:
            return move, rng
        r, rng = below(rng, count)
        count -= 1
        tried = moves[r]
        moves[r] = moves[count]
    return tried, rng


@inlined
def _drawn_strategy(p: Leaf, rng: int) -> tuple[int, int]:
    """(the strategy of the next move, rng): the greedy one, or with the chance `epsilon` RANDOM."""
    if p.greedy != RANDOM:
        r, rng = below(rng, CHANCES)
        if r < int(p.epsilon * CHANCES):
            return RANDOM, rng
    return p.greedy, rng


_NO_MOVE, _CLEARLY_WON = -1, -2


@inlined
def _by_evaluation(
    b: Board, strategy: int, plies: int, found: Found, scratch: Scratch, p: Leaf, rng: int
) -> tuple[int, int]:
    """(the move by EVALUATION or MIXED, _NO_MOVE, or _CLEARLY_WON where that ends a mixed playout; rng)"""
    moves, worth = scratch.moves, scratch.more_sets
    count = _list(b, found, scratch)
    if count == 0:
        return _NO_MOVE, rng
    now = _evaluate_moves(b, moves, count, worth)
    best, rng = _best_evaluation(count, worth, rng)
    if strategy == MIXED:
        if worth[best] > p.mixed_win and b.clock < 100:
            return _CLEARLY_WON, rng
        if plies < p.mixed_plies:
            best, rng = _corrective(count, worth, now, rng)
    return moves[best], rng


@inlined
def _chosen(b: Board, plies: int, found: Found, scratch: Scratch, p: Leaf, rng: int) -> tuple[int, int]:
    """(the next move of a playout, _NO_MOVE or _CLEARLY_WON; rng)"""
    strategy, rng = _drawn_strategy(p, rng)
    if strategy == RANDOM:
        return draw_from(b, scratch.sets, found.total, found.steps, rng)
    if strategy == EXCHANGE:
        return _best_exchange(b, found, scratch, rng)
    return _by_evaluation(b, strategy, plies, found, scratch, p, rng)


@inlined
def _note(trace: Ints, plies: int, move: int) -> None:
    """Remember a move for RAVE, as far as there is room."""
    if plies < trace.size - 1:
        trace[0] = plies + 1
        trace[1 + plies] = move


@inlined
def _escape(b: Board, back: int, plies: int, scratch: Scratch, p: Leaf, rng: int) -> tuple[bool, Board, int, int]:
    """A mate that was not forced is taken back, where that is wanted: see `plyout.playout.traps.escape`."""
    if p.play_on:
        return escape(scratch, back, plies, rng)
    return False, b, plies, rng


@inlined
def heavy_playout(b: Board, scratch: Scratch, rng: int, p: Leaf) -> tuple[float, int]:
    """Play `b` out by the strategies that the parameters name: (White's score, rng)."""
    if scratch.trace.size:
        scratch.trace[0] = 0
    plies = 0
    while not insufficient(b):
        score = by_tables(b, scratch.directory)
        if score >= 0.0:
            return score, rng
        n, total, steps, checkers = find(b, scratch.sets)
        found = Found(n, total, steps)
        win = 1.0 if b.turn == WHITE else 0.0
        if p.decisive and b.clock < 100 and mating_move(b, scratch.sets, n, steps, scratch.more_sets) >= 0:
            could, b, plies, rng = _escape(b, 1, plies, scratch, p, rng)
            if could:
                continue
            return win, rng
        move, rng = _chosen(b, plies, found, scratch, p, rng)
        if move == _CLEARLY_WON:
            return win, rng
        if move == _NO_MOVE:
            if not checkers:
                return 0.5, rng
            could, b, plies, rng = _escape(b, 2, plies, scratch, p, rng)
            if could:
                continue
            return 1.0 - win, rng
        if b.clock >= 100:
            return 0.5, rng
        if p.anti_decisive:
            move, rng = _safer(b, move, _list(b, found, scratch), scratch, rng)
        _note(scratch.trace, plies, move)
        if scratch.traps.size:
            lost, rng = is_trapped(scratch.traps, b.turn, move, rng)
            if lost:
                return 1.0 - win, rng
        if p.play_on:
            remember(scratch.boards, b)
        b = make(b, move)
        plies += 1
    return 0.5, rng
