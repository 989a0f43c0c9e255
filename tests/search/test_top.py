"""The most visited part of a graph, against a slow way to find it."""

import heapq

import pytest

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.search.top import NONE, top_of
from tests.positions import KIWIPETE


def slowly(tree: Tree, count: int) -> list[float]:
    """The visits of the entries, by a queue that Python keeps."""
    visits, found, queue, met = tree.graph.edges["visits"], list[float](), list[tuple[float, int]](), {tree.root}
    new = tree.root
    while len(found) < count - 1:
        if new >= 0:
            for e in tree.children(new):
                if visits[e] > 0:
                    heapq.heappush(queue, (-float(visits[e]), e))
        if not queue:
            break
        negative, edge = heapq.heappop(queue)
        found.append(-negative)
        child = int(tree.graph.edges["child"][edge])
        new = child if child not in met else NONE
        met.add(child)
    return found


@pytest.mark.parametrize("preset, count", [("mcc", 50), ("mcgs", 400), ("mcgs", 5000)])
def test_the_most_visited_nodes_come_first(preset: str, count: int) -> None:
    tree = Engine(preset, hash_mb=8).search(KIWIPETE, Limits(nodes=3000)).tree
    top = top_of(tree.graph, tree.root, count)
    visits = tree.graph.edges["visits"][top.edges[1:]]
    assert visits.tolist() == slowly(tree, count)
    assert len(set(top.edges.tolist())) == len(top.edges), "no edge comes twice"


def test_parents_come_before_their_children_and_shared_nodes_once() -> None:
    tree = Engine("mcgs", hash_mb=8).search(KIWIPETE, Limits(nodes=3000)).tree
    top = top_of(tree.graph, tree.root, 1000)
    shared = 0
    for i in range(1, len(top.nodes)):
        parent = int(top.parents[i])
        assert parent < i and top.shown[parent] == NONE
        assert int(top.edges[i]) in tree.children(int(top.nodes[parent]))
        assert tree.graph.edges["child"][top.edges[i]] == top.nodes[i]
        if top.shown[i] != NONE:
            shared += 1
            assert top.nodes[top.shown[i]] == top.nodes[i]
    assert shared > 0, "a graph shares nodes"
    once = [int(n) for n, s in zip(top.nodes, top.shown, strict=True) if s == NONE and n >= 0]
    assert len(once) == len(set(once))
