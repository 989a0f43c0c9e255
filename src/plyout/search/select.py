"""Selection: which way to go on from a node that has children."""

from math import log, sqrt
from typing import Any

from plyout.kernel import inlined, kernel
from plyout.search.graph import DRAWN, SURE, Graph
from plyout.parameters import (
    BIAS, EXPLORE, EXPLORE_CHECKS, FPU, FPU_REDUCTION, PUCT_BASE, PUCT_INIT, RAVE, SOLVER, WIDEN_AFTER, WIDEN_BASE,
    WIDEN_TO, C,
)  # fmt: skip

BY_POINTER, UCT, PUCT = range(3)  # how the loop calls a rule: our own without the detour


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


@inlined
def choose_by_uct(g: Graph, node: int, parameters: Any) -> int:
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
    return best if best >= 0 else _first_alive(g, node)


@inlined
def _first_alive(g: Graph, node: int) -> int:
    """All moves that take part are lost: the next one, then."""
    first = int(g.first[node])
    for e in range(first, first + g.children[node]):
        child = g.child[e]
        if child < 0 or g.proof[child] <= SURE:
            return e
    return first


@inlined
def choose_by_puct(g: Graph, node: int, parameters: Any) -> int:
    """The child with the greatest Q + c(s) · P · sqrt(ΣN) / (1 + N) (Czech et al., equations 3, 4 and 6).

    Scores run from 0 to 1 here and from -1 to 1 there, so the second term is halved. Children stand in the order of
    their priors: no unvisited one is better than the first of them. A child proven lost for the mover is left out.
    """
    first = int(g.first[node])
    total = max(g.node_visits[node] - 2.0, 0.0)  # the node's own first visit, and the present one, are not its edges'
    base = parameters[PUCT_BASE]
    scale = 0.5 * (log((total + base + 1.0) / base) + parameters[PUCT_INIT]) * sqrt(total)
    solver = parameters[SOLVER] > 0.0
    in_order = parameters[EXPLORE] == 0.0 and parameters[EXPLORE_CHECKS] == 0.0
    known = 0.0
    best = -1
    best_bound = -1e300
    for e in range(first, first + considered(g, node, parameters)):
        visits = g.visits[e]
        if visits == 0.0:
            bound = _first_play(g, node, known, parameters) + scale * g.prior[e]
        else:
            if solver and g.child[e] >= 0 and g.proof[g.child[e]] > SURE:
                continue
            known += g.prior[e]
            bound = g.value[e] / visits + scale * g.prior[e] / (1.0 + visits)
        if bound > best_bound:
            best_bound = bound
            best = e
        if visits == 0.0 and in_order:
            break
    return best if best >= 0 else _first_alive(g, node)


@inlined
def _first_play(g: Graph, node: int, known: float, parameters: Any) -> float:
    """The value of a child that nobody has seen: lost as published, or a little less than its parent's."""
    if parameters[FPU_REDUCTION] < 0.0:
        return float(0.5 + 0.5 * parameters[FPU])
    mean = g.node_value[node] / max(g.node_visits[node] - 1.0, 1.0)
    return float(mean - 0.5 * parameters[FPU_REDUCTION] * sqrt(known))


@kernel
def uct(g: Graph, node: int, parameters: Any) -> int:
    """`choose_by_uct`, for rules of one's own to call."""
    return choose_by_uct(g, node, parameters)


@kernel
def puct(g: Graph, node: int, parameters: Any) -> int:
    """`choose_by_puct`, for rules of one's own to call."""
    return choose_by_puct(g, node, parameters)
