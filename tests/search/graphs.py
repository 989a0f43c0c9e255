"""Search graphs made by hand, and walks through any graph."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from plyout.search.graph import EDGES, NODES, OPEN, Graph, new_graph


def by_hand(children: dict[int, Sequence[int]], nodes: int, rave: bool = False) -> Graph:
    """A graph of so many nodes in which `children[n]` are the ends of n's edges, -1 for none.

    Visits, values, keys and moves are all different, so that nothing can be mixed up unseen.
    """
    graph = new_graph(16, 64, rave)
    graph.used[NODES] = nodes
    graph.nodes["key"][:nodes] = np.arange(1000, 1000 + nodes)
    graph.nodes["visits"][:nodes] = np.arange(nodes) * 10.0 + 5
    graph.nodes["value"][:nodes] = np.arange(nodes) * 3.0
    for node, ends in children.items():
        first = int(graph.used[EDGES])
        graph.nodes["first"][node], graph.nodes["children"][node], graph.nodes["state"][node] = first, len(ends), OPEN
        for i, end in enumerate(ends):
            graph.edges["child"][first + i] = end
            graph.edges["move"][first + i] = 100 * node + i
            graph.edges["visits"][first + i] = 7.0 * node + i + 1
            graph.edges["value"][first + i] = 2.0 * node + i
            graph.edges["prior"][first + i] = node - i
        graph.used[EDGES] += len(ends)
    return graph


def edges(graph: Graph, node: int) -> range:
    return range(int(graph.nodes["first"][node]), int(graph.nodes["first"][node]) + int(graph.nodes["children"][node]))


def described(graph: Graph, node: int, met: frozenset[int] = frozenset()) -> Any:
    """All that the graph says from `node` on, free of the places where it stands."""
    about = (
        int(graph.nodes["key"][node]),
        float(graph.nodes["visits"][node]),
        float(graph.nodes["value"][node]),
        int(graph.nodes["proof"][node]),
    )
    if node in met:
        return about  # a cycle
    below = []
    for e in edges(graph, node):
        child = int(graph.edges["child"][e])
        further = described(graph, child, met | {node}) if child >= 0 else None
        numbers = (
            int(graph.edges["move"][e]),
            float(graph.edges["visits"][e]),
            float(graph.edges["value"][e]),
            float(graph.edges["prior"][e]),
        )
        below.append((numbers, further))
    return about, int(graph.nodes["state"][node]), below


def reachable(graph: Graph, node: int) -> Iterator[int]:
    """The nodes that `node` leads to, itself first, each once."""
    stack, met = [node], {node}
    while stack:
        node = stack.pop()
        yield node
        for e in edges(graph, node):
            child = int(graph.edges["child"][e])
            if child >= 0 and child not in met:
                met.add(child)
                stack.append(child)
