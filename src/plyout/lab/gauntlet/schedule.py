"""Whom a gauntlet's player meets next: at first everybody once, then those against whom a game tells most.

A game tells about p (1 - p), p being the score to be expected: nothing where it is decided beforehand. So every few
pairs the ratings are fitted to what has been played, and the next pairs go to the rungs that are near, by that measure.
What comes next depends on results alone, not on when they came: the same results make the same plan, however many
games are played at a time and however often a run is ended.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from plyout.lab.gauntlet.rungs import Ladder
from plyout.lab.record import Game
from plyout.lab.statistics.estimate import score_of
from plyout.lab.statistics.ratings import ratings

BATCH = 8  # pairs from one fit to the next
NEAR = 0.1  # a rung is near where the score to be expected is between this and 1 - this
UNKNOWN = 0.5  # the share of a rung that is to be rated itself: its games tell nothing about the player


def share_out(played: Sequence[int], expected: Sequence[float], known: Sequence[bool], pairs: int) -> list[int]:
    """The rungs of the next `pairs`, so that all pairs together are shared out by what they tell.

    >>> share_out([1, 1, 1], [0.95, 0.6, 0.4], [True, True, True], 4)
    [1, 2, 1, 2]
    """
    worth = [
        p * (1 - p) * (1 if is_known else UNKNOWN) if NEAR <= p <= 1 - NEAR else 0.0
        for p, is_known in zip(expected, known, strict=True)
    ]
    sure = [i for i, is_known in enumerate(known) if is_known]
    if not any(worth[i] for i in sure):  # beyond the ladder: its end tells most, and counts as if it were even
        worth[max(sure, key=lambda i: expected[i] * (1 - expected[i]))] = 0.25
    counts, found = list(played), []
    for _ in range(pairs):
        best = max(range(len(counts)), key=lambda i: worth[i] / (counts[i] + 1))
        counts[best] += 1
        found.append(best)
    return found


def batches(ladder: Ladder, games: int, played: Callable[[], Mapping[int, Game]]) -> Iterator[list[int]]:
    """The numbers of the games to be played, batch by batch, in a plan of the kind gauntlet.

    When the next batch is asked for, `played` must have all games of those before; others count when it is their turn.
    """
    rungs = ladder.rungs
    counts, numbers = [0] * len(rungs), list[int]()
    while 2 * sum(counts) < games:
        left = games // 2 - sum(counts)
        if not numbers:
            pairs = list(range(len(rungs)))[:left]
        else:
            there = played()
            expected = _expected(ladder, [there[number] for number in numbers])
            pairs = share_out(counts, expected, [rung.elo is not None for rung in rungs], min(BATCH, left))
        batch: list[int] = []
        for rung in sorted(pairs):  # an engine that stays for its next pair need not be started again
            pair = counts[rung] * len(rungs) + rung
            counts[rung] += 1
            batch += (2 * pair, 2 * pair + 1)
        yield batch
        numbers += batch


def _expected(ladder: Ladder, games: Sequence[Game]) -> list[float]:
    """The player's score to be expected against each rung."""
    found = ratings(games, anchors=ladder.anchors)
    elo = dict(zip(found.players, found.elo.tolist(), strict=True))
    return [score_of(elo[ladder.name] - elo[rung.name]) for rung in ladder.rungs]
