"""The move of a player who is content with what looks good enough: drawn among a few."""

import numpy as np

from plyout.search.choose import draw, edges_of, mean, proofs_of
from plyout.search.graph import SURE, Graph


def drawn(graph: Graph, best: int, node: int, temperature: float, slack: float, rng: np.random.Generator) -> int:
    """An edge drawn by visits^(1/temperature) among those of `node` that were looked at and seem at most `slack` points
    worse than the `best`; what is proven lost is none of them."""
    edges = edges_of(graph, node)
    visits = graph.edges["visits"][edges]
    good_enough = mean(graph, best) - slack
    looked_at = (visits > 0) & (proofs_of(graph, edges) > -SURE)
    fine = looked_at & (graph.edges["value"][edges] >= good_enough * visits)
    fine |= looked_at & (edges == best)
    if not fine.any():
        return best
    return draw(edges[fine], visits[fine], temperature, rng)
