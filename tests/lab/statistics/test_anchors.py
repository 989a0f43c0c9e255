"""Ratings on the scale of players whose strength is known."""

import numpy as np
import pytest
from scipy.optimize import minimize

from plyout.errors import InputError
from plyout.lab.record import Game
from plyout.lab.statistics.ratings import interval, rate, ratings
from tests.lab.statistics.test_ratings import Floats, by_name, chances, scale

TRUTH = np.array([2350.0, 1800.0, 2100.0, 2600.0])  # the first is the player; the last two are anchors


def only_the_first_plays(results: Floats) -> Floats:
    """A gauntlet's results: the others have not met each other."""
    found = results.copy()
    found[:, 1:, 1:] = 0
    return found


def won(player: str, rival: str, pairs: int) -> list[Game]:
    return [
        Game(pair, *colours, "1-0" if colours[0] == player else "0-1", "mate")
        for pair in range(pairs)
        for colours in ((player, rival), (rival, player))
    ]


def drawn(player: str, rival: str, pairs: int) -> list[Game]:
    return [Game(pair, *colours, "1/2-1/2", "repetition") for pair in range(pairs)
            for colours in ((player, rival), (rival, player))]  # fmt: skip


def test_results_as_expected_give_back_who_is_not_anchored_and_leave_who_is() -> None:
    results = only_the_first_plays(1000 * chances((TRUTH - 2000) / scale(120), 40, 120))
    found = rate(list("abcd"), results, prior=0, anchors={"c": 2100, "d": 2600})
    assert found.elo[by_name(found, list("abcd"))] == pytest.approx(TRUTH, abs=1e-3)
    assert (found.advantage, found.draw_elo) == (pytest.approx(40), pytest.approx(120))
    errors = found.error[by_name(found, list("abcd"))]
    assert errors[2:] == pytest.approx([0, 0], abs=1e-9)
    assert 5 < errors[0] < errors[1], "who is known through the player alone is known less well"


def test_a_general_optimiser_finds_the_same_between_anchors() -> None:
    random = np.random.default_rng(11)
    truth = chances((TRUTH - 2000) / scale(150), 30, 150)
    results = only_the_first_plays(random.poisson(12 * truth).astype(float))

    def cost(theta: Floats) -> float:
        elo = np.append(theta[:2], [100.0, 600.0]) / scale(theta[3])
        return -float((results * np.log(np.maximum(chances(elo, theta[2], theta[3]), 1e-300))).sum())

    best = minimize(cost, [0, 0, 0, 90.0], method="Powell", tol=1e-12)
    found = rate(list("abcd"), results, prior=0, anchors={"c": 2100, "d": 2600})
    assert found.draw_elo == pytest.approx(best.x[3], abs=0.05)
    assert found.elo[by_name(found, ["a", "b"])] - 2000 == pytest.approx(best.x[:2], abs=0.05)


def test_a_player_as_good_as_an_anchor_has_its_rating() -> None:
    found = interval(drawn("me", "known", 10), "me", {"known": 1950})
    assert found.elo == pytest.approx(1950, abs=1)
    assert found.high - found.elo == pytest.approx(found.elo - found.low, rel=0.02)


def test_clean_scores_stay_finite_and_their_interval_is_longer_on_the_open_side() -> None:
    found = interval(won("me", "known", 10), "me", {"known": 1950})
    assert 2100 < found.low < found.elo < found.high < 3200
    assert found.high - found.elo > 1.2 * (found.elo - found.low)
    lost = interval(won("known", "me", 10), "me", {"known": 1950})
    assert lost.elo - 1950 == pytest.approx(1950 - found.elo, abs=0.5)


def test_all_wins_against_one_rung_do_not_hide_what_another_tells() -> None:
    found = interval(won("me", "weak", 3) + drawn("me", "even", 20), "me", {"weak": 1200, "even": 2000})
    assert found.low < 2000 < found.high
    assert found.elo == pytest.approx(2000, abs=20)


def test_few_games_mostly_against_strangers_have_an_interval() -> None:
    games = won("known", "me", 1) + won("me", "weak", 1) + won("strong", "me", 1)
    games += [Game(9, "me", "even", "1/2-1/2", "repetition"), Game(9, "even", "me", "1-0", "mate")]
    found = interval(games, "me", {"known": 2250})
    assert 1400 < found.low < found.elo < 2250 < found.high < 2500


def test_games_against_a_stranger_rate_the_stranger_and_not_the_player() -> None:
    known = drawn("me", "known", 20) + won("me", "weaker", 3)
    anchors = {"known": 2000.0, "weaker": 1700.0}
    alone, both = (ratings(games, anchors=anchors) for games in (known, known + won("stranger", "me", 4)))
    assert both.players[0] == "stranger"
    mine = [found.elo[found.players.index("me")] for found in (alone, both)]
    assert mine[1] == pytest.approx(mine[0], abs=5)


def test_without_an_anchor_that_has_played_there_is_no_rating() -> None:
    with pytest.raises(InputError, match="no game is against a player of known rating"):
        interval(drawn("me", "stranger", 2), "me", {"known": 2000})
