"""A selection rule of one's own: ten lines of Python, compiled and run at full speed.

The rule is UCB1-Tuned (Auer, Cesa-Bianchi & Fischer 2002) in short: a score between 0 and 1 varies by at most a
quarter, and by less when it is near either end, so there is less to explore there.
Run it: ``python examples/own_selection.py``.
"""

from math import log, sqrt

from plyout import Engine
from plyout.lab.match.match import match


def tuned(graph, node, parameters):  # type: ignore[no-untyped-def]
    log_n = log(graph.nodes[node].visits)
    best, best_bound = -1, -1.0
    first = graph.nodes[node].first
    for e in range(first, first + graph.nodes[node].children):
        n = graph.edges[e].visits
        if n == 0.0:
            return e
        mean = graph.edges[e].value / n
        bound = mean + sqrt(log_n / n * min(0.25, mean * (1.0 - mean) + sqrt(2.0 * log_n / n)))
        if bound > best_bound:
            best, best_bound = e, bound
    return best


if __name__ == "__main__":
    mine, theirs = Engine("mcc-decisive", select=tuned), Engine("mcc-decisive")
    print(match(mine, theirs, games=6, nodes=300, max_plies=200, seed=1))
