"""Every bit trick does what its definition over Python's unbounded integers says.

The file runs compiled and, started by `test_door.py`, interpreted.
"""

import ctypes
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plyout.kernel import BOUNDS_CHECKED, INTERPRETED, kernel, signed
from plyout.kernel.bits import (
    CALLBACK,
    address_of,
    at,
    atomic_add,
    bswap,
    byte_at,
    call_at,
    low,
    nth,
    popcount,
    put,
    rotl,
    shr,
    tail,
)

WORDS = st.integers(0, 2**64 - 1)
TOP = 1 << 63


@kernel
def tricks(x: int, k: int, r: int, out: Any) -> None:
    out[0] = popcount(x)
    out[1] = shr(x, k)
    out[2] = bswap(x)
    if k:  # turning by 0 is not defined
        out[3] = rotl(x, k)
    if x:  # 0 has no set bit to be found
        out[4] = low(x)
        out[5] = nth(x, r)


def results(x: int, k: int = 1, r: int = 0) -> list[int]:
    out = np.zeros(6, np.int64)
    tricks(np.int64(signed(x)), np.int64(k), np.int64(r), out)
    return [int(word) % 2**64 for word in out]


@given(WORDS, st.integers(0, 63))
@example(0, 1)
@example(TOP, 63)
@example(2**64 - 1, 32)
def test_counts_shifts_and_turns_are_those_of_the_bits_written_out(x: int, k: int) -> None:
    text = f"{x:064b}"
    pairs = [f"{x:016x}"[i : i + 2] for i in range(0, 16, 2)]
    expected = [text.count("1"), x // 2**k, int("".join(reversed(pairs)), 16), int(text[k:] + text[:k], 2) if k else 0]
    assert results(x, k)[:4] == expected


@given(WORDS.filter(bool), st.data())
@example(1, None)
@example(TOP, None)
@example(2**64 - 1, None)
def test_places_are_those_of_the_bits_in_order(x: int, data: st.DataObject | None) -> None:
    places = [i for i in range(64) if x >> i & 1]
    r = data.draw(st.integers(0, len(places) - 1)) if data else len(places) - 1
    assert results(x, r=r)[4:] == [places[0], places[r]]


@given(WORDS)
def test_signed_keeps_the_bits_and_fits_a_word(x: int) -> None:
    assert signed(x) % 2**64 == x
    assert -(2**63) <= signed(x) < 2**63


@kernel
def handle(a: Any, i: int, v: Any, out: Any) -> None:
    out[0] = at(a, i)
    put(a, i, v)
    view = tail(a, i)
    out[1] = view.size
    out[2] = view[0]
    out[3] = atomic_add(view, 0, v)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("i", [0, 3, 9])
def test_raw_array_access_reaches_the_same_words_as_indexing(kind: Any, i: int) -> None:
    a = np.arange(10, 20).astype(kind)
    out = np.zeros(4, kind)
    handle(a, i, kind(-7), out)
    assert out.tolist() == [10 + i, 10 - i, -7, -7]
    assert a.tolist() == [10 + j if j != i else -14 for j in range(10)]


@kernel
def bytes_of(a: Any, callback: int, out: Any) -> None:
    for i in range(out.size - 1):
        out[i] = byte_at(address_of(a) + i)
    out[out.size - 1] = call_at(callback, address_of(a))


def test_addresses_lead_to_bytes_and_to_python_functions() -> None:
    a = np.array([signed(0x88776655443322FF), 7], np.int64)
    asked: list[int] = []

    def answer(address: int) -> int:
        asked.append(address)
        return -(2**40)

    function = CALLBACK(answer)
    out = np.zeros(17, np.int64)
    bytes_of(a, np.int64(ctypes.cast(function, ctypes.c_void_p).value), out)
    assert out[:16].tolist() == list(a.tobytes())
    assert (out[16], asked) == (-(2**40), [a.ctypes.data])


@kernel
def reach(a: Any, i: int) -> int:
    return at(a, i)


@pytest.mark.skipif(INTERPRETED or not BOUNDS_CHECKED, reason="only compiled with NUMBA_BOUNDSCHECK=1")
@pytest.mark.parametrize("i", [-1, 10])
def test_checked_access_refuses_what_lies_outside(i: int) -> None:
    with pytest.raises(IndexError):
        reach(np.zeros(10, np.int64), i)


@kernel
def count_up(a: Any, times: int) -> None:
    for _ in range(times):
        atomic_add(a, 0, 1)


@pytest.mark.skipif(INTERPRETED, reason="plain Python takes the steps of an addition one by one")
def test_threads_that_add_atomically_lose_nothing() -> None:
    times = 2_000_000
    a = np.zeros(1, np.int64)
    count_up(a, 0)  # compiled before the threads start, so that they overlap
    threads = [threading.Thread(target=count_up, args=(a, times)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert a[0] == 2 * times
