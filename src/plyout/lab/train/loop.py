"""Learning step by step, with checkpoints that a run goes on from, and a look at the held-back error now and then.

How many steps one call makes depends on the machine, and nothing on that: the steps of a run are the same wherever it
was interrupted.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from plyout.lab.train.checkpoint import Checkpoint, Row, State, load, save
from plyout.lab.train.held_back import Examiner
from plyout.lab.train.layers import adam_step, new_adam
from plyout.lab.train.lessons import Data
from plyout.lab.train.pupils import Pupil

_SHORT, _LONG = 0.5, 2.0  # seconds that a call should take: Ctrl-C waits so long
_MOST = 1000  # steps a call
_WARM_UP = 500  # steps in which the rate rises, or a tenth of all if that is less
_LEAST_RATE = 1e-6
_LOOKS = 20  # at the held-back error
_KEEP_EVERY = 60.0  # seconds

Tell = Callable[[int, float, Row | None], None]
"""gets the steps just made, the loss, and the new row, if there is one"""


@dataclass(frozen=True)
class Plan:
    """How to learn: `steps` of `batch` positions each, with a rate that falls like a cosine."""

    steps: int
    batch: int
    rate: float
    decay: float
    seed: int = 1


class Course:
    """A run of learning, begun or gone on with.

    `about` says what is learnt from what: a checkpoint of something else is refused.
    """

    def __init__(self, pupil: Pupil, plan: Plan, data: Data, held_back: Data, about: dict[str, Any]) -> None:
        self._pupil, self.plan, self._data = pupil, plan, data
        self._examiner = Examiner(pupil, held_back, plan.batch)
        weights, averages = pupil.new(jax.random.key(plan.seed))
        kept = pupil.begin(jax.random.key(plan.seed), data, plan.batch)
        state = State(weights, averages, new_adam(weights), jnp.asarray(0, jnp.int32), kept)
        self._now = Checkpoint(about | asdict(plan), state, 0.0, (0.0, 0), [])
        self._step: Callable[..., tuple[State, Array]] = jax.jit(lambda *given: _step(pupil, plan, *given))

    @property
    def state(self) -> State:
        return self._now.state

    @property
    def step(self) -> int:
        return int(self._now.state.step)

    @property
    def rows(self) -> list[Row]:
        return self._now.rows

    @property
    def seconds(self) -> float:
        """of learning, in all runs together"""
        return self._now.seconds

    def go_on_from(self, checkpoint: Path) -> None:
        self._now = load(checkpoint, self._now.state, self._now.about)

    def keep(self, checkpoint: Path) -> None:
        save(checkpoint, self._now)

    def take(self, seconds: float) -> None:
        """Plan as many steps as can be made in about so long a time; nothing is learnt by this."""
        count = 1
        self._make(count)  # compiles
        while True:
            took = min(self._time_of(count), self._time_of(count))  # the first calls are slow on some chips
            if took > _SHORT or count >= _MOST:
                break
            count *= 2
        self.plan = replace(self.plan, steps=max(1, int(seconds * count / took)))
        self._now = self._now._replace(about=self._now.about | asdict(self.plan))

    def _time_of(self, steps: int) -> float:
        began = time.perf_counter()
        self._make(steps)
        return time.perf_counter() - began

    def _make(self, steps: int) -> tuple[State, float]:
        """The state after some steps, and the sum of the losses."""
        state, total = self._now.state, 0.0
        for _ in range(steps):  # the device works on one while the next is asked for
            state, loss = self._step(state, self._data, self._pupil.knowledge, self.plan.steps)
            total += loss
        return state, float(total)

    def learn(self, checkpoint: Path, tell: Tell) -> None:
        """Learn to the end of the plan; the checkpoint has the latest state, whatever ends this."""
        count = 1
        kept = time.monotonic()
        try:
            while (step := self.step) < self.plan.steps:
                began = time.perf_counter()
                due = self._next_look(step)
                made = min(count, due - step)
                state, total = self._make(made)
                took = time.perf_counter() - began
                losses = (self._now.losses[0] + total, self._now.losses[1] + made)
                now = self._now._replace(state=state, seconds=self._now.seconds + took, losses=losses)
                if step + made == due:
                    now = self._look(now)
                self._now = now  # at once, lest an interruption leaves half of it
                tell(made, total / made, now.rows[-1] if step + made == due else None)
                count = min(2 * count, _MOST) if took < _SHORT else max(1, count // 2) if took > _LONG else count
                if time.monotonic() - kept > _KEEP_EVERY:
                    self.keep(checkpoint)
                    kept = time.monotonic()
        finally:
            self.keep(checkpoint)

    def _next_look(self, step: int) -> int:
        """The next step after which the held-back error is found."""
        looks = (step * _LOOKS) // self.plan.steps + 1
        return max(step + 1, -(-looks * self.plan.steps // _LOOKS))

    def _look(self, now: Checkpoint) -> Checkpoint:
        """With a row more."""
        step = int(now.state.step)
        total, count = now.losses
        errors = self._examiner.errors(now.state.weights, now.state.averages, whole=step >= self.plan.steps)
        row = Row(step, round(now.seconds, 1), total / count, errors)
        return now._replace(rows=[*now.rows, row], losses=(0.0, 0))


def _step(pupil: Pupil, plan: Plan, state: State, data: Data, knowledge: Any, total: Array) -> tuple[State, Array]:
    key = jax.random.fold_in(jax.random.key(plan.seed + 1), state.step)
    for_rows, for_lesson = jax.random.split(key)
    rows = jax.random.randint(for_rows, (plan.batch,), 0, len(data.boards))
    lesson, kept = jax.tree.map(jax.lax.stop_gradient, pupil.lesson(for_lesson, data, rows, state.kept, knowledge))
    learn = jax.value_and_grad(pupil.loss, has_aux=True)
    (loss, averages), gradients = learn(state.weights, state.averages, lesson, knowledge)
    warm = (state.step + 1) / jnp.minimum(_WARM_UP, total / 10 + 1)
    rate = plan.rate * jnp.minimum(1.0, warm) * (0.5 + 0.5 * jnp.cos(jnp.pi * state.step / total))
    weights, adam = adam_step(state.weights, gradients, state.adam, state.step, rate + _LEAST_RATE, plan.decay)
    return State(pupil.bound(weights), averages, adam, state.step + 1, kept), loss
