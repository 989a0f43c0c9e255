"""The games of a run as a plan for the runner of matches: pair k is iteration k, and who plays depends on the results.

The store of games is all that is kept. Where a run is follows from its settings and results alone, so one that goes on
computes its state anew, and no state can be lost, or differ from the games.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from plyout.lab.match.conditions import Conditions
from plyout.lab.match.openings import openings
from plyout.lab.match.players import Spec, parse_spec
from plyout.lab.match.tournament import Plan
from plyout.lab.match.work import Task
from plyout.lab.record import Game
from plyout.lab.tune.spsa import Point, Spsa

PLUS, MINUS = "plus", "minus"
"""What the two sides of an iteration are called in the results."""


def engine_text(preset: str, settings: Mapping[str, str]) -> str:
    """The player that a preset with changes is, as ``plyout match`` takes it.

    >>> engine_text("mcc", {"c": "0.7", "book": "a&b"})
    'mcc?c=0.7&book=a%26b'
    """
    changes = "&".join(f"{name}={quote(value, safe='/:,+ ')}" for name, value in settings.items())
    return f"{preset}?{changes}" if changes else preset


@dataclass(frozen=True)
class TuningPlan(Plan):
    """The pairs of a run. Of its `players` only the first iteration's are known beforehand."""

    preset: str
    changes: Mapping[str, str]
    """what both sides change in the preset"""
    spsa: Spsa

    @classmethod
    def made(cls, preset: str, changes: Mapping[str, str], spsa: Spsa, conditions: Conditions) -> "TuningPlan":
        conditions = replace(conditions, games=2 * spsa.gains.pairs)
        begin = openings(conditions.book, conditions.variant, conditions.seed)
        return cls(_players(preset, changes, spsa, 0), conditions, begin, preset, changes, spsa)

    def ready(self, number: int) -> bool:
        return self.spsa.ready(number // 2)

    def task(self, number: int) -> Task:
        pair = number // 2
        plus, minus = _players(self.preset, self.changes, self.spsa, pair)
        white, black = (minus, plus) if number % 2 else (plus, minus)
        return Task(number, pair, white, black, self.openings[pair % len(self.openings)])

    def settings(self) -> dict[str, Any]:
        """Those of a match, and the run's; more pairs would be another run, whose first moves were other ones."""
        engine, gains = engine_text(self.preset, self.changes), self.spsa.gains
        return super().settings() | {
            "engines": [engine, engine],
            "tuned": " ".join(map(str, self.spsa.axes)),
            "pairs": gains.pairs,
            "rate": gains.rate,
            "lag": self.spsa.lag,
        }


def _players(preset: str, changes: Mapping[str, str], spsa: Spsa, pair: int) -> list[Spec]:
    return [
        replace(parse_spec(engine_text(preset, {**changes, **_texts(spsa, point)})), name=name)
        for name, point in zip((PLUS, MINUS), spsa.tried(pair), strict=True)
    ]


def _texts(spsa: Spsa, point: Point) -> dict[str, str]:
    return {axis.name: axis.text(point[axis.name]) for axis in spsa.axes}


class Tally:
    """Puts the games of each pair together, and tells the run how the pair ended."""

    def __init__(self, spsa: Spsa, games: Iterable[Game] = ()) -> None:
        self._spsa = spsa
        self._halves: dict[int, list[float]] = defaultdict(list)
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """A game that has ended."""
        ahead = (2 * game.points - 1) * (1 if game.white == PLUS else -1)
        halves = self._halves[game.pair]
        halves.append(ahead)
        if len(halves) == 2:
            self._spsa.tell(game.pair, sum(self._halves.pop(game.pair)))
