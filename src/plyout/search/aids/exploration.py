"""Disconnected trajectories: now and then a move that nobody would choose is searched, and its result kept from the
nodes above, whose values it would spoil (Czech et al., "Random exploration to avoid local optima")."""

from math import log2

import numpy as np

from plyout.kernel import Ints, inlined
from plyout.kernel.random import below
from plyout.parameters import Loop
from plyout.search.graph import OPEN, UNPROVEN, ROOT, Graph, edges_from, most_visited
from plyout.search.rules import Rules, in_check, play
from plyout.search.workspace import Workspace

_FINE = 1 << 30
MANY = 10_000.0  # visits from which on any move of a node may be searched
_NEXT, _NEXT_CHECK, _ANY, _NONE = range(4)  # the move that a trajectory begins with


@inlined
def _uniform(rng: Ints) -> float:
    """A number from [0, 1)."""
    number, rng[0] = below(rng[0], _FINE)
    return number / _FINE


@inlined
def _drawn_kind(rng: Ints, p: Loop) -> int:
    """What kind of trajectory this one is to be, by chance; mostly none."""
    draw = _uniform(rng)
    if draw < p.explore_checks:
        return _NEXT_CHECK
    draw -= p.explore_checks
    if draw < p.explore_all:
        return _ANY
    return _NEXT if draw < p.explore_all + p.explore else _NONE


@inlined
def branch(g: Graph, state: Ints, rules: Rules, work: Workspace, p: Loop) -> tuple[int, int]:
    """(node, edge): where a disconnected trajectory starts this time; the edge is -1 where none does.

    Follows the most visited moves down to a depth that halves its chance with each ply (equation 11), and takes the
    next unvisited move there, by the order of the priors; or the next that gives check, while there is one; or any.
    `state` goes along.
    """
    rng = work.scratch.rng
    node = np.int64(g.used[ROOT])
    kind = _drawn_kind(rng, p)
    if kind == _NONE:
        return node, -1
    depth = int(max(-log2(1.0 - _uniform(rng)) - 1.0, 0.0))
    for _ in range(depth):
        edge = most_visited(g, node)
        if edge < 0 or g.edges[edge].child < 0:
            return node, -1
        play(rules, state, np.int64(g.edges[edge].move))
        node = np.int64(g.edges[edge].child)
    if g.nodes[node].state != OPEN or g.nodes[node].proof != UNPROVEN:
        return node, -1
    if kind == _ANY:
        return node, _any(g, node, rng)
    first, last = edges_from(g, node)
    no_check = -1  # the first unvisited move that gives none: its turn comes when all checks were tried
    for e in range(first, last):
        if g.edges[e].visits > 0.0:
            continue
        if kind == _NEXT or _gives_check(state, np.int64(g.edges[e].move), rules, work.trial):
            return node, e
        if no_check < 0:
            no_check = e
    return node, no_check


@inlined
def _any(g: Graph, node: int, rng: Ints) -> int:
    """A random edge, all being as likely; -1 if the node has few visits, or the end is known.

    Selection gives a move that looks bad a few visits in a hundred thousand. A sacrifice needs more to be understood.
    """
    number, rng[0] = below(rng[0], np.int64(g.nodes[node].children))
    edge = np.int64(g.nodes[node].first) + number
    child = g.edges[edge].child
    known = child >= 0 and g.nodes[child].proof != UNPROVEN
    return -1 if known or g.nodes[node].visits < MANY else edge


@inlined
def _gives_check(state: Ints, move: int, rules: Rules, trial: Ints) -> bool:
    for word in range(state.size):
        trial[word] = state[word]
    play(rules, trial, move)
    return in_check(rules, trial)
