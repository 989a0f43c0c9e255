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
    graph.key[:nodes] = np.arange(1000, 1000 + nodes)
    graph.node_visits[:nodes] = np.arange(nodes) * 10.0 + 5
    graph.node_value[:nodes] = np.arange(nodes) * 3.0
    for node, ends in children.items():
        first = int(graph.used[EDGES])
        graph.first[node], graph.children[node], graph.state[node] = first, len(ends), OPEN
        for i, end in enumerate(ends):
            graph.child[first + i] = end
            graph.move[first + i] = 100 * node + i
            graph.visits[first + i] = 7.0 * node + i + 1
            graph.value[first + i] = 2.0 * node + i
            graph.prior[first + i] = node - i
        graph.used[EDGES] += len(ends)
    return graph


def edges(graph: Graph, node: int) -> range:
    return range(int(graph.first[node]), int(graph.first[node]) + int(graph.children[node]))


def described(graph: Graph, node: int, met: frozenset[int] = frozenset()) -> Any:
    """All that the graph says from `node` on, free of the places where it stands."""
    about = (
        int(graph.key[node]),
        float(graph.node_visits[node]),
        float(graph.node_value[node]),
        int(graph.proof[node]),
    )
    if node in met:
        return about  # a cycle
    below = []
    for e in edges(graph, node):
        child = int(graph.child[e])
        further = described(graph, child, met | {node}) if child >= 0 else None
        numbers = (int(graph.move[e]), float(graph.visits[e]), float(graph.value[e]), float(graph.prior[e]))
        below.append((numbers, further))
    return about, int(graph.state[node]), below


def reachable(graph: Graph, node: int) -> Iterator[int]:
    """The nodes that `node` leads to, itself first, each once."""
    stack, met = [node], {node}
    while stack:
        node = stack.pop()
        yield node
        for e in edges(graph, node):
            child = int(graph.child[e])
            if child >= 0 and child not in met:
                met.add(child)
                stack.append(child)
