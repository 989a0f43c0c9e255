"""Singh's selection (2023, section 3.6): exploration that falls with the square root of the visits' ratio."""

from math import sqrt
from typing import Any

from plyout.kernel import kernel
from plyout.parameters import SOLVER, C
from plyout.search.aids.book import bonus, entry, factor, page, pruned
from plyout.search.graph import DRAWN, Graph
from plyout.search.select import considered, next_one, passed_over


@kernel
def iec(g: Graph, node: int, parameters: Any) -> int:
    """The child with the greatest w / (1 + n) + C · k · sqrt((1 + N) / (1 + n)); one not yet visited comes first.

    w is a sum of scores between -1 and 1, as the paper's rewards have both signs; k is the OpeningDepth of a move in
    the book where `book_use` is explore, else 1. A child proven lost for the mover is left out.

    What `choose_by_uct` asks of an edge stands here once more: in functions that both call, which are handed the graph
    for every edge, it made this search ten times as slow.
    """
    first = int(g.first[node])
    opening, opening_end = page(g, node)
    parents = 1.0 + g.node_visits[node]
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
            bound = 0.0
        else:
            won = bonus(number, parameters)
            mean = (2.0 * g.value[e] - visits + won) / (1.0 + visits + won)
            bound = mean + parameters[C] * factor(number, parameters) * sqrt(parents / (1.0 + visits))
        if bound > best_bound:
            best_bound = bound
            best = e
    return best if best >= 0 else next_one(g, node, parameters)
