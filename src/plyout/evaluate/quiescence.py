"""Quiescence: the evaluation after the captures have been played out, for chess and crazyhouse.

The side to move takes, or is content with what it has (it "stands pat"): a search of captures and promotions to
queens, best victim first. The tapered sums are carried along from move to move, never added up anew. With EVASIONS a
mate is seen as one; stalemate never is.
"""

import numpy as np

from plyout.evaluate.exchange import exchange
from plyout.evaluate.pockets import house_gain, house_totals
from plyout.evaluate.tapered import gain, taper
from plyout.evaluate.weighted import weigh
from plyout.games.chess.board import K, P, Q, in_check, make, sides
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import EN_PASSANT, piece_of, promotion_of, to_square
from plyout.games.chess.moves import SETS_SIZE, STEP, add, find, safe_steps, set_at
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House, add_drops, make_house
from plyout.kernel import Ints, at, inlined, kernel, low, put, tail

MATE = 30_000
"""Being mated `ply` plies from the root is worth `ply` - MATE."""
INFINITE = 32_000

EVASIONS, EXCHANGES, POCKETS, LIMITED = 1, 2, 4, 8
"""Switches: in check, search every evasion instead of standing pat; leave out captures that lose material by the
exchange evaluator; play by crazyhouse's rules; stop when `nodes[1]` positions have been counted."""

_MOST = 256  # captures or evasions that a position can have, with room to spare
QUIET_ROOM = SETS_SIZE + 8 * _MOST
"""Words of scratch that a search of eight plies surely needs; where the scratch ends, so does the search."""

_MOVE = (1 << 24) - 1


@inlined
def promise(h: House, move: int) -> int:
    """The order of captures: the most valuable victim first, then the least valuable attacker; quiet moves get 0."""
    _, enemies = sides(h.board)
    piece, to = piece_of(move), to_square(move)
    rank = 0
    if enemies & 1 << to:
        rank = 8 * (piece_at(h.board, to) + 1) + K - piece
    elif move & EN_PASSANT:
        rank = 8 * (P + 1) + K - piece
    return rank + (8 * Q if promotion_of(move) == Q else 0)


@inlined
def _insert(moves: Ints, first: int, count: int, move: int, rank: int) -> int:
    """Put `move` in its place among `count` sorted ones; how many there are now."""
    packed = rank << 24 | move
    j = first + count
    while j > first and at(moves, j - 1) < packed:
        put(moves, j, at(moves, j - 1))
        j -= 1
    put(moves, j, packed)
    return count + 1


@inlined
def _forcing(h: House, sets: Ints, n: int, steps: int, all_moves: bool, moves: Ints, first: int) -> int:
    """Write the captures and promotions to queens, or all moves, in order of promise; how many there are."""
    own, enemies = sides(h.board)
    count = 0
    n, _ = add(
        sets,
        n,
        0,
        safe_steps(h.board, steps if all_moves else steps & enemies),
        low(h.board.kings & own) | K << 12,
        STEP,
    )
    for i in range(n):
        targets, base, step = set_at(sets, i)
        sample = base + step * low(targets)
        promotion = promotion_of(sample)
        if not all_moves:
            if promotion:
                if promotion != Q:
                    continue
            elif not sample & EN_PASSANT:
                targets &= enemies
        while targets:
            move = base + step * low(targets)
            targets &= targets - 1
            count = _insert(moves, first, count, move, promise(h, move))
    return count


@inlined
def _loses(h: House, move: int) -> bool:
    """Whether a capture loses material; a man that takes a dearer one cannot."""
    _, enemies = sides(h.board)
    piece, to = piece_of(move), to_square(move)
    safe = piece == K or (enemies & 1 << to and piece_at(h.board, to) >= piece)
    return not safe and exchange(h.board, move) < 0


@kernel
def _quiesce(
    h: House, switches: int, delta: int, middlegame: int, endgame: int, phase: int, alpha: int, beta: int,
    ply: int, last: int, scratch: Ints, used: int, nodes: Ints, weights: Ints,
) -> int:  # fmt: skip
    """Centipawns for the side to move, who has the tapered sums `middlegame`, `endgame` and `phase` (fail-soft).

    At ply `last` the evaluation stands as it is. A capture that cannot lift the evaluation to `alpha`, even with
    `delta` centipawns more, is left out; 0 leaves none out. Lists of moves go to `scratch` from `used` on, which is
    at least SETS_SIZE. `nodes[0]` counts the positions. `weights` are those of the weighted evaluation, or none.
    """
    b = h.board
    pockets = switches & POCKETS != 0
    if switches & LIMITED and nodes[0] >= nodes[1]:
        return 0
    nodes[0] += 1
    if not pockets and insufficient(b):
        return 0
    best = taper(middlegame, endgame, phase)
    if weights.size > 0:
        best = weigh(b, best, weights, scratch)
    if ply >= last or used + _MOST > scratch.size:
        return best
    check = switches & EVASIONS != 0 and in_check(b)
    if check:
        best = ply - MATE
    elif best >= beta:
        return best
    alpha = max(alpha, best)
    n, total, steps, checkers = find(b, scratch)
    if check and pockets:
        n, _ = add_drops(h, scratch, n, total, checkers)
    count = _forcing(h, scratch, n, steps, check, scratch, used)
    for i in range(used, used + count):
        move = at(scratch, i) & _MOVE
        if not check and switches & EXCHANGES and _loses(h, move):
            continue
        more_mg, more_eg, more_phase = house_gain(h, move) if pockets else gain(b, move)
        mg, eg, ph = middlegame + more_mg, endgame + more_eg, phase + more_phase
        if delta and not check and taper(mg, eg, ph) + delta <= alpha:
            continue
        after = make_house(h, move) if pockets else House(make(b, move), 0, 0)
        value = -_quiesce(
            after, switches, delta, -mg, -eg, ph, -beta, -alpha, ply + 1, last, scratch, used + count, nodes, weights
        )  # fmt: skip
        if value > best:
            best = value
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


@inlined
def quiesce_weighted(
    h: House, switches: int, delta: int, middlegame: int, endgame: int, phase: int, alpha: int, beta: int,
    ply: int, last: int, scratch: Ints, nodes: Ints, weights: Ints,
) -> int:  # fmt: skip
    """See `_quiesce`. A literal among the arguments would be a type of its own to Numba, and a recursive kernel that
    was compiled for such a type cannot be loaded from the cache: hence the casts."""
    word = np.int64
    return _quiesce(
        h, word(switches), word(delta), word(middlegame), word(endgame), word(phase), word(alpha), word(beta),
        word(ply), word(last), scratch, word(SETS_SIZE), nodes, weights,
    )  # fmt: skip


@inlined
def quiesce(
    h: House, switches: int, delta: int, middlegame: int, endgame: int, phase: int, alpha: int, beta: int,
    ply: int, last: int, scratch: Ints, nodes: Ints,
) -> int:  # fmt: skip
    """The same by the tapered evaluation alone."""
    return quiesce_weighted(
        h, switches, delta, middlegame, endgame, phase, alpha, beta, ply, last, scratch, nodes, tail(nodes, nodes.size)
    )  # fmt: skip


@inlined
def settle(h: House, switches: int, delta: int, depth: int, scratch: Ints, nodes: Ints) -> int:
    """The quiescence of a position by itself; `scratch` has QUIET_ROOM words, `nodes` one."""
    middlegame, endgame, phase = house_totals(h)
    return quiesce(
        h, switches, delta, middlegame, endgame, phase, -INFINITE, INFINITE, 0, depth, scratch, nodes
    )  # fmt: skip
