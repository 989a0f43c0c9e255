"""Levels for people: how the engine plays like somebody of so many Elo.

A weaker player knows less, sees less far, and is content with what looks good enough. So a level has fewer iterations;
the lower ones have no networks, but the plain evaluation; and the lowest follow exchanges less far: what hangs is
overlooked because nobody looked. Their priors are softer, so that less likely moves are looked at, too; and the move is
drawn, by visits, among those that look nearly as good as the best. What the search has seen to be bad is not played: no
dice are thrown for blunders. The aids that see farther than the search itself are for strong levels (endgame tables,
mates by checks), or for none (alpha-beta's advice).

A level is made of what stands here, and of nothing that the default preset says: that may be tuned, and the levels stay
what they were when they were measured. Only the highest is the preset itself.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, log
from typing import Any, NamedTuple

from plyout.errors import InputError
from plyout.presets import Preset

PRESET = "plyout"
"""The preset that has levels."""

RULES = {"select": "puct", "evaluate": "quiescence", "prior": "policy", "choose": "secure"}
SEARCH: dict[str, float] = {
    "puct_init": 1, "puct_base": 19652, "fpu_reduction": 0.1, "squash": 600, "share": 2, "solver": 1, "repetition": 1,
    "quiet_delta": 50, "secure": 1,
}  # fmt: skip
"""How every level below the highest searches, beside the numbers of its knot."""
AIDS = {"checks": 8, "tables": 4}
NETWORKS = {"value_net": "value", "policy_net": "policy"}


class Knot(NamedTuple):
    """A level of a table; between two of them all numbers change evenly, nodes by their logarithm."""

    elo: float
    nodes: float  # iterations of a move
    policy: float  # softness of the priors
    quiet_depth: float  # plies of captures that are followed
    slack: float  # points: moves that look so much worse than the best may be played


BLIND = (
    Knot(500, 30, 20.0, 0, 0.25),
    Knot(700, 30, 10.0, 0, 0.12),
    Knot(900, 100, 8.0, 0, 0.08),
    Knot(1100, 260, 6.0, 0, 0.07),
)
"""No exchange is followed, and there are no networks."""
PLAIN = (
    Knot(1100, 30, 6.0, 1, 0.10),
    Knot(1200, 90, 4.5, 3, 0.08),
    Knot(1350, 180, 4.0, 4, 0.07),
    Knot(1500, 400, 3.0, 4, 0.055),
)
"""Exchanges are; still no networks."""
LEARNT = (
    Knot(1500, 30, 4.5, 4, 0.11),
    Knot(1650, 41, 3.25, 4, 0.075),
    Knot(1850, 160, 2.25, 4, 0.045),
    Knot(1950, 700, 2.0, 4, 0.03),
    Knot(2100, 4000, 1.9, 4, 0.015),
    Knot(2200, 14000, 1.9, 4, 0.006),
    Knot(2350, 30000, 1.9, 4, 0.0),
)
"""With networks."""
TABLES = (BLIND, PLAIN, LEARNT)
"""Each goes on where the one before ends."""
LOWEST, HIGHEST = 500, 2400
"""The range; the highest is the whole engine, with whatever time it gets."""
_AIDS_FROM = 2000  # Elo


@dataclass(frozen=True)
class Level:
    elo: int
    nodes: int | None = None
    """iterations of a move; None: as many as the limits allow"""
    slack: float = 0.0
    """points: moves that look so much worse than the best may be played"""
    parameters: dict[str, Any] | None = None
    """all that differ from the defaults; None: the preset's"""

    def preset(self, whole: Preset) -> Preset:
        """What plays at this level; `whole` is the preset that plays as strong as it can."""
        if self.parameters is None:
            return whole
        return replace(whole, rules=whole.rules | RULES, parameters=self.parameters)


def level(elo: Any) -> Level:
    """The level of a player of so many Elo.

    >>> level(2100).nodes < level(2300).nodes, level(HIGHEST).nodes
    (True, None)
    """
    number = _checked(elo)
    if number == HIGHEST:
        return Level(number)
    table = next(table for table in reversed(TABLES) if table[0].elo <= number)
    knot = _between(table, number)
    parameters: dict[str, Any] = SEARCH | {"policy": knot.policy, "quiet_depth": round(knot.quiet_depth)}
    parameters["temperature"] = 1 if knot.slack > 0 else 0
    parameters |= (NETWORKS if table is LEARNT else {}) | (AIDS if number >= _AIDS_FROM else {})
    return Level(number, round(knot.nodes), knot.slack, parameters)


def _checked(elo: Any) -> int:
    try:
        number = float(elo)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not (number.is_integer() and LOWEST <= number <= HIGHEST):
        raise InputError(f"level must be a whole number of Elo from {LOWEST} to {HIGHEST}, not {repr(elo)[:40]}")
    return int(number)


def _between(table: tuple[Knot, ...], elo: float) -> Knot:
    elo = min(elo, table[-1].elo)
    below, above = next((a, b) for a, b in pairwise(table) if a.elo <= elo <= b.elo)
    share = (elo - below.elo) / (above.elo - below.elo)
    mixed = {name: a + share * (b - a) for name, a, b in zip(Knot._fields, below, above, strict=True)}
    return Knot(**mixed | {"nodes": exp(log(below.nodes) + share * log(above.nodes / below.nodes))})
