"""Small integers at an address are those of the array that begins there.

The file runs compiled and, started by `test_door.py`, interpreted.
"""

from typing import Any

import numpy as np
import pytest

from plyout.kernel import BOUNDS_CHECKED, INTERPRETED, at, inlined, int8_at, int16_at, int32_at, kernel

KINDS = [np.int8, np.int16, np.int32]


@inlined
def weighted_sum(a: Any, b: Any) -> int:
    total = 0
    for i in range(a.size):
        total += np.int64(a[i]) * np.int64(at(b, i))
    return total


@kernel
def sum_of_products(bits: int, first: int, second: int, count: int) -> int:
    if bits == 8:
        return weighted_sum(int8_at(first, count), int8_at(second, count))
    if bits == 16:
        return weighted_sum(int16_at(first, count), int16_at(second, count))
    return weighted_sum(int32_at(first, count), int32_at(second, count))


@kernel
def double(address: int, count: int) -> None:
    a = int16_at(address, count)
    for i in range(count):
        a[i] = np.int16(np.int64(a[i]) * 2)


@kernel
def item(address: int, count: int, i: int) -> int:
    return np.int64(at(int8_at(address, count), i))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_numbers_read_at_an_address_are_those_of_the_array(kind: Any, count: int) -> None:
    limits = np.iinfo(kind)
    rng = np.random.default_rng(count)
    a, b = rng.integers(max(limits.min, -(2**24)), min(limits.max, 2**24), (2, count), kind, endpoint=True)
    found = sum_of_products(limits.bits, a.ctypes.data, b.ctypes.data, count)
    assert found == sum(int(x) * int(y) for x, y in zip(a, b, strict=True))


def test_an_array_at_an_address_can_be_written() -> None:
    a = np.array([1, -2, 300, 20_000], np.int16)
    double(a.ctypes.data, 3)
    assert a.tolist() == [2, -4, 600, 20_000]


@pytest.mark.skipif(not INTERPRETED and not BOUNDS_CHECKED, reason="only interpreted or with NUMBA_BOUNDSCHECK=1")
def test_what_lies_behind_the_count_is_refused() -> None:
    a = np.arange(10, dtype=np.int8)
    assert item(a.ctypes.data, 5, 4) == 4
    with pytest.raises(IndexError):
        item(a.ctypes.data, 5, 5)
