"""A bar for the first start: how far the kernels are compiled, and the time left.

Parts end seldom: the longest takes a third of the time. So the bar goes by the processor time that this process has
had, at the speed that the parts so far have shown, and no further than those that are being compiled could bring it.
On a busy machine it is slow, then, but does not stand still.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

from plyout.progress import Progress, shown_bar

SECONDS = {
    "iterate": 8.0, "look_ahead": 14.0, "evaluate": 2.0, "prior": 4.2, "mate": 3.4, "endgames": 4.1,
    "shorter_mates": 1.9, "traps": 3.0, "breadth": 3.0, "select": 0.2, "prune": 1.2, "game": 0.1, "random": 0.1,
}  # fmt: skip
"""How long each part of the default preset took one core, others by guess: only their ratios matter."""
_WHAT = "compiling, this once"
_OTHER = 2.0
_SOON = 1.5  # seconds: what is loaded from the cache is done by then, and needs no bar
_EVERY = 0.1


@contextmanager
def compile_bar(parts: Iterable[str], done: Callable[[], Collection[str]], processes: int) -> Iterator[None]:
    """Show a bar while the block runs, if that takes long; `done` says which parts are, `processes` how many work."""
    seconds = {name: SECONDS.get(name, _OTHER) for name in parts}
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(seconds, done, processes, over), daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def _watch(
    seconds: dict[str, float], done: Callable[[], Collection[str]], processes: int, over: threading.Event
) -> None:
    began = time.process_time()
    if over.wait(_SOON):
        return
    if (bar := shown_bar()) is not None:  # of what cannot begin before: it says why
        with bar.described(_WHAT):
            over.wait()
        return
    with Progress(_WHAT, 100) as progress:
        while not over.wait(_EVERY):
            share = share_done(seconds, done(), processes, time.process_time() - began)
            progress.step(max(0, int(100 * share) - progress.done))


def share_done(seconds: dict[str, float], done: Collection[str], processes: int, elapsed: float) -> float:
    """How much is done, from 0 to 1, of parts that take so many `seconds` of a core each; each process had `elapsed`.

    >>> share_done({"a": 10.0, "b": 10.0}, [], 1, 5.0), share_done({"a": 10.0, "b": 10.0}, ["a"], 1, 40.0)
    (0.25, 0.5)
    """
    whole = sum(seconds.values())
    finished = sum(seconds[name] for name in done if name in seconds)
    at_work = sorted((s for name, s in seconds.items() if name not in done), reverse=True)[:processes]
    speed = finished / elapsed if finished else float(processes)  # seconds of the table in one of this process
    expected = min(elapsed * speed, finished + 0.9 * sum(at_work))
    return max(finished, expected) / whole
