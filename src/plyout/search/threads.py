"""The threads that search one graph: sharing out the work, watching the limits, making room."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyout.kernel.random import seeded
from plyout.search import choose
from plyout.search.backup import AMAF_MOVES
from plyout.search.graph import FULL, FULL_FOR_GOOD, NO_ROOM, ROOM, ROOT, Graph, bytes_in_use, thin
from plyout.search.iterate import COUNTERS, JUDGED
from plyout.search.limits import FOREVER, Limits

SLICE = 0.004  # seconds that a kernel works before Python looks at the clock
_BYTES_THINNED_A_SECOND = 1.5e9
_FIRST_SLICE = 16  # iterations
_NOTHING_LEFT = 1024  # iterations on end that judged no leaf: there is nothing left to judge

Iterate = Callable[[int, int, Any, Any, Any], int]
"""``iterate(thread, iterations, rng, counters, stamps)`` runs the kernel and returns how many iterations it did."""


class Stop:
    """A switch that ends one search, from any thread, before it begins or while it runs."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # kernels look at it in every iteration
        self.deadline = FOREVER  # by `time.perf_counter`

    def set(self) -> None:
        self.flag[0] = 1

    def after(self, seconds: float) -> None:
        """End the search so many seconds from now."""
        self.deadline = time.perf_counter() + seconds

    def __bool__(self) -> bool:
        return bool(self.flag[0])


class Crew:
    """Threads at work on one search; the calling thread is one of them.

    `until_agreed` searches on past the limits, up to twice as long, until the most visited move is also the best.
    """

    def __init__(
        self, graph: Graph, iterate: Iterate, limits: Limits, seconds: float, stop: Stop, threads: int,
        seed: int, first_stream: int, rave: bool, until_agreed: bool,
    ) -> None:  # fmt: skip
        self._graph, self._iterate, self._limits, self._stop = graph, iterate, limits, stop
        self._seed, self._first_stream, self._rave, self._until_agreed = seed, first_stream, rave, until_agreed
        self.began = time.perf_counter()
        self.deadline = self.began + seconds
        self.counters = [np.zeros(COUNTERS, np.int64) for _ in range(threads)]
        self._nodes_left = FOREVER if limits.nodes is None else float(limits.nodes)
        self._nodes_spare = float(limits.nodes) if limits.nodes is not None and until_agreed else 0.0
        self._judged_left = FOREVER if limits.playouts is None else float(limits.playouts)
        self.gate = threading.Condition()  # held to share out work, and to change the graph while nobody is in it
        self._inside = 0
        graph.used[FULL] = ROOM  # an earlier search may have had no time to make any
        self._failure: BaseException | None = None

    def work(self, look: Callable[[float], None]) -> None:
        """Search until a limit is reached; `look` is called between slices with the time."""
        others = [threading.Thread(target=self._labour, args=(i, None)) for i in range(1, len(self.counters))]
        for thread in others:
            thread.start()
        self._labour(0, look)
        for thread in others:
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _labour(self, thread: int, look: Callable[[float], None] | None) -> None:
        """One thread's work; whatever goes wrong in it ends the search and reaches the caller."""
        try:
            self._slices(thread, look)
        except BaseException as failure:
            self._failure = failure
            self._stop.set()

    def _slices(self, thread: int, look: Callable[[float], None] | None) -> None:
        counters = self.counters[thread]
        rng = np.array([seeded(np.int64(self._seed), np.int64(self._first_stream + thread))], np.int64)
        stamps = np.zeros(2 * AMAF_MOVES if self._rave else 1, np.int64)
        size, fruitless = _FIRST_SLICE, 0
        while not self._stop:
            take = self._take(size)
            if take == 0:
                break
            judged, slice_began = int(counters[JUDGED]), time.perf_counter()
            done = 0
            try:
                done = self._iterate(thread, take, rng, counters, stamps)
            finally:
                judged = int(counters[JUDGED]) - judged
                wanted_room = self._give_back(take - done, take - judged)
            now = time.perf_counter()
            if now - slice_began < SLICE / 2:
                size *= 2
            elif now - slice_began > SLICE * 2:
                size = max(1, size // 2)
            if done < take and not wanted_room:  # stopped, or the root is proven
                break
            fruitless = 0 if judged else fruitless + done
            if self._limits.playouts is not None and fruitless >= _NOTHING_LEFT:
                break
            if look is not None:
                look(now)
                if self._late(now):
                    self._stop.set()

    def _take(self, size: int) -> int:
        """Iterations for a thread to do now; 0 when all are shared out."""
        with self.gate:
            if self._nodes_left == 0 and self._nodes_spare > 0 and not self._agreed():
                self._nodes_left = min(max(1, (self._limits.nodes or 0) // 16), self._nodes_spare)
                self._nodes_spare -= self._nodes_left
            take = int(min(size, self._nodes_left, self._judged_left))  # an iteration judges one leaf at most
            self._nodes_left -= take
            self._judged_left -= take
            if take:
                self._inside += 1
            return take

    def _give_back(self, iterations: int, judgements: int) -> bool:
        """A thread has left the graph, with so much undone; whether room was wanted, which is made here."""
        with self.gate:
            self._inside -= 1
            self.gate.notify_all()
            self._nodes_left += iterations
            self._judged_left += judgements
            wanted = self._graph.used[FULL] == NO_ROOM
            if wanted:
                self.gate.wait_for(lambda: self._inside == 0)
                if self._graph.used[FULL] == NO_ROOM and not self._stop:  # and nobody has made it, or waits for us
                    self._make_room()
            return bool(wanted)

    def _make_room(self) -> None:
        """Thin the graph, if there is time for it; else the search goes on in what has grown."""
        left = min(self.deadline, self._stop.deadline) - time.perf_counter()
        if left > 2 * bytes_in_use(self._graph) / _BYTES_THINNED_A_SECOND:
            thin(self._graph)
        else:
            self._graph.used[FULL] = FULL_FOR_GOOD

    def _agreed(self) -> bool:
        return choose.agree(self._graph, int(self._graph.used[ROOT]))

    def _late(self, now: float) -> bool:
        if now >= self._stop.deadline:
            return True
        if now < self.deadline:
            return False
        if self._until_agreed and now < 2 * self.deadline - self.began:
            with self.gate:
                return self._agreed()
        return True
