"""Graph search against the plain-Python oracle, and what must hold in every graph."""

from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.games import TICTACTOE
from plyout.games.contract import KEY
from plyout.kernel import kernel
from plyout.search.graph import CLOSED, DRAWN, DRAWN_HERE, PROVEN, ROOT, SURE, UNPROVEN, Graph
from tests.search.graph_oracle import DRAW, LOSS, UNKNOWN, WIN, Node, Oracle, evaluate, prior
from tests.search.graphs import edges, reachable
from tests.search.mirror import State

RULES: dict[str, Any] = {"select": "puct", "evaluate": kernel(evaluate), "prior": kernel(prior)}
PUCT = {"policy": 1, "open_at": 1, "hash_mb": 64}
STARTS: dict[str, State] = {
    "the empty board": (0, 0, 0, 0),
    "a corner": (1, 0, 0o1, 0),
    "two each": (0, 0, 0o21, 0o102),
}


def searched(start: State, nodes: int, **changes: Any) -> Result:
    state = TICTACTOE.start()
    state[0], state[2], state[3] = start[0], start[2], start[3]
    state[KEY] = TICTACTOE.parse(TICTACTOE.show(state))[KEY]
    return Engine("mcc", TICTACTOE, **(PUCT | RULES | changes)).search(state, Limits(nodes=nodes))


def proof_of(node: Node) -> int:
    return {
        UNKNOWN: UNPROVEN,
        DRAW: DRAWN + node.end_in_ply,
        WIN: PROVEN - node.end_in_ply,
        LOSS: -(PROVEN - node.end_in_ply),
    }[node.solved]


def compare(graph: Graph, index: int, node: Node, met: dict[int, Node], spread: bool) -> None:
    """Assert that graph and oracle hold the same numbers from here on, and share the same nodes."""
    if index in met:
        assert met[index] is node, "two nodes of the oracle are one in the graph"
        return
    assert not any(other is node for other in met.values()), "two nodes of the graph are one in the oracle"
    met[index] = node
    assert graph.nodes["visits"][index] == node.n
    assert graph.nodes["parents"][index] == node.parents
    assert graph.nodes["proof"][index] == proof_of(node)
    if node.n and node.solved == UNKNOWN:
        assert 2 * graph.nodes["value"][index] / node.n - 1 == pytest.approx(node.v, abs=1e-9)
        if spread:
            assert graph.nodes["variance"][index] == pytest.approx(node.variance, abs=1e-5)
    if graph.nodes["state"][index] == CLOSED:  # a node opens when it is visited again, and nobody sees the difference
        assert node.n <= 1 or node.solved != UNKNOWN
        assert not any(edge.n for edge in node.edges or [])
        return
    assert graph.nodes["children"][index] == len(node.edges or [])
    for e, edge in zip(edges(graph, index), node.edges or [], strict=True):
        assert (graph.edges["move"][e], graph.edges["visits"][e]) == (edge.move, edge.n)
        assert graph.edges["prior"][e] == pytest.approx(edge.p, rel=1e-6)
        if graph.edges["pruned"][e]:
            assert edge.child and edge.child.solved == WIN, "pruned, and not lost"
        if edge.n:
            assert 2 * graph.edges["value"][e] / edge.n - 1 == pytest.approx(edge.q, abs=1e-9)
        assert (graph.edges["child"][e] >= 0) == (edge.child is not None)
        if edge.child:
            compare(graph, int(graph.edges["child"][e]), edge.child, met, spread)


CHANGES: list[dict[str, float]] = [
    {},
    {"solver": 1},
    {"q_epsilon": 0.001},
    {"q_epsilon": 0.3, "solver": 1},
    {"puct_init": 0.4, "puct_base": 50.0},
    {"fpu": 0.0, "policy": 5, "solver": 1},
    {"open_at": 2, "solver": 1},
    {"spread": 0.6},
    {"spread": 1.2, "puct_init": 0.4, "solver": 1},
]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_every_visit_and_value_is_the_oracles(start: str, changes: dict[str, float]) -> None:
    for simulations in (1, 2, 30, 1500):
        oracle = Oracle(STARTS[start], PUCT | {"share": 2} | changes)
        oracle.run(simulations)
        result = searched(STARTS[start], simulations, share=2, **changes)
        met: dict[int, Node] = {}
        compare(result.tree.graph, result.tree.root, oracle.root, met, "spread" in changes)
        assert result.playouts == oracle.evaluations
    if start == "the empty board":
        assert any(node.parents > 1 for node in met.values()), "nothing was shared: the test shows nothing"


def same_arrays(one: Result, other: Result) -> bool:
    names = ("key", "ply", "first", "children", "state", "proof", "visits", "value")
    a, b = one.tree, other.tree
    return all(np.array_equal(a.nodes[n], b.nodes[n]) for n in names) and all(
        np.array_equal(a.edges[n], b.edges[n]) for n in ("move", "child", "visits", "value", "prior")
    )


@pytest.mark.parametrize("share", [1, 2, 3])
def test_without_transpositions_a_graph_is_the_tree_to_the_last_bit(share: int) -> None:
    """Two plies deep there are none in chess: the moves of two sides do not change places."""
    changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation", "depth": 2}
    fen = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP1N1PPP/R2QKB1R b KQkq - 0 6"
    tree = Engine("mcc", **changes).search(fen, Limits(nodes=3000))
    graph = Engine("mcc", share=share, **changes).search(fen, Limits(nodes=3000))
    assert (graph.tree.graph.nodes["parents"][: graph.graph["nodes"]] <= 1).all()
    if share == 3:  # which sums in another order
        assert np.allclose(tree.tree.edges["visits"], graph.tree.edges["visits"])
        assert np.allclose(tree.tree.edges["value"], graph.tree.edges["value"])
    else:
        assert same_arrays(tree, graph)


def graphs_of_chess() -> Iterator[tuple[str, Result]]:
    endings = {
        "rooks": "8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1",
        "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    }
    for name, fen in endings.items():
        for share in (2, 3):
            for more in ({}, {"solver": 1, "explore": 0.05, "explore_checks": 0.05}):
                changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation"} | more
                yield f"{name} {share} {more}", Engine("mcc", share=share, **changes).search(fen, Limits(nodes=20_000))


def test_a_graph_has_no_cycles_and_its_visits_add_up() -> None:
    for name, result in graphs_of_chess():
        graph = result.tree.graph
        assert graph.nodes["parents"][: result.graph["nodes"]].max() > 1, name
        counted = np.zeros(result.graph["nodes"], np.int64)
        for node in reachable(graph, result.tree.root):
            block = edges(graph, node)
            for e in block:
                child = int(graph.edges["child"][e])
                if child >= 0:
                    assert graph.nodes["ply"][child] == graph.nodes["ply"][node] + 1, (
                        f"{name}: an edge that does not lead on"
                    )
                    counted[child] += 1
            if len(block):  # disconnected trajectories are counted from their first edge on
                more = graph.edges["visits"][block].sum() - (graph.nodes["visits"][node] - 1)
                assert 0 < more < 0.1 * 20_000 if "explore" in name and node == result.tree.root else more >= 0, name
                assert more == 0 or "explore" in name, name
            assert 0 <= graph.nodes["value"][node] <= graph.nodes["visits"][node] + 1e-9
            assert graph.nodes["in_flight"][node] == 0
        assert (counted == graph.nodes["parents"][: len(counted)])[result.tree.root + 1 :].all(), name
        assert not graph.edges["in_flight"][: result.graph["edges"]].any()


def test_a_moved_root_keeps_what_is_shared_and_finds_it_again() -> None:
    import chess

    board = chess.Board("8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1")
    changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation", "share": 2}
    engine = Engine("mcc", **changes)
    first = engine.search(board, Limits(nodes=20_000))
    board.push(first.move)
    second = engine.search(board, Limits(nodes=1))
    graph = second.tree.graph
    assert graph.nodes["visits"][second.tree.root] > 1000, "the graph was kept"
    found = {}
    for node in reachable(graph, second.tree.root):
        place = (int(graph.nodes["key"][node]), int(graph.nodes["ply"][node]))
        assert place not in found or graph.nodes["proof"][node] == 2, "a position has two nodes"
        found[place] = node
    third = engine.search(board, Limits(nodes=5000))
    assert third.tree.graph.nodes["parents"][: third.graph["nodes"]].max() > 1
    assert abs(third.value - first.value) < 0.2


@pytest.mark.parametrize("share", [2, 3])
def test_two_threads_leave_nothing_in_flight(share: int) -> None:
    changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation", "share": share, "threads": 2}
    result = Engine("mcc", **changes).search("8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1", Limits(nodes=40_000))
    graph = result.tree.graph
    assert not graph.nodes["in_flight"][: result.graph["nodes"]].any()
    assert not graph.edges["in_flight"][: result.graph["edges"]].any()
    for node in reachable(graph, result.tree.root):
        assert -1e-6 <= graph.nodes["value"][node] <= graph.nodes["visits"][node] + 1e-6
        if len(edges(graph, node)):
            assert graph.edges["visits"][edges(graph, node)].sum() < graph.nodes["visits"][node]


def test_copied_evaluations_spare_the_evaluator_and_change_nothing() -> None:
    """The evaluator says the same of the same position: with copies the tree is the same, for fewer evaluations."""
    changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation"}
    fen = "8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1"
    tree, copied = (Engine("mcc", share=share, **changes).search(fen, Limits(nodes=20_000)) for share in (0, 1))
    assert same_arrays(tree, copied)
    assert copied.playouts < 0.9 * tree.playouts


def test_a_mate_that_a_shared_graph_proves_is_a_mate() -> None:
    from plyout.games.chess.border import to_board
    from plyout.search.proof.certificate import check_certificate

    for fen in ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "6k1/4Rppp/8/8/8/8/5PPP/6K1 w - - 0 1"):
        changes = PUCT | {"select": "puct", "evaluate": "quiescence", "prior": "evaluation", "solver": 1, "share": 2}
        result = Engine("mcc", **changes).search(fen, Limits(nodes=100_000))
        assert result.proof == "win"
        assert check_certificate(to_board(result.tree.state), result.certificate()) == PROVEN - result.proof_number
        assert result.proof_number > SURE


@pytest.mark.parametrize("name", ["mcgs-solver", "plyout", "mcts"])
def test_priors_stay_priors_also_of_moves_that_are_pruned(name: str) -> None:
    """A move that is proven lost is marked, and its prior left alone."""
    fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K b - - 0 1"
    tree = Engine(name, hash_mb=64, solver=1, tables=0).search(fen, Limits(nodes=30_000)).tree
    graph, pruned = tree.graph, 0
    for node in reachable(graph, tree.root):
        block = list(edges(graph, node))
        if not block:
            continue
        priors = graph.edges["prior"][block]
        assert priors.min() >= 0.0
        assert priors.sum() == pytest.approx(1.0, abs=1e-5)
        for e in block:
            if graph.edges["pruned"][e]:
                pruned += 1
                assert graph.nodes["proof"][graph.edges["child"][e]] > SURE, "pruned, and not lost for the mover"
    assert pruned > 10, "nothing was pruned: the test shows nothing"


def test_a_draw_that_another_way_repeats_does_not_end_the_game_for_this_one() -> None:
    import chess

    board = chess.Board("8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1")
    engine = Engine("mcgs", hash_mb=16)
    result = engine.search(board, Limits(nodes=2000))
    graph, root = result.tree.graph, result.tree.root
    edge = max(edges(graph, root), key=lambda e: graph.edges["visits"][e])
    child = int(graph.edges["child"][edge])
    grandchildren = [int(graph.edges["child"][e]) for e in edges(graph, child) if graph.edges["child"][e] >= 0]
    graph.nodes["proof"][grandchildren[0]] = DRAWN_HERE  # as if another way to it had been a repetition
    board.push(result.tree.move(edge))
    after = engine.search(board, Limits(nodes=500))
    assert after.move in board.legal_moves
    assert all(m.proof is None for m in after.moves)
    graph.nodes["proof"][int(graph.used[ROOT])] = DRAWN_HERE
    assert engine.search(board, Limits(nodes=500)).move in board.legal_moves


def test_any_move_gets_its_share_of_visits_where_all_are_explored() -> None:
    """A third of the descents, half of them at the root: no unproven move there has less than half its due."""
    result = Engine("plyout", hash_mb=64, explore_all=0.3).search(
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", Limits(nodes=40_000)
    )
    due = 0.3 / 2 * 30_000 / len(result.moves)
    assert min(move.visits for move in result.moves) > due / 2
    base = Engine("plyout", hash_mb=64, explore_all=0).search(
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", Limits(nodes=40_000)
    )
    assert min(move.visits for move in base.moves) < due / 10


def test_exploration_tries_the_checks_first_and_then_the_other_moves() -> None:
    """Every descent explores, half of them at the root: 30 leave moves that give no check unvisited, 600 leave none."""
    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    checks = {move for move in board.legal_moves if board.gives_check(move)}
    unvisited = []
    for nodes in (30, 600):
        engine = Engine("mcts", hash_mb=8, explore_checks=1)
        moves = engine.search(board, Limits(nodes=nodes)).moves
        unvisited.append({chess.Move.from_uci(str(m.move)) for m in moves if m.visits == 0})
    assert unvisited[0] and not unvisited[0] & checks
    assert not unvisited[1]
