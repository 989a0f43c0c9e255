"""Ratings against levels: the most likely one, its interval, and the binary search of the paper."""

from math import log10
from typing import Any

import numpy as np
import pytest

from plyout.lab.match import rate
from plyout.lab.match.rate import Score, binary_search, most_likely


def test_one_level_gives_the_logistic_formula() -> None:
    for points in (1, 3.5, 8):
        expected = 2000 + 400 * log10(points / (10 - points))
        assert most_likely([Score(2000, points, 10)]).elo == pytest.approx(expected, abs=0.01)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        truth = rng.uniform(1500, 2100)
        scores = [
            Score(level, float(rng.binomial(12, 1 / (1 + 10 ** ((level - truth) / 400)))), 12)
            for level in (1400, 1700, 2000, 2300)
        ]
        found = most_likely(scores)
        covered += (found.low is None or found.low <= truth) and (found.high is None or truth <= found.high)
    assert 0.90 <= covered / 300 <= 0.99


def test_who_loses_all_has_no_lower_bound_and_who_wins_all_no_upper() -> None:
    lost, won = most_likely([Score(1500, 0, 10)]), most_likely([Score(1500, 10, 10)])
    assert lost.elo is None
    assert lost.low is None
    assert lost.high is not None
    assert lost.high < 1500
    assert won.high is None
    assert won.low is not None
    assert won.low > 1500


@pytest.mark.parametrize("strength", [50, 1480, 2010, 3100])
def test_the_binary_search_ends_at_the_strength(monkeypatch: pytest.MonkeyPatch, strength: int) -> None:
    def play(player: str, program: str, level: int, games: int, book: str, options: Any, name: str) -> Score:
        assert games == 6
        return Score(level, 6.0 if level <= strength else 0.0, 6)

    monkeypatch.setattr(rate, "_play", play)
    monkeypatch.setattr(rate, "levels_of", lambda program: (0, 3200))
    found = binary_search("anybody", "stockfish", {"out": None})
    assert found["high"] - found["low"] == 100
    assert found["low"] <= strength <= found["high"]


def test_a_deaf_program_goes_on_with_the_last_level_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[int] = []

    def play(player: str, program: str, level: int, games: int, book: str, options: Any, name: str) -> Score:
        met.append(level)
        return Score(level, 6.0 if level <= 1400 else 0.0, 6)

    monkeypatch.setattr(rate, "_play", play)
    monkeypatch.setattr(rate, "levels_of", lambda program: (1350, 2850))
    hears = binary_search("anybody", "stockfish", {"out": None})
    assert (hears["low"], hears["high"]) == (1400, 1500)
    assert met == [1600, 1350, 1350, 1400, 1500]
    met.clear()
    deaf = binary_search("anybody", "stockfish", {"out": None}, deaf=True)
    assert (deaf["low"], deaf["high"]) == (0, 100)
    assert met == [1600] * 5
