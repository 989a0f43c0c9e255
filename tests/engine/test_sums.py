"""Visits and values of a tree add up, and so do the counts of a result."""

import pytest

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.search.graph import EDGES, NODES, OPEN
from tests.positions import KIWIPETE, START
from tests.search.graphs import edges, reachable


def assert_sums(tree: Tree, nodes: int) -> None:
    """Every visit of a node but its first goes on along one edge, and every edge mirrors its child."""
    graph = tree.graph
    assert graph.nodes["visits"][tree.root] == nodes
    for node in reachable(graph, tree.root):
        block = edges(graph, node)
        if graph.nodes["state"][node] == OPEN:
            assert graph.nodes["visits"][node] == 1 + graph.edges["visits"][block].sum()
            leaf = graph.nodes["value"][node] - graph.edges["value"][block].sum()
            assert leaf in (0.0, 0.5, 1.0), "the result of the first visit"
        for e in block:
            child = graph.edges["child"][e]
            if child >= 0:
                assert graph.edges["visits"][e] == graph.nodes["visits"][child]
                assert graph.edges["value"][e] == graph.nodes["visits"][child] - graph.nodes["value"][child]
            else:
                assert graph.edges["visits"][e] == 0.0


@pytest.mark.parametrize("name", ["mcc", "mcc-hp-see", "mcc-rave", "mcc-widening", "mcc-draws"])
@pytest.mark.parametrize("fen", [KIWIPETE, "8/8/4k3/8/8/3QK3/8/8 w - - 0 1"])
def test_visits_and_values_add_up(name: str, fen: str) -> None:
    result = Engine(name, hash_mb=16).search(fen, Limits(nodes=3000))
    assert_sums(result.tree, 3000)
    assert result.tree.graph.used[NODES] <= 3000


def test_depth_one_expands_only_the_root() -> None:
    result = Engine("mcc", hash_mb=4, depth=1).search(START, Limits(nodes=500))
    assert result.tree.graph.used[NODES] == 1 + 20
    assert result.tree.graph.used[EDGES] == 20
    assert result.deepest == 1


def test_counts_of_the_result_add_up() -> None:
    result = Engine("mcc", hash_mb=4).search(START, Limits(nodes=2000))
    assert result.playouts == result.nodes == 2000
    assert sum(result.wdl) == 1000
    won, drawn, _ = (n / 1000 for n in result.wdl)
    assert abs(won + drawn / 2 - result.value) < 0.002
    assert 0.7 < drawn < 0.95, "most random games are drawn"
    assert 1 < result.depth < result.deepest


def test_nodes_that_open_at_once_are_still_evaluated() -> None:
    result = Engine("mcc", hash_mb=4, open_at=1).search(START, Limits(nodes=300))
    assert result.playouts == 300 or result.playouts == 299
    assert result.depth < 4
