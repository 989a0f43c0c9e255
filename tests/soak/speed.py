"""Measure what must be fast, on a quiet machine, and say what is slower than it should be.

    python tests/soak/speed.py

The suite checks what is done and never how long it takes: on a busy machine that would fail for no fault of ours.
"""

import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from plyout import Engine, Limits, Stop
from plyout.games.chess.board import CLOCK, load
from plyout.games.chess.border import from_board
from plyout.kernel import kernel
from plyout.knowledge.books.book import open_book, own_book
from plyout.knowledge.books.openings import read_openings
from plyout.knowledge.tables import ENDINGS, open_tables
from plyout.knowledge.tables.probe import probe
from tests.conftest import DATA
from tests.knowledge.tables import oracle
from tests.positions import KIWIPETE
from tests.uci.client import Talk

OPENINGS = DATA / "openings"


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    work()
    return clock() - began


def hello() -> float:
    """From the start of the process to ``uciok``."""
    talk: list[Talk] = []

    def ask() -> None:
        talk.append(Talk("uci"))
        talk[0].send("uci")
        talk[0].until("uciok")

    found = seconds(ask)
    talk[0].close()
    return found


def lateness() -> float:
    """The worst of ``bestmove`` after ``go movetime``."""
    talk, worst = Talk("uci"), 0.0
    talk.ready()
    for milliseconds in (20, 100, 400) * 5:
        talk.ask("ucinewgame")
        began = time.perf_counter()
        talk.send(f"go movetime {milliseconds}")
        worst = max(worst, talk.timed_until("bestmove")[-1][0] - began - milliseconds / 1000)
    talk.close()
    return worst


def stops(threads: int) -> float:
    """The worst time from `Stop.set` to the result."""
    engine = Engine("mcc-combined", hash_mb=64, threads=threads)
    engine.prepare()
    worst = 0.0
    for i in range(50):
        engine.new_game()
        stop, called = Stop(), [0.0]

        def end(stop: Stop = stop, called: list[float] = called) -> None:
            called[0] = time.perf_counter()
            stop.set()

        timer = threading.Timer(0.02 + 0.002 * (i % 10), end)
        timer.start()
        engine.search(KIWIPETE, Limits(infinite=True), stop=stop)
        worst = max(worst, time.perf_counter() - called[0])
        timer.join()
    return worst


@kernel
def _ask(states: Any, size: int, directory: Any, repeats: int) -> int:
    total = 0
    for _ in range(repeats):
        for first in range(0, states.size, size):
            total += probe(load(states[first : first + size]), directory)
    return total


def table_probe() -> float:
    """A probe of the endgame tables of three pieces, inside a kernel."""
    tables, rng = open_tables(3), random.Random(7)
    endings = [ENDINGS[name] for name in ("KQK", "KRK", "KPK")]
    boards = [oracle.random_position(rng.choice(endings), rng) for _ in range(2000)]
    size = CLOCK + 1  # the words of a state that a position is in; the rest is history
    states = np.concatenate([from_board(board)[:size] for board in boards])
    _ask(states, size, tables.directory, 1)
    return min(seconds(lambda: _ask(states, size, tables.directory, 10)) for _ in range(20)) / 10 / len(boards)


def lichess_openings() -> float:
    """Reading all lines of Lichess's openings, in processor time."""
    read_openings([OPENINGS / "a.tsv"])
    return seconds(lambda: read_openings([OPENINGS]), time.process_time)


def book_lookup() -> float:
    """A lookup in an opening book, in processor time."""
    book = open_book(OPENINGS) if OPENINGS.is_dir() else own_book()
    boards = []
    for line in ("", "e4", "e4 e5 Nf3 Nc6 Bb5", "d4 Nf6 c4 g6 Nc3 d5", "a3 a6 a4"):
        boards.append(chess.Board())
        for move in line.split():
            boards[-1].push_san(move)
    return seconds(lambda: [book.lookup(board) for board in boards * 20], time.process_time) / 20 / len(boards)


MEASURES: list[tuple[str, Callable[[], float], float]] = [
    ("start to uciok", hello, 1.0),
    ("movetime overstepped", lateness, 0.02),
    ("stop, one thread", lambda: stops(1), 0.05),
    ("stop, two threads", lambda: stops(2), 0.05),
    ("table probe in a kernel", table_probe, 200e-9),
    ("book lookup", book_lookup, 1e-3),
]
if OPENINGS.is_dir():
    MEASURES.append(("Lichess's openings read", lichess_openings, 2.0))


def shown(value: float) -> str:
    unit, factor = next(
        (u, f) for u, f in (("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)) if value * f >= 1 or f == 1e9
    )
    return f"{value * factor:.3g} {unit}"


def main() -> None:
    slow = 0
    for name, measure, most in MEASURES:
        found = measure()
        slow += found > most
        print(f"{name:26} {shown(found):>10}, at most {shown(most):>7}{'  <- too slow' if found > most else ''}")
    if slow:
        print(f"{slow} too slow, with {os.cpu_count()} cores and a load of {os.getloadavg()[0]:.1f}")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
