"""Progress bars, notes and warnings: on standard error, the first two only if that is a terminal.

Whoever knows how far work has come also knows what it has brought: an error that ends it (Ctrl-C, a disk that is full)
takes the results so far along, for whoever asks `so_far`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_reporter: Callable[[str], None] | None = None
_shown: list["Progress"] = []
_noted: set[str] = set()


def report_notes_to(reporter: Callable[[str], None]) -> None:
    """Send notes and warnings to `reporter` from now on, and not to standard error."""
    global _reporter
    _reporter = reporter


def warn(text: str) -> None:
    """One line that is printed in any case."""
    if _reporter:
        _reporter(text)
    else:
        print(f"plyout: {text}", file=sys.stderr)


def note(text: str) -> None:
    """One line worth knowing: printed once, and only to a terminal or to the reporter."""
    if text not in _noted and (_reporter or sys.stderr.isatty()):
        _noted.add(text)
        warn(text)


def shown_bar() -> "Progress | None":
    """The bar that is on the terminal already, if there is one: what somebody else draws would go through it."""
    return _shown[-1] if _shown else None


class SoFar(NamedTuple):
    """How far work had come when something ended it; `results` are None where there is nothing to show."""

    what: str
    done: float
    total: float
    results: Any
    begun: float = 0
    """done before it began: the work of another run, which this one goes on with"""


def so_far(error: BaseException) -> SoFar | None:
    """What the work had brought that `error` has ended, if it kept that: see `Progress`."""
    found = getattr(error, "so_far", None)
    return found if isinstance(found, SoFar) else None


def beside(*words: str) -> str:
    """Notes for the progress bar, one beside the other."""
    return " · ".join(filter(None, words))


class Progress:
    """``with Progress("games", 100) as p: … p.step()``: a bar with a count and the time left.

    An error that leaves the block takes along what `keep` returns; where blocks are nested, the outermost that keeps
    anything has the last word.

    >>> found = []
    >>> try:
    ...     with Progress("games", 100, keep=lambda: found) as progress:
    ...         found.append("a draw")
    ...         progress.step()
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt as error:
    ...     so_far(error)
    SoFar(what='games', done=1, total=100, results=['a draw'], begun=0)
    """

    def __init__(
        self, what: str, total: float, quiet: bool = False, done: float = 0, keep: Callable[[], Any] | None = None
    ) -> None:
        self.what, self.total, self.done, self._keep = what, total, done, keep
        self._begun, self._described = done, what
        self._bar: Any = None
        if quiet or _reporter or not sys.stderr.isatty():
            return
        from rich.console import Console  # not before it is needed: programs that ask for JSON start faster
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
        )
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(what, total=total, completed=done, note="")

    @property
    def shown(self) -> bool:
        """Whether anybody sees the bar, and its notes are worth making."""
        return self._bar is not None

    def step(self, by: float = 1, note: str = "") -> None:
        """So much more is done; `note` is shown beside the bar."""
        self.done += by
        if self._bar:
            self._bar.update(self._task, advance=by, note=note)

    def describe(self, what: str) -> None:
        """Name what is being done now."""
        self._described = what
        if self._bar:
            self._bar.update(self._task, description=what)

    @contextmanager
    def described(self, what: str) -> Iterator[None]:
        """Name what is being done during the block."""
        former = self._described
        self.describe(what)
        try:
            yield
        finally:
            self.describe(former)

    def __enter__(self) -> "Progress":
        if self._bar:
            _shown.append(self)  # from now on nobody rewrites the line that the bar gets
            sys.stderr.write("\r\x1b[K")
            self._bar.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._bar:
            self._bar.stop()
            _shown.remove(self)
        if error is not None and self._keep is not None:
            found = SoFar(self.what, self.done, self.total, self._keep(), self._begun)
            error.so_far = found  # type: ignore[attr-defined]
