"""Clusters on one machine, for tests: a head that does no work, and nodes with a core each."""

import atexit
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STORE = 80_000_000  # bytes of Ray's object store on each node: little is sent
# Ray reads these once, when it is imported; processes that a test starts inherit them.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")  # a busy machine is slow to start processes


class TooBusy(Exception):
    """A cluster could not be started."""


@contextmanager
def cluster_of(nodes: int, tries: int = 3) -> Iterator[Any]:
    """A cluster with so many nodes, called node-1, node-2 …; `address`, `add` and `kill` are its own."""
    from ray.cluster_utils import Cluster

    class Small(Cluster):  # type: ignore[misc]
        count = 0

        def add(self) -> Any:
            self.count += 1
            name = f"node-{self.count}"
            return self.add_node(num_cpus=1, node_name=name, object_store_memory=STORE, include_dashboard=False)

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


def _begun(kind: Any, nodes: int, tries: int) -> Any:
    """A cluster, if this machine can start one: Ray gives a node half a minute."""
    folder = tempfile.mkdtemp(prefix="ray-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    head = {
        "temp_dir": folder,
        "num_cpus": 0,
        "node_name": "head",
        "object_store_memory": STORE,
        "include_dashboard": False,
    }
    for left in reversed(range(tries)):
        cluster = kind()
        try:
            cluster.add_node(**head)
            cluster.nodes = [cluster.add() for _ in range(nodes)]
            return cluster
        except Exception as error:
            cluster.shutdown()
            if not left:
                raise TooBusy(f"this machine is too busy to start a cluster: {error}") from error
    return None
