"""Elo from tournaments, in the form in which experiments compare it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from plyout.lab.match.results import Results
from plyout.lab.reproduce.verdict import Number, Row, claim
from plyout.lab.statistics.estimate import Estimate
from plyout.lab.statistics.ratings import Ratings, ratings


def number(estimate: Estimate) -> Number:
    """The Elo difference of a match."""
    return Number(estimate.elo, estimate.low, estimate.high)


def lead(rated: Ratings, first: str, second: str) -> Number:
    """How much stronger the first player is by a rating list."""
    return Number.about(*rated.difference(first, second))


def over_base(results: Results, base: str, paper: Mapping[str, tuple[float, float] | None]) -> list[Row]:
    """Each player's lead over `base` beside the paper's (Elo, error), in the paper's order."""
    rated = ratings(results.games)
    rows = []
    for player, printed in paper.items():
        theirs = None if printed is None else Number.about(*printed)
        rows.append(Row(player, theirs, lead(rated, player, base), none=0.0))
    return rows


def in_order(results: Results, players: Sequence[str]) -> list[Row]:
    """The statements that each player is stronger than the next."""
    rated = ratings(results.games)
    return [
        claim(f"{first} is stronger than {second}", lead(rated, first, second), above=0)
        for first, second in pairwise(players)
    ]


def stronger(results: Results, pairs: Sequence[tuple[str, str]]) -> list[Row]:
    """The statements that the first of each pair is stronger than the second, by a rating list of all games."""
    rated = ratings(results.games)
    return [claim(f"{first} is stronger than {second}", lead(rated, first, second), above=0) for first, second in pairs]


def gauntlet(results: Results, paper: Mapping[str, float], tolerance: float) -> list[Row]:
    """Each player's match against the first beside the paper's Elo, where it is printed."""
    base, *others = results.players
    rows = []
    for player in others:
        theirs = Number.about(paper[player], tolerance) if player in paper else None
        found = results.against(player, base)
        rows.append(Row(player, theirs, number(found) if found.games else None, none=0.0))
    return rows
