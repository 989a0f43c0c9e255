"""A match on a cluster of several nodes on this machine: equal to the one played here, and sound after any kills.

usage: python -m tests.lab.run.kills [--games 200] [--kills 10] [--nodes 3] [--seed 1]

Workers, nodes and the driver are killed at random moments; after a node another one joins, after the driver the same
command goes on. Then there must be exactly as many games, each pair with both colours, and every move as it was here.
"""

import argparse
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.lab.match.killing import check, command, stored
from tests.lab.run.clusters import cluster_of, workers
from tests.lab.run.test_cluster import played

KINDS = ("worker", "node", "driver", "worker")
LONGEST = 1200.0  # seconds for the whole of a match


def begun(out: Path, games: int, address: str) -> "subprocess.Popen[bytes]":
    words = [*command(out, games), "--cluster", address]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ended(process: "subprocess.Popen[bytes]") -> None:
    _, error = process.communicate(timeout=LONGEST)
    assert process.returncode == 0, error.decode()


class Killer:
    """Kills by chance, of each kind some, and sees to it that somebody is left."""

    def __init__(self, cluster: Any, kills: int, seed: int) -> None:
        self.cluster, self.chance = cluster, random.Random(seed)
        self.kinds = [what for _, what in zip(range(kills), itertools.cycle(KINDS), strict=False)]
        self.chance.shuffle(self.kinds)
        self.count = Counter(self.kinds)

    def strike(self, driver: "subprocess.Popen[bytes]") -> bool:
        """Kill something; whether it was the driver."""
        time.sleep(self.chance.uniform(0, 0.5))
        what = self.kinds.pop()
        if what == "driver":
            os.kill(driver.pid, signal.SIGKILL)
            driver.wait()
        elif what == "node":
            node = self.chance.choice(self.cluster.nodes)
            self.cluster.nodes.remove(node)
            self.cluster.kill(node)
            self.cluster.nodes.append(self.cluster.add())
        else:
            self._kill_worker(driver)
        return what == "driver"

    def _kill_worker(self, driver: "subprocess.Popen[bytes]") -> None:
        """One that there is: some may be about to be started, or to end."""
        while driver.poll() is None:
            with suppress(ProcessLookupError, IndexError):
                os.kill(self.chance.choice(workers()), signal.SIGKILL)
                return
            time.sleep(0.01)
        raise AssertionError("the match has ended before all kills: give it more games")


def disturbed(out: Path, games: int, kills: int, cluster: Any, seed: int) -> Counter[str]:
    killer = Killer(cluster, kills, seed)
    driver = begun(out, games, cluster.address)
    for number in range(kills):
        goal = (number + 1) * games // (kills + 2)
        while stored(out) < goal:
            assert driver.poll() is None, driver.stderr and driver.stderr.read().decode()
            time.sleep(0.01)
        if killer.strike(driver):
            driver = begun(out, games, cluster.address)
    ended(driver)
    return killer.count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        subprocess.run(command(folder / "here", given.games), stdout=subprocess.DEVNULL, check=True)
        here = played(folder / "here")
        with cluster_of(given.nodes) as cluster:
            began = time.monotonic()
            ended(begun(folder / "there", given.games, cluster.address))
            assert played(folder / "there") == here
            print(
                f"{given.games} games on {given.nodes} nodes are those played here ({time.monotonic() - began:.0f} s)"
            )
            count = disturbed(folder / "killed", given.games, given.kills, cluster, given.seed)
        check(folder / "killed", given.games)
        assert played(folder / "killed") == here
        killed = ", ".join(f"{n} of a {what}" for what, n in count.items())
        print(f"{given.kills} kills ({killed}): exactly {given.games} games, all sound, move for move as here")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
