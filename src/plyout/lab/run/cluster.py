"""Which runner a text means: this machine, or a cluster by its address."""

from collections.abc import Iterator
from contextlib import contextmanager

from plyout.lab.run.drive import Runner
from plyout.lab.run.local import LocalRunner

LOCAL = "local"
Cluster = str | Runner
"""``local``, ``auto`` (the cluster that this machine belongs to), an address, or a runner that somebody else closes."""


@contextmanager
def runner_of(cluster: Cluster, concurrency: int) -> Iterator[Runner]:
    """The runner for the length of a block; `concurrency` is that of this machine."""
    if cluster == LOCAL:
        yield LocalRunner(concurrency)
    elif isinstance(cluster, str):
        from plyout.lab.run.on_ray.runner import RayRunner

        with RayRunner(cluster) as runner:
            yield runner
    else:
        yield cluster
