"""Quiescence: the evaluation after the captures have been played out, for chess and crazyhouse.

The side to move takes, or is content with what it has (it "stands pat"): a search of captures and promotions to
queens, most valuable victim first. The tapered sums are carried along from move to move, never added up anew. With
EVASIONS a mate is seen as one; stalemate never is.
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.exchange import exchange
from plyout.evaluate.pockets import house_gain, house_totals
from plyout.evaluate.sums import Sums, for_opponent, new_sums, raised, tapered
from plyout.evaluate.tapered import gain
from plyout.evaluate.weighted import weigh
from plyout.games.chess.board import K, P, Q, in_check, make, sides
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import EN_PASSANT, piece_of, promotion_of, to_square
from plyout.games.chess.moves import SETS_SIZE, STEP, add, find, safe_steps, set_at
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House, add_drops, make_house
from plyout.kernel import Ints, at, inlined, kernel, borrowed, low, put, tail
from plyout.networks.small.value import network_value

MATE_SCORE = 30_000
"""Being mated `ply` plies from the root is worth `ply` - MATE_SCORE."""
INFINITE = 32_000

EVASIONS, EXCHANGES, POCKETS, LIMITED = 1, 2, 4, 8
"""Switches: in check, search every evasion instead of standing pat; leave out captures that lose material by static
exchange evaluation; play by crazyhouse's rules; stop when `nodes[1]` positions have been counted."""

MAX_MOVES = 256  # captures or evasions that a position can have, with room to spare
QUIET_ROOM = SETS_SIZE + 8 * MAX_MOVES
"""Words of scratch that a search of eight plies surely needs; where the scratch ends, so does the search."""

MOVE = (1 << 24) - 1
"""of an item of such a list; above it stands its rank"""


class Options(NamedTuple):
    """How a quiescence search is made."""

    switches: int
    delta: int
    """A capture that cannot lift the evaluation to alpha, even with so many centipawns more, is left out; 0: none."""
    last_ply: int
    """At this ply, counted like the search's own from the root, the evaluation stands as it is."""


class Buffers(NamedTuple):
    """The arrays that a quiescence search works with."""

    scratch: Ints
    """Sets of moves in the first SETS_SIZE words, lists of moves behind them."""
    nodes: Ints
    """`nodes[0]` counts the positions; with LIMITED, `nodes[1]` is their limit."""
    weights: Ints
    """Those of the weighted evaluation; empty where the tapered one is wanted."""
    network: int
    """Where the weights of a value network stand, which evaluates instead; 0: there is none."""
    kept: int
    """Where that network keeps its sums."""


@inlined
def unweighted(scratch: Ints, nodes: Ints) -> Buffers:
    """The buffers of a search with the tapered evaluation alone."""
    return Buffers(scratch, nodes, tail(nodes, nodes.size), 0, 0)


@inlined
def mvv_lva(h: House, move: int) -> int:
    """The order of captures: most valuable victim first, then least valuable attacker; quiet moves get 0."""
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
def forcing(h: House, sets: Ints, n: int, steps: int, all_moves: bool, moves: Ints, first: int) -> int:
    """Write the captures and promotions to queens, or all moves, in MVV-LVA order; how many there are."""
    own, enemies = sides(h.board)
    count = 0
    steps = safe_steps(h.board, steps if all_moves else steps & enemies)
    n, _ = add(sets, n, 0, steps, low(h.board.kings & own) | K << 12, STEP)
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
            count = _insert(moves, first, count, move, mvv_lva(h, move))
    return count


@inlined
def _loses_material(h: House, move: int) -> bool:
    """Whether a capture loses material; a piece that takes one of at least its own value cannot."""
    _, enemies = sides(h.board)
    piece, to = piece_of(move), to_square(move)
    safe = piece == K or (enemies & 1 << to and piece_at(h.board, to) >= piece)
    return not safe and exchange(h.board, move) < 0


@inlined
def evaluation(h: House, sums: Sums, buffers: Buffers) -> int:
    """The static evaluation, by which the side to move may stand pat."""
    if buffers.network:
        return network_value(h.board, buffers.network, buffers.kept)
    value = tapered(sums)
    return weigh(h.board, value, buffers.weights, buffers.scratch) if buffers.weights.size > 0 else value


@kernel
def _quiesce(
    h: House, sums: Sums, alpha: int, beta: int, ply: int, used: int, options: Options, buffers: Buffers
) -> int:
    """See `quiesce`. Lists of moves go to the scratch from `used` on, which is at least SETS_SIZE."""
    buffers = borrowed(buffers)  # here, too: Numba counts no references to what it sees to be borrowed
    switches, scratch, nodes = options.switches, buffers.scratch, buffers.nodes
    pockets = switches & POCKETS != 0
    if switches & LIMITED and nodes[0] >= nodes[1]:
        return 0
    nodes[0] += 1
    if not pockets and insufficient(h.board):
        return 0
    last = ply >= options.last_ply or used + MAX_MOVES > scratch.size
    check = switches & EVASIONS != 0 and not last and in_check(h.board)
    best = ply - MATE_SCORE if check else evaluation(h, sums, buffers)
    if last or (not check and best >= beta):
        return best
    alpha = max(alpha, best)
    spare = best + options.delta - tapered(sums)  # what a capture may lack, beside what it gains
    n, total, steps, checkers = find(h.board, scratch)
    if check and pockets:
        n, _ = add_drops(h, scratch, n, total, checkers)
    count = forcing(h, scratch, n, steps, check, scratch, used)
    for i in range(used, used + count):
        move = at(scratch, i) & MOVE
        if not check and switches & EXCHANGES and _loses_material(h, move):
            continue
        gained = raised(sums, house_gain(h, move) if pockets else gain(h.board, move))
        if options.delta and not check and tapered(gained) + spare <= alpha:
            continue
        after = make_house(h, move) if pockets else House(make(h.board, move), 0, 0)
        value = -_quiesce(
            after, for_opponent(gained), -beta, -alpha, ply + 1, used + count, options, buffers
        )  # fmt: skip
        if value > best:
            best = value
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


@inlined
def quiesce(h: House, sums: Sums, alpha: int, beta: int, ply: int, options: Options, buffers: Buffers) -> int:
    """Centipawns for the side to move, who has the tapered `sums`, `ply` plies from the root.

    Fail-soft. Let v be the value of the same search of captures with an infinite window. For the value r returned,

        r <= alpha          means  v <= r     (an upper bound),
        alpha < r < beta    means  v == r,
        r >= beta           means  v >= r     (a lower bound).

    The casts are for the cache: a literal among the arguments would be a type of its own to Numba, and a recursive
    kernel that was compiled for such a type cannot be loaded from it.
    """
    word = np.int64
    sums = new_sums(sums.middlegame, sums.endgame, sums.phase)
    options = Options(word(options.switches), word(options.delta), word(options.last_ply))
    buffers = Buffers(buffers.scratch, buffers.nodes, buffers.weights, word(buffers.network), word(buffers.kept))
    return _quiesce(h, sums, word(alpha), word(beta), word(ply), word(SETS_SIZE), options, buffers)


@inlined
def quiet_value(h: House, switches: int, delta: int, depth: int, scratch: Ints, nodes: Ints) -> int:
    """The quiescence of a position by itself, with an infinite window and by the tapered evaluation, captures followed
    `depth` plies; `scratch` has QUIET_ROOM words, `nodes` one."""
    middlegame, endgame, phase = house_totals(h)
    options, buffers = Options(switches, delta, depth), unweighted(scratch, nodes)
    return quiesce(h, Sums(middlegame, endgame, phase), -INFINITE, INFINITE, 0, options, buffers)
