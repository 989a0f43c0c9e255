"""Threads lose nothing, stop promptly and report."""

import threading
import time
from collections.abc import Iterator

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.search.graph import EDGES, NODES
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
        engine.search(KIWIPETE, Limits(infinite=True))
        yield time.perf_counter() - called[0]
        timer.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_is_prompt(threads: int) -> None:
    engine = Engine("mcc-combined", hash_mb=64, threads=threads)
    engine.search(KIWIPETE, Limits(nodes=100))
    worst = max(stops(25, engine))
    print(f"worst stop with {threads} threads: {1000 * worst:.1f} ms")
    assert worst < 0.2


def test_progress_is_reported_while_searching() -> None:
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
