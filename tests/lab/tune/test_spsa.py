"""The arithmetic of SPSA, without games: gains, perturbations, the order of results, and optima that are known."""

import random
from itertools import pairwise
from math import sqrt

import pytest

from plyout.errors import InputError
from plyout.lab.statistics.estimate import score_of
from plyout.lab.tune.axis import Axis
from plyout.lab.tune.spsa import Gains, Point, Spsa, climb

AXES = (
    Axis("a", start=8.0, low=-10, high=10, step=1),
    Axis("b", start=0.002, low=0, high=0.01, step=0.0005),
    Axis("c", start=900, low=0, high=1000, step=50),
    Axis("n", start=20, low=0, high=40, step=2, whole=True),
)
OPTIMUM = {"a": 2.0, "b": 0.005, "c": 500.0, "n": 30.0}
LOSS = 5.0
"""Elo that a step away from the optimum costs; n steps cost n² as much."""


def loss(point: Point) -> float:
    return LOSS * sum(((point[axis.name] - OPTIMUM[axis.name]) / axis.step) ** 2 for axis in AXES)


def distance(point: Point) -> list[float]:
    """From the optimum, in steps."""
    return [abs(point[axis.name] - OPTIMUM[axis.name]) / axis.step for axis in AXES]


def coin_tosses(seed: int) -> random.Random:
    return random.Random(seed)


def play(chance: random.Random, plus: Point, minus: Point) -> float:
    """Two games without draws: by how many points the first is ahead. Their noise is the largest that there is."""
    expected = score_of(loss(minus) - loss(plus))
    return float(sum(1 if chance.random() < expected else -1 for _ in range(2)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_the_optimum_of_a_noisy_function(seed: int) -> None:
    spsa = Spsa(AXES, Gains(3000), seed)
    assert min(distance(spsa.point)) >= 5, "the start is far away"
    assert loss(spsa.point) > 800
    chance = coin_tosses(seed)
    climb(spsa, lambda plus, minus: play(chance, plus, minus))
    assert max(distance(spsa.point)) < 1, "no parameter is a step away"
    assert loss(spsa.point) < 10, "Elo: nearly all that the start gave away is won"


def test_parameters_that_do_not_matter_move_as_far_as_chance_is_said_to() -> None:
    moved = []
    said = []
    for seed in range(40):
        spsa = Spsa(AXES[:1] + AXES[2:3], Gains(300), seed)
        chance = coin_tosses(seed)
        climb(spsa, lambda plus, minus, chance=chance: float(chance.choice((-1, 0, 0, 1))))  # type: ignore[misc]
        point = spsa.point
        moved += [(point["a"] - 8) / 1, (point["c"] - 900) / 50]
        said.append(spsa.chance)
    spread = sqrt(sum(m**2 for m in moved) / len(moved))
    assert spread == pytest.approx(sum(said) / len(said), rel=0.25)  # of 80 moves: ± 16 % at 95 %


def test_the_gains_end_where_the_user_says() -> None:
    gains = Gains(1000, rate=0.02)
    assert gains.apart(999) == pytest.approx(1), "one step at the end"
    assert gains.move(999) == pytest.approx(0.02)
    assert gains.apart(0) == pytest.approx(1000**0.101)
    for pair in (0, 10, 500):  # a / (A + k + 1)^0.602 and c / (k + 1)^0.101, with a and c from their ends
        a, c = 0.02 * 1100**0.602, 1000**0.101
        assert gains.move(pair) == pytest.approx(a / (100 + pair + 1) ** 0.602 / (c / (pair + 1) ** 0.101))


def test_without_a_rate_chance_moves_a_parameter_by_about_a_step() -> None:
    for pairs in (1, 50, 5000):
        gains = Gains(pairs)
        assert sum(gains.move(k) ** 2 for k in range(pairs)) == pytest.approx(1)


def test_one_rate_serves_parameters_of_all_sizes() -> None:
    spsa = Spsa([Axis("x", 0, -100, 100, 1), Axis("y", 0, -1e6, 1e6, 1e4)], Gains(50))
    climb(spsa, lambda plus, minus: 1.0 if plus["x"] > minus["x"] else -1.0)
    x, y = zip(*spsa.path, strict=True)
    sizes = {round(abs(b - a), 9) for a, b in pairwise(x)}
    assert {round(abs(b - a) / 1e4, 9) for a, b in pairwise(y)} == sizes
    assert x[-1] > 5, "every pair said: more of x"


def test_perturbations_depend_on_seed_pair_and_name_alone() -> None:
    alone, both = Spsa(AXES[:1], Gains(100)), Spsa(AXES[::-1], Gains(100))
    for pair in (0, 7, 99):
        alone.path = [alone.path[0]] * 100
        both.path = [both.path[0]] * 100
        assert alone.tried(pair)[0]["a"] == both.tried(pair)[0]["a"]
    ups = sum(Spsa(AXES[:1], Gains(1), seed).tried(0)[0]["a"] > 8 for seed in range(400))
    assert 160 < ups < 240, "a fair coin"


@pytest.mark.parametrize("lag", [1, 4])
def test_results_in_any_order_give_the_same_path(lag: int) -> None:
    def result(pair: int) -> float:
        return float(pair * 7 % 5 - 2)

    straight, shuffled = (Spsa(AXES, Gains(40), lag=lag) for _ in range(2))
    for pair in range(40):
        straight.tell(pair, result(pair))
    order, chance = list(range(40)), random.Random(1)
    chance.shuffle(order)
    for pair in order:
        shuffled.tell(pair, result(pair))
    assert shuffled.path == straight.path
    assert shuffled.scores == straight.scores
    with pytest.raises(ValueError, match="already"):
        shuffled.tell(3, 0.0)


def test_a_pair_waits_for_the_results_it_starts_from() -> None:
    spsa = Spsa(AXES, Gains(10), lag=3)
    assert [spsa.ready(pair) for pair in range(5)] == [True, True, True, False, False]
    spsa.tell(1, 2.0)
    assert not spsa.ready(3), "the first has not ended"
    spsa.tell(0, 2.0)
    assert [spsa.ready(pair) for pair in range(6)] == [True] * 5 + [False]
    begun = spsa.tried(4)
    spsa.tell(2, -2.0)
    assert spsa.tried(4) == begun, "what ends meanwhile changes nothing"


def test_no_value_leaves_its_range() -> None:
    spsa = Spsa([Axis("x", 1, 0, 1, 0.4), Axis("n", 3, 0, 3, 1, whole=True)], Gains(60, rate=1))
    chance = coin_tosses(1)

    def compare(plus: Point, minus: Point) -> float:
        for point in (plus, minus):
            assert 0 <= point["x"] <= 1
            assert point["n"] in range(4)
        return chance.choice((-2.0, 2.0))

    climb(spsa, compare)
    assert all(0 <= x <= 1 and 0 <= n <= 3 for x, n in spsa.path)
    assert {x for x, _ in spsa.path} >= {0, 1}, "both ends were met"


def test_whole_numbers_are_rounded_by_chance_and_right_on_average() -> None:
    axis = Axis("n", 2, 0, 10, 0.5, whole=True)
    played = [axis.played(2.2, k / 1000) for k in range(1000)]
    assert set(played) == {2, 3}
    assert sum(played) / 1000 == pytest.approx(2.2, abs=0.002)
    spsa = Spsa([axis], Gains(50))
    assert all(abs(spsa.tried(0)[0]["n"] - spsa.tried(0)[1]["n"]) >= 1 for _ in range(50)), "the two always differ"


@pytest.mark.parametrize(
    "pairs, rate, problem", [(0, 0, "a pair of games"), (5, -1, "rate"), (5, float("nan"), "rate")]
)
def test_gains_that_make_no_sense_are_refused(pairs: int, rate: float, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Gains(pairs, rate)
