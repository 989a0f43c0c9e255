"""What a page is told of a search while it goes on: in order, the newest, and all of the end."""

import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.board.packing import Names, numbers_of
from plyout.board.shown import Job, Shown
from plyout.board.telling import Teller


@pytest.fixture(scope="module")
def shown() -> Shown:
    board, limits = chess.Board(), Limits(nodes=200)
    result = Engine("mcc", hash_mb=4).search(board, limits)
    names = Names(board)
    return Shown(Job(5, board, limits, "mcc"), result.tree, result.history, numbers_of(result, names), names)


def told(shown: Shown, nodes: int, ended: bool = False, number: int = 5) -> Shown:
    """A moment of the search, recognised by its nodes."""
    assert isinstance(shown.said, dict)
    return replace(shown, said={**shown.said, "nodes": nodes}, ended=ended, job=replace(shown.job, number=number))


class Line:
    """What is sent; the first message waits until it may go."""

    def __init__(self) -> None:
        self.sent: queue.Queue[dict[str, Any]] = queue.Queue()
        self.stuck, self.free = threading.Event(), threading.Event()

    def send(self, message: dict[str, Any]) -> None:
        self.stuck.set()
        assert self.free.wait(30)
        self.sent.put(message)

    def searches(self) -> Iterator[int]:
        """The nodes of every message about a search."""
        while True:
            message = self.sent.get(timeout=30)
            if message["t"] == "search":
                yield message["nodes"]


def test_whoever_is_slow_gets_the_newest_and_the_search_does_not_wait(shown: Shown) -> None:
    line = Line()
    teller = Teller(0, line.send)
    began = time.monotonic()
    teller.soon(told(shown, 1))
    assert line.stuck.wait(30)
    for nodes in (2, 3, 4):
        teller.soon(told(shown, nodes))
    assert time.monotonic() - began < 30
    line.free.set()
    found = line.searches()
    assert [next(found), next(found)] == [1, 4]


def test_the_end_is_told_last(shown: Shown) -> None:
    line = Line()
    line.free.set()
    teller, found = Teller(0, line.send), line.searches()
    for nodes in range(100, 200):
        teller.soon(told(shown, nodes))
    teller.now(told(shown, 1000, ended=True))
    while next(found) != 1000:
        pass
    time.sleep(0.05)
    assert line.sent.empty()


def test_a_search_that_ends_after_another_was_loaded_is_not_told(shown: Shown) -> None:
    line = Line()
    line.free.set()
    teller, found = Teller(0, line.send), line.searches()
    teller.now(told(shown, 77, ended=True, number=9))
    assert next(found) == 77
    teller.now(told(shown, 78, ended=True, number=8))
    teller.now(told(shown, 79, ended=True, number=9))
    assert next(found) == 79
