"""What a cluster costs: how many results the driver takes, what its memory does, what starting and a game cost.

usage: python bench/cluster.py [--results 100000] [--nodes 3] [--rounds 5]

All nodes are on this machine, so that the driver and its workers share the cores: on a cluster there is more for it.
What a game costs is told as time that passes and as time of processors, of everything that was started: on a busy
machine only the second means anything.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from plyout.lab.match.match import match
from plyout.lab.match.store import FILE, Store
from plyout.lab.record import Game
from plyout.lab.run.drive import drive
from plyout.lab.run.listed import Listed
from plyout.lab.run.local import LocalRunner
from plyout.lab.run.on_ray.runner import RayRunner
from tests.lab.run.clusters import cluster_of, processes, workers
from tests.lab.run.squares import Squares

PLAYERS = ("mcc?hash_mb=8&nodes=2", "mcc-decisive?hash_mb=8&nodes=2")  # short games, beside which a cost is seen
_DISK = "."  # the folder for temporary files may be memory
SHORT, LONG = 4, 104  # games of a match


def megabytes(pid: str = "self") -> float:
    """The memory that a process has to itself."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_")) / 1024


def results(runner: Any, count: int) -> None:
    """Tasks that take no time."""
    memory: list[float] = []
    done = 0
    first = began = time.perf_counter()
    busy = 0.0

    def keep(task: int, result: int) -> None:
        nonlocal done, first, busy
        if not done:
            first, busy = time.perf_counter(), time.process_time()
        done += 1
        if done % (count // 10) == 0:
            memory.append(megabytes())

    drive(Squares(), Listed(range(count), keep), runner)
    rate, busy = done / (time.perf_counter() - first), 1000 * (time.process_time() - busy) / done
    print(f"{done:,} results: {rate:,.0f} a second, the first after {first - began:.1f} s")
    print(f"  {busy:.2f} ms of the driver's processor each: {1000 / busy:,.0f} a second if nobody else wants it")
    print(f"  the driver's memory at every tenth: {', '.join(f'{m:.1f}' for m in memory)} MB")


def stored(count: int, together: int) -> None:
    """What the store of a match takes of that, when so many games end together."""
    with tempfile.TemporaryDirectory(dir=_DISK) as folder, Store(Path(folder) / FILE, {"names": ["a", "b"]}) as store:
        before, began = megabytes(), time.perf_counter()
        pgn = "1. e4 e5 " * 300
        for first in range(0, count, together):
            games = {}
            for number in range(first, first + together):
                white, black = ("a", "b") if number % 2 == 0 else ("b", "a")
                games[number] = Game(number // 2, white, black, "1-0", "checkmate", "", 80, 1.0, 1.0, f"{pgn}{number}")
            store.add(games)
        rate, memory = count / (time.perf_counter() - began), 1000 * (megabytes() - before) / count
        print(f"the store, {together} games at a time: {rate:,.0f} games a second, {memory:.1f} kB of memory a game")


def processor_time() -> float:
    """Seconds of processors that this process and all that it has started have taken."""
    return sum(process.seconds for process in processes())


def games(runner: Any, count: int) -> tuple[float, float]:
    """Seconds for a match: those that pass, and those of processors."""
    busy, began = processor_time(), time.perf_counter()
    match(*PLAYERS, games=count, max_plies=24, quiet=True, cluster=runner)
    return time.perf_counter() - began, processor_time() - busy


def a_game(runner: Any) -> list[float]:
    """Milliseconds for a game more, likewise: what it takes to begin a match does not count."""
    short, long = games(runner, SHORT), games(runner, LONG)
    return [1000 * (b - a) / (LONG - SHORT) for a, b in zip(short, long, strict=True)]


def overhead(rounds: int) -> None:
    """What a game costs more on a cluster of one node than here, by turns."""
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  as the driver: what is compared has the same priority
    with cluster_of(1) as cluster, RayRunner(cluster.address) as runner:
        runners = {"here": LocalRunner(1), "on one node": runner}
        for where in runners.values():
            games(where, SHORT)  # and whatever is loaded for it
        own = max(megabytes(str(pid)) for pid in workers())
        found = [{name: a_game(where) for name, where in runners.items()} for _ in range(rounds)]
    for name in runners:
        passed, busy = (median(column) for column in zip(*(each[name] for each in found), strict=True))
        print(f"a game {name}: {passed:.1f} ms, {busy:.1f} ms of processors")
    passed, busy = (median(each["on one node"][kind] - each["here"][kind] for each in found) for kind in range(2))
    print(f"  the difference of a round: {passed:+.1f} ms, {busy:+.1f} ms of processors")
    print(f"a worker's memory: {own:.0f} MB, kernels and 2 x 8 MB included")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    for together in (1, 2, 10, 100):
        stored(min(given.results // 100 * 100, 1000 * together, 10_000), together)
    began = time.perf_counter()
    with cluster_of(given.nodes) as cluster:
        print(f"{given.nodes} nodes were started in {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        with RayRunner(cluster.address) as runner:
            print(f"connected in {time.perf_counter() - began:.1f} s")
            results(runner, 1000)
            results(runner, given.results)
            print(f"a worker's memory: {max(megabytes(str(pid)) for pid in workers()):.0f} MB before it plays")
    overhead(given.rounds)
    print(f"the driver's memory at its most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
