"""Scalings keep the order of similarities and lie between 0 and 1; the online ones learn as they go."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plyout.errors import InputError
from plyout.search.similarity.scaling import (
    DynamicThreshold,
    Online,
    Raw,
    normalised,
    scaling_named,
    squashed,
    standardised,
)

observations = st.lists(st.floats(0, 1), min_size=2, max_size=40)


@given(observations)
def test_offline_scalings_are_bounded_and_keep_the_order(values: list[float]) -> None:
    for scale in (normalised, squashed):
        scaled = scale(values)
        assert ((scaled >= 0) & (scaled <= 1)).all()
        order = np.argsort(values, kind="stable")
        assert (np.diff(scaled[order]) >= 0).all()


def test_standardising_is_that_of_scipy() -> None:
    values = np.random.default_rng(1).random(50)
    assert standardised(values) == pytest.approx(stats.zscore(values, ddof=1))
    assert squashed(values) == pytest.approx(1 / (1 + np.exp(-stats.zscore(values, ddof=1))))
    assert not standardised([0.3, 0.3, 0.3]).any()


def test_online_scaling_follows_the_moving_average() -> None:
    """Equation 5.4 with α = 0.1: x1, then α x + (1 - α) mean."""
    scaling = Online(alpha=0.1)
    assert scaling.scaled(0.8) == 0.5, "the first is the mean itself"
    scaling.scaled(0.9)
    assert scaling.mean == pytest.approx(0.81)
    scaling.scaled(0.4)
    assert scaling.mean == pytest.approx(0.769)
    for _ in range(200):
        scaling.scaled(0.8)
        scaling.scaled(0.9)
    assert scaling.scaled(0.95) > 0.8
    assert scaling.scaled(0.7) < 0.2


@given(observations)
def test_online_scaling_is_a_probability(values: list[float]) -> None:
    scaling = Online()
    assert all(0 <= scaling.scaled(value) <= 1 for value in values)


def test_the_threshold_lies_between_the_centroids() -> None:
    scaling = DynamicThreshold()
    assert scaling.threshold == 0.5
    for value in (0.7, 0.8, 0.9):
        scaling.learn(value, persisted=True)
    for value in (0.5, 0.7):
        scaling.learn(value, persisted=False)
    assert scaling.threshold == pytest.approx((0.8 + 0.6) / 2)
    assert (scaling.scaled(0.71), scaling.scaled(0.69)) == (1.0, 0.0)


def test_scalings_have_names() -> None:
    assert isinstance(scaling_named("none"), Raw)
    assert Raw().scaled(0.3) == 0.3
    with pytest.raises(InputError, match="no scaling is called 'big': there are none, online, dynamic-threshold"):
        scaling_named("big")
