"""The driver: every task is done and counts once, whatever becomes of the hands."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from plyout.errors import InputError
from plyout.lab.run.drive import Event, Hand, drive
from plyout.lab.run.listed import Listed
from plyout.lab.run.local import LocalRunner
from plyout.lab.run.work import Done, Halted, Here
from tests.lab.run.squares import Squares


class Pairs:
    """Tasks 2p and 2p + 1 belong together; pair p waits for the results of pair p - lag."""

    def __init__(self, pairs: int, lag: int) -> None:
        self.pairs, self.lag, self.next = pairs, lag, 0
        self.found: dict[int, int] = {}
        self.times = 0

    def take(self) -> list[int]:
        first, needed = 2 * self.next, 2 * max(0, self.next - self.lag + 1)
        if self.next == self.pairs or any(n not in self.found for n in range(needed)):
            return []
        self.next += 1
        return [first, first + 1]

    def keep(self, done: Sequence[Done[int, int]]) -> None:
        self.times += len(done)
        self.found.update((one.task, one.result) for one in done)


class Faulty:
    """A runner without threads whose hands are lost by chance, and answer nevertheless, too late."""

    concurrency = 0

    def __init__(self, seed: int, loss: float = 0.2) -> None:
        self.chance, self.loss = random.Random(seed), loss
        self.given: list[tuple[Hand, Sequence[int]]] = []
        self.together: list[Sequence[int]] = []

    def begin(self, work: Any, tell: Callable[[Event], None], log: Callable[[str], None]) -> None:
        self.tell, self.worker = tell, work.worker(Here())
        for _ in range(3):
            tell(Event(Hand()))

    def start(self, hand: Hand, tasks: Sequence[int]) -> None:
        self.together.append(tasks)
        results = [self.worker.do(task) for task in tasks]
        if self.chance.random() < self.loss:
            self.tell(Event(hand, lost="the node is gone"))
            self.tell(Event(Hand()))  # another comes
        self.tell(Event(hand, results))

    def look(self) -> None:
        pass

    def words(self) -> str:
        return ""

    def end(self) -> None:
        pass


def squared(tasks: int, runner: Any) -> dict[int, int]:
    found: dict[int, int] = {}
    drive(Squares(), Listed(range(tasks), found.__setitem__), runner)
    return found


@pytest.mark.parametrize("concurrency", [1, 4])
def test_all_tasks_are_done(concurrency: int) -> None:
    assert squared(50, LocalRunner(concurrency)) == {n: n * n for n in range(50)}


def test_without_tasks_nothing_is_begun() -> None:
    work = Squares(fails_to_start=True)
    drive(work, Listed([], print), LocalRunner())


@pytest.mark.parametrize("seed", range(20))
def test_what_a_lost_hand_was_doing_is_done_again_and_counts_once(seed: int) -> None:
    source, runner = Pairs(40, lag=3), Faulty(seed)
    drive(Squares(), source, runner)
    assert source.found == {n: n * n for n in range(80)}
    assert source.times == 80, "a hand that was lost is not heard any more"
    assert all(tasks == [tasks[0], tasks[0] + 1] for tasks in runner.together), "pairs stay together"
    assert len(runner.together) > 40, "some were lost"


def test_results_that_wait_are_kept_together_before_anybody_gets_more_to_do() -> None:
    class Watched(Pairs):
        def keep(self, done: Sequence[Done[int, int]]) -> None:
            super().keep(done)
            kept.append(len(done))

    class Watching(Faulty):
        def start(self, hand: Hand, tasks: Sequence[int]) -> None:
            unkept.append(len(self.together) * 2 - sum(kept))
            super().start(hand, tasks)

    kept: list[int] = []
    unkept: list[int] = []
    drive(Squares(), Watched(30, lag=30), Watching(1, loss=0.0))
    assert kept == [6] * 10, "three hands, a pair each"
    assert max(unkept) == 4, "no more than the others are at"


def test_a_result_that_comes_before_an_error_is_kept() -> None:
    class Failing(Faulty):
        def start(self, hand: Hand, tasks: Sequence[int]) -> None:
            super().start(hand, tasks)
            if len(self.together) == 3:
                self.tell(Event(hand, error=InputError("no disk here")))

    source = Pairs(30, lag=30)
    with pytest.raises(InputError, match="no disk here"):
        drive(Squares(), source, Failing(1, loss=0.0))
    assert sorted(source.found) == list(range(6))


def test_a_task_that_kills_whoever_does_it_ends_the_run() -> None:
    with pytest.raises(InputError, match=r"^5 workers were lost over the same task: the node is gone$"):
        drive(Squares(), Pairs(3, lag=1), Faulty(1, loss=1.0))


def test_tasks_that_wait_for_results_are_begun_when_they_are_there() -> None:
    for concurrency in (1, 2, 5):
        source = Pairs(8, lag=1)
        drive(Squares(), source, LocalRunner(concurrency))
        assert sorted(source.found) == list(range(16))


def test_an_error_of_a_worker_ends_the_run_with_what_was_kept() -> None:
    found: dict[int, int] = {}
    with pytest.raises(InputError, match="seven is no number"):
        drive(Squares(bad=7), Listed(range(20), found.__setitem__), LocalRunner())
    assert found == {n: n * n for n in range(7)}


def test_a_machine_that_cannot_do_it_is_told_before_the_first_task() -> None:
    with pytest.raises(InputError, match="no squares here"):
        drive(Squares(fails_to_start=True), Listed(range(3), print), LocalRunner())


def test_an_interrupted_run_stops_its_workers_and_leaves_no_thread() -> None:
    class Slow(Squares):
        def worker(self, here: Here) -> Any:
            return Waiting()

    class Waiting:
        def __init__(self) -> None:
            self.stopped = threading.Event()

        def do(self, task: int) -> int:
            if task and self.stopped.wait(60):
                raise Halted
            return task

        def stop(self) -> None:
            self.stopped.set()

        def close(self) -> None:
            pass

    def interrupt(task: int, result: int) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        drive(Slow(), Listed(range(4), interrupt), LocalRunner(3))
    assert time.monotonic() - began < 30
    assert threading.active_count() == before
