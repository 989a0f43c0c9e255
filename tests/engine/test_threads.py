"""Threads lose nothing, stop when they are told to, and report."""

import threading

import chess
import pytest

from plyout import Engine, Limits, Stop
from plyout.engine.result import Result
from plyout.search.graph import EDGES, NODES
from tests.engine.conftest import Clock
from tests.positions import KIWIPETE, START
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
        engine.stop()

    result = engine.search(START, Limits(infinite=True), on_progress=stop, every=0.0)
    assert seen == [result.nodes]


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
