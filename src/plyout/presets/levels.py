"""Levels for people: how the default preset plays like somebody of so many Elo.

A weaker player sees less far, and is content with what looks good enough. So a level has fewer iterations, and the low
ones follow exchanges less far: what hangs is overlooked because nobody looked. Their priors are softer, so that less
likely moves are looked at, too; and the move is drawn, by visits, among those that look nearly as good as the best.
What the search has seen to be bad is not played: no dice are thrown for blunders. The aids that see farther than the
search itself (endgame tables, mates by checks, alpha-beta's advice) are for strong levels only.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from typing import Any, NamedTuple

from plyout.errors import InputError

PRESET = "plyout"
"""The preset that has levels: they were measured with it."""


class Knot(NamedTuple):
    """A level of the table; between two of them all numbers change evenly, nodes by their logarithm."""

    elo: float
    nodes: float  # iterations of a move
    temperature: float
    policy: float  # softness of the priors
    quiet_depth: float  # plies of captures that are followed
    slack: float  # points: moves that look so much worse than the best may be played


# The settings were chosen, and their Elo measured by `tools/fit_levels.py`, 24 games a pairing, and rounded to 50: see
# docs/levels.md for the intervals, which are wide. Above 1950 there were hardly any games: those are guesses.
KNOTS = (
    Knot(650, 30, 2.0, 20.0, 0, 0.30),
    Knot(950, 30, 1.4, 10.0, 0, 0.20),
    Knot(1250, 30, 1.0, 6.0, 0, 0.15),
    Knot(1450, 30, 0.9, 5.0, 1, 0.12),
    Knot(1600, 30, 0.8, 4.0, 4, 0.10),
    Knot(1750, 30, 0.5, 3.0, 4, 0.08),
    Knot(1850, 60, 0.35, 2.5, 4, 0.06),
    Knot(1950, 150, 0.25, 2.2, 4, 0.05),
    Knot(2100, 400, 0.2, 2.0, 4, 0.04),
    Knot(2250, 1600, 0.1, 1.9, 4, 0.03),
    Knot(2400, 6400, 0.0, 1.9, 4, 0.0),
)
LOWEST, HIGHEST = 650, 2500
"""The range; the highest is the whole engine, with whatever time it gets."""
_AIDS_FROM = 2000  # Elo


@dataclass(frozen=True)
class Level:
    elo: int
    nodes: int | None
    """iterations of a move; None: as many as the limits allow"""
    slack: float
    """points: moves that look so much worse than the best may be played"""
    parameters: dict[str, float]
    """what it changes in the preset"""


def level(elo: Any) -> Level:
    """The level of a player of so many Elo.

    >>> level(2100).nodes < level(2300).nodes, level(HIGHEST).nodes
    (True, None)
    """
    number = _checked(elo)
    if number == HIGHEST:
        return Level(number, None, 0.0, {})
    knot = _between(min(number, KNOTS[-1].elo))
    changes = {"temperature": knot.temperature, "policy": knot.policy, "quiet_depth": round(knot.quiet_depth)}
    without = {"ahead": 0} if number >= _AIDS_FROM else {"ahead": 0, "checks": 0, "tables": 0}
    return Level(number, round(knot.nodes), knot.slack, changes | without)


def _checked(elo: Any) -> int:
    try:
        number = float(elo)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not (number.is_integer() and LOWEST <= number <= HIGHEST):
        raise InputError(f"level must be a whole number of Elo from {LOWEST} to {HIGHEST}, not {repr(elo)[:40]}")
    return int(number)


def _between(elo: float) -> Knot:
    below, above = next((a, b) for a, b in pairwise(KNOTS) if a.elo <= elo <= b.elo)
    share = (elo - below.elo) / (above.elo - below.elo)
    mixed = {name: a + share * (b - a) for name, a, b in zip(Knot._fields, below, above, strict=True)}
    return Knot(**mixed | {"nodes": exp(log(below.nodes) + share * log(above.nodes / below.nodes))})
