"""What a cluster costs: how many results the driver takes, what its memory does, what starting and a game cost.

usage: python bench/cluster.py [--results 100000] [--nodes 3]

All nodes are on this machine, so that the driver and its workers share the cores: on a cluster there is more for it.
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from plyout.lab.match.match import match
from plyout.lab.match.store import Store
from plyout.lab.record import Game
from plyout.lab.run.drive import drive
from plyout.lab.run.listed import Listed
from plyout.lab.run.local import LocalRunner
from plyout.lab.run.on_ray.runner import RayRunner
from tests.lab.run.clusters import cluster_of
from tests.lab.run.kills import workers
from tests.lab.run.squares import Squares

PLAYERS = ("mcc?hash_mb=8&nodes=50", "mcc-decisive?hash_mb=8&nodes=50")
MATCH: dict[str, Any] = {"games": 30, "max_plies": 60, "quiet": True}


def megabytes(pid: str = "self") -> float:
    """The memory that a process has to itself."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_")) / 1024


def results(runner: Any, count: int) -> None:
    """Tasks that take no time."""
    memory: list[float] = []
    done = 0
    first = began = time.perf_counter()

    def keep(task: int, result: int) -> None:
        nonlocal done, first
        if not done:
            first = time.perf_counter()
        done += 1
        if done % (count // 10) == 0:
            memory.append(megabytes())

    drive(Squares(), Listed(range(count), keep), runner)
    rate = done / (time.perf_counter() - first)
    print(f"{done:,} results: {rate:,.0f} a second, the first after {first - began:.1f} s")
    print(f"  the driver's memory at every tenth: {', '.join(f'{m:.1f}' for m in memory)} MB")


def stored(count: int) -> None:
    """What the store of a match takes of that."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.sqlite", {"names": ["a", "b"]}) as store:
        before, began = megabytes(), time.perf_counter()
        pgn = "1. e4 e5 " * 300
        for number in range(count):
            white, black = ("a", "b") if number % 2 == 0 else ("b", "a")
            store.add(number, Game(number // 2, white, black, "1-0", "checkmate", "", 80, 1.0, 1.0, f"{pgn}{number}"))
        seconds = time.perf_counter() - began
        print(
            f"the store: {count / seconds:,.0f} games a second, {1000 * (megabytes() - before) / count:.1f} kB a game"
        )


def games(runner: Any) -> float:
    """Seconds of a core for a game; the first games, and whatever is loaded for them, do not count."""
    match(*PLAYERS, **MATCH | {"games": 6}, cluster=runner)
    began = time.perf_counter()
    match(*PLAYERS, **MATCH, cluster=runner)
    return (time.perf_counter() - began) / MATCH["games"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=3)
    given = parser.parse_args()
    here = games(LocalRunner(1))
    stored(min(given.results, 5000))
    began = time.perf_counter()
    with cluster_of(given.nodes) as cluster:
        print(f"{given.nodes} nodes were started in {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        with RayRunner(cluster.address) as runner:
            print(f"connected in {time.perf_counter() - began:.1f} s")
            results(runner, 1000)
            results(runner, given.results)
            print(f"a worker's memory: {max(megabytes(str(pid)) for pid in workers()):.0f} MB before it plays")
    with cluster_of(1) as cluster, RayRunner(cluster.address) as runner:
        there = games(runner)
        print(
            f"a worker's memory: {max(megabytes(str(pid)) for pid in workers()):.0f} MB, kernels and 2 x 8 MB included"
        )
    print(f"a game takes {1000 * here:.0f} ms here, {1000 * there:.0f} ms on one node: {1000 * (there - here):+.1f} ms")
    print(f"the driver's memory at its most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
