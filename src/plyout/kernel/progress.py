"""Tell the user what is being compiled: the first run takes seconds, later runs none."""

import sys
import threading
from collections.abc import Callable
from typing import Any

from plyout.progress import shown_bar

Reporter = Callable[[str], None]


def terminal_line(text: str) -> None:
    """Rewrite one line of a terminal on standard error; an empty text wipes it. Below a bar there is no room for it."""
    if sys.stderr.isatty() and shown_bar() is None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


_reporter: Reporter = terminal_line


def report_compiling_to(reporter: Reporter) -> Reporter:
    """Send progress to `reporter` from now on; the former one is returned.

    It gets a line of text for each function whose compilation starts, and an
    empty text when the outermost one is done.
    """
    global _reporter
    former, _reporter = _reporter, reporter
    return former


def watch() -> None:
    """Listen to Numba's compile events, which are silent when the cache has the code."""
    from numba.core import event

    class Listener(event.Listener):
        def __init__(self) -> None:
            self.here = threading.local()

        def on_start(self, event: Any) -> None:
            self.here.depth = getattr(self.here, "depth", 0) + 1
            function = event.data["dispatcher"].py_func
            module = function.__module__ or "?"
            if not module.startswith("numba."):
                name = f"{module.removeprefix('plyout.')}.{function.__name__}"
                _reporter(f"compiling {name} (first run only) …")

        def on_end(self, event: Any) -> None:
            self.here.depth -= 1
            if self.here.depth == 0:
                _reporter("")

    event.register("numba:compile", Listener())
