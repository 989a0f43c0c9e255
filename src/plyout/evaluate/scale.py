"""Scores between 0 and 1 and centipawns, on the scale of chess programs: 400 centipawns to a factor of ten in the odds.

This is how results are told to people and programs. Inside the search, where the scale is a parameter, kernels use
`plyout.evaluate.score`.
"""

from math import log10

_ODDS = 400  # centipawns to a factor of ten
_FARTHEST = 4000  # centipawns: a score of all but 1


def centipawns(value: float) -> int:
    """The centipawns that make a score likely; scores of 0 and 1 stay finite.

    >>> centipawns(0.5), centipawns(10 / 11), centipawns(1.0)
    (0, 400, 1600)
    """
    value = min(max(value, 1e-4), 1 - 1e-4)
    return round(_ODDS * log10(value / (1 - value)))


def score(centipawns: int) -> float:
    """The score that a lead of so many centipawns makes likely.

    >>> score(0), round(score(400), 3), round(score(30_000), 3)
    (0.5, 0.909, 1.0)
    """
    return float(1 / (1 + 10 ** (-max(min(centipawns, _FARTHEST), -_FARTHEST) / _ODDS)))
