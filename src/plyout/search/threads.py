"""The threads that search one graph: sharing out the work, watching the limits, making room."""

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from plyout.search import choose
from plyout.search.compact import prune
from plyout.search.graph import FULL, FULL_FOR_GOOD, NO_ROOM, ROOM, ROOT, Graph, bytes_in_use
from plyout.search.limits import FOREVER, Limits
from plyout.search.pace import Pace
from plyout.search.workspace import EVALUATED, ITERATIONS, Workspace

SLICE = 0.004  # seconds that a kernel works before Python looks at the clock
_BYTES_PRUNED_A_SECOND = 1.5e9
_FIRST_SLICE, _FEW = 16, 4  # iterations
_AT_LEAST = 0.01  # seconds that a search goes on after a stop that came at once, to have something to answer
_NOTHING_LEFT = 1024  # iterations on end that evaluated no leaf: there is nothing left to evaluate

Iterate = Callable[[int, Workspace], int]
"""``iterate(iterations, workspace)`` runs the kernel and returns how many iterations it did."""


class Marks(Protocol):
    """Somebody who wants to look at the graph at certain numbers of iterations."""

    @property
    def next(self) -> float:
        """The next such number."""

    def look(self, iterations: int, now: float) -> None:
        """So many are done: the graph may be read."""


class _NoMarks:
    next = FOREVER

    def look(self, iterations: int, now: float) -> None:
        pass


class Stop:
    """A switch that ends one search, from any thread, before it begins or while it runs."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # kernels read it in every iteration
        self.deadline = FOREVER  # by `time.perf_counter`
        self.pace: Pace | None = None  # of a search that began as an endless one
        self.hit = 0.0  # when its clock began to run

    def set(self) -> None:
        self.flag[0] = 1

    def after(self, seconds: float) -> None:
        """End the search so many seconds from now."""
        self.deadline = time.perf_counter() + seconds

    def by(self, pace: Pace) -> None:
        """End the search by `pace`, for which the time begins now."""
        self.hit = time.perf_counter()
        self.deadline, self.pace = self.hit + pace.most, pace

    def __bool__(self) -> bool:
        return bool(self.flag[0])


class SearchThreads:
    """Threads at work on one search, each with its workspace; the calling thread is one of them.

    `until_agreed` searches on past the limits, up to twice as long, until the most visited move is also the best.
    A stop takes effect only after `at_least` so many iterations, unless they take long: a move of no search is none.
    A single thread's slices end at the `marks` of a run, to the iteration; several pass them by a few.
    Where an evaluator gets `batch` leaves at a time, every slice is one batch: the clock must not say which leaves go
    together, or the same seed would make another tree.
    """

    def __init__(
        self,
        graph: Graph,
        workspaces: list[Workspace],
        limits: Limits,
        pace: Pace,
        stop: Stop,
        until_agreed: bool = False,
        at_least: int = 0,
        batch: int = 1,
    ) -> None:
        self._graph, self._limits, self._stop, self._batch = graph, limits, stop, batch
        self._until_agreed, self._at_least = until_agreed, at_least
        self.workspaces = workspaces
        self.began = time.perf_counter()
        self._pace = pace
        self.deadline = self.began + pace.most
        self._nodes_left = FOREVER if limits.nodes is None else float(limits.nodes)
        self._nodes_spare = float(limits.nodes) if limits.nodes is not None and until_agreed else 0.0
        self._evaluations_left = FOREVER if limits.playouts is None else float(limits.playouts)
        self.gate = threading.Condition()  # held to share out work, and to change the graph while nobody is in it
        self._inside = 0
        self._shared_out = 0  # iterations that were done, or are being done
        self._marks: Marks = _NoMarks()
        graph.used[FULL] = ROOM  # an earlier search may have had no time to make any
        self._failure: BaseException | None = None

    @property
    def counters(self) -> list[Any]:
        """What each thread has counted."""
        return [work.counters for work in self.workspaces]

    def run(
        self,
        iterate: Iterate,
        between: Callable[[float], None],
        enough: Callable[[], bool] = lambda: False,
        marks: Marks | None = None,
    ) -> None:
        """Search until a limit is reached, or `enough`; the calling thread calls `between` between slices, with the
        time. What is left of the limits is for another run."""
        self._enough, self._ended, self._marks = enough, enough(), marks or _NoMarks()
        others = [
            threading.Thread(target=self._work, args=(iterate, workspace, None)) for workspace in self.workspaces[1:]
        ]
        started = [thread for thread in others if _starts(thread)]
        self._work(iterate, self.workspaces[0], between)
        for thread in started:
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _work(self, iterate: Iterate, workspace: Workspace, between: Callable[[float], None] | None) -> None:
        """One thread's work; whatever goes wrong in it ends the search and reaches the caller."""
        try:
            self._slices(iterate, workspace, between)
            if between is not None:
                self._insist(iterate, workspace)
        except BaseException as failure:
            self._failure = failure
            self._stop.set()

    def _slices(self, iterate: Iterate, workspace: Workspace, between: Callable[[float], None] | None) -> None:
        counters = workspace.counters
        size, fruitless = _FIRST_SLICE if self._batch == 1 else self._batch, 0
        while not self._stop and not self._ended:
            take = self._take(size)
            if take == 0:
                break
            evaluated, slice_began = int(counters[EVALUATED]), time.perf_counter()
            done = 0
            try:
                done = iterate(take, workspace)
            finally:
                evaluated = int(counters[EVALUATED]) - evaluated
                wanted_room = self._give_back(take - done, take - evaluated)
            now = time.perf_counter()
            if self._batch == 1 and (take == size or now - slice_began > SLICE):  # a part of a slice says little
                size = _next_size(size, now - slice_began)
            self._look(now)
            if done < take and not wanted_room:  # stopped, or the root is proven
                break
            fruitless = 0 if evaluated else fruitless + done
            if self._limits.playouts is not None and fruitless >= _NOTHING_LEFT:
                break
            if between is not None:
                between(now)
                self._ended = self._enough()
            # Every thread looks: among many it may be long until the first has its turn. A slow evaluator's next slice
            # must be over in time.
            if self._late(now if self._batch == 1 else 2 * now - slice_began):
                self._stop.set()

    def _insist(self, iterate: Iterate, workspace: Workspace) -> None:
        """After a stop that came at once: search on for a moment."""
        deaf = workspace._replace(stop=np.zeros(1, np.int64))
        end = min(time.perf_counter() + _AT_LEAST, self.deadline, self._stop.deadline)
        while (so_far := sum(int(c[ITERATIONS]) for c in self.counters)) < self._at_least:
            if (so_far and time.perf_counter() >= end) or not (take := self._take(_FEW)):
                return
            if self._graph.used[FULL] == NO_ROOM:
                self._graph.used[FULL] = FULL_FOR_GOOD
            evaluated, done = int(workspace.counters[EVALUATED]), 0
            try:
                done = iterate(take, deaf)
            finally:
                self._give_back(take - done, take - int(workspace.counters[EVALUATED]) + evaluated)
            if done == 0:  # the root is proven
                return

    def _take(self, size: int) -> int:
        """Iterations for a thread to do now; 0 when all are shared out."""
        with self.gate:
            if self._nodes_left == 0 and self._nodes_spare > 0 and not self._agreed():
                self._nodes_left = min(max(1, (self._limits.nodes or 0) // 16), self._nodes_spare)
                self._nodes_spare -= self._nodes_left
            take = int(min(size, self._nodes_left, self._evaluations_left))  # an iteration evaluates one leaf at most
            up_to_mark = self._marks.next - self._shared_out
            if self._batch == 1 and 0 < up_to_mark < take:
                take = int(up_to_mark)
            self._shared_out += take
            self._nodes_left -= take
            self._evaluations_left -= take
            if take:
                self._inside += 1
            return take

    def _give_back(self, iterations: int, evaluations: int) -> bool:
        """A thread has left the graph, with so much undone; whether room was wanted, which is made here."""
        with self.gate:
            self._inside -= 1
            self.gate.notify_all()
            self._nodes_left += iterations
            self._shared_out -= iterations
            self._evaluations_left += evaluations
            wanted = self._graph.used[FULL] == NO_ROOM
            if wanted:
                self.gate.wait_for(lambda: self._inside == 0)
                # Another thread may have made room while this one waited; and nobody needs any after a stop.
                if self._graph.used[FULL] == NO_ROOM and not self._stop:
                    self._make_room()
            return bool(wanted)

    def _look(self, now: float) -> None:
        """Let somebody look at the graph, if as many iterations are done as they wait for."""
        with self.gate:
            done = sum(int(c[ITERATIONS]) for c in self.counters)
            if done >= self._marks.next:
                self._marks.look(done, now)

    def _make_room(self) -> None:
        """Prune the graph, if there is time for it; else the search goes on in what has grown."""
        left = min(self.deadline, self._stop.deadline) - time.perf_counter()
        if left > 2 * bytes_in_use(self._graph) / _BYTES_PRUNED_A_SECOND:
            prune(self._graph)
        else:
            self._graph.used[FULL] = FULL_FOR_GOOD

    def _agreed(self) -> bool:
        return choose.agree(self._graph, int(self._graph.used[ROOT]))

    def _late(self, now: float) -> bool:
        if now >= self._stop.deadline:
            return True
        if now < self.deadline:
            with self.gate:
                iterations = sum(int(c[ITERATIONS]) for c in self.counters)
                if self._stop.pace is not None:
                    pondered = max(self._stop.hit - self.began, 0.0)
                    return self._stop.pace.over(self._graph, now - self.began, iterations, pondered)
                return self._pace.over(self._graph, now - self.began, iterations)
        if self._until_agreed and now < 2 * self.deadline - self.began:
            with self.gate:
                return self._agreed()
        return True


def _starts(thread: threading.Thread) -> bool:
    """Start a thread; False where the system allows no more: the others do its work."""
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


def _next_size(size: int, seconds: float) -> int:
    """How many iterations the next slice shall have, if the last had `size` and took so long."""
    if seconds < SLICE / 2:
        return size * 2
    return max(1, size // 2) if seconds > SLICE * 2 else size
