"""Work that does not come to its end: by Ctrl-C, by SIGTERM, or by a disk that is full.

What it has brought is shown as it would be at the end; then the command says how far it came and how to go on.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import typer

from plyout.lab.children import end_all
from plyout.progress import SoFar, so_far

Answer = TypeVar("Answer")
SIGNALS = (signal.SIGINT, signal.SIGTERM)
ANEW = "nothing is kept, and the same command begins anew"


def goes_on(out: Path | None) -> str:
    """How to go on with work that is kept in `out`, the folder of ``--out``, if there is one."""
    if out is None:
        return "nothing is kept; with --out FOLDER the same command would go on where it was"
    return f"what was done so far is in {out}: the same command goes on from there"


class Interrupted(KeyboardInterrupt):
    """Somebody wants us to end: `number` is the signal by which he said so."""

    def __init__(self, number: int) -> None:
        self.number = number


class Ending:
    """How a command's work ended.

    ``with Ending("begin anew") as ending: show(ending.of(work))`` shows the results of `work`, or those so far. After
    them an interrupted command says how far it came and `how` to go on, and ends with 130 (143 by SIGTERM); any other
    error goes on to whoever tells it. A second Ctrl-C ends the command at once.
    """

    def __init__(self, how: str) -> None:
        self._how = how
        self._error: BaseException | None = None
        self._marked = False
        self._before: dict[signal.Signals, Any] = {}

    def of(self, work: Callable[..., Answer], *arguments: Any, **options: Any) -> Answer:
        """What `work` returns; or, when it is cut short, what it has kept: see `plyout.progress.Progress`."""
        try:
            return work(*arguments, **options)
        except BaseException as error:
            found = so_far(error)
            if found is None or found.results is None:
                raise
            if found.done == found.begun and not isinstance(error, KeyboardInterrupt):
                raise  # nothing was done: a mistake in what was given, most likely
            self._error = error
            results: Answer = found.results
            return results

    @property
    def cut_short(self) -> SoFar | None:
        """How far the work came, if it was cut short."""
        return None if self._error is None else so_far(self._error)

    def marked(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer for programs, which can see whether it is whole."""
        self._marked = True
        found = self.cut_short
        if found is None:
            return answer
        return answer | {"interrupted": True, "done": found.done, "of": found.total, "what": found.what}

    def __enter__(self) -> "Ending":
        for number in SIGNALS:
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):  # not ignored, as by nohup
                self._before[number] = signal.signal(number, self._first)
        return self

    def _first(self, number: int, frame: FrameType | None) -> None:
        for other in self._before:
            signal.signal(other, _at_once)
        raise Interrupted(number)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        error = error or self._error
        if isinstance(error, KeyboardInterrupt):  # the next signal still ends us at once: nobody waits for it any more
            typer.echo(f"interrupted{_after(error)}: {self._how}", err=True)
            raise typer.Exit(128 + getattr(error, "number", signal.SIGINT)) from None
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._error is not None:
            if not self._marked:  # of the results: what went wrong gets its one line on standard error
                print(f"cut short{_after(self._error)}: {self._how}")
            raise self._error


def _after(error: BaseException) -> str:
    found = so_far(error)
    return "" if found is None else f" after {found.done:,.0f} of {found.total:,.0f} {found.what}"


def _at_once(number: int, frame: FrameType | None) -> None:
    """The second time: no more than the engines are ended, and a cursor that a progress bar has hidden is shown."""
    end_all()
    if sys.stderr.isatty():
        os.write(2, b"\x1b[?25h")
    os._exit(128 + number)
