"""Kernels read and write the fields of records, alone and among threads, and borrow what holds them.

The file runs compiled and, started by `test_door.py`, interpreted.
"""

import sys
import threading
from typing import Any, NamedTuple

import numpy as np
import pytest

from plyout.kernel import (
    INTERPRETED,
    add_to,
    atomic_add,
    atomic_load,
    atomic_swap,
    borrowed,
    inlined,
    kernel,
    record_at,
)

PLACE = np.dtype(
    (
        np.record,
        np.dtype([("key", np.int64), ("visits", np.float64), ("child", np.int32), ("in_flight", np.int16)], align=True),
    )
)


class Store(NamedTuple):
    """Arrays and plain numbers side by side, as rules and workspaces have them."""

    places: Any
    words: Any
    number: int
    share: float
    ready: bool


def new_store(count: int = 4) -> Store:
    places = np.zeros(count, PLACE)
    places["key"] = np.arange(count) * 10
    return Store(places, np.arange(count), np.int64(7), 0.25, True)


# -- records ----------------------------------------------------------------------------------------------------------


@kernel
def visit(places: Any, i: int) -> float:
    place = record_at(places, i)
    place.visits = place.visits + 1.5
    record_at(places, i).child = np.int64(place.key) + 1
    return float(record_at(places, i).visits)


def test_a_record_is_the_place_itself_and_not_a_copy() -> None:
    places = new_store().places
    assert [visit(places, 2), visit(places, 2)] == [1.5, 3.0]
    assert places["visits"].tolist() == [0.0, 0.0, 3.0, 0.0]
    assert places["child"].tolist() == [0, 0, 21, 0]
    assert places["key"].tolist() == [0, 10, 20, 30]


@kernel
def add(places: Any, i: int, shared: bool) -> None:
    place = record_at(places, i)
    add_to(place, "visits", 0.75, shared)
    add_to(place, "child", -3, shared)
    add_to(place, "in_flight", 1, shared)
    add_to(place, "key", 1 << 40, shared)


@pytest.mark.parametrize("shared", [False, True])
def test_adding_to_a_field_leaves_its_neighbours_alone(shared: bool) -> None:
    places = new_store().places
    for _ in range(2):
        add(places, 1, shared)
    assert places[1].tolist() == (10 + (2 << 40), 1.5, -6, 2)
    assert [places[i].tolist() for i in (0, 2, 3)] == [(10 * i, 0.0, 0, 0) for i in (0, 2, 3)]


@kernel
def atomics(places: Any, i: int, out: Any) -> None:
    place = record_at(places, i)
    out[0] = atomic_load(place, "child")
    out[1] = atomic_swap(place, "child", np.int32(0), np.int32(9))
    out[2] = atomic_load(place, "child")
    out[3] = atomic_swap(place, "child", np.int32(0), np.int32(5))
    out[4] = atomic_add(place, "child", np.int32(2))
    out[5] = atomic_load(place, "child")
    out[6] = atomic_add(place, "key", 100)
    out[7] = atomic_load(place, "key")


def test_atomics_on_a_field_return_what_was_there_and_swap_only_what_they_expect() -> None:
    places, out = new_store().places, np.zeros(8, np.int64)
    atomics(places, 3, out)
    assert out.tolist() == [0, 1, 9, 0, 9, 11, 30, 130]
    assert places[3].tolist() == (130, 0.0, 11, 0)


@kernel
def atomics_of_array(words: Any, out: Any) -> None:
    out[0] = atomic_load(words, 2)
    out[1] = atomic_swap(words, 2, 2, 50)
    out[2] = atomic_swap(words, 2, 2, 60)
    out[3] = atomic_add(words, 2, 5)


def test_atomics_on_arrays_do_the_same() -> None:
    words, out = np.arange(4), np.zeros(4, np.int64)
    atomics_of_array(words, out)
    assert (words.tolist(), out.tolist()) == ([0, 1, 55, 3], [2, 1, 0, 50])


@kernel
def count_up(places: Any, times: int) -> None:
    for _ in range(times):
        add_to(record_at(places, 0), "visits", 1.0, True)
        add_to(record_at(places, 0), "in_flight", 1, True)
        atomic_add(record_at(places, 0), "child", np.int32(1))
        add_to(record_at(places, 0), "in_flight", -1, True)


@pytest.mark.skipif(INTERPRETED, reason="plain Python takes the steps of an addition one by one")
def test_threads_that_add_to_one_record_lose_nothing() -> None:
    times = 500_000
    places = new_store().places
    count_up(places, 0)  # compiled before the threads start, so that they overlap
    threads = [threading.Thread(target=count_up, args=(places, times)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert places[0].tolist() == (0, 2.0 * times, 2 * times, 0)


# -- borrowing --------------------------------------------------------------------------------------------------------


@inlined
def _sum(store: Store) -> float:
    total = store.number + store.share if store.ready else 0.0
    for i in range(store.words.size):
        total += store.words[i] + store.places[i].key
    return total


@kernel
def borrow(store: Store, more: Any) -> float:
    store, more = borrowed((store, more))
    store.places[0].visits = 5.0
    more[0] = borrowed(store.number) + borrowed(2)
    return float(_sum(store))


def test_what_is_borrowed_is_the_same_and_plain_numbers_pass_through() -> None:
    store, more = new_store(), np.zeros(1, np.int64)
    assert borrow(store, more) == 7.25 + (0 + 1 + 2 + 3) + (0 + 10 + 20 + 30)
    assert store.places["visits"][0] == 5.0
    assert more[0] == 9


def test_borrowing_leaves_the_owners_count_as_it_was() -> None:
    store, more = new_store(), np.zeros(1, np.int64)
    borrow(store, more)
    before = [sys.getrefcount(array) for array in (store.places, store.words, more)]
    for _ in range(100):
        borrow(store, more)
    assert [sys.getrefcount(array) for array in (store.places, store.words, more)] == before
