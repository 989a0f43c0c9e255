"""Scalings: similarities made into probabilities that tell positions apart (Topolewski 2019, section 5.7).

Raw similarities crowd near 1. Offline, all observations are at hand and are standardised, then brought back between 0
and 1. Online they come one by one: a running mean and deviation, or a threshold between two running centroids.
"""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError

Observations = npt.NDArray[np.float64]


def standardised(observations: Any) -> Observations:
    """Mean 0 and deviation 1 (equation 5.2); observations that are all equal become 0."""
    values = np.asarray(observations, np.float64)
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    # Equal numbers may have a deviation of a few roundings.
    return (values - values.mean()) / deviation if deviation > 1e-12 else np.zeros_like(values)


def logistic(x: Any) -> Any:
    """Equation 5.3: from 0 to 1, and 0.5 at 0."""
    return 1.0 / (1.0 + np.exp(-np.asarray(x, np.float64)))


def normalised(observations: Any) -> Observations:
    """Standardised, then stretched so that the least is 0 and the greatest 1; equal ones become 0.5."""
    values = standardised(observations)
    least, most = float(values.min()), float(values.max())
    return (values - least) / (most - least) if most > least else np.full_like(values, 0.5)


def squashed(observations: Any) -> Observations:
    """Standardised, then through the logistic function: what Tables 5.5 and 5.6 show."""
    return np.asarray(logistic(standardised(observations)))


class Scaling(Protocol):
    """From a similarity the probability that a trap persists; where that was checked, it can learn from what it saw."""

    def scaled(self, similarity: float) -> float: ...

    def learn(self, similarity: float, persisted: bool) -> None: ...


@dataclass
class Raw:
    """The similarity itself is the probability, as published."""

    def scaled(self, similarity: float) -> float:
        return similarity

    def learn(self, similarity: float, persisted: bool) -> None:
        """There is nothing to learn."""


@dataclass
class Online:
    """Standardise by exponential moving averages of mean and variance (equation 5.4), then the logistic function."""

    alpha: float = 0.1
    mean: float | None = None
    variance: float = 0.0

    def scaled(self, similarity: float) -> float:
        if self.mean is None:
            self.mean = similarity
        away = similarity - self.mean
        self.mean += self.alpha * away
        self.variance = (1 - self.alpha) * (self.variance + self.alpha * away * away)
        deviation = sqrt(self.variance)
        z = (similarity - self.mean) / deviation if deviation > 1e-12 else 0.0
        return 1.0 / (1.0 + exp(-z))

    def learn(self, similarity: float, persisted: bool) -> None:
        """Only the similarities count, not what became of the traps."""


@dataclass
class DynamicThreshold:
    """1 above the middle of two centroids, 0 below: the mean similarity where traps persisted, and where they did not.

    Until both have been seen the middle is where the centroids begin, 0.5.
    """

    persisted: float = 1.0
    vanished: float = 0.0
    seen_persisted: int = 0
    seen_vanished: int = 0

    @property
    def threshold(self) -> float:
        return (self.persisted + self.vanished) / 2

    def scaled(self, similarity: float) -> float:
        return 1.0 if similarity >= self.threshold else 0.0

    def learn(self, similarity: float, persisted: bool) -> None:
        if persisted:
            self.seen_persisted += 1
            self.persisted += (similarity - self.persisted) / self.seen_persisted
        else:
            self.seen_vanished += 1
            self.vanished += (similarity - self.vanished) / self.seen_vanished


SCALINGS: dict[str, type[Raw] | type[Online] | type[DynamicThreshold]] = {
    "none": Raw,
    "online": Online,
    "dynamic-threshold": DynamicThreshold,
}


def scaling_named(name: str) -> Scaling:
    if name not in SCALINGS:
        raise InputError(f"no scaling is called {name!r}: there are {', '.join(SCALINGS)}")
    return SCALINGS[name]()
