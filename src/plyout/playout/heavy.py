"""Playouts with knowledge: greedy, mixed and decisive moves, each a parameter (Arenz, 2.2.6 and 4.2.1)."""

from typing import Any

from plyout.evaluate.exchange import exchange
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games.chess.board import WHITE, Board, K, attackers, make, sides
from plyout.games.chess.move import EN_PASSANT, promotion_of
from plyout.games.chess.moves import STEP, add, draw_from, find, safe_steps, set_at, write
from plyout.games.chess.rules import insufficient
from plyout.kernel import Ints, inlined, low, put, tail
from plyout.kernel.random import below
from plyout.parameters import ANTI_DECISIVE, BOTTOM_BFS, DECISIVE, EPSILON, GREEDY, MIXED_PLIES, MIXED_WIN, RAVE
from plyout.playout.mates import allows_mate, mating_move
from plyout.playout.random import by_tables
from plyout.playout.scratch import DIRECTORY_AT, LIST, MORE_SETS, SETS, TRACE
from plyout.playout.traps import is_trapped, lists_traps, otherwise, remember

RANDOM, EVALUATION, EXCHANGE, MIXED = range(4)  # the strategies of the parameter `greedy`

_CHANCES = 1 << 20  # the grain of a probability
_TRIES = 8
_LEAST_WEIGHT = 1  # centipawns, for a move of the corrective strategy that makes things worse


@inlined
def _list(b: Board, sets: Ints, n: int, total: int, steps: int, moves: Ints) -> int:
    """Write all legal moves, the king's steps too; what `find` found stays usable."""
    own, _ = sides(b)
    n, total = add(sets, n, total, safe_steps(b, steps), low(b.kings & own) | K << 12, STEP)
    return write(sets, n, moves)


@inlined
def _either(best: int, new: int, equals: int, rng: int) -> tuple[int, int, int]:
    """(`best`, drawn from so many `equals`, or `new`, which is as good; the equals now; rng): all by equal chances."""
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
def _best_exchange(b: Board, sets: Ints, n: int, total: int, steps: int, moves: Ints, rng: int) -> tuple[int, int]:
    """(the move with the best exchange value or -1 if there is no move, rng); equals have equal chances.

    Where no capture wins anything, the best are the moves that lose nothing, mostly quiet ones. They need not be
    listed: draw moves until one of them comes.
    """
    best, _, rng = _best_capture(b, sets, n, steps, rng)
    if best >= 0:
        return best, rng
    for _ in range(_TRIES):
        move, rng = draw_from(b, sets, total, steps, rng)
        if move < 0 or exchange(b, move) >= 0:
            return move, rng
    best, best_gain, equals = -1, -(1 << 30), 0
    for i in range(_list(b, sets, n, total, steps, moves)):
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
def _safer(b: Board, move: int, moves: Ints, count: int, scratch: Ints, rng: int) -> tuple[int, int]:
    """(`move` if it allows no mate in one, else one drawn from those that do not, else `move`; rng)"""
    tried = move
    while allows_mate(make(b, tried), tail(scratch, SETS), tail(scratch, MORE_SETS)):
        if count == 0:
            return move, rng
        r, rng = below(rng, count)
        count -= 1
        tried = moves[r]
        moves[r] = moves[count]
    return tried, rng


@inlined
def heavy_playout(b: Board, scratch: Ints, rng: int, parameters: Any) -> tuple[float, int]:
    """Play `b` out by the strategies that `parameters` name: (White's score, rng)."""
    sets, more_sets, moves = tail(scratch, SETS), tail(scratch, MORE_SETS), tail(scratch, LIST)
    directory = tail(scratch, DIRECTORY_AT)
    greedy, decisive, anti = int(parameters[GREEDY]), parameters[DECISIVE] > 0.0, parameters[ANTI_DECISIVE] > 0.0
    random_share = int(parameters[EPSILON] * _CHANCES)
    traps, bottom = lists_traps(parameters), parameters[BOTTOM_BFS] > 0.0
    scratch[0] = 0
    plies = 0
    while not insufficient(b):
        score = by_tables(b, directory)
        if score >= 0.0:
            return score, rng
        n, total, steps, checkers = find(b, sets)
        win = 1.0 if b.turn == WHITE else 0.0
        if decisive and b.clock < 100 and mating_move(b, sets, n, steps, more_sets) >= 0:
            if bottom:
                could, b, plies, rng = otherwise(scratch, 1, plies, rng)
                if could:
                    continue
            return win, rng
        strategy = greedy
        if greedy != RANDOM:
            r, rng = below(rng, _CHANCES)
            if r < random_share:
                strategy = RANDOM
        if strategy == RANDOM:
            move, rng = draw_from(b, sets, total, steps, rng)
        elif strategy == EXCHANGE:
            move, rng = _best_exchange(b, sets, n, total, steps, moves, rng)
        else:
            count = _list(b, sets, n, total, steps, moves)
            move = -1
            if count > 0:
                now = _evaluate_moves(b, moves, count, more_sets)
                best, rng = _best_evaluation(count, more_sets, rng)
                if strategy == MIXED:
                    if more_sets[best] > parameters[MIXED_WIN] and b.clock < 100:
                        return win, rng
                    if plies < parameters[MIXED_PLIES]:
                        best, rng = _corrective(count, more_sets, now, rng)
                move = moves[best]
        if move < 0:
            if bottom and checkers:
                could, b, plies, rng = otherwise(scratch, 2, plies, rng)
                if could:
                    continue
            return (1.0 - win if checkers else 0.5), rng
        if b.clock >= 100:
            return 0.5, rng
        if anti:
            count = _list(b, sets, n, total, steps, moves)
            move, rng = _safer(b, move, moves, count, scratch, rng)
        if plies < TRACE and parameters[RAVE] > 0.0:
            scratch[0] = plies + 1
            scratch[1 + plies] = move
        if traps:
            lost, rng = is_trapped(parameters, b.turn, move, rng)
            if lost:
                return 1.0 - win, rng
        if bottom:
            remember(scratch, b)
        b = make(b, move)
        plies += 1
    return 0.5, rng
