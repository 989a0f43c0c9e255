"""What may be wrong with a cluster, tried on a real one on this machine: one line each, and whoever is fit plays.

usage: python -m tests.lab.run.faults
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from plyout.lab.run.on_ray import runner as on_ray
from tests.conftest import ROOT
from tests.lab.run.clusters import cluster_of, workers
from tests.lab.run.squares import Squares

PLAYERS = ["-e", "mcc?hash_mb=8&nodes=15", "-e", "mcc-decisive?hash_mb=8&nodes=15"]
MATCH = ["match", *PLAYERS, "--games", "4", "--max-plies", "16", "--json"]


def plyout(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "plyout", *words]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, timeout=300)


def one_line(run: "subprocess.CompletedProcess[str]", said: str) -> None:
    assert run.returncode == 2, run
    assert said in run.stderr, run.stderr
    assert run.stderr.count("\n") == 1, run.stderr
    print(f"  {run.stderr.strip()}")


def wrong_token(cluster: Any) -> None:
    one_line(plyout(*MATCH, "--cluster", cluster.address, RAY_AUTH_TOKEN="0" * 64), "wants another token")
    one_line(plyout(*MATCH, "--cluster", cluster.address, RAY_AUTH_MODE="disabled"), "wants another token")


def no_cluster() -> None:
    one_line(plyout(*MATCH, "--cluster", "127.0.0.1:1"), "there is no cluster at 127.0.0.1:1")


def another_plyout(folder: Path) -> None:
    """A node whose Plyout has one file more: refused by name; alone it ends the match, beside a fit one it does not."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "src/plyout/more.py").write_text("")
    before = os.environ["PYTHONPATH"]
    with cluster_of(0) as cluster:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder / "src"), str(ROOT)])
        try:
            cluster.add()
        finally:
            os.environ["PYTHONPATH"] = before
        run = plyout(*MATCH, "--cluster", cluster.address)
        assert run.returncode == 2, run
        assert run.stderr.splitlines()[-1].startswith(
            "plyout: no machine of the cluster can be used: node-1: Plyout is "
        )
        print(f"  {run.stderr.splitlines()[-1]}")
        cluster.add()
        run = plyout(*MATCH, "--cluster", cluster.address)
        assert run.returncode == 0, run
        assert run.stderr.startswith("plyout: node-1 is not used: Plyout is 0.1.0 (")
        assert json.loads(run.stdout)["games"] == 4


def hanging_worker() -> None:
    """A worker that is stopped answers nothing: it is given up, and its task is done by another."""
    from plyout.lab.run.drive import drive
    from plyout.lab.run.listed import Listed

    on_ray._ASK, on_ray._SILENT = 1.0, 4.0
    found: dict[int, int] = {}
    log: list[str] = []

    def keep(task: int, result: int) -> None:
        found[task] = result
        if len(found) == 5:
            os.kill(workers()[0], signal.SIGSTOP)

    with cluster_of(2) as cluster, on_ray.RayRunner(cluster.address) as runner:
        drive(Squares(seconds=0.2), Listed(range(60), keep), runner, log.append)
    assert found == {n: n * n for n in range(60)}
    silent = [line for line in log if "has not answered" in line]
    assert len(silent) == 1, log
    print(f"  {silent[0]}")


def late_node() -> None:
    """A node that joins in the middle is used."""
    from plyout.lab.run.drive import drive
    from plyout.lab.run.listed import Listed

    found: dict[int, int] = {}
    log: list[str] = []

    with cluster_of(1) as cluster, on_ray.RayRunner(cluster.address) as runner:

        def keep(task: int, result: int) -> None:
            found[task] = result
            if len(found) == 5:
                cluster.add()

        drive(Squares(seconds=0.2), Listed(range(200), keep), runner, log.append)
    assert len(found) == 200
    shares = [line for line in log if line.endswith(" done")]
    assert len(shares) == 2, log
    print(f"  {'; '.join(shares)}")


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    began = time.monotonic()
    try:
        no_cluster()
        with cluster_of(1) as cluster:
            wrong_token(cluster)
        another_plyout(folder)
        hanging_worker()
        late_node()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"all faults were told, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
