"""Progress of long work, on standard error, and only where somebody watches."""

import sys
from typing import Any


class Progress:
    """``with Progress("games", 100) as p: … p.step()``: a bar with a count and the time left."""

    def __init__(self, what: str, total: int, quiet: bool = False, done: int = 0) -> None:
        self._bar: Any = None
        if quiet or not sys.stderr.isatty():
            return
        from rich.console import Console  # not before it is needed: programs that ask for JSON start faster
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
        )
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(what, total=total, completed=done, note="")

    def step(self, by: int = 1, note: str = "") -> None:
        """So much more is done; `note` is shown beside the bar."""
        if self._bar:
            self._bar.update(self._task, advance=by, note=note)

    def __enter__(self) -> "Progress":
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar:
            self._bar.stop()
