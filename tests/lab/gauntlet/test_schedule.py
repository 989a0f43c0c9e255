"""A gauntlet without engines: results by chance from players whose strength is known."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from plyout.lab.gauntlet.rungs import Ladder, Rung
from plyout.lab.gauntlet.schedule import BATCH, batches, share_out
from plyout.lab.gauntlet.standing import standing
from plyout.lab.record import Game
from plyout.lab.statistics.ratings import interval
from tests.lab.statistics.test_ratings import chances, scale

STRANGER = 2150.0
LADDER = Ladder(
    "me", "me", [*(Rung(f"sf-{elo}", f"sf-{elo}", elo) for elo in range(1350, 2851, 300)), Rung("toga", "toga")]
)
TRUE = {"toga": STRANGER, **LADDER.anchors}


def result(me: float, rival: float, white: bool, random: np.random.Generator) -> str:
    """A game by the model: the first move is worth 30 Elo, and a third of the games between equals is drawn."""
    both = chances(np.array([me - rival, 0.0]) / scale(120), 30, 120)
    loss, draw, _ = both[:, 0, 1] if white else both[:, 1, 0]
    return ["0-1", "1/2-1/2", "1-0"][int(np.searchsorted([loss, loss + draw], random.random()))]


def play(me: float, games: int, seed: int, ladder: Ladder = LADDER) -> tuple[dict[int, Game], list[list[int]]]:
    """(all games by number, the batches in which they were played)."""
    random = np.random.default_rng(seed)
    played: dict[int, Game] = {}
    found: list[list[int]] = []
    for batch in batches(ladder, games, lambda: played):
        found.append(batch)
        for number in batch:
            rung = ladder.rungs[number // 2 % len(ladder.rungs)]
            white = number % 2 == 0
            names = ("me", rung.name) if white else (rung.name, "me")
            played[number] = Game(number // 2, *names, result(me, TRUE[rung.name], white, random), "mate")
    return played, found


def met(games: Iterator[Game] | list[Game]) -> Counter[str]:
    return Counter(game.black if game.white == "me" else game.white for game in games)


@pytest.mark.slow
def test_the_rating_lies_within_the_interval_of_19_gauntlets_in_20() -> None:
    inside = []
    for seed in range(100):
        me = 1500.0 + 12 * seed
        played, _ = play(me, 64, seed)
        found = interval(played.values(), "me", LADDER.anchors)
        inside.append(found.low <= me <= found.high)
        assert 20 < found.high - found.low < 400
    assert 90 <= sum(inside) <= 99


def test_games_go_where_they_tell_most() -> None:
    played, found = play(2000.0, 200, 1)
    count = met(list(played.values()))
    assert [len(batch) for batch in found] == [14, *(2 * BATCH for _ in range(11)), 10]
    assert set(count) == set(TRUE), "everybody is met at first"
    assert max(count.values()) == max(count["sf-1950"], count["sf-2250"])
    assert count["sf-1350"] == count["sf-2850"] == 2
    assert 2 < count["toga"] < count["sf-2250"], "a rung that is to be rated gets less than one that is known"


def test_whoever_is_beyond_the_ladder_meets_its_end() -> None:
    ladder = Ladder("me", "me", LADDER.rungs[:3])
    played, _ = play(2900.0, 40, 1, ladder)
    assert met(list(played.values())) == {"sf-1350": 2, "sf-1650": 2, "sf-1950": 36}
    found = standing(ladder, "10+0.1", list(played.values()))
    assert found.rating is not None
    assert 2200 < found.rating.elo < 3500
    assert "stronger than every rung" in found.beyond


def test_a_shorter_gauntlet_is_the_beginning_of_a_longer_one() -> None:
    short, long = play(2200.0, 70, 3)[0], play(2200.0, 120, 3)[0]
    whole = len(LADDER.rungs) * 2 + 6 * BATCH
    assert list(short)[:whole] == list(long)[:whole]
    assert set(short) <= set(long)


def test_games_of_a_batch_that_has_not_come_do_not_count() -> None:
    all_games, found = play(2200.0, 64, 5)
    again = list(batches(LADDER, 64, lambda: all_games))
    assert again == found


def test_each_pair_has_both_colours_and_no_game_comes_twice() -> None:
    _, found = play(1700.0, 100, 2)
    numbers = [number for batch in found for number in batch]
    assert len(numbers) == len(set(numbers)) == 100
    assert {number ^ 1 for number in numbers} == set(numbers)


@pytest.mark.parametrize(
    ("expected", "known", "rungs"),
    [
        ([0.99, 0.5, 0.02], [True, True, True], [1, 1, 1]),
        ([0.99, 0.97, 0.95], [True, True, True], [2, 2, 2]),
        ([0.99, 0.5, 0.95], [True, False, True], [2, 2, 1]),  # beyond all that is known, a stranger may be near
    ],
)
def test_pairs_are_shared_out(expected: list[float], known: list[bool], rungs: list[int]) -> None:
    assert share_out([1, 1, 1], expected, known, 3) == rungs
