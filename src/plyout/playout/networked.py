"""Evaluators with a value network: its judgement alone, or joined with the tactics that quiescence sees.

A network judges the position as it stands, and a piece that hangs confuses it. Quiescence knows what captures win or
lose, and little else. So the network's value gets a share of quiescence's *swing*: what quiescence finds less what it
began with.
"""

from plyout.evaluate.quiescence import INFINITE, Buffers, Options, quiesce
from plyout.evaluate.score import score
from plyout.evaluate.sums import sums_of, tapered
from plyout.games.chess.board import load
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, kernel
from plyout.networks.small.value import network_value
from plyout.parameters import Leaf
from plyout.playout.scratch import Scratch
from plyout.playout.truncated import quiescence_switches


@kernel
def network_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The network's value."""
    b = load(state)
    return score(0 if insufficient(b) else network_value(b, p.value_net), p.squash)


@kernel
def joined_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The network's value, and a share of the swing."""
    b = load(state)
    if insufficient(b):
        return score(0, p.squash)
    sums = sums_of(b)
    options = Options(quiescence_switches(p), p.quiet_delta, p.quiet_depth)
    buffers = Buffers(scratch.sets, scratch.counters, scratch.weights, 0)
    swing = quiesce(House(b, 0, 0), sums, -INFINITE, INFINITE, 0, options, buffers) - tapered(sums)
    return score(network_value(b, p.value_net) + int(p.swing * swing), p.squash)
