"""The engine: same seed same tree, exact sums, threads, reuse, limits, rules of one's own, and mistakes."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

from plyout.engine import Engine
from plyout.errors import InputError
from plyout.games import TICTACTOE, state_of
from plyout.presets import presets
from plyout.result import Result, Tree
from plyout.search.graph import EDGES, NODES, OPEN, UNPROVEN
from tests.conftest import ROOT
from tests.dump import all_presets, digest, searched
from tests.positions import KIWIPETE, START
from tests.search.graphs import described, edges, reachable

LEGALS_TRAP = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


# --- determinism -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", presets())
def test_same_seed_same_nodes_same_tree(name: str) -> None:
    """However the work was sliced; and after a new game as in a new engine."""
    engine = Engine(name, hash_mb=4, seed=7)
    once = digest(engine.search(KIWIPETE, nodes=700).tree)
    engine.search(START, nodes=50)
    engine.new_game()
    assert digest(engine.search(KIWIPETE, nodes=700).tree) == once
    other = Engine(name, hash_mb=4, seed=7).search(KIWIPETE, nodes=700, on_progress=lambda _: None, every=0.0)
    assert digest(other.tree) == once
    found = presets()[name]
    chances = found.rules["judge"] == "playout", found.rules["rate"] == "random", found.parameters.get("explore", 0) > 0
    by_chance = found.search == "mcts" and any(chances)
    assert (digest(Engine(name, hash_mb=4, seed=8).search(KIWIPETE, nodes=700).tree) != once) == by_chance


@pytest.mark.slow
def test_compiled_and_interpreted_trees_are_equal_to_the_last_bit() -> None:
    environment = os.environ | {"PLYOUT_INTERPRET": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "tests.dump"], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    interpreted = json.loads(run.stdout)
    assert interpreted == all_presets()
    assert len(set(interpreted.values())) > 10, "the presets hardly differ"


def test_a_longer_search_begins_as_a_shorter_one() -> None:
    """Searching on from where a search ended adds to it."""
    engine = Engine("mcc", hash_mb=4)
    assert engine.search(START, nodes=300).nodes == 300
    result = engine.search(START, nodes=200)
    assert result.nodes == 200
    assert result.tree.graph.node_visits[result.tree.root] == 500


def test_other_seeds_give_other_trees() -> None:
    assert len({searched("mcc", START, 200, seed=seed) for seed in (-5, 0, 1, 2, 2**53)}) == 5


# --- sums ------------------------------------------------------------------------------------------------------------


def assert_sums(tree: Tree, nodes: int) -> None:
    """Every visit of a node but its first goes on along one edge, and every edge mirrors its child."""
    graph = tree.graph
    assert graph.node_visits[tree.root] == nodes
    for node in reachable(graph, tree.root):
        block = edges(graph, node)
        if graph.state[node] == OPEN:
            assert graph.node_visits[node] == 1 + graph.visits[block].sum()
            leaf = graph.node_value[node] - graph.value[block].sum()
            assert leaf in (0.0, 0.5, 1.0), "the result of the first visit"
        for e in block:
            child = graph.child[e]
            if child >= 0:
                assert graph.visits[e] == graph.node_visits[child]
                assert graph.value[e] == graph.node_visits[child] - graph.node_value[child]
            else:
                assert graph.visits[e] == 0.0


@pytest.mark.parametrize("name", ["mcc", "mcc-hp-see", "mcc-rave", "mcc-widening", "mcc-draws"])
@pytest.mark.parametrize("fen", [KIWIPETE, "8/8/4k3/8/8/3QK3/8/8 w - - 0 1"])
def test_visits_and_values_add_up(name: str, fen: str) -> None:
    result = Engine(name, hash_mb=16).search(fen, nodes=3000)
    assert_sums(result.tree, 3000)
    assert result.tree.graph.used[NODES] <= 3000


def test_depth_one_expands_only_the_root() -> None:
    result = Engine("mcc", hash_mb=4, depth=1).search(START, nodes=500)
    assert result.tree.graph.used[NODES] == 1 + 20
    assert result.tree.graph.used[EDGES] == 20
    assert result.deepest == 1


def test_counts_of_the_result_add_up() -> None:
    result = Engine("mcc", hash_mb=4).search(START, nodes=2000)
    assert result.playouts == result.nodes == 2000
    assert sum(result.wdl) == 1000
    won, drawn, _ = (n / 1000 for n in result.wdl)
    assert abs(won + drawn / 2 - result.value) < 0.002
    assert 0.7 < drawn < 0.95, "most random games are drawn"
    assert 1 < result.depth < result.deepest


# --- memory and reuse ------------------------------------------------------------------------------------------------


def node_after(tree: Tree, moves: list[chess.Move]) -> int:
    node = tree.root
    for move in moves:
        node = next(int(tree.graph.child[e]) for e in tree.children(node) if tree.move(e) == move)
    return node


@pytest.mark.parametrize("name", ["mcc", "mcc-combined", "mcc-rave"])
def test_the_reply_keeps_what_was_known_of_it(name: str) -> None:
    """The statistics after our move and the reply are exactly those that the node had."""
    engine = Engine(name, hash_mb=16)
    board = chess.Board()
    for _ in range(4):
        result = engine.search(board, nodes=3000)
        line = result.pv[:2]
        node = node_after(result.tree, line)
        before = described(result.tree.graph, node)
        visits = float(result.tree.graph.node_visits[node])
        for move in line:
            board.push(move)
        engine._root.find(state_of(board))
        graph = engine._root.graph
        assert described(graph, 0) == before
        assert graph.used[NODES] == len(set(reachable(graph, 0)))
        after = engine.search(board, nodes=1)
        assert after.tree.graph.node_visits[after.tree.root] == visits + 1


def test_one_ply_and_the_same_position_are_reused_too() -> None:
    engine = Engine("mcc", hash_mb=16)
    board = chess.Board()
    result = engine.search(board, nodes=1000)
    visits = result.moves[0].visits
    board.push(result.move)
    assert engine.search(board, nodes=10).tree.graph.node_visits[0] == visits + 10


@pytest.mark.parametrize("case", ["unrelated", "three plies on", "other history", "new game"])
def test_what_does_not_belong_to_the_position_is_forgotten(case: str) -> None:
    engine = Engine("mcc", hash_mb=16)
    board = chess.Board()
    result = engine.search(board, nodes=2000)
    if case == "unrelated":
        board = chess.Board(KIWIPETE)
    elif case == "three plies on":
        for move in result.pv[:2]:
            board.push(move)
        board.push(next(iter(board.legal_moves)))
    elif case == "other history":
        for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(text)
    else:
        engine.new_game()
    after = engine.search(board, nodes=100)
    assert after.tree.graph.node_visits[after.tree.root] == 100


# --- threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mcc", "mcc-rave"])
def test_two_threads_lose_and_double_nothing(name: str) -> None:
    """Visits are sums of ones, so any lost update shows.

    While one thread gives a node its children another may judge it once more: the root has its children here before
    anything is counted.
    """
    engine = Engine(name, hash_mb=16, threads=2)
    for turn in range(20):
        engine.new_game()
        tree = engine.search(KIWIPETE, nodes=20).tree
        before = tree.graph.visits[edges(tree.graph, tree.root)].sum()
        result = engine.search(KIWIPETE, nodes=2000)
        graph, root = result.tree.graph, result.tree.root
        assert result.nodes == 2000
        assert graph.node_visits[root] == 2020
        assert graph.visits[edges(graph, root)].sum() == before + 2000, f"run {turn}"
        judged = 0.0
        for node in reachable(graph, root):
            block = edges(graph, node)
            here = float(graph.node_visits[node] - graph.visits[block].sum())
            assert here >= 0
            judged += here
            for e in block:
                child = graph.child[e]
                if child >= 0:
                    assert graph.visits[e] == graph.node_visits[child]
                    assert graph.value[e] == graph.node_visits[child] - graph.node_value[child]
        assert judged == 2020, "every iteration ends at one node"


def test_two_threads_share_a_full_graph() -> None:
    engine = Engine("mcc", hash_mb=1, threads=2, open_at=1)
    for _ in range(10):
        engine.new_game()
        result = engine.search(KIWIPETE, nodes=4000)
        graph = result.tree.graph
        assert graph.used[NODES] <= graph.key.size
        assert graph.used[EDGES] <= graph.move.size
        assert result.nodes == 4000


def stops(times: int, engine: Engine) -> Iterator[float]:
    """Seconds from calling `stop` to the result, so many times."""
    for i in range(times):
        engine.new_game()
        called: list[float] = []

        def stop(called: list[float] = called) -> None:
            called.append(time.perf_counter())
            engine.stop()

        timer = threading.Timer(0.02 + 0.002 * (i % 10), stop)
        timer.start()
        engine.search(KIWIPETE, infinite=True)
        yield time.perf_counter() - called[0]
        timer.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_is_prompt(threads: int) -> None:
    engine = Engine("mcc-combined", hash_mb=64, threads=threads)
    engine.search(KIWIPETE, nodes=100)
    worst = max(stops(25, engine))
    print(f"worst stop with {threads} threads: {1000 * worst:.1f} ms")
    assert worst < 0.2


def test_progress_is_reported_while_searching() -> None:
    seen: list[Result] = []
    Engine("mcc", hash_mb=64).search(START, movetime=400, on_progress=seen.append, every=0.05)
    assert len(seen) >= 3
    counts = [r.nodes for r in seen]
    assert counts == sorted(counts)
    assert seen[-1].move in chess.Board().legal_moves


def test_a_mistake_in_the_progress_report_ends_the_search() -> None:
    def fail(result: Result) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        Engine("mcc", hash_mb=4, threads=2).search(START, infinite=True, on_progress=fail, every=0.01)


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [2, 3, 17, 1000, 4321])
def test_nodes_are_exact(nodes: int) -> None:
    result = Engine("mcc", hash_mb=4).search(START, nodes=nodes)
    assert result.nodes == nodes
    assert result.tree.graph.node_visits[result.tree.root] == nodes


def test_a_search_of_one_node_still_has_a_move() -> None:
    """Whatever stops a search, there is a legal move to answer with while the game goes on."""
    for nodes in (0, 1):
        assert Engine("mcc", hash_mb=4).search(START, nodes=nodes).move in chess.Board().legal_moves


def test_playouts_are_counted() -> None:
    """A mate on the board is counted as an iteration, but nothing is played out there."""
    result = Engine("mcc", hash_mb=16).search("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", playouts=500)
    assert result.playouts >= 500
    assert result.nodes > result.playouts
    assert result.playouts < 500 + 5000, "a slice of a few milliseconds too many, not more"


def test_movetime_is_kept() -> None:
    engine = Engine("mcc-combined", hash_mb=64)
    engine.prepare()
    for milliseconds in (30, 150):
        began = time.perf_counter()
        result = engine.search(KIWIPETE, movetime=milliseconds)
        took = 1000 * (time.perf_counter() - began)
        assert 0.5 * milliseconds < took < milliseconds + 150
        assert abs(1000 * result.seconds - took) < 50


def test_the_clock_is_not_used_up() -> None:
    engine = Engine("mcc-combined", hash_mb=64)
    engine.prepare()
    for clock, increment in ((50.0, 0.0), (2000.0, 0.0), (300.0, 200.0)):
        result = engine.search(KIWIPETE, clock=clock, increment=increment)
        assert 1000 * result.seconds < clock + 20


def test_a_mate_ends_the_search_for_one() -> None:
    """Even where the preset has no solver."""
    result = Engine("mcc", hash_mb=16).search("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", mate=2)
    assert (result.proof, result.mate) == ("win", 2)


@pytest.mark.parametrize("limit", [{}, {"nodes": -1}, {"movetime": -5}, {"clock": -1}, {"increment": 5}])
def test_wrong_limits_are_the_users_mistake(limit: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Engine("mcc", hash_mb=1).search(START, **limit)


@pytest.mark.parametrize(
    "fen, proof, value, mate",
    [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "loss", 0.0, 0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw", 0.5, None),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", "draw", 0.5, None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "draw", 0.5, None),
    ],
)
@pytest.mark.parametrize("name", ["mcc", "mcc-solver"])
def test_a_finished_game_has_no_move_but_a_result(
    name: str, fen: str, proof: str, value: float, mate: int | None
) -> None:
    engine = Engine(name, hash_mb=1)
    engine.search(START, nodes=50)
    result = engine.search(fen, nodes=100)
    assert (result.move, result.proof, result.value, result.mate) == (None, proof, value, mate)
    assert result.moves == result.pv == []
    assert result.nodes == 0
    json.dumps(result.as_dict())


def test_a_third_repetition_is_a_finished_game() -> None:
    board = chess.Board()
    for text in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        board.push_uci(text)
    result = Engine("mcc", hash_mb=1).search(board, nodes=100)
    assert (result.move, result.proof) == (None, "draw")


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_board_a_fen_and_a_state_are_the_same_position() -> None:
    trees = {
        searched("mcc", position, 100)
        for position in (KIWIPETE, chess.Board(KIWIPETE), state_of(chess.Board(KIWIPETE)))
    }
    assert len(trees) == 1


def test_moves_of_chess960_are_those_of_the_board() -> None:
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HA - 0 1"
    board = chess.Board(fen, chess960=True)
    result = Engine("mcc", hash_mb=4).search(board, nodes=500)
    assert {m.move for m in result.moves} == set(board.legal_moves)


def test_a_board_of_another_game_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="crazyhouse"):
        Engine("mcc", hash_mb=1).search(chess.variant.CrazyhouseBoard(), nodes=10)
    with pytest.raises(InputError, match="not a FEN"):
        Engine("mcc", hash_mb=1).search("nonsense", nodes=10)
    with pytest.raises(InputError, match="no variant"):
        Engine("mcc", "checkers")
    with pytest.raises(InputError, match="for chess only"):
        Engine("mcc-bias", "tictactoe")
    with pytest.raises(InputError, match="for chess only"):
        Engine("mcc-decisive", "crazyhouse")


# --- rules of one's own ----------------------------------------------------------------------------------------------


def always_won(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    return 1.0


def by_target(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    for i in range(count):
        ratings[i] = float(moves[i] // 64 % 64)


def test_a_plain_python_selection_decides_where_to_go() -> None:
    def last(graph, node, parameters):  # type: ignore[no-untyped-def]
        return int(graph.first[node] + graph.children[node] - 1)

    result = Engine("mcc", hash_mb=4, select=last).search(START, nodes=50)
    visits = result.tree.graph.visits[result.tree.children(result.tree.root)]
    assert visits.tolist() == [0.0] * 19 + [49.0]


def test_a_plain_python_judge_decides_what_a_leaf_is_worth() -> None:
    result = Engine("mcc", hash_mb=4, judge=always_won).search(START, nodes=21)
    assert all(m.value == 0.0 for m in result.moves), "the side to move at each leaf has won: the mover has not"


def test_a_plain_python_rating_becomes_the_prior() -> None:
    result = Engine("mcc", hash_mb=4, rate=by_target).search(START, nodes=30)
    assert all(m.prior == m.move.to_square for m in result.moves)


def test_own_rules_work_in_other_games() -> None:
    result = Engine("mcc", TICTACTOE, hash_mb=4, judge=always_won).search("startpos", nodes=10)
    assert len(result.moves) == 9


def two_arguments(graph, node):  # type: ignore[no-untyped-def]
    return 0


def returns_text(graph, node, parameters):  # type: ignore[no-untyped-def]
    return "e2e4"


def returns_nothing(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    pass


def returns_a_whole_number(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    return 1


def unknown_name(graph, node, parameters):  # type: ignore[no-untyped-def]
    return nowhere_to_be_found(node)  # type: ignore[name-defined]  # noqa: F821


def not_for_numba(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    ratings[0] = open("file").read()  # noqa: SIM115


def returns_something(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    return 1.0


@pytest.mark.parametrize(
    "rule, function",
    [
        ("select", two_arguments),
        ("select", returns_text),
        ("select", unknown_name),
        ("judge", returns_nothing),
        ("judge", two_arguments),
        ("rate", not_for_numba),
        ("rate", returns_something),
        ("rate", two_arguments),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_in_one_line(rule: str, function: Any) -> None:
    with pytest.raises(InputError) as caught:
        Engine("mcc", hash_mb=1, **{rule: function})
    text = str(caught.value)
    assert text.startswith(f"{rule} rule '{function.__name__}' must take (")
    assert "\n" not in text


@pytest.mark.parametrize("changes", [{"select": "best"}, {"judge": "dice"}, {"rate": "stars"}, {"choose": "any"}])
def test_an_unknown_rule_is_the_users_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="there are"):
        Engine("mcc", hash_mb=1, **changes)


# --- strength --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_legals_trap_is_not_fallen_into(seed: int) -> None:
    """Taking the queen is mated in two."""
    result = Engine("mcc-combined", hash_mb=64, seed=seed).search(LEGALS_TRAP, nodes=20_000)
    assert str(result.move) in ("c6e5", "d6e5")
    loses = next(m for m in result.moves if str(m.move) == "h5d1")
    assert loses.visits < result.moves[0].visits


def test_max_robust_searches_on_until_the_best_is_the_most_visited() -> None:
    for seed in range(4):
        result = Engine("mcc", hash_mb=16, choose="max-robust", seed=seed).search(KIWIPETE, nodes=300)
        best = max(result.moves, key=lambda m: m.value)
        assert 300 <= result.nodes <= 600
        assert result.move == best.move or result.nodes == 600


def test_nothing_is_proven_without_a_solver() -> None:
    result = Engine("mcc", hash_mb=16).search("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", nodes=3000)
    assert result.proof is None
    assert int(result.tree.graph.proof[result.tree.root]) == UNPROVEN
    assert np.count_nonzero(result.tree.nodes["proof"]) > 0, "ends of games are known all the same"


def narrow_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.first[node]


def test_a_rule_may_return_any_kind_of_number() -> None:
    result = Engine("mcc", judge=returns_a_whole_number, select=narrow_edge, hash_mb=1).search(START, nodes=50)
    assert result.nodes == 50
    assert float(result.moves[0].visits) == 49


def fails_once(graph, node, parameters):  # type: ignore[no-untyped-def]
    if node == 0 and graph.node_visits[0] >= 3000.0:
        raise ValueError("once")
    return graph.first[node] + int(graph.node_visits[node]) % graph.children[node]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_a_rule_ends_the_search_and_reaches_the_caller(threads: int) -> None:
    engine = Engine("mcc", hash_mb=1, threads=threads, select=fails_once)
    with pytest.raises(ValueError, match="once"):
        engine.search(START, movetime=60_000)


def test_a_search_by_playouts_ends_where_there_is_nothing_to_judge() -> None:
    assert Engine("mcc", hash_mb=1).search("k7/8/8/8/8/8/1q6/K7 w - - 0 1", playouts=10).playouts <= 10
    assert Engine("mcc", hash_mb=4, threads=2).search(START, playouts=1000).playouts == 1000


def test_a_loss_of_some_moves_is_no_proof_of_the_position() -> None:
    board = chess.Board("7k/8/8/8/2Q5/1R3R2/8/K7 b - - 0 1")
    result = Engine("mcc-solver", hash_mb=4).search(board, nodes=50_000, moves=[next(iter(board.legal_moves))])
    assert result.restricted
    if result.proof == "loss":
        with pytest.raises(InputError, match="only some"):
            result.certificate()


def test_nodes_that_open_at_once_are_still_judged() -> None:
    result = Engine("mcc", hash_mb=4, open_at=1).search(START, nodes=300)
    assert result.playouts == 300 or result.playouts == 299
    assert result.depth < 4
