"""Limits are checked when they are set, and never ask for more time than there is."""

import math

import pytest

from plyout.errors import InputError
from plyout.search.limits import Limits


def test_a_search_needs_a_limit() -> None:
    with pytest.raises(InputError, match="needs a limit"):
        Limits()
    with pytest.raises(InputError, match="needs a limit"):
        Limits(increment=100.0, moves_to_go=3)


@pytest.mark.parametrize("name", ["nodes", "playouts", "movetime", "clock", "increment", "moves_to_go", "mate"])
@pytest.mark.parametrize("value", [-1, math.nan])
def test_no_limit_is_negative(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"{name} must not be negative"):
        Limits(**{"nodes": 1, name: value})


def test_times_are_milliseconds() -> None:
    assert Limits(movetime=1500).seconds(0.05) == 1.5
    assert Limits(clock=60_000).seconds(0.05) == 3.0
    assert Limits(nodes=5).seconds(0.05) == math.inf
    assert Limits(infinite=True).seconds(0.05) == math.inf
    assert Limits(infinite=True, movetime=5, clock=60_000).seconds(0.05) == 0.005, "the first limit counts"


@pytest.mark.parametrize("fraction", [0.001, 0.05, 0.5, 1.0])
@pytest.mark.parametrize("moves_to_go", [None, 0, 1, 2, 40, 1000])
def test_the_clock_is_never_used_up(fraction: float, moves_to_go: int | None) -> None:
    for clock in (5.0, 30.0, 1000.0, 60_000.0):
        for increment in (0.0, 100.0, 5000.0):
            for overhead in (0.0, 1.0):
                limits = Limits(clock=clock, increment=increment, moves_to_go=moves_to_go)
                seconds = limits.seconds(fraction, overhead)
                assert 0 < seconds <= 0.8 * clock / 1000, (limits, seconds)


def test_more_moves_to_go_leave_less_for_each() -> None:
    shares = [Limits(clock=60_000, moves_to_go=n).seconds(0.01) for n in (1, 5, 20, 40)]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 4
