"""The driver: hands out tasks to whoever is free, and keeps the results.

Hands come, are lost and come again; what a lost one was doing is done by another. An answer counts only from a hand
that is known to be at the task, so that none counts twice.
"""

import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from plyout.errors import InputError
from plyout.lab.run.work import Done, R, Source, T, Work

_LOOK = 0.5  # seconds without news; Ctrl-C is heard in between, on every system
_DEATHS = 5  # so many hands may be lost over one task: the next one would be, too


class Hand:
    """Somebody who does one task at a time."""

    name = ""
    """of the machine, if it is another"""


@dataclass(frozen=True)
class Event:
    """News of a hand: without any of these it has come, and is free."""

    hand: Hand
    results: Sequence[Any] | None = None
    """of the tasks that it was given"""
    error: BaseException | None = None
    """which ends the run"""
    lost: str = ""
    """why it will not be heard of again"""


class Runner(Protocol):
    """Where tasks are done."""

    concurrency: int
    """how many tasks at the same time are done by threads of this process; 0: they are done elsewhere"""

    def begin(self, work: Work[Any, Any], tell: Callable[[Event], None], log: Callable[[str], None]) -> None:
        """Get hands for `work`; `tell` hears of them, from any thread. `InputError` if there can be none.

        `log` gets a line when machines come and go.
        """

    def start(self, hand: Hand, tasks: Sequence[Any]) -> None:
        """A hand that is free gets tasks."""

    def look(self) -> None:
        """Called now and then by the driver; raises what has to end the run."""

    def words(self) -> str:
        """What is going on, for a progress bar; nothing where that is plain."""

    def end(self) -> None:
        """Let all hands go; what they are doing is not wanted any more."""


def _nowhere(line: str) -> None:
    """Nobody keeps a log."""


def drive(work: Work[T, R], source: Source[T, R], runner: Runner, log: Callable[[str], None] = _nowhere) -> None:
    """Do the tasks of `source` until it has none left. Whatever ends it before that, what was kept is kept."""
    driver = _Driver(source, runner)
    if not driver.has_more():
        return
    try:
        runner.begin(work, driver.tell, log)
        while driver.hand_out():
            driver.listen()
            runner.look()
    finally:
        runner.end()


class _Driver(Generic[T, R]):
    def __init__(self, source: Source[T, R], runner: Runner) -> None:
        self._source, self._runner = source, runner
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.tell = self._events.put
        self._waiting: deque[_Given[T]] = deque()
        self._free: deque[Hand] = deque()
        self._busy: dict[Hand, _Given[T]] = {}

    def has_more(self) -> bool:
        """Whether there is a task that could be begun now. One is asked for only when there is somebody to do it, or
        nobody at work: results may come meanwhile that make it needless."""
        if not self._waiting and (tasks := self._source.take()):
            if self._runner.concurrency:  # on one machine all are together
                self._waiting.extend(_Given([task]) for task in tasks)
            else:
                self._waiting.append(_Given(tasks))
        return bool(self._waiting)

    def hand_out(self) -> bool:
        """Give tasks to who is free; whether anything is still to be done."""
        while self._free and self.has_more():
            hand = self._free.popleft()
            self._busy[hand] = given = self._waiting.popleft()
            self._runner.start(hand, given.tasks)
        return bool(self._busy) or self.has_more()

    def listen(self) -> None:
        """Wait for news, and take note of all there is. Nobody gets anything to do before all results are kept."""
        done: list[Done[T, R]] = []
        try:
            for event in self._news():
                if event.error is not None:
                    raise event.error
                if event.lost:
                    self._lose(event.hand, event.lost)
                elif event.results is None:
                    self._free.append(event.hand)
                elif (given := self._busy.pop(event.hand, None)) is not None:
                    self._free.append(event.hand)
                    each = zip(given.tasks, event.results, strict=True)
                    done += [Done(task, result, event.hand.name) for task, result in each]
        finally:  # also what came before an error
            if done:
                self._source.keep(done)

    def _news(self) -> Iterator[Event]:
        try:
            yield self._events.get(timeout=_LOOK)
            while True:
                yield self._events.get_nowait()
        except queue.Empty:
            pass

    def _lose(self, hand: Hand, why: str) -> None:
        if hand in self._free:
            self._free.remove(hand)
        given = self._busy.pop(hand, None)
        if given is not None:
            given.deaths += 1
            if given.deaths == _DEATHS:
                raise InputError(f"{_DEATHS} workers were lost over the same task: {why}")
            self._waiting.appendleft(given)


@dataclass
class _Given(Generic[T]):
    """Tasks that are done by one hand."""

    tasks: Sequence[T]
    deaths: int = 0
