"""Threads lose nothing, stop when they are told to, and report."""

import threading
from typing import Any

import chess
import numpy as np
import pytest

from plyout import Engine, Limits, Stop
from plyout.engine.result import Result
from plyout.search.graph import EDGES, NODES
from tests.engine.conftest import Clock
from tests.positions import KIWIPETE, MATE_IN_1, START
from tests.search.graphs import edges, reachable


@pytest.mark.parametrize("name", ["mcc", "mcc-rave"])
def test_two_threads_lose_and_double_nothing(name: str) -> None:
    """Visits are sums of ones, so any lost update shows.

    While one thread gives a node its children another may evaluate it once more: the root has its children here before
    anything is counted.
    """
    engine = Engine(name, hash_mb=16, threads=2)
    for turn in range(20):
        engine.new_game()
        tree = engine.search(KIWIPETE, Limits(nodes=20)).tree
        before = tree.graph.edges["visits"][edges(tree.graph, tree.root)].sum()
        result = engine.search(KIWIPETE, Limits(nodes=2000))
        graph, root = result.tree.graph, result.tree.root
        assert result.nodes == 2000
        assert graph.nodes["visits"][root] == 2020
        assert graph.edges["visits"][edges(graph, root)].sum() == before + 2000, f"run {turn}"
        evaluated = 0.0
        for node in reachable(graph, root):
            block = edges(graph, node)
            here = float(graph.nodes["visits"][node] - graph.edges["visits"][block].sum())
            assert here >= 0
            evaluated += here
            for e in block:
                child = graph.edges["child"][e]
                if child >= 0:
                    assert graph.edges["visits"][e] == graph.nodes["visits"][child]
                    assert graph.edges["value"][e] == graph.nodes["visits"][child] - graph.nodes["value"][child]
        assert evaluated == 2020, "every iteration ends at one node"


def test_two_threads_share_a_full_graph() -> None:
    engine = Engine("mcc", hash_mb=1, threads=2, open_at=1)
    for _ in range(10):
        engine.new_game()
        result = engine.search(KIWIPETE, Limits(nodes=4000))
        graph = result.tree.graph
        assert graph.used[NODES] <= graph.nodes.size
        assert graph.used[EDGES] <= graph.edges.size
        assert result.nodes == 4000


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_from_another_thread_ends_the_search(threads: int) -> None:
    """Whenever it comes, even before the search begins; how soon the search ends, tests/soak measures."""
    engine = Engine("mcc-combined", hash_mb=64, threads=threads)
    engine.prepare()
    for i in range(25):
        engine.new_game()
        stop = Stop()
        timer = threading.Timer(0.002 * (i % 10), stop.set)
        timer.start()
        result = engine.search(KIWIPETE, Limits(infinite=True), stop=stop)
        assert result.move in chess.Board(KIWIPETE).legal_moves
        timer.join()


def test_nothing_is_searched_after_a_stop() -> None:
    engine = Engine("mcc", hash_mb=64)
    seen: list[int] = []

    def stop(result: Result) -> None:
        seen.append(result.nodes)
        if result.nodes > 64:
            engine.stop()

    result = engine.search(START, Limits(infinite=True), on_progress=stop, every=0.0)
    assert seen[-1] == result.nodes


@pytest.mark.parametrize("name", ["mcc", "mcgs", "ta-mcc", "alphabeta"])
def test_a_stop_before_the_search_gets_a_search_of_a_moment(name: str) -> None:
    """Every root move is looked at, and the mate among them found."""
    engine = Engine(name, hash_mb=4)
    engine.prepare()
    for _ in range(5):
        engine.new_game()
        stop = Stop()
        stop.set()
        result = engine.search(MATE_IN_1, Limits(infinite=True), stop=stop)
        assert str(result.move) == "a1a8"
        assert 0 < result.nodes < 1000


def test_a_stop_before_the_search_gets_one_batch_of_an_evaluator() -> None:
    def even(positions: Any) -> tuple[Any, None]:
        return np.zeros(len(positions.states)), None

    stop = Stop()
    stop.set()
    result = Engine("mcts", hash_mb=4, evaluator=even, ahead=0).search(START, Limits(infinite=True), stop=stop)
    assert result.nodes >= 2


def test_threads_that_the_system_does_not_start_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    engine = Engine("mcc", hash_mb=4, threads=3)
    engine.prepare()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert engine.search(START, Limits(nodes=200)).nodes == 200


def test_progress_is_reported_while_searching(clock: Clock) -> None:
    seen: list[Result] = []
    Engine("mcc", hash_mb=64).search(START, Limits(movetime=400), on_progress=seen.append, every=0.05)
    assert len(seen) >= 3
    counts = [r.nodes for r in seen]
    assert counts == sorted(counts)
    assert seen[-1].move in chess.Board().legal_moves


def test_a_mistake_in_the_progress_report_ends_the_search() -> None:
    def fail(result: Result) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        Engine("mcc", hash_mb=4, threads=2).search(START, Limits(infinite=True), on_progress=fail, every=0.01)
