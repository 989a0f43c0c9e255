"""The random numbers are SplitMix64's, and numbers below n are drawn exactly uniformly.

The file runs compiled and, started by `test_door.py`, interpreted.
"""

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import example, given
from hypothesis import strategies as st

from plyout.kernel import INTERPRETED, kernel, signed
from plyout.kernel.random import GAMMA, below, mix, stream

# https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
PUBLISHED = {
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
}
GOLDEN = 0x9E3779B97F4A7C15

# Lemire's method draws again with probability (2^32 mod n) / 2^32: a third or a quarter of the time here.
OFTEN_REJECTED = [2**32 // 3 + 1, 2**30 + 1]


@kernel
def outputs(state: int, out: Any) -> None:
    for i in range(out.size):
        state += GAMMA
        out[i] = mix(state)


@kernel
def draws(state: int, n: int, out: Any) -> int:
    for i in range(out.size):
        out[i], state = below(state, n)
    return state


@kernel
def streams(first_seed: int, out: Any) -> None:
    """100 streams of each of out.size / 100 seeds."""
    for i in range(out.size):
        out[i] = stream(first_seed + i // 100, i % 100)


@kernel
def known_ranges(out: Any) -> None:
    for i in range(out.size):
        out[i] = mix((i & 127) + GAMMA)


def splitmix(state: int) -> int:
    """The output for a state, over Python's unbounded integers."""
    z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def lemire(state: int, n: int) -> tuple[int, int]:
    """Accept those of the 2^32 outcomes that leave the same number of them for each result."""
    while True:
        state = (state + GOLDEN) % 2**64
        result, rest = divmod((splitmix(state) >> 32) * n, 2**32)
        if rest >= 2**32 % n:
            return result, state


@pytest.mark.parametrize("seed", PUBLISHED)
def test_outputs_are_the_published_ones(seed: int) -> None:
    out = np.empty(5, np.int64)
    outputs(np.int64(seed), out)
    assert [int(x) % 2**64 for x in out] == PUBLISHED[seed]


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31 - 1))
@example(1, 1)
@example(1, 2**31 - 1)
@example(1, OFTEN_REJECTED[0])
@example(2, OFTEN_REJECTED[1])
def test_below_is_lemires_method(seed: int, n: int) -> None:
    """Equal states afterwards mean that equally many draws were rejected."""
    out = np.empty(20, np.int64)
    end = int(draws(np.int64(signed(seed)), np.int64(n), out))
    expected = []
    state = seed
    for _ in range(20):
        result, state = lemire(state, n)
        expected.append(result)
    assert (out.tolist(), end % 2**64) == (expected, state)


@pytest.mark.parametrize("n", OFTEN_REJECTED)
def test_below_draws_again_where_it_must(n: int) -> None:
    out = np.empty(1000, np.int64)
    end = int(draws(np.int64(0), np.int64(n), out))
    steps = end * pow(GOLDEN, -1, 2**64) % 2**64
    share = 2**32 % n / 2**32
    assert 1 - 1000 / steps == pytest.approx(share, abs=0.07)


@pytest.mark.parametrize("n", [2, 3, 7, 20, 218])
def test_below_is_uniform(n: int) -> None:
    out = np.empty(4_000 if INTERPRETED else 200_000, np.int64)
    draws(np.int64(n), np.int64(n), out)
    assert scipy.stats.chisquare(np.bincount(out, minlength=n)).pvalue > 1e-4


def test_states_wrap_around_like_unsigned_words() -> None:
    """The compiler must not take a signed overflow for impossible, as it may where it knows the operands' ranges."""
    out = np.empty(256, np.int64)
    known_ranges(out)
    assert [int(x) % 2**64 for x in out] == [splitmix((i % 128 + GOLDEN) % 2**64) for i in range(256)]


def test_streams_of_near_seeds_and_numbers_are_all_different() -> None:
    out = np.empty(10_000, np.int64)
    streams(np.int64(-50), out)
    assert len(set(out.tolist())) == out.size
