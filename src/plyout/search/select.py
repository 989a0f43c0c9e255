"""Selection: which way to go on from a node that has children."""

from math import log, sqrt

import numpy as np

from plyout.evaluate.score import RAW
from plyout.kernel import inlined, kernel, record_at
from plyout.parameters import BOOK_PRUNE, Selection
from plyout.search.aids.book import bonus, entry, factor, left_out, page
from plyout.search.aids.exploration import MANY
from plyout.search.graph import SURE, Graph, edges_from, is_drawn

_LEAST = -1e300
_USUAL = 0.08  # the standard deviation of scores below nodes with hundreds of visits, in middle games


@inlined
def considered(g: Graph, node: int, in_book: bool, p: Selection) -> int:
    """How many children take part: all, or in progressive widening the few best by prior and more with the visits.

    Where the book prunes, any child may be one of its moves.
    """
    count = g.nodes[node].children
    visits = g.nodes[node].visits
    if p.widen_to == 0.0 or visits < p.widen_after or (in_book and p.book_use == BOOK_PRUNE):
        return int(count)
    width = int(p.widen_to + log(max(visits, 1.0) / max(p.widen_after, 1.0)) / log(p.widen_base))
    return min(width, int(count))


@inlined
def tells_nothing(g: Graph, child: int, p: Selection) -> bool:
    """Whether a visit to `child` would tell nothing: proven lost for the mover, or drawn where that is a floor."""
    if not p.solver:
        return False
    proof = g.nodes[child].proof
    return p.draw_floor if is_drawn(proof) else bool(proof > SURE)


@inlined
def first_worth_a_visit(g: Graph, node: int, p: Selection) -> int:
    """The first child worth a visit, where none of those that take part is."""
    first, last = edges_from(g, node)
    for e in range(first, last):
        child = g.edges[e].child
        if child < 0 or not tells_nothing(g, child, p):
            return e
    return first


@inlined
def choose_by_uct(g: Graph, node: int, p: Selection) -> int:
    """The child with the greatest upper bound (Arenz, equations 1 to 4); one not yet visited comes first.

    w + C · sqrt(2 ln n / n_i), where w is mixed with the all-moves-as-first value if `rave` is set, and
    progressive bias is added if `bias` is. A child proven lost for the mover is left out. A book multiplies C, or
    leaves moves out, or gives some won games to begin with.
    """
    first, _ = edges_from(g, node)
    opening, opening_end = page(g, node)
    twice_log = 2.0 * log(g.nodes[node].visits)
    best, best_bound = -1, _LEAST
    for e in range(first, first + considered(g, node, opening_end > opening, p)):
        edge = g.edges[e]
        child, visits = edge.child, edge.visits
        number = entry(g, opening, opening_end, e)
        if (child >= 0 and tells_nothing(g, child, p)) or left_out(number, opening, opening_end, p):
            continue
        if visits == 0.0:
            return e
        if child >= 0 and is_drawn(g.nodes[child].proof) and p.solver:
            bound = 0.5  # known for certain: there is nothing to explore
        else:
            mean = edge.value / visits
            if p.rave > 0.0 and g.rave[e].visits > 0.0:
                beta = sqrt(p.rave / (3.0 * visits + p.rave))
                mean = beta * g.rave[e].value / g.rave[e].visits + (1.0 - beta) * mean
            won = bonus(number, p)
            if won > 0.0:
                mean = (mean * visits + won) / (visits + won)
            bound = mean + p.c * factor(number, p) * sqrt(twice_log / visits) + p.bias * edge.prior / visits
        if bound > best_bound:
            best, best_bound = e, bound
    return best if best >= 0 else first_worth_a_visit(g, node, p)


@inlined
def choose_by_puct(g: Graph, node: int, p: Selection) -> int:
    """The child with the greatest Q + c(s) · P · sqrt(ΣN) / (1 + N) (Czech et al., equations 3, 4 and 6).

    A child proven lost for the mover is left out. Reading every child's proof would cost a cache miss each, so only the
    one that would be chosen is asked; if it is lost, its edge is marked as pruned, and the next best is taken.
    """
    while True:
        edge = _greatest_puct(g, node, p)
        if edge < 0:
            return first_worth_a_visit(g, node, p)
        child = g.edges[edge].child
        if child < 0 or not tells_nothing(g, child, p):
            return edge
        g.edges[edge].pruned = 1


@inlined
def _greatest_puct(g: Graph, node: int, p: Selection) -> int:
    """The edge, whatever is proven of its end; -1 if all are pruned.

    Scores run from 0 to 1 here and from -1 to 1 in the paper, so the second term is halved. Children stand in the order
    of their priors: where they are also visited in that order, no other unvisited one is better than the first.
    """
    first, _ = edges_from(g, node)
    n = record_at(g.nodes, node)
    total = max(n.visits - 2.0, 0.0)  # the node's own first visit, and the present one, are not its edges'
    scale = 0.5 * (log((total + p.puct_base + 1.0) / p.puct_base) + p.puct_init) * sqrt(total)
    if p.spread > 0.0:
        scale *= _by_spread(np.float64(n.variance), total, p.spread)
    opening, opening_end = page(g, node)
    in_book = opening_end > opening
    in_order = not in_book and not _visits_out_of_order(n.visits, p)
    known = 0.0
    best, best_bound = (-1, _LEAST) if in_book else _advised(g, node, scale, p)
    for e in range(first, first + considered(g, node, in_book, p)):
        edge = record_at(g.edges, e)
        if edge.pruned:
            continue
        visits, weight = edge.visits, scale * edge.prior
        if visits == 0.0:
            mean = _first_play(g, node, known, p)
            bound = mean + weight
        else:
            known += np.float64(edge.prior)
            bound = (edge.value * (1.0 + visits) + weight * visits) / (visits * (1.0 + visits))  # one division, not two
            mean = bound - weight / (1.0 + visits) if in_book else 0.0
        if in_book:
            number = entry(g, opening, opening_end, e)
            if left_out(number, opening, opening_end, p):
                continue
            won = bonus(number, p)
            if won > 0.0:
                mean = (mean * visits + won) / (visits + won)
            bound = mean + factor(number, p) * weight / (1.0 + visits)
        if bound > best_bound:
            best, best_bound = e, bound
        if visits == 0.0 and in_order:
            break
    return best


@inlined
def _by_spread(variance: float, visits: float, spread: float) -> float:
    """A factor for the constant: more exploration where scores differ much, less where all moves come to the same
    (KataGo's idea). Two scores of the usual spread are counted in, as few tell little."""
    deviation = sqrt((variance * visits + 2.0 * _USUAL * _USUAL) / (visits + 2.0))
    return 1.0 + spread * (deviation / _USUAL - 1.0)


@inlined
def _visits_out_of_order(visits: float, p: Selection) -> bool:
    """Whether a disconnected trajectory may have visited a move of such a node before those with greater priors."""
    return p.explore + p.explore_checks > 0.0 or (p.explore_all > 0.0 and visits >= MANY)


@inlined
def _advised(g: Graph, node: int, scale: float, p: Selection) -> tuple[int, float]:
    """(the edge that the node is advised to search, its bound with `advice` more prior); or (-1, the least)."""
    n = record_at(g.nodes, node)
    e = int(n.first + n.advised - 1)
    if n.advised == 0 or g.edges[e].pruned:
        return -1, _LEAST
    edge = record_at(g.edges, e)
    mean = edge.value / edge.visits if edge.visits > 0.0 else _first_play(g, node, 0.0, p)
    return e, mean + scale * (edge.prior + p.advice) / (1.0 + edge.visits)


@inlined
def _first_play(g: Graph, node: int, known: float, p: Selection) -> float:
    """The value of a child that nobody has seen: lost as published, or a little less than its parent's."""
    if p.fpu_reduction < 0.0:
        return float(0.5 + 0.5 * p.fpu)
    mean = g.nodes[node].value / max(g.nodes[node].visits - 1.0, 1.0)
    return float(mean - 0.5 * p.fpu_reduction * sqrt(known))


@kernel
def uct(g: Graph, node: int, parameters: Selection) -> int:
    """`choose_by_uct`, for rules of one's own to call."""
    return choose_by_uct(g, node, parameters)


@kernel
def puct(g: Graph, node: int, parameters: Selection) -> int:
    """`choose_by_puct`, for rules of one's own to call."""
    return choose_by_puct(g, node, parameters)


@kernel
def iec(g: Graph, node: int, parameters: Selection) -> int:
    """Singh's selection (2023, section 3.6): the child with the greatest w / (1 + n) + C · k · sqrt((1 + N) / (1 + n));
    one not yet visited comes first.

    w is a sum of scores between -1 and 1, as the paper's rewards have both signs; k is the OpeningDepth of a move in
    the book where `book_use` is explore, else 1. A child proven lost for the mover is left out.
    """
    p = parameters
    first, _ = edges_from(g, node)
    opening, opening_end = page(g, node)
    parents = 1.0 + g.nodes[node].visits
    best, best_bound = -1, _LEAST
    for e in range(first, first + considered(g, node, opening_end > opening, p)):
        edge = g.edges[e]
        child, visits = edge.child, edge.visits
        number = entry(g, opening, opening_end, e)
        if (child >= 0 and tells_nothing(g, child, p)) or left_out(number, opening, opening_end, p):
            continue
        if visits == 0.0:
            return e
        if child >= 0 and is_drawn(g.nodes[child].proof) and p.solver:
            bound = 0.0
        else:
            won = bonus(number, p)
            mean = (2.0 * edge.value - visits + won) / (1.0 + visits + won)
            bound = mean + p.c * factor(number, p) * sqrt(parents / (1.0 + visits))
        if bound > best_bound:
            best, best_bound = e, bound
    return best if best >= 0 else first_worth_a_visit(g, node, p)


@kernel
def payoff_uct(g: Graph, node: int, parameters: Selection) -> int:
    """UCT as Xu writes it, Q / N + c · sqrt(ln N_parent / N): payoffs lie between -1 and 1, or are raw centipawns."""
    first, last = edges_from(g, node)
    logarithm = log(g.nodes[node].visits)
    unit = 2.0 if parameters.squash > 0.0 else 2.0 * RAW
    best, best_bound = -1, _LEAST
    for e in range(first, last):
        edge = g.edges[e]
        if edge.child >= 0 and g.nodes[edge.child].proof > SURE and parameters.solver:
            continue
        if edge.visits == 0.0:
            return e
        bound = unit * (edge.value / edge.visits - 0.5) + parameters.c * sqrt(logarithm / edge.visits)
        if bound > best_bound:
            best, best_bound = e, bound
    return best if best >= 0 else first
