"""Clusters on one machine, for tests: a head that does no work, and nodes with a core each."""

import atexit
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

STORE = 80_000_000  # bytes of Ray's object store on each node: little is sent
# Ray reads these once, when it is imported; processes that a test starts inherit them.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")  # a busy machine is slow to start processes


_TOO_SLOW = ("timed out", "start gcs", "connect to gcs", "may not have started")
"""Ray's words for a process that was not there in time; whatever else fails is no reason to leave a test out."""


class TooBusy(Exception):
    """A cluster could not be started."""


@contextmanager
def cluster_of(nodes: int, tries: int = 3) -> Iterator[Any]:
    """A cluster with so many nodes, called node-1, node-2 …; `address`, `add` and `kill` are its own."""
    from ray.cluster_utils import Cluster

    class Small(Cluster):  # type: ignore[misc]
        count = 0

        def add(self, tries: int = 3) -> Any:
            """Another node; of a try that took too long there may be one more, later."""
            for left in reversed(range(tries)):
                self.count += 1
                name = f"node-{self.count}"
                try:
                    return self.add_node(num_cpus=1, node_name=name, object_store_memory=STORE, include_dashboard=False)
                except Exception as error:
                    if not left or not _is_slowness(error):
                        raise
            return None

        def kill(self, node: Any) -> None:
            self.remove_node(node, allow_graceful=False)

    logging.getLogger("ray").setLevel(logging.ERROR)
    cluster = _begun(Small, nodes, tries)
    try:
        yield cluster
    finally:
        import ray

        ray.shutdown()
        cluster.shutdown()


class Process(NamedTuple):
    """A process that this one has started, or one of those has."""

    pid: int
    name: bytes
    seconds: float
    """of processors"""


def processes() -> list[Process]:
    """This process and all that come from it."""
    found: dict[int, Process] = {}
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "stat").read_text().rpartition(")")[2].split()
            name = (entry / "cmdline").read_bytes()
        except OSError:  # no process, or one that has ended
            continue
        pid, ticks = int(entry.name), int(words[11]) + int(words[12])
        parents[pid], found[pid] = int(words[1]), Process(pid, name, ticks / os.sysconf("SC_CLK_TCK"))

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return [process for pid, process in found.items() if is_ours(pid)]


def workers() -> list[int]:
    """The processes that are at work on a cluster of ours, as Ray names them."""
    return [process.pid for process in processes() if b"ray::RemoteWorker" in process.name]


def _begun(kind: Any, nodes: int, tries: int) -> Any:
    """A cluster, if this machine can start one: Ray gives a node half a minute."""
    head = {
        "temp_dir": _folder(),
        "num_cpus": 0,
        "node_name": "head",
        "object_store_memory": STORE,
        "include_dashboard": False,
    }
    for left in reversed(range(tries)):
        cluster = kind()
        try:
            cluster.add_node(**head)
            cluster.nodes = [cluster.add(tries=1) for _ in range(nodes)]
            return cluster
        except Exception as error:
            cluster.shutdown()
            if not _is_slowness(error):
                raise
            if not left:
                raise TooBusy(f"this machine is too busy to start a cluster: {error}") from error
    return None


def _is_slowness(error: Exception) -> bool:
    return any(words in str(error).lower() for words in _TOO_SLOW)


def _folder() -> str:
    """Where the clusters of this process have their files, and Ray the address that `auto` means: not a user's."""
    folder = tempfile.mkdtemp(prefix="ray-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["RAY_TMPDIR"] = folder
    ray_folder = os.path.join(folder, "ray")
    os.mkdir(ray_folder)
    return ray_folder
