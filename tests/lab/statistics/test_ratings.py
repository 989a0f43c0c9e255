from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from plyout.errors import InputError
from plyout.lab.record import Game
from plyout.lab.statistics.estimate import elo_of
from plyout.lab.statistics.ratings import UNIT, Ratings, rate, ratings

Floats = npt.NDArray[np.float64]


def chances(elo: Floats, advantage: float, draw_elo: float) -> Floats:
    """White's losses, draws and wins by [White, Black] in the model, without its scale."""
    lead = elo[:, None] - elo + advantage
    win = 1 / (1 + 10 ** ((draw_elo - lead) / 400))
    loss = 1 / (1 + 10 ** ((draw_elo + lead) / 400))
    return np.stack((loss, 1 - win - loss, win)) * (1 - np.eye(len(elo)))


def scale(draw_elo: float) -> float:
    x = 10 ** (-draw_elo / 400)
    return 4 * x / (1 + x) ** 2


def by_name(found: Ratings, names: list[str]) -> list[int]:
    return [found.players.index(name) for name in names]


def test_results_as_expected_give_back_every_parameter() -> None:
    elo = np.array([310.0, 120.0, 0.0, -80.0, -350.0])
    found = rate(list("abcde"), 1000 * chances(elo, 40, 120), prior=0)
    assert found.players == tuple("abcde")
    assert found.elo == pytest.approx(scale(120) * elo, abs=1e-4)
    assert (found.advantage, found.draw_elo) == (pytest.approx(40), pytest.approx(120))


def test_two_players_without_draws_are_elos_table() -> None:
    games = [Game(i, "a", "b", result, "mate") for i, result in enumerate(["1-0"] * 30 + ["0-1"] * 10)]
    games += [Game(i, "b", "a", result, "mate") for i, result in enumerate(["0-1"] * 30 + ["1-0"] * 10)]
    found = ratings(games, prior=0)
    difference, error = found.difference("a", "b")
    assert difference == pytest.approx(elo_of(0.75))
    assert error == pytest.approx(1.959964 * UNIT / np.sqrt(80 * 0.75 * 0.25))  # the information of 80 tosses
    assert found.score == pytest.approx([0.75, 0.25])


def test_a_general_optimiser_finds_the_same() -> None:
    random = np.random.default_rng(4)
    results = random.poisson(8 * chances(np.array([150.0, 20.0, -30.0, -140.0]), 30, 100)).astype(float)

    def cost(theta: Floats) -> float:
        elo = np.append(theta[:3], -theta[:3].sum())
        model = chances(elo, theta[3], theta[4]) + np.eye(4) * 1e-300
        return -float((results * np.log(np.maximum(model, 1e-300))).sum())

    best = minimize(cost, [0, 0, 0, 0, 90.0], method="Powell", tol=1e-12)
    found = rate(list("abcd"), results, prior=0)
    assert found.advantage == pytest.approx(best.x[3], abs=0.05)
    assert found.draw_elo == pytest.approx(best.x[4], abs=0.05)
    mine = found.elo[by_name(found, ["a", "b", "c"])] / scale(found.draw_elo)
    assert mine == pytest.approx(best.x[:3], abs=0.05)


# Arenz 2012, table 7: 25 games each. Half points mean an odd number of draws; two more are assumed where both won.
TABLE_7 = [[25, 24, 25, 25], [16.5, 21.5, 21], [16.5, 20.5], [16.5]]
TABLE_8 = [(864, 186), (336, 77), (229, 73), (85, 72), (0, 75)]
TABLE_9 = [[50, 99, 99, 99, 100], [0, 50, 98, 99, 99], [0, 1, 50, 99, 99], [0, 0, 0, 50, 97], [0, 0, 0, 2, 50]]


def test_the_main_experiment_of_arenz() -> None:
    results = np.zeros((3, 5, 5))
    for (i, j), score in zip(combinations(range(5), 2), [score for row in TABLE_7 for score in row], strict=True):
        draws = 2 * (score < 24) + 2 * score % 2
        for white, black, points in ((i, j, score), (j, i, 25 - score)):  # as often with White as with Black
            results[:, white, black] = np.array([25 - points - draws / 2, draws, points - draws / 2]) / 2
    found = rate(["combined", "decisive", "heavy", "bias", "plain"], results)
    assert found.players == ("combined", "decisive", "heavy", "bias", "plain")
    for elo, error, (published, their_error) in zip(found.elo, found.error, TABLE_8, strict=True):
        assert elo - found.elo[-1] == pytest.approx(published, abs=20)
        assert error == pytest.approx(their_error, rel=0.2)
    assert np.minimum(np.floor(found.los()), 99).tolist() == np.minimum(TABLE_9, 99).tolist()


# Tables 1 and 2: 20 games each, few of them drawn. The ratings hang on the scores, whoever made them against whom.
TABLE_1 = [(153, 62, 62.5), (151, 60, 62.5), (110, 62, 55), (26, 60, 42.5), (5, 61, 39), (0, 61, 38.5)]
TABLE_2 = [
    [50, 51, 85, 99, 99, 99],
    [48, 50, 85, 99, 99, 99],
    [14, 14, 50, 98, 99, 99],
    [0, 0, 1, 50, 70, 74],
    [0, 0, 0, 29, 50, 55],
    [0, 0, 0, 25, 44, 50],
]


def test_the_heavy_playouts_of_arenz() -> None:
    elo, their_error, scores = np.array(TABLE_1).T
    losses, draws, wins = results = 10 * chances(elo / scale(20), 32.8, 20)
    assert (wins + draws / 2).sum(1) + (losses + draws / 2).sum(0) == pytest.approx(scores, abs=1)
    found = rate(list("abcdef"), results, prior=0)
    assert found.error == pytest.approx(their_error, rel=0.1)
    assert found.los() == pytest.approx(np.array(TABLE_2, float), abs=5)


def test_the_prior_bounds_clean_scores() -> None:
    games = [Game(i, *("ab" if i % 2 else "ba"), "1-0" if i % 2 else "0-1", "mate") for i in range(10)]
    modest, bold = ratings(games, prior=2), ratings(games, prior=0.5)
    assert modest.players == ("a", "b")
    assert 200 < modest.difference("a", "b")[0] < bold.difference("a", "b")[0] < 1500
    with pytest.raises(InputError, match="prior"):
        ratings(games, prior=0)


@pytest.mark.parametrize("result", ["1-0", "1/2-1/2", "0-1"])
def test_one_sided_results_stay_finite(result: str) -> None:
    games = [Game(i, *pair, result, "mate") for i, pair in enumerate(["ab", "ba", "bc", "cb"])]
    found = ratings(games)
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)
    assert np.isfinite(found.covariance).all()
    assert np.isfinite([found.advantage, found.draw_elo]).all()


def test_separate_groups_are_named() -> None:
    games = [Game(1, "a", "b", "1-0", "mate"), Game(2, "c", "d", "1-0", "mate")]
    with pytest.raises(InputError, match=r"a, b \| c, d"):
        ratings(games)
    with pytest.raises(InputError, match="two players"):
        ratings([])
    with pytest.raises(InputError, match="itself"):
        ratings([Game(1, "a", "a", "1-0", "mate"), *games[:1]])


TRUTH = np.array([320.0, 200.0, 110.0, 40.0, -20.0, -90.0, -210.0, -350.0])


@pytest.mark.slow
@pytest.mark.parametrize(("advantage", "draw_elo", "rounds"), [(30, 60, 10), (60, 200, 10), (0, 120, 50)])
def test_known_players_are_found_within_their_intervals(advantage: float, draw_elo: float, rounds: int) -> None:
    random = np.random.default_rng(5)
    model = np.moveaxis(chances(TRUTH, advantage, draw_elo), 0, -1)
    model[np.arange(8), np.arange(8), 1] = 1  # filled, that they add to 1; no such games are played
    games = rounds * (1 - np.eye(8, dtype=int))
    names = list("abcdefgh")
    truth = scale(draw_elo) * (TRUTH - TRUTH.mean())
    inside, between = [], []
    for _ in range(400):
        found = rate(names, np.moveaxis(random.multinomial(games, model), -1, 0).astype(float))
        at = by_name(found, names)
        inside.append(np.abs(found.elo[at] - truth) <= found.error[at])
        difference, error = found.difference("b", "g")
        between.append(abs(difference - truth[1] + truth[6]) <= error)
    assert 0.93 <= np.mean(inside) <= 0.97
    assert 0.92 <= np.mean(between) <= 0.98  # 400 draws alone: two deviations are 2 %
