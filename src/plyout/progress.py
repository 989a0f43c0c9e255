"""Progress of long work, on standard error, and only where somebody watches."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar


class Progress:
    """``with Progress("games", 100) as p: … p.step()``: a bar with a count and the time left."""

    def __init__(self, what: str, total: int, quiet: bool = False) -> None:
        self._bar = Bar(
            TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty(),
        )  # fmt: skip
        self._task = self._bar.add_task(what, total=total)

    def step(self, by: int = 1) -> None:
        self._bar.advance(self._task, by)

    def __enter__(self) -> "Progress":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
