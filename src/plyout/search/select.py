"""Selection: which way to go on from a node that has children."""

from math import log, sqrt
from typing import Any

from plyout.evaluate.score import RAW
from plyout.kernel import at, inlined, kernel
from plyout.search.aids.book import bonus, entry, factor, page, pruned
from plyout.search.aids.exploration import MANY
from plyout.search.graph import DRAWN, SURE, Graph
from plyout.parameters import (
    ADVICE, BIAS, BOOK_PRUNE, BOOK_USE, DRAW_FLOOR, EXPLORE, EXPLORE_ALL, EXPLORE_CHECKS, FPU, FPU_REDUCTION, PUCT_BASE,
    PUCT_INIT, RAVE, SOLVER, SQUASH, WIDEN_AFTER, WIDEN_BASE, WIDEN_TO, C,
)  # fmt: skip

PASSED_OVER = -1.0  # the prior of a move that PUCT need not look at again

BY_POINTER, UCT, PUCT = range(3)  # how the loop calls a rule: our own without the detour


@inlined
def considered(g: Graph, node: int, in_book: bool, parameters: Any) -> int:
    """How many children take part: all, or in progressive widening the best-rated few and more with the visits.

    Where the book prunes, any child may be one of its moves.
    """
    count = g.children[node]
    begin, after = parameters[WIDEN_TO], parameters[WIDEN_AFTER]
    visits = g.node_visits[node]
    if begin == 0.0 or visits < after or (in_book and parameters[BOOK_USE] == BOOK_PRUNE):
        return int(count)
    width = int(begin + log(max(visits, 1.0) / max(after, 1.0)) / log(parameters[WIDEN_BASE]))
    return min(width, int(count))


@inlined
def passed_over(g: Graph, child: int, parameters: Any) -> bool:
    """Whether a visit to `child` would tell nothing: proven lost for the mover, or drawn where that is a floor."""
    if parameters[SOLVER] == 0.0:
        return False
    if g.proof[child] == DRAWN:
        return bool(parameters[DRAW_FLOOR] > 0.0)
    return bool(g.proof[child] > SURE)


@inlined
def next_one(g: Graph, node: int, parameters: Any) -> int:
    """The first child worth a visit, where none of those that take part is."""
    first = int(g.first[node])
    for e in range(first, first + g.children[node]):
        child = g.child[e]
        if child < 0 or not passed_over(g, child, parameters):
            return e
    return first


@inlined
def choose_by_uct(g: Graph, node: int, parameters: Any) -> int:
    """The child with the greatest upper bound (Arenz, equations 1 to 4); one not yet visited comes first.

    w + C · sqrt(2 ln n / n_i), where w is mixed with the all-moves-as-first value if `rave` is set, and
    progressive bias is added if `bias` is. A child proven lost for the mover is left out. A book multiplies C, or
    leaves moves out, or gives some won games to begin with.
    """
    first = int(g.first[node])
    opening, opening_end = page(g, node)
    twice_log = 2.0 * log(g.node_visits[node])
    k, bias, rave = parameters[C], parameters[BIAS], parameters[RAVE]
    best = -1
    best_bound = -1e300
    for e in range(first, first + considered(g, node, opening_end > opening, parameters)):
        child = g.child[e]
        if child >= 0 and passed_over(g, child, parameters):
            continue
        number = entry(g, opening, opening_end, e)
        if pruned(number, opening, opening_end, parameters):
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
        won = bonus(number, parameters)
        if won > 0.0:
            mean = (mean * visits + won) / (visits + won)
        bound = mean + k * factor(number, parameters) * sqrt(twice_log / visits) + bias * g.prior[e] / visits
        if bound > best_bound:
            best_bound = bound
            best = e
    return best if best >= 0 else next_one(g, node, parameters)


@inlined
def choose_by_puct(g: Graph, node: int, parameters: Any) -> int:
    """The child with the greatest Q + c(s) · P · sqrt(ΣN) / (1 + N) (Czech et al., equations 3, 4 and 6).

    A child proven lost for the mover is left out: it is asked for its proof only when it would be chosen, and its prior
    is then PASSED_OVER. To ask all of them would be a walk through memory.
    """
    while True:
        edge = _greatest_puct(g, node, parameters)
        if edge < 0:
            return next_one(g, node, parameters)
        child = g.child[edge]
        if child < 0 or not passed_over(g, child, parameters):
            return edge
        g.prior[edge] = PASSED_OVER


@inlined
def _greatest_puct(g: Graph, node: int, parameters: Any) -> int:
    """The edge, whatever is proven of its end; -1 if all are passed over.

    Scores run from 0 to 1 here and from -1 to 1 in the paper, so the second term is halved. Children stand in the order
    of their priors: no unvisited one is better than the first of them, unless a book says otherwise.
    """
    first = int(g.first[node])
    total = max(g.node_visits[node] - 2.0, 0.0)  # the node's own first visit, and the present one, are not its edges'
    base = parameters[PUCT_BASE]
    scale = 0.5 * (log((total + base + 1.0) / base) + parameters[PUCT_INIT]) * sqrt(total)
    opening, opening_end = page(g, node)
    in_book = opening_end > opening
    explored = parameters[EXPLORE] + parameters[EXPLORE_CHECKS] > 0.0
    explored |= parameters[EXPLORE_ALL] > 0.0 and g.node_visits[node] >= MANY
    in_order = not explored and not in_book
    known = 0.0
    best, best_bound = (-1, -1e300) if in_book else _advised(g, node, scale, parameters)
    for e in range(first, first + considered(g, node, in_book, parameters)):
        prior, visits = at(g.prior, e), at(g.visits, e)
        if prior < 0.0:
            continue
        weight = scale * prior
        if visits == 0.0:
            mean = _first_play(g, node, known, parameters)
            bound = mean + weight
        else:
            known += prior
            value = at(g.value, e)
            bound = (value * (1.0 + visits) + weight * visits) / (visits * (1.0 + visits))  # one division, not two
            mean = bound - weight / (1.0 + visits) if in_book else 0.0
        if in_book:
            number = entry(g, opening, opening_end, e)
            if pruned(number, opening, opening_end, parameters):
                continue
            won = bonus(number, parameters)
            if won > 0.0:
                mean = (mean * visits + won) / (visits + won)
            bound = mean + factor(number, parameters) * weight / (1.0 + visits)
        if bound > best_bound:
            best_bound = bound
            best = e
        if visits == 0.0 and in_order:
            break
    return best


@inlined
def _advised(g: Graph, node: int, scale: float, parameters: Any) -> tuple[int, float]:
    """(the edge that the node is advised to look at, its bound with `advice` more prior); or (-1, the least)."""
    edge = int(g.first[node] + g.advised[node] - 1)
    if g.advised[node] == 0 or at(g.prior, edge) < 0.0:
        return -1, -1e300
    visits = at(g.visits, edge)
    mean = at(g.value, edge) / visits if visits > 0.0 else _first_play(g, node, 0.0, parameters)
    return edge, mean + scale * (at(g.prior, edge) + parameters[ADVICE]) / (1.0 + visits)


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
