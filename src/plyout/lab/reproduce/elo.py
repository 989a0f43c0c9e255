"""Elo from tournaments, in the form in which experiments compare it."""

from collections.abc import Iterable, Mapping

from plyout.lab.match.results import Results
from plyout.lab.reproduce.verdict import Number, Quote, Row, claim
from plyout.lab.statistics.estimate import Estimate
from plyout.lab.statistics.ratings import Ratings, ratings


def number(estimate: Estimate) -> Number:
    """The Elo difference of a match."""
    return Number(estimate.elo, estimate.low, estimate.high, estimate.games)


def lead(rated: Ratings, first: str, second: str) -> Number:
    """How much stronger the first player is by a rating list; all games of the list bear on it."""
    return Number.about(*rated.difference(first, second), int(rated.games.sum()) // 2)


def over_base(results: Results, base: str, paper: Mapping[str, tuple[float, float] | None]) -> list[Row]:
    """Each player's lead over `base` beside the paper's (Elo, error), in the paper's order."""
    rated = ratings(results.games)
    rows = []
    for player, printed in paper.items():
        theirs = None if printed is None else Number.about(*printed)
        rows.append(Row(player, theirs, lead(rated, player, base), none=0.0))
    return rows


def stronger(quote: Quote, results: Results, pairs: Iterable[tuple[str, str]]) -> list[Row]:
    """The statement that the first of each pair is stronger than the second, by a rating list of all games."""
    rated = ratings(results.games)
    return [claim(quote, f"{first} over {second}", lead(rated, first, second), above=0) for first, second in pairs]


def gauntlet(results: Results, paper: Mapping[str, float], tolerance: float) -> list[Row]:
    """Each player's match against the first beside the paper's Elo, where it is printed."""
    base, *others = results.players
    rows = []
    for player in others:
        theirs = Number.about(paper[player], tolerance) if player in paper else None
        found = results.against(player, base)
        rows.append(Row(player, theirs, number(found) if found.games else None, none=0.0))
    return rows


def share(results: Results, player: str, other: str) -> Number:
    """The player's score against the other in percent."""
    met = results.against(player, other)
    return Number.percent(met.wins + met.draws / 2, met.games)
