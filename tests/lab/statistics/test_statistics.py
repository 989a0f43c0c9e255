from itertools import pairwise, product
from math import isfinite, sqrt

import numpy as np
import pytest

from plyout.lab.record import Game
from plyout.lab.statistics.estimate import (
    elo_of,
    estimate,
    estimate_of,
    estimate_of_counts,
    estimate_of_pentanomial,
    interval,
    normal,
    pentanomial,
    score_of,
)
from tests.lab.statistics.simulate import Floats, five, three


def game(pair: int, white: str, black: str, result: str) -> Game:
    return Game(pair, white, black, result, "checkmate")


MATCH = [
    game(1, "A", "B", "1-0"),
    game(1, "B", "A", "1-0"),  # 1 point for A
    game(2, "A", "B", "1-0"),
    game(2, "B", "A", "1/2-1/2"),  # 1½
    game(3, "A", "B", "0-1"),
    game(3, "B", "A", "1-0"),  # 0
    game(4, "A", "B", "1-0"),  # its twin is missing
    game(4, "A", "C", "0-1"),  # not its twin: another opponent
    game(5, "B", "C", "1-0"),  # not A's
]


def test_pairs_are_told_by_number_and_opponent() -> None:
    assert pentanomial(MATCH, "A") == (1, 0, 1, 1, 0)
    assert pentanomial(reversed(MATCH), "A") == (1, 0, 1, 1, 0)
    assert pentanomial(MATCH, "B") == (0, 1, 1, 0, 1)
    assert pentanomial(MATCH, "nobody") == (0, 0, 0, 0, 0)


def test_two_games_of_one_colour_are_no_pair() -> None:
    assert pentanomial([game(1, "A", "B", "1-0")] * 2, "A") == (0, 0, 0, 0, 0)


def test_games_without_a_twin_count_in_the_score() -> None:
    found = estimate(MATCH, "A")
    assert (found.wins, found.draws, found.losses) == (3, 1, 4)
    assert found.score == 3.5 / 8


def test_elo_and_score_are_inverse() -> None:
    for elo in (-700.0, -33.3, 0.0, 5.0, 400.0):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert score_of(400) == pytest.approx(10 / 11)


# Printed by fastchess: in pull requests 14 and 12 of ProgramciDusunur/Potential, in the READMEs of Copperfish and Thom.
PUBLISHED = [
    ((147, 343, 642, 402, 176), 11.89, 8.98, 99.53),
    ((84, 240, 451, 274, 119), 15.48, 10.60, 99.79),
    ((12, 6, 25, 8, 9), -11.59, 56.66, 34.29),
    ((84, 124, 343, 125, 164), 33.40, 14.24, 100.0),
]


@pytest.mark.parametrize(("counts", "elo", "error", "los"), PUBLISHED)
def test_long_matches_agree_with_published_figures(
    counts: tuple[int, ...], elo: float, error: float, los: float
) -> None:
    found = estimate_of_pentanomial(counts)
    assert found.pentanomial == counts
    assert found.elo == pytest.approx(elo, abs=0.005)
    assert found.elo_error == pytest.approx(error, rel=0.02)  # theirs is not tempered
    assert 100 * found.los == pytest.approx(los, abs=0.4)


def test_without_pairs_it_is_nearly_wilsons_interval() -> None:
    # 15 of 20 coin tosses: Wilson's interval is 0.5313 to 0.8881; the tempered variance moves it a little
    found = estimate_of_counts(15, 0, 5)
    assert score_of(found.low) == pytest.approx(0.5313, abs=0.01)
    assert score_of(found.high) == pytest.approx(0.8881, abs=0.01)


def test_superiority_of_single_games_is_the_well_known_formula() -> None:
    """(wins - losses) / √(wins + losses) deviations, in which draws cancel out."""
    for wins, draws, losses in ((300, 500, 250), (120, 20, 130), (60, 900, 40)):
        expected = normal((wins - losses) / sqrt(wins + losses))
        assert estimate_of_counts(wins, draws, losses).los == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (20, 0, 0), (0, 20, 0), (0, 0, 10**6)])
def test_nothing_is_ever_infinite(counts: tuple[int, int, int]) -> None:
    for found in (
        estimate_of_counts(*counts),
        estimate_of([(p, p) for p, n in zip((1, 0.5, 0), counts, strict=True) for _ in range(n % 99)]),
    ):
        numbers = (found.score, found.elo, found.elo_error, found.low, found.high, found.los)
        assert all(map(isfinite, numbers))
        assert -2400.1 < found.low <= found.elo <= found.high < 2400.1
        assert 0 <= found.los <= 1


def test_no_games_say_nothing() -> None:
    found = estimate([], "A")
    assert (found.score, found.elo, found.los) == (0.5, 0, 0.5)
    assert found.low < -2000
    assert found.high > 2000


def test_a_clean_score_says_more_the_longer_it_is() -> None:
    found = [estimate_of_counts(n, 0, 0) for n in (1, 2, 5, 20, 100)]
    assert found[0].low < 0  # one win proves nothing
    for short, long in pairwise(found):
        assert short.elo < long.elo
        assert short.low < long.low
        assert short.los < long.los


def test_both_players_see_the_same_match() -> None:
    games = MATCH[:7]
    a, b = estimate(games, "A"), estimate(games, "B")
    assert a.elo == pytest.approx(-b.elo)
    assert a.low == pytest.approx(-b.high)
    assert a.los == pytest.approx(1 - b.los)


def test_superiority_is_sure_to_975_where_the_interval_begins_at_even() -> None:
    for wins in range(1, 40):
        found = estimate_of_counts(wins, 30, 20)
        assert (found.los > 0.975) == (found.low > 0)
    assert normal(1.959964) == pytest.approx(0.975, abs=1e-6)


DRAWS, BIASES, ELOS = (0.1, 0.4, 0.6, 0.8), (0.0, 150.0, 300.0), (0.0, 50.0, 100.0, 200.0, 300.0)


def coverage(chances: Floats, length: int, random: np.random.Generator) -> float:
    """How often the interval of a match of so many pairs, or games, holds the true score."""
    counts = random.multinomial(length, chances, 20_000)
    low, high, _ = interval(counts) if len(chances) == 5 else interval([0] * 5, counts)
    truth = chances @ np.linspace(0, 1, len(chances))
    return float(np.mean((low <= truth) & (truth <= high)))


@pytest.mark.slow
@pytest.mark.parametrize("length", [20, 100, 1000])
def test_intervals_of_pairs_cover_the_truth(length: int) -> None:
    random = np.random.default_rng(1)
    for draws, bias, elo in product(DRAWS if length == 20 else (*DRAWS, 0.9), BIASES, ELOS):
        assert 0.93 <= coverage(five(elo, draws, bias), length, random) <= 0.97, (draws, bias, elo)


@pytest.mark.slow
@pytest.mark.parametrize("length", [40, 200, 2000])
def test_intervals_of_single_games_cover_the_truth(length: int) -> None:
    random = np.random.default_rng(2)
    for draws, elo in product(DRAWS if length == 40 else (*DRAWS, 0.9), ELOS):
        assert 0.93 <= coverage(three(elo, draws), length, random) <= 0.97, (draws, elo)


def test_a_handful_of_decisive_games_is_covered_nearly_as_well() -> None:
    """Of 40 games 36 drawn: so few outcomes remain that no rule can hit 95% everywhere."""
    random = np.random.default_rng(3)
    for bias, elo in product(BIASES, ELOS):
        assert 0.92 <= coverage(five(elo, 0.9, bias), 20, random) <= 0.99, (bias, elo)


def test_pairs_make_the_interval_shorter_where_openings_are_unbalanced() -> None:
    """With the openings' share of the chance gone, counting games alone would promise too little."""
    pairs = np.round(five(0, 0.3, 300) * 1000)
    games = np.round(three(300, 0.3) * 1000 + three(-300, 0.3) * 1000)
    paired, alone = interval(pairs), interval([0] * 5, games)
    assert paired[1] - paired[0] < 0.75 * (alone[1] - alone[0])
