"""Centipawns as scores between 0 and 1, in which all of the search thinks."""

from math import log10
from typing import Any

from plyout.kernel import inlined
from plyout.parameters import SQUASH

RAW = 10_000.0
"""Centipawns of raw payoff that make a score of 1; the negative makes 0."""


@inlined
def score(centipawns: int, parameters: Any) -> float:
    """By a logistic function, on which `squash` centipawns are ten to one; raw, on a straight scale, where it is 0."""
    if parameters[SQUASH] == 0.0:
        return 0.5 + centipawns / (2.0 * RAW)
    return float(1.0 / (1.0 + 10.0 ** (-centipawns / parameters[SQUASH])))


@inlined
def centipawns(score: float, parameters: Any) -> float:
    """The inverse; `score` lies between 0 and 1."""
    if parameters[SQUASH] == 0.0:
        return float((score - 0.5) * 2.0 * RAW)
    return float(-parameters[SQUASH] * log10(1.0 / score - 1.0))
