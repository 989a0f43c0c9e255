"""Truncated playouts: a few random plies, perhaps none, and then the evaluation is the payoff (Xu, algorithm 3).

Payoffs reach the search as scores between 0 and 1, like all others: by a logistic function of the centipawns, or raw,
centipawns on a straight scale that `plyout.search.select.payoff_uct` reads back.
"""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, INFINITE, POCKETS, Buffers, Options, quiesce, quiet_value
from plyout.evaluate.score import score
from plyout.evaluate.sums import sums_of
from plyout.evaluate.tapered import taper, totals
from plyout.evaluate.weighted import weigh
from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import Board, load, make
from plyout.games.chess.moves import draw
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House, load_house
from plyout.kernel import Ints, address_of, inlined, kernel
from plyout.networks.small.value import network_value
from plyout.parameters import Leaf
from plyout.playout.scratch import Scratch


@inlined
def _random_plies(b: Board, scratch: Scratch, p: Leaf) -> Board:
    """The position after `max_depth` random moves, or where the game ends before."""
    rng = scratch.rng[0]
    for _ in range(p.max_depth):
        if b.clock >= 100 or insufficient(b):
            break
        move, _, rng = draw(b, scratch.sets, rng)
        if move < 0:
            break
        b = make(b, move)
    scratch.rng[0] = rng
    return b


@kernel
def static_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The static evaluation, or the value network's."""
    before = load(state)
    b = _random_plies(before, scratch, p)
    middlegame, endgame, phase = totals(b)
    value = taper(middlegame, endgame, phase)
    if p.value_net:
        value = 0 if insufficient(b) else network_value(b, p.value_net, address_of(scratch.accumulators))
    elif p.weighted:
        value = weigh(b, value, scratch.weights, scratch.sets)
    return score(value if b.turn == before.turn else -value, p.squash)


@inlined
def _switches(p: Leaf) -> int:
    return (EVASIONS if p.quiet_evasions else 0) | (EXCHANGES if p.quiet_exchanges else 0)


@kernel
def quiescence_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The evaluation, or the value network's, after captures have been played out."""
    before = load(state)
    b = _random_plies(before, scratch, p)
    options = Options(_switches(p), p.quiet_delta, p.quiet_depth)
    buffers = Buffers(scratch.sets, scratch.counters, scratch.weights, p.value_net, address_of(scratch.accumulators))
    value = quiesce(House(b, 0, 0), sums_of(b), -INFINITE, INFINITE, 0, options, buffers)
    return score(value if b.turn == before.turn else -value, p.squash)


@kernel
def crazyhouse_quiescence_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The same for crazyhouse, where pieces in the pockets count and an evasion may be a drop."""
    value = quiet_value(
        load_house(state),
        _switches(p) | POCKETS,
        p.quiet_delta,
        p.quiet_depth,
        scratch.sets,
        scratch.counters,
    )
    return score(value, p.squash)


def static_evaluator_of(game: Game) -> Any:
    """The evaluator by static evaluation; `InputError` where there is none."""
    if game is not CHESS:
        raise InputError(f"the evaluation is for chess only: in {game.name} try the preset 'mcc'")
    return static_evaluator


def quiescence_evaluator_of(game: Game) -> Any:
    """The evaluator by quiescence; `InputError` where there is none."""
    if game is CHESS:
        return quiescence_evaluator
    if game is CRAZYHOUSE:
        return crazyhouse_quiescence_evaluator
    raise InputError(f"the evaluation is for chess and crazyhouse: in {game.name} try the preset 'mcc'")
