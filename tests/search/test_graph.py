"""The graph keeps within its memory, and what is kept of it is exactly what can be reached."""

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.search.compact import move_root, prune
from plyout.search.graph import EDGES, NODES, ROOT, bytes_in_use, capacity, new_graph
from tests.search.graphs import by_hand, described, edges, reachable

GRAPHS = {
    "a tree": ({0: (1, 2), 1: (3, -1), 2: (4,), 3: (5,)}, 6),
    "a shared child": ({0: (1, 2), 1: (3, 4), 2: (4, -1), 4: (5,)}, 6),
    "children before their parents": ({0: (5,), 5: (2, 3), 2: (-1, 1), 1: (4,)}, 7),
    "a long way back": ({0: (6,), 6: (5,), 5: (4,), 4: (3,), 3: (2,), 2: (1,), 1: (-1,)}, 7),
    "a cycle": ({0: (1,), 1: (2, 3), 2: (0, 1)}, 4),
    "a parent twice": ({0: (1, 1), 1: (2,)}, 4),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_what_the_new_root_leads_to_is_kept_and_nothing_else(name: str) -> None:
    children, nodes = GRAPHS[name]
    for root in range(nodes):
        graph = by_hand(children, nodes)
        before = described(graph, root)
        kept = list(reachable(graph, root))
        kept_edges = sum(len(edges(graph, node)) for node in kept)
        move_root(graph, root)
        new_root = int(graph.used[ROOT])
        assert described(graph, new_root) == before
        assert graph.used[NODES] == len(kept)
        assert graph.used[EDGES] == kept_edges
        assert sorted(reachable(graph, new_root)) == list(range(len(kept))), "numbered without gaps"


def test_rave_numbers_move_along() -> None:
    graph = by_hand(*GRAPHS["a tree"], rave=True)
    graph.rave["visits"][:], graph.rave["value"][:] = np.arange(64) + 1, np.arange(64) * 2
    wanted = [(int(graph.edges["move"][e]), e + 1.0, e * 2.0) for e in edges(graph, 2)]
    move_root(graph, 2)
    root = int(graph.used[ROOT])
    assert [
        (int(graph.edges["move"][e]), graph.rave["visits"][e], graph.rave["value"][e]) for e in edges(graph, root)
    ] == wanted


@pytest.mark.parametrize("rave", [False, True])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("megabytes", [1, 7, 100])
def test_a_graph_takes_no_more_memory_than_it_may(rave: bool, shared: bool, megabytes: int) -> None:
    """With the two arrays that moving the root needs."""
    graph = new_graph(*capacity(megabytes, 8.0, rave, shared), rave, shared)
    spare = 4 * 2 * graph.nodes.size
    total = sum(field.nbytes for field in graph) + spare
    assert 0.9 * megabytes * 1e6 < total <= megabytes * 1e6 + 100
    graph.used[:2] = graph.nodes.size, graph.edges.size
    assert bytes_in_use(graph) <= total


@pytest.mark.parametrize("preset", ["mcc", "mcc-rave", "mcc-combined"])
@pytest.mark.parametrize("open_at", [1, 2])
def test_a_full_graph_does_not_end_the_search(preset: str, open_at: int) -> None:
    engine = Engine(preset, hash_mb=1, open_at=open_at)
    result = engine.search(chess.STARTING_FEN, Limits(nodes=6000))
    graph = result.tree.graph
    assert result.nodes == 6000
    assert graph.nodes.size < 6000, "each iteration makes a node: these do not fit"
    assert graph.used[NODES] <= graph.nodes.size
    assert graph.used[EDGES] <= graph.edges.size
    assert result.graph["bytes"] <= 1e6
    assert result.move in chess.Board().legal_moves
    root = result.tree.root
    assert graph.nodes["visits"][root] == 6000
    assert graph.edges["visits"][result.tree.children(root)].sum() == 5999, "the first visit is to the root itself"
    for node in reachable(graph, root):
        block = edges(graph, node)
        children = graph.edges["child"][block]
        assert (children < graph.used[NODES]).all()
        assert graph.edges["visits"][block].sum() <= graph.nodes["visits"][node]
        assert 0 <= graph.nodes["value"][node] <= graph.nodes["visits"][node]


def test_pruning_closes_the_least_visited_nodes_and_keeps_their_statistics() -> None:
    graph = Engine("mcc", hash_mb=2).search(chess.STARTING_FEN, Limits(nodes=5000)).tree.graph
    root, edges_before = int(graph.used[ROOT]), int(graph.used[EDGES])

    def opened() -> dict[tuple[int, ...], tuple[float, float]]:
        """The open nodes by the moves that lead to them, with visits and value."""
        found, stack = {}, [(root, ())]
        while stack:
            node, line = stack.pop()
            if graph.nodes["children"][node]:
                found[line] = (float(graph.nodes["visits"][node]), float(graph.nodes["value"][node]))
            stack += [
                (int(graph.edges["child"][e]), (*line, int(graph.edges["move"][e])))
                for e in edges(graph, node)
                if graph.edges["child"][e] >= 0
            ]
        return found

    before = opened()
    prune(graph)
    after = opened()
    assert graph.used[EDGES] <= edges_before / 2
    assert after.items() <= before.items(), "what is kept is unchanged"
    closed = [visits for line, (visits, _) in before.items() if line not in after]
    assert max(closed) <= min(visits for line, (visits, _) in after.items() if line), "the least visited went"


def test_a_search_that_prunes_its_graph_is_reproducible() -> None:
    first, second = (Engine("mcc-combined", hash_mb=1).search(chess.STARTING_FEN, Limits(nodes=9000)) for _ in range(2))
    assert [m.as_dict() for m in first.moves] == [m.as_dict() for m in second.moves]


def test_two_threads_can_fill_a_graph() -> None:
    result = Engine("mcc-combined", hash_mb=1, threads=2).search(chess.STARTING_FEN, Limits(nodes=20_000))
    assert result.nodes == 20_000
    assert result.graph["bytes"] <= 1e6


def test_a_full_graph_finds_room_again_when_the_game_goes_on() -> None:
    engine = Engine("mcc", hash_mb=1)
    board = chess.Board()
    first = engine.search(board, Limits(nodes=10_000))
    used = first.graph["nodes"]
    board.push(first.move)
    board.push(first.pv[1])
    second = engine.search(board, Limits(nodes=1000))
    assert second.graph["nodes"] < used
    assert second.graph["nodes"] > 900
