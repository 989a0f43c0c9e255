"""The exhaustive search for a mate that was asked for, beside the search that plays: it can say that there is none.

It knows neither repetition nor the fifty-move rule. These only help the defender: where it finds no mate there is none,
and a mate that it finds is proven by grafting it onto the graph, which does know them.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import numpy as np

from plyout.games import CHESS, Game, State
from plyout.search.graph import Graph
from plyout.search.proof.graft import graft_mate
from plyout.search.proof.mate import Budget, forced
from plyout.search.threads import Stop

_AT_ONCE = 5_000  # positions that are searched before anything else: milliseconds
_NO_LIMIT = 1 << 62
_POLL = 0.002  # seconds

Answer = TypeVar("Answer")


def prepare_hunt() -> None:
    """Compile, or load, the exhaustive search."""
    forced(CHESS.start(), 0, False, Budget(1))


class Hunt:
    """Looks for a mate in `mate` moves that begins with one of `moves`, while what stands under its ``with`` is done.

    `plies` is 0 while it is undecided, then the length of the shortest mate; `refuted` is set if there is none. What is
    easy is decided at once; what is not, later or never. Nothing is looked for where `mate` is 0.
    """

    def __init__(self, game: Game, state: State, moves: list[int], mate: int) -> None:
        self._game, self._state, self._moves, self._mate = game, state, moves, mate
        self.plies, self.refuted = 0, False
        self._budget = Budget(_AT_ONCE)
        self._thread: threading.Thread | None = None

    @property
    def decided(self) -> bool:
        return self.plies > 0 or self.refuted

    def __enter__(self) -> None:
        if self._game is not CHESS:
            self.refuted = self._mate == 1 and not self._mates_at_once()
        elif self._mate:
            self._look()
            if not self.decided:
                self._budget = Budget(_NO_LIMIT)
                self._thread = threading.Thread(target=self._look_on, daemon=True)
                self._thread.start()

    def __exit__(self, *failure: object) -> None:
        if self._thread is not None:
            _give_up(self._budget, self._thread)
            self._thread = None

    def _look(self) -> None:
        after = [CHESS.after(self._state, move) for move in self._moves]
        for plies in range(1, 2 * self._mate, 2):
            for position in after:
                found = forced(position, plies - 1, False, self._budget)
                if found is None:
                    return
                if found:
                    self.plies = plies
                    return
        self.refuted = True

    def _look_on(self) -> None:
        with np.errstate(all="ignore"), suppress(MemoryError):  # without memory it stays undecided
            self._look()

    def _mates_at_once(self) -> bool:
        game = self._game
        return any(game.result(game.after(self._state, move)) == 0.0 for move in self._moves)

    def prove(self, graph: Graph, node: int, stop: Stop, until: float) -> bool:
        """Graft the mate that was found onto the graph, which nobody else may use meanwhile; False where it is none by
        the rules, or `stop` comes first, or the time `until` which there is time."""
        budget = Budget(_NO_LIMIT)
        return attend(lambda: graft_mate(graph, node, self._state, self._game, self.plies, budget), budget, stop, until)


def attend(work: Callable[[], Answer], budget: Budget, stop: Stop, until: float) -> Answer:
    """Do some work on a budget, and return its answer; a stop, or the time `until` which there is time, ends the
    budget."""
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            with np.errstate(all="ignore"):  # interpreted kernels wrap around silently, in this thread too
                answers.append(work())
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and not stop and time.perf_counter() < min(until, stop.deadline):
            thread.join(_POLL)
    finally:
        _give_up(budget, thread)
    if failures:
        raise failures[0]
    return answers[0]


def _give_up(budget: Budget, thread: threading.Thread) -> None:
    while thread.is_alive():
        budget.left[0] = -1  # again and again: the kernel may be counting at this moment
        thread.join(_POLL)
