"""Disconnected trajectories: now and then a move that nobody would choose is looked at, and its result kept from the
nodes above, whose values it would spoil (Czech et al., "Random exploration to avoid local optima")."""

from math import log2
from typing import Any

import numpy as np

from plyout.kernel import Ints, inlined
from plyout.kernel.random import below
from plyout.search.graph import OPEN, ROOT, UNPROVEN, Graph
from plyout.parameters import EXPLORE, EXPLORE_ALL, EXPLORE_CHECKS

_FINE = 1 << 30
MANY = 10_000.0  # visits from which on any move of a node may be looked at


@inlined
def _uniform(rng: Ints) -> float:
    """A number from [0, 1)."""
    number, rng[0] = below(rng[0], _FINE)
    return number / _FINE


@inlined
def branch(g: Graph, state: Ints, trial: Ints, rng: Ints, play: Any, check: Any, parameters: Any) -> tuple[int, int]:
    """(node, edge): where a disconnected trajectory starts this time; the edge is -1 where none does.

    Follows the most visited moves down to a depth that halves its chance with each ply (equation 11), and takes the
    next unvisited move there, by the order of the priors; or the next that gives check; or any. `state` goes along.
    """
    node = np.int64(g.used[ROOT])
    draw = _uniform(rng)
    checks = draw < parameters[EXPLORE_CHECKS]
    draw -= parameters[EXPLORE_CHECKS]
    anything = not checks and draw < parameters[EXPLORE_ALL]
    if not checks and not anything and draw >= parameters[EXPLORE_ALL] + parameters[EXPLORE]:
        return node, -1
    depth = int(max(-log2(1.0 - _uniform(rng)) - 1.0, 0.0))
    for _ in range(depth):
        edge = most_visited(g, node)
        if edge < 0 or g.child[edge] < 0:
            return node, -1
        play(state, np.int64(g.move[edge]))
        node = np.int64(g.child[edge])
    if g.state[node] != OPEN or g.proof[node] != UNPROVEN:
        return node, -1
    if anything:
        return node, _any(g, node, rng)
    for e in range(g.first[node], g.first[node] + g.children[node]):
        if g.visits[e] == 0.0 and (not checks or _gives_check(state, trial, np.int64(g.move[e]), play, check)):
            return node, e
    return node, -1


@inlined
def _any(g: Graph, node: int, rng: Ints) -> int:
    """A random edge, all being as likely; -1 if the node has few visits, or the end is known.

    Selection gives a move that looks bad a few visits in a hundred thousand. A sacrifice needs more to be understood.
    """
    number, rng[0] = below(rng[0], np.int64(g.children[node]))
    edge = np.int64(g.first[node]) + number
    child = g.child[edge]
    known = child >= 0 and g.proof[child] != UNPROVEN
    return -1 if known or g.node_visits[node] < MANY else edge


@inlined
def most_visited(g: Graph, node: int) -> int:
    """The edge; -1 if there is none."""
    best, most = -1, 0.0
    if g.state[node] == OPEN:
        for e in range(g.first[node], g.first[node] + g.children[node]):
            if g.visits[e] > most:
                best, most = e, g.visits[e]
    return best


@inlined
def _gives_check(state: Ints, trial: Ints, move: int, play: Any, check: Any) -> bool:
    for word in range(state.size):
        trial[word] = state[word]
    play(trial, move)
    return bool(check(trial))
