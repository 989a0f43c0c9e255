from math import log

import numpy as np
import pytest
from scipy.optimize import minimize

from plyout.errors import InputError
from plyout.lab.statistics.estimate import score_of
from plyout.lab.statistics.sprt import likeliest, llr, sprt
from tests.lab.statistics.simulate import SCORES, five

# What fishtest showed, from the pull requests of official-stockfish/Stockfish that quote it.
LOGISTIC = [
    ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),  # 2493, STC
    ((1284, 17437, 55536, 18085, 1292), 0.0, 2.0, 2.94),  # 2493, LTC
    ((243, 1665, 3339, 1762, 281), -1.5, 0.5, 2.95),  # 2598, STC
    ((444, 5546, 17841, 5604, 428), -1.5, 0.5, 2.63),  # 2598, LTC
    ((665, 4806, 9333, 4893, 747), -0.5, 1.5, 2.95),  # 2920, STC
    ((328, 4564, 15580, 4789, 371), 0.25, 1.75, 2.98),  # 2920, LTC
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),  # 3209, STC
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),  # 3209, LTC
]
NORMALIZED = [
    ((320, 12431, 27275, 12858, 316), 0.0, 2.0, 2.95),  # 6019, STC
    ((197, 45541, 117722, 46579, 228), 0.5, 2.5, 2.96),  # 6019, LTC
    ((327, 8113, 21317, 8168, 347), -2.25, 0.25, 2.96),  # 3972
    ((147, 343, 642, 402, 176), 0.0, 10.0, 2.95),  # ProgramciDusunur/Potential 14
    ((214, 8992, 19871, 9102, 235), 0.0, 2.5, 0.16),  # Yoshie2000/PlentyChess 334
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "ratio"), LOGISTIC)
def test_ratios_of_logistic_elo_are_fishtests(counts: tuple[int, ...], elo0: float, elo1: float, ratio: float) -> None:
    assert sprt(counts, elo0, elo1).llr == pytest.approx(ratio, abs=0.0101)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "ratio"), NORMALIZED)
def test_ratios_of_normalized_elo_are_fishtests(
    counts: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert sprt(counts, elo0, elo1, model="normalized").llr == pytest.approx(ratio, abs=0.0101)


def test_the_likeliest_distribution_is_what_a_general_optimiser_finds() -> None:
    shares, score = np.array([0.05, 0.2, 0.45, 0.2, 0.1]), score_of(40)
    found = likeliest(shares, SCORES - score)
    assert found.sum() == pytest.approx(1)
    assert found @ SCORES == pytest.approx(score)
    constraints = [{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ SCORES - score}]
    other = minimize(lambda p: -shares @ np.log(p), shares, bounds=[(1e-9, 1)] * 5, constraints=constraints, tol=1e-12)
    assert found == pytest.approx(other.x, abs=1e-4)


def test_two_outcomes_have_a_closed_form() -> None:
    p0, p1 = score_of(-10), score_of(20)
    expected = 60 * log(p1 / p0) + 40 * log((1 - p1) / (1 - p0))
    assert sprt((40, 0, 0, 0, 60), -10, 20).llr == pytest.approx(expected, abs=0.01)


def test_bounds_and_decisions() -> None:
    nothing = sprt((0, 0, 0, 0, 0), 0, 5)
    assert (nothing.decision, nothing.llr) == (None, pytest.approx(0, abs=0.01))
    assert (nothing.lower, nothing.upper) == (pytest.approx(-2.944, abs=1e-3), pytest.approx(2.944, abs=1e-3))
    uneven = sprt((0, 0, 0, 0, 0), 0, 5, alpha=0.05, beta=0.1)
    assert (uneven.lower, uneven.upper) == (pytest.approx(log(0.1 / 0.95)), pytest.approx(log(0.9 / 0.05)))
    assert sprt((0, 0, 0, 0, 100), 0, 50).decision == "H1"
    assert sprt((100, 0, 0, 0, 0), 0, 50).decision == "H0"


@pytest.mark.parametrize("arguments", [((1, 2, 3), 0, 5), ((1, 2, -3, 4, 5), 0, 5), ((1, 2, 3, 4, 5), 5, 5)])
def test_nonsense_is_named(arguments: tuple[tuple[int, ...], float, float]) -> None:
    with pytest.raises(InputError):
        sprt(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "bias"), [(0.2, 0.0), (0.6, 150.0)])
def test_errors_are_as_rare_as_promised(draws: float, bias: float) -> None:
    """Five hundred tests of [0, 50] Elo under each hypothesis, looked at after every fourth pair."""
    random = np.random.default_rng(1)
    bound = log(0.95 / 0.05)
    lengths = []
    for truth, wrong_is_above in ((0.0, True), (50.0, False)):
        elo = truth_elo(truth, draws, bias)
        pairs = np.eye(5)[random.choice(5, (500, 800), p=five(elo, draws, bias))]
        ratios = llr(pairs.cumsum(1)[:, 3::4], 0, 50)
        ended = np.abs(ratios) >= bound
        assert ended.any(1).mean() > 0.99
        first = ended.argmax(1)
        above = ratios[np.arange(500), first] > 0
        assert np.mean(above == wrong_is_above) < 0.07  # 5% and two deviations of five hundred tests
        lengths.append(4 * first.mean() + 4)
    variance = five(0, draws, bias) @ (SCORES - 0.5) ** 2
    step = (score_of(50) - 0.5) ** 2 / (2 * variance)  # Wald: 0.9 of a bound, in steps of the mean ratio
    for length in lengths:  # somewhat longer, for the last pairs carry the ratio beyond the bound
        assert 0.9 * bound / step < length < 1.35 * 0.9 * bound / step


def truth_elo(elo: float, draws: float, bias: float) -> float:
    """The model's difference whose expected score is that of `elo`."""
    tries = np.linspace(elo - 5, 3 * elo + 5, 2000)
    scores = np.array([five(t, draws, bias) @ SCORES for t in tries])
    return float(tries[np.abs(scores - score_of(elo)).argmin()])
