"""``--cluster`` and ``--scale-time``, of all commands whose work other machines can do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from plyout.errors import InputError

if TYPE_CHECKING:
    from plyout.lab.run.cluster import Cluster as Where

Cluster = Annotated[
    str,
    typer.Option(
        metavar="auto|ADDRESS|local",
        help="Where it is done: a Ray cluster (auto: this machine's), which -j does not limit; see docs/cluster.md.",
    ),
]
ScaleTime = Annotated[
    bool, typer.Option("--scale-time", help="On a cluster: slow machines get more time, as a speed test says.")
]


@contextmanager
def cluster_of(text: str, scale_time: bool = False) -> Iterator["Where"]:
    """The runner that the options mean, connected once for all that a command does."""
    from plyout.lab.run.cluster import LOCAL

    if text == LOCAL:
        if scale_time:
            raise InputError("--scale-time is for several machines: give --cluster, too")
        yield LOCAL
        return
    from plyout.lab.run.on_ray.runner import RayRunner

    with RayRunner(text, scale_time) as runner:
        yield runner
