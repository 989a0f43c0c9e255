"""What a set of games says about one player: Elo with its 95% interval, likelihood of superiority, pentanomial counts.

The two games of an opening are not independent: one that favours White gives each player a win. The unit counted is
therefore the pair, with 0, ½, 1, 1½ or 2 points: five counts, hence pentanomial.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import erf, log10, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.lab.record import Game

Floats = npt.NDArray[np.float64]
Pentanomial = tuple[int, int, int, int, int]  # pairs with 0, ½, 1, 1½, 2 points

Z = 1.959964  # 95% of a normal distribution lie within so many standard deviations
LEAST_SCORE = 1e-6  # Elo ends at ±2400: beyond, no match could tell the difference


def elo_of(score: float) -> float:
    """The Elo difference at which `score` is expected; 0 and 1 give -2400 and 2400, not infinity.

    >>> round(elo_of(0.75), 1), round(elo_of(1.0))
    (190.8, 2400)
    """
    score = min(max(score, LEAST_SCORE), 1 - LEAST_SCORE)
    return 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The score expected of a player who is `elo` better.

    >>> round(score_of(200), 3)
    0.76
    """
    return 1 / (1 + 10 ** (-elo / 400))


def normal(z: float) -> float:
    """The share of a normal distribution below `z` standard deviations."""
    return (1 + erf(z / sqrt(2))) / 2


def wilson(part: float, whole: int) -> tuple[float, float]:
    """Where a share lies with 95%: Wilson's interval of `part` in `whole` trials.

    >>> [round(end, 3) for end in wilson(20, 20)]
    [0.839, 1.0]
    """
    share, z2 = part / whole, Z * Z / whole
    centre, half = share + z2 / 2, sqrt(z2 * share * (1 - share) + z2 * z2 / 4)
    return max(0.0, (centre - half) / (1 + z2)), min(1.0, (centre + half) / (1 + z2))


@dataclass(frozen=True)
class Estimate:
    """One player's result; `low` and `high` bound the Elo difference with 95% confidence."""

    wins: int
    draws: int
    losses: int
    score: float
    elo: float
    elo_error: float  # half the interval's width
    low: float
    high: float
    los: float  # the likelihood of superiority: of being the better player
    pentanomial: Pentanomial

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"pentanomial": list(self.pentanomial)}

    def __str__(self) -> str:
        return (
            f"+{self.wins} ={self.draws} -{self.losses}: {100 * self.score:.1f} % of {self.games} games, "
            f"Elo {self.elo:+.1f} (95%: {self.low:+.1f} to {self.high:+.1f}), LOS {100 * self.los:.1f} %"
        )


def estimate(games: Iterable[Game], player: str) -> Estimate:
    """What `games` say about `player` against those met there; games of others are left out.

    >>> match = [Game(1, "A", "B", "1-0", "mate"), Game(1, "B", "A", "1/2-1/2", "repetition")]
    >>> estimate(match, "A").pentanomial
    (0, 0, 0, 1, 0)
    """
    pairs, singles = _units(games, player)
    return estimate_of(pairs, singles)


def pentanomial(games: Iterable[Game], player: str) -> Pentanomial:
    """How many pairs brought `player` 0, ½, 1, 1½ and 2 points; games whose twin is missing are left out."""
    return _pentanomial(_units(games, player)[0])


def estimate_of(pairs: Sequence[tuple[float, float]], singles: Sequence[float] = ()) -> Estimate:
    """The same from a player's points: the two of each pair, and those of games without a twin."""
    points = [p for pair in pairs for p in pair] + list(singles)
    five = _pentanomial(pairs)
    three = (singles.count(0.0), singles.count(0.5), singles.count(1.0))
    wins, draws, losses = points.count(1.0), points.count(0.5), points.count(0.0)
    return _estimate(wins, draws, losses, five, three)


def estimate_of_counts(wins: int, draws: int, losses: int) -> Estimate:
    """The same from games without pairs."""
    return _estimate(wins, draws, losses, (0, 0, 0, 0, 0), (losses, draws, wins))


def estimate_of_pentanomial(five: Sequence[int]) -> Estimate:
    """The same from counts of pairs; a pair with one point is taken as a win and a loss."""
    points = ((0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (0.5, 1.0), (1.0, 1.0))
    wins, draws, losses = (
        sum(n * pair.count(p) for n, pair in zip(five, points, strict=True)) for p in (1.0, 0.5, 0.0)
    )
    return _estimate(wins, draws, losses, tuple(five), (0, 0, 0))  # type: ignore[arg-type]


def interval(five: npt.ArrayLike, three: npt.ArrayLike = (0, 0, 0)) -> tuple[Floats, Floats, Floats]:
    """(lower bound of the score, upper bound, standard deviations above an even score).

    `five` counts pairs by points, `three` lost, drawn and won games without a twin; arrays of many matches hold the
    counts on their last axis. This is Wilson's interval for a proportion, with as many coin tosses as have the variance
    of these games: it stays between 0 and 1, and holds its 95% in short matches, where score ± 1.96 deviations fails.
    The variance is that of the counts and of one middling unit more, lest a run of equal results look like certainty.
    """
    pairs, alone = np.asarray(five, float), np.asarray(three, float)
    games = 2 * pairs.sum(-1) + alone.sum(-1)
    points = (pairs @ np.arange(5) + alone @ np.arange(3)) / 2
    tempered = (points + 1) / (games + 2)  # never 0 or 1
    variance = 4 * _spread(pairs, (0, 0.5, 0, 0.5, 0), tempered) + _spread(alone, (0.25, 0.5, 0.25), tempered)
    some = np.maximum(games, 1)
    tosses = np.where(games > 0, tempered * (1 - tempered) * some**2 / np.where(games > 0, variance, 1), 0)
    mean = np.where(games > 0, points / some, 0.5)
    centre = (mean * tosses + Z * Z / 2) / (tosses + Z * Z)
    margin = Z * np.sqrt(mean * (1 - mean) * tosses + Z * Z / 4) / (tosses + Z * Z)
    return np.maximum(centre - margin, 0), np.minimum(centre + margin, 1), (mean - 0.5) * 2 * np.sqrt(tosses)


def _spread(counts: Floats, one_more: Sequence[float], mean: Floats) -> Floats:
    """The squared distances of the units' scores from `mean`, where there are units."""
    squares = (np.linspace(0, 1, len(one_more)) - mean[..., None]) ** 2
    return np.where(counts.sum(-1) > 0, ((counts + np.array(one_more)) * squares).sum(-1), 0)


def _estimate(wins: int, draws: int, losses: int, five: Pentanomial, three: Sequence[int]) -> Estimate:
    games = wins + draws + losses
    score = (wins + draws / 2) / games if games else 0.5
    edge = 0.5 / (games + 1)  # a clean score counts as if a longer match had cost half a point
    low, high, deviations = (float(number) for number in interval(five, three))
    elo_low, elo_high = elo_of(low), elo_of(high)
    return Estimate(
        wins=wins,
        draws=draws,
        losses=losses,
        score=score,
        elo=elo_of(min(max(score, edge), 1 - edge)),
        elo_error=(elo_high - elo_low) / 2,
        low=elo_low,
        high=elo_high,
        los=normal(deviations),
        pentanomial=five,
    )


def _units(games: Iterable[Game], player: str) -> tuple[list[tuple[float, float]], list[float]]:
    """The points of `player`: of complete pairs (as White, as Black), and of the games left over."""
    colours: dict[tuple[int, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for game in games:
        if game.white == player:
            colours[game.pair, game.black][0].append(game.points)
        elif game.black == player:
            colours[game.pair, game.white][1].append(1 - game.points)
    pairs: list[tuple[float, float]] = []
    singles: list[float] = []
    for as_white, as_black in colours.values():
        both = min(len(as_white), len(as_black))
        pairs += zip(as_white[:both], as_black[:both], strict=True)
        singles += as_white[both:] + as_black[both:]
    return pairs, singles


def _pentanomial(pairs: Sequence[tuple[float, float]]) -> Pentanomial:
    counts = [0, 0, 0, 0, 0]
    for first, second in pairs:
        counts[round(2 * (first + second))] += 1
    return tuple(counts)  # type: ignore[return-value]
