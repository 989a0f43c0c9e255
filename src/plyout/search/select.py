"""Selection: which way to go on from a node that has children."""

from math import log, sqrt
from typing import Any

from plyout.kernel import inlined, kernel
from plyout.search.graph import DRAWN, SURE, Graph
from plyout.parameters import BIAS, RAVE, SOLVER, SQUASH, WIDEN_AFTER, WIDEN_BASE, WIDEN_TO, C
from plyout.playout.evaluation import RAW


@inlined
def considered(g: Graph, node: int, parameters: Any) -> int:
    """How many children take part: all, or in progressive widening the best-rated few and more with the visits."""
    count = g.children[node]
    begin, after = parameters[WIDEN_TO], parameters[WIDEN_AFTER]
    visits = g.node_visits[node]
    if begin == 0.0 or visits < after:
        return int(count)
    width = int(begin + log(max(visits, 1.0) / max(after, 1.0)) / log(parameters[WIDEN_BASE]))
    return min(width, int(count))


@kernel
def payoff_uct(g: Graph, node: int, parameters: Any) -> int:
    """UCT as Xu writes it, Q / N + c · sqrt(ln N_parent / N): payoffs lie between -1 and 1, or are raw centipawns."""
    first = int(g.first[node])
    logarithm = log(g.node_visits[node])
    unit = 2.0 if parameters[SQUASH] > 0.0 else 2.0 * RAW
    best = -1
    best_bound = -1e300
    for e in range(first, first + g.children[node]):
        child = g.child[e]
        if child >= 0 and g.proof[child] > SURE and parameters[SOLVER] > 0.0:
            continue
        visits = g.visits[e]
        if visits == 0.0:
            return e
        bound = unit * (g.value[e] / visits - 0.5) + parameters[C] * sqrt(logarithm / visits)
        if bound > best_bound:
            best_bound = bound
            best = e
    return best if best >= 0 else first


@kernel
def uct(g: Graph, node: int, parameters: Any) -> int:
    """The child with the greatest upper bound (Arenz, equations 1 to 4); one not yet visited comes first.

    w + C · sqrt(2 ln n / n_i), where w is mixed with the all-moves-as-first value if `rave` is set, and
    progressive bias is added if `bias` is. A child proven lost for the mover is left out.
    """
    first = int(g.first[node])
    twice_log = 2.0 * log(g.node_visits[node])
    k, bias, rave = parameters[C], parameters[BIAS], parameters[RAVE]
    best = -1
    best_bound = -1e300
    for e in range(first, first + considered(g, node, parameters)):
        child = g.child[e]
        if child >= 0 and g.proof[child] > SURE and parameters[SOLVER] > 0.0:
            continue
        visits = g.visits[e]
        if visits == 0.0:
            return e
        if child >= 0 and g.proof[child] == DRAWN and parameters[SOLVER] > 0.0:
            bound = 0.5  # known for certain: there is nothing to explore
            if bound > best_bound:
                best_bound = bound
                best = e
            continue
        mean = g.value[e] / visits
        if rave > 0.0 and g.rave_visits[e] > 0.0:
            beta = sqrt(rave / (3.0 * visits + rave))
            mean = beta * g.rave_value[e] / g.rave_visits[e] + (1.0 - beta) * mean
        bound = mean + k * sqrt(twice_log / visits) + bias * g.prior[e] / visits
        if bound > best_bound:
            best_bound = bound
            best = e
    if best >= 0:
        return best
    for e in range(first, first + g.children[node]):  # all that take part are lost: the next one, then
        child = g.child[e]
        if child < 0 or g.proof[child] <= SURE:
            return e
    return first
