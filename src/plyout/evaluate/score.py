"""Centipawns as scores between 0 and 1, in which all of the search thinks."""

from math import log10

from plyout.kernel import inlined

RAW = 10_000.0
"""Centipawns of raw payoff that make a score of 1; the negative makes 0."""


@inlined
def score(centipawns: int, squash: float) -> float:
    """By a logistic function, on which `squash` centipawns are ten to one; raw, on a straight scale, where it is 0."""
    if squash == 0.0:
        return 0.5 + centipawns / (2.0 * RAW)
    return float(1.0 / (1.0 + 10.0 ** (-centipawns / squash)))


@inlined
def centipawns(score: float, squash: float) -> float:
    """The inverse; `score` lies between 0 and 1."""
    if squash == 0.0:
        return float((score - 0.5) * 2.0 * RAW)
    return float(-squash * log10(1.0 / score - 1.0))
