"""What a gauntlet says of its player: the rating, and the score against every rung beside the one to be expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyout.in_notebooks import InNotebooks
from plyout.lab.gauntlet.rungs import Ladder, Rung
from plyout.lab.gauntlet.schedule import NEAR
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.statistics.estimate import Estimate, score_of
from plyout.lab.statistics.ratings import Interval, interval, ratings


@dataclass(frozen=True)
class Row:
    """One rung: its rating, known or found, and what the player made of it."""

    rung: Rung
    rating: Interval
    met: Estimate
    expected: float

    def as_dict(self) -> dict[str, Any]:
        e = self.met
        counts = {"games": e.games, "wins": e.wins, "draws": e.draws, "losses": e.losses}
        known = {"known": self.rung.elo is not None}
        return {"name": self.rung.name, **self.rating._asdict(), **known, **counts, "score": e.score,
                "expected": self.expected}  # fmt: skip


@dataclass(frozen=True)
class Standing(InNotebooks):
    """Where a gauntlet stands; without a game against a rung of known rating there is no rating."""

    ladder: Ladder
    control: str
    results: Results
    rating: Interval | None
    rows: Sequence[Row]

    @property
    def beyond(self) -> str:
        """Says so if all rungs of known rating that were met are too weak, or too strong, to tell much."""
        known = [row.expected for row in self.rows if row.rung.elo is not None]
        if known and min(known) > 1 - NEAR:
            return "stronger than every rung of known rating: give stronger ones (--rung, --anchor)"
        if known and max(known) < NEAR:
            return "weaker than every rung of known rating: give weaker ones (--rung, --anchor)"
        return ""

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        rating = self.rating or Interval(None, None, None)  # type: ignore[arg-type]
        games = {"games": len(self.results.games), "control": self.control}
        more = {"beyond": self.beyond, "left_out": list(self.ladder.left_out)}
        faults = {"faults": {name: self.results.faults(name) for name in self.results.players}}
        return {"player": self.ladder.name, **rating._asdict(), **games, **self.results.faults(),
                "rungs": [row.as_dict() for row in self.rows], **faults, **more}  # fmt: skip


def standing(ladder: Ladder, control: str, games: Sequence[Game]) -> Standing:
    """What `games` of the player against rungs of the ladder say."""
    results = Results([ladder.name, *(rung.name for rung in ladder.rungs)], games)
    met = {name for game in games for name in (game.white, game.black)}
    anchors = ladder.anchors
    if not met & anchors.keys():
        return Standing(ladder, control, results, None, ())
    found = ratings(games, anchors=anchors)
    elo = dict(zip(found.players, zip(found.elo.tolist(), found.error.tolist(), strict=True), strict=True))
    mine = elo[ladder.name][0]
    rows = [
        Row(rung, Interval(e, e - error, e + error), results.against(ladder.name, rung.name), score_of(mine - e))
        for rung in ladder.rungs
        if rung.name in elo
        for e, error in [elo[rung.name]]
    ]
    return Standing(ladder, control, results, interval(games, ladder.name, anchors), rows)


def in_short(ladder: Ladder, games: Sequence[Game]) -> str:
    """The rating so far, for the progress bar."""
    met = {name for game in games for name in (game.white, game.black)}
    if not met & ladder.anchors.keys():
        return ""
    found = ratings(games, anchors=ladder.anchors)
    me = found.players.index(ladder.name)
    line = f"{ladder.name} {found.elo[me]:.0f} ± {found.error[me]:.0f}"
    return ", ".join(filter(None, [line, Results([], games).fault_words()]))
