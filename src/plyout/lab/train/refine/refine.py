"""A run of learning without end: lessons are made by one thread while another learns from those before.

A *portion* of lessons comes into a pool, which holds the last POOL of them, every so many steps; each step learns from
a batch drawn from the whole pool. Which portion is there at which step does not depend on the time, so a run that was
interrupted ends with the weights of one that was not.
"""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyout.errors import InputError
from plyout.lab.train.checkpoint import Checkpoint, Row, about_of, load, save
from plyout.lab.train.games import files_in, read_games
from plyout.lab.train.refine.floats import Learner
from plyout.lab.train.refine.lessons import NO_LABEL, WORDS, Lessons, Walks, score, scored
from plyout.lab.train.show import Show, Trained
from plyout.lab.train.whole import save_whole
from plyout.networks.nnue.file import read as read_stockfish
from plyout.networks.small import file
from plyout.networks.small.image import image
from plyout.networks.small.quantise import layers_of_value, value_of_layers
from plyout.progress import Progress

POOL = 20
"""portions"""
_TWICE = 2  # times that a lesson is learnt, on average
_HELD_BACK = 100_000  # positions to find the errors on, of games that are not learnt from
_LOOKS = 20  # at these errors
_KEEP_EVERY = 300.0  # seconds: a checkpoint has 150 MB
_WARM_UP = 100  # steps in which the rate rises
_LEAST_RATE = 1e-6
_TIMED = 5  # steps, to see how long one takes


@dataclass(frozen=True)
class Plan:
    """How to learn: `steps` of `batch` positions, or as many as can be made in `minutes`; the rate falls like a
    cosine."""

    steps: int | None
    minutes: float | None
    batch: int = 16384
    rate: float = 6e-4
    portion: int = 500_000
    seed: int = 1

    @property
    def steps_a_portion(self) -> int:
        return max(1, round(_TWICE * self.portion / self.batch))


class Taught(NamedTuple):
    """What a run is made of: files."""

    labels: Path
    begin: Path
    policy: Path
    stockfish: Path

    def about(self) -> dict[str, str]:
        return {name: _checksum(path) for name, path in self._asdict().items() if name != "labels"}


class _Pool:
    """The last POOL portions, in a ring, and the next one, which is being made."""

    def __init__(self, walks: Walks, portion: int, number: int) -> None:
        """With all that a run has which is at portion `number`."""
        self._walks, self._portion = walks, portion
        size = POOL * portion
        self._ring = Lessons(np.zeros((size, WORDS), np.int64), np.zeros(size, np.float32))
        for i in range(max(0, number - POOL + 1), number + 1):
            self._put(i, self._make(i))
        self._number = number
        self._thread = ThreadPoolExecutor(1)
        self._next = self._thread.submit(self._make, number + 1)

    def _make(self, number: int) -> Lessons:
        return self._walks.lessons(number, self._portion)

    def _put(self, number: int, lessons: Lessons) -> None:
        first = number % POOL * self._portion
        for ring, column in zip(self._ring, lessons, strict=True):
            ring[first : first + self._portion] = column

    def at(self, number: int) -> Lessons:
        """The lessons there are when portion `number` has come."""
        while self._number < number:
            self._number += 1
            self._put(self._number, self._next.result())
            self._next = self._thread.submit(self._make, self._number + 1)
        size = min(number + 1, POOL) * self._portion
        return Lessons(*(column[:size] for column in self._ring))

    def end(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Examiner:
    """Finds the errors on positions of games that are not learnt from."""

    def __init__(self, walks: Walks) -> None:
        boards, told, labels = walks.told(_HELD_BACK)
        labelled = labels != NO_LABEL
        self._labelled = Lessons(boards[labelled], score(labels[labelled]))
        self._walked = scored(boards[~labelled], told[~labelled], labels[~labelled])

    def errors(self, learner: Learner) -> dict[str, float]:
        return {"value_mse": learner.error(self._labelled), "value_told": learner.error(self._walked)}


def refine(taught: Taught, out: Path, plan: Plan, show: Show) -> Trained:
    """Let a value network go on learning, and write it to the file `out`; a run that was interrupted goes on."""
    checkpoint = out.with_name(out.name + ".checkpoint")
    if out.exists() and not checkpoint.exists():
        raise InputError(f"{out} is there already, without the checkpoint that would go on with it: name another --out")
    begun = file.read(taught.begin)
    image(begun, "value")  # refuses what does not fit
    policy, stockfish = image(file.read(taught.policy), "policy"), read_stockfish(taught.stockfish)
    walks = Walks(read_games(files_in(taught.labels)), policy, stockfish, plan.seed)
    show.say(f"{walks.games:,} games, {walks.positions:,} positions")
    about = taught.about() | {"games": walks.games, "batch": plan.batch, "rate": plan.rate, "portion": plan.portion}
    learner, examiner = Learner(layers_of_value(begun)), _Examiner(walks)
    run = _Run(learner, plan, about | {"seed": plan.seed}, checkpoint)
    trained = run.learn(walks, examiner, show)
    layers = {name: np.asarray(array) for name, array in learner.weights._asdict().items()}
    save_whole(out, lambda stream: stream.write(file.packed(value_of_layers(layers, trained.about))))
    return trained._replace(files=[out])


class _Run:
    """Steps, from where a checkpoint left off."""

    def __init__(self, learner: Learner, plan: Plan, about: dict[str, Any], checkpoint: Path) -> None:
        self._learner, self._plan, self._checkpoint = learner, plan, checkpoint
        if checkpoint.exists():
            steps = about_of(checkpoint).get("steps")
            self._now = load(checkpoint, self._arrays(0), about | {"steps": plan.steps or steps})
            *arrays, step = self._now.state
            for ours, kept in zip(self._arrays(0), arrays, strict=False):
                ours[...] = kept
            self._step = int(step)
        else:
            self._now, self._step = Checkpoint(about | {"steps": plan.steps}, None, 0.0, (0.0, 0), []), 0

    def _arrays(self, step: int) -> list[Any]:
        learner = self._learner
        return [*learner.weights, *learner.means, *learner.squares, np.array(step)]

    def learn(self, walks: Walks, examiner: _Examiner, show: Show) -> Trained:
        plan = self._plan
        pool = _Pool(walks, plan.portion, self._step // plan.steps_a_portion)
        try:
            if self._now.about["steps"] is None:
                self._now.about["steps"] = self._steps_in(60 * (plan.minutes or 0.0), pool.at(0))
            if self._step:
                show.say(f"going on after {self._step:,} of {self._total:,} steps")
            with Progress("steps", self._total, show.quiet, done=self._step, keep=self._told) as progress:
                self._steps(pool, examiner, show, progress)
        finally:
            pool.end()
            self._keep()
        return self._told()

    def _steps(self, pool: _Pool, examiner: _Examiner, show: Show, progress: Progress) -> None:
        kept, began, first = time.monotonic(), self._now.seconds, self._step
        while self._step < self._total:
            due = min(self._total, -(-(self._step * _LOOKS // self._total + 1) * self._total // _LOOKS))
            clock, losses = time.perf_counter(), []
            while self._step < due and time.perf_counter() - clock < 1.0:
                losses.append(self._one(pool))
            took = time.perf_counter() - clock
            total, count = self._now.losses
            self._now = self._now._replace(
                seconds=self._now.seconds + took, losses=(total + sum(losses), count + len(losses))
            )
            speed = self._plan.batch * (self._step - first) / (self._now.seconds - began)
            if self._step == due:
                row = Row(due, round(self._now.seconds, 1), self._loss, examiner.errors(self._learner))
                self._now = self._now._replace(rows=[*self._now.rows, row], losses=(0.0, 0))
                show.row(row, speed)
            progress.step(len(losses), f"loss {np.mean(losses):.5f}, {speed:,.0f} positions/s")
            if time.monotonic() - kept > _KEEP_EVERY:
                self._keep()
                kept = time.monotonic()

    def _one(self, pool: _Pool) -> float:
        lessons = pool.at(self._step // self._plan.steps_a_portion)
        picks = np.random.default_rng((self._plan.seed, self._step)).integers(0, len(lessons), self._plan.batch)
        warm = min(1.0, (self._step + 1) / min(_WARM_UP, self._total / 10 + 1))
        rate = self._plan.rate * warm * (0.5 + 0.5 * cos(pi * self._step / self._total))
        error = self._learner.learn(lessons, picks, rate + _LEAST_RATE)
        self._step += 1
        return error

    def _steps_in(self, seconds: float, lessons: Lessons) -> int:
        """How many steps so many seconds allow, by a learner who is forgotten again."""
        other = Learner(self._learner.weights._asdict())
        picks = np.random.default_rng(0).integers(0, len(lessons), self._plan.batch)
        other.learn(lessons, picks, 0.0)  # compiles
        began = time.perf_counter()
        for _ in range(_TIMED):
            other.learn(lessons, picks, 0.0)
        return max(1, int(seconds * _TIMED / (time.perf_counter() - began)))

    @property
    def _total(self) -> int:
        return int(self._now.about["steps"])

    @property
    def _loss(self) -> float:
        total, count = self._now.losses
        return total / max(count, 1)

    def _keep(self) -> None:
        save(self._checkpoint, self._now, self._arrays(self._step))

    def _told(self) -> Trained:
        rows = self._now.rows
        told = self._now.about | {"network": "value", "seconds": round(self._now.seconds, 1)}
        return Trained(told | {"held_back": rows[-1].errors if rows else {}}, rows, [])


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
