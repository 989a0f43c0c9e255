"""How far a network is from the labels of games that it has not learnt from."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.lab.train.layers import Weights
from plyout.lab.train.lessons import Data, labelled, legal_only
from plyout.lab.train.pupils import Pupil

Errors = dict[str, float]
NAMES = {
    "value_mse": "value, mean square error",
    "value_mae": "value, mean error",
    "policy_nll": "policy, -log p of the best move",
    "first": "best move is the first",
    "first_three": "best move is among the first three",
}
_BATCHES = 16  # are enough to see where it goes


class Examiner:
    """Finds the errors of a pupil on positions that were held back."""

    def __init__(self, pupil: Pupil, data: Data, batch: int) -> None:
        self._data, self._batch, self._knowledge = data, min(batch, len(data.boards)), pupil.knowledge
        self._errors: Callable[..., dict[str, Array]] = jax.jit(lambda *given: _errors(pupil, *given))

    def errors(self, weights: Weights, averages: Weights, whole: bool = True) -> Errors:
        """By the names in NAMES; unless `whole`, of some of the positions."""
        batches = len(self._data.boards) // self._batch
        if not whole:
            batches = min(batches, _BATCHES)
        rows = np.arange(batches * self._batch).reshape(batches, -1)
        parts = [self._errors(weights, averages, self._data, each, self._knowledge) for each in rows]
        return {name: float(np.mean([part[name] for part in parts])) for name in NAMES}


def _errors(
    pupil: Pupil, weights: Weights, averages: Weights, data: Data, rows: Any, knowledge: Any
) -> dict[str, Array]:
    lesson = labelled(data, rows)
    value, policy = pupil.predict(weights, averages, lesson, knowledge)
    off = jax.nn.sigmoid(value) - data.scores[rows].astype(jnp.float32)
    logs = jax.nn.log_softmax(legal_only(policy, lesson.seen))
    right = jnp.take_along_axis(logs, data.pairs[rows].astype(jnp.int32)[:, None], axis=1)
    better = jnp.sum(logs > right, axis=1)
    return {
        "value_mse": jnp.mean(off * off),
        "value_mae": jnp.mean(jnp.abs(off)),
        "policy_nll": -jnp.mean(right),
        "first": jnp.mean(better < 1),
        "first_three": jnp.mean(better < 3),
    }
