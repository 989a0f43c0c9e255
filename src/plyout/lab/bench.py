"""``plyout bench``: our speed beside that of others, measured in one run.

Machines are shared and noisy, so every measurement is repeated in turn with its rivals, the median is kept, and what
counts is the ratio. Rows have names that stay when their words change, and all rows and rivals are in every answer:
``--json`` of two versions can be compared row by row.
"""

import contextlib
import importlib.util
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import chess
import numpy as np
from rich.table import Table

from plyout.engine import Engine, Limits, Stop
from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, TICTACTOE, Game
from plyout.lab.report.terminal import terminal
from plyout.networks.positions import Positions
from plyout.lab.children import child
from plyout.lab.match.players import find_program
from plyout.playout.random import random_games
from plyout.progress import Progress

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
OURS = "plyout"
Rate = Callable[[], float]
"""Does the work once; units of it a second."""
Setup = Callable[[], Rate | None]
"""Makes everything ready, compiled and loaded; None where the rival is not installed."""


@dataclass
class Contest:
    """One kind of work, done by us and by others. Nothing is made ready before it is measured."""

    name: str  # of its row for programs: it never changes
    work: str
    unit: str
    ours: Setup
    rivals: dict[str, Setup] = field(default_factory=dict)
    rates: dict[str, float | None] = field(default_factory=dict)
    """what was measured: ours and every rival's, None for one that is not installed"""

    def measure(self, rounds: int) -> None:
        rates = {name: make() for name, make in {OURS: self.ours, **self.rivals}.items()}
        figures: dict[str, list[float]] = {name: [] for name, rate in rates.items() if rate is not None}
        for _ in range(rounds):
            for name, found in figures.items():
                rate = rates[name]
                assert rate is not None
                found.append(rate())
        self.rates = {name: statistics.median(figures[name]) if name in figures else None for name in rates}

    def ratio(self, rival: str) -> float | None:
        """How many times as fast as a rival we are."""
        ours, theirs = self.rates[OURS], self.rates[rival]
        return None if ours is None or theirs is None else ours / theirs

    def as_dict(self) -> dict[str, Any]:
        """The row for programs: the same keys on every machine."""
        ratios = {name: self.ratio(name) for name in self.rivals}
        return {"name": self.name, "work": self.work, "unit": self.unit, "rates": self.rates, "ratios": ratios}


def _timed(work: Callable[[], int]) -> float:
    """Units of work a second."""
    began = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - began)


def _our_perft(fen: str, depth: int) -> Rate:
    state = CHESS.parse(fen)
    CHESS.perft(state, 2)
    return lambda: _timed(lambda: CHESS.perft(state, depth))


def _our_games(game: Game, count: int) -> Rate:
    state = game.start()
    random_games(game, state, 1, 0, 1)

    def work() -> int:
        random_games(game, state, 1, 0, count)
        return count

    return lambda: _timed(work)


def python_chess_count(board: chess.Board, depth: int) -> int:
    """How many sequences of so many moves python-chess finds."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += python_chess_count(board, depth - 1)
        board.pop()
    return total


def _python_chess_perft(fen: str, depth: int) -> Rate:
    return lambda: _timed(lambda: python_chess_count(chess.Board(fen), depth))


def _python_chess_games(count: int) -> Rate:
    def work() -> int:
        generator = random.Random(1)
        for _ in range(count):
            board = chess.Board()
            while not board.is_insufficient_material() and board.halfmove_clock < 100:
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(generator.choice(moves))
        return count

    return lambda: _timed(work)


def _stockfish_perft(fen: str, depth: int) -> Rate | None:
    program = ""
    with contextlib.suppress(InputError):
        program = find_program("stockfish")
    if not program:
        return None

    def rate() -> float:
        with child([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
            to, back = engine.stdin, engine.stdout
            assert to and back

            def ask(command: str, answer: str) -> str:
                to.write(command.encode() + b"\n")
                found = next((line for line in back if line.startswith(answer.encode())), None)
                if found is None:
                    raise InputError(f"{program} has ended in the middle of its perft")
                return found.decode()

            ask(f"position fen {fen}\nisready", "readyok")
            return _timed(lambda: int(ask(f"go perft {depth}", "Nodes searched").split()[-1]))

    return rate


def _openspiel_simulations(count: int) -> Rate | None:
    if not importlib.util.find_spec("pyspiel"):
        return None
    import pyspiel

    game = pyspiel.load_game("chess")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, count, 1000, False, 1, False)

    def work() -> int:
        bot.mcts_search(game.new_initial_state())
        return count

    return lambda: _timed(work)


def _our_search(preset: str, nodes: int, threads: int = 1) -> Rate:
    engine = Engine(preset, threads=threads)
    engine.prepare()

    def work() -> int:
        engine.new_game()
        return engine.search(chess.STARTING_FEN, Limits(nodes=nodes)).nodes

    return lambda: _timed(work)


def _our_batches(batch: int, nodes: int) -> Rate:
    """Leaves evaluated by a function in Python that takes no time itself."""

    def evaluate(positions: Positions) -> tuple[Any, None]:
        return np.zeros(len(positions)), None

    engine = Engine("mcgs", evaluator=evaluate, batch=batch)
    engine.prepare()

    def work() -> int:
        engine.new_game()
        return engine.search(chess.STARTING_FEN, Limits(nodes=nodes)).playouts

    return lambda: _timed(work)


def _worst_stop(times: int) -> float:
    """The longest time in seconds from `stop` in one thread to the result of the search in another."""
    engine = Engine("mcc-combined")
    engine.prepare()
    generator, worst = random.Random(1), 0.0
    for _ in range(times):
        called: list[float] = []
        stop = Stop()

        def wait_and_stop(called: list[float] = called, stop: Stop = stop) -> None:
            time.sleep(generator.uniform(0.001, 0.02))
            called.append(time.perf_counter())
            stop.set()

        thread = threading.Thread(target=wait_and_stop)
        thread.start()
        engine.search(chess.STARTING_FEN, Limits(infinite=True), stop=stop)
        ended = time.perf_counter()
        thread.join()
        worst = max(worst, ended - called[0])
    return worst


def _seconds_to_perft(cache: str | None = None) -> float:
    """From the start of a fresh process to the end of its first perft."""
    environment = os.environ | ({"PLYOUT_CACHE": cache} if cache else {})
    began = time.perf_counter()
    command = [sys.executable, "-m", "plyout", "perft", "--depth", "3", "--json"]
    _run(command, environment)
    return time.perf_counter() - began


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run a program of ours to its end; what it says is told if it fails."""
    with child(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = process.stderr.read().decode("utf-8", "replace").split("\n")
        if process.wait():
            raise InputError(f"a process that was to be measured ended with {process.returncode}: {said[-2:][0]}")


def _seconds_to_compile() -> float:
    """From the start of a fresh process without cache to perft and playouts of chess, both."""
    program = (
        "from plyout.games import CHESS; from plyout.playout.random import random_games; s = CHESS.start();"
        "CHESS.perft(s, 2); CHESS.moves(s); CHESS.after(s, CHESS.moves(s)[0]); CHESS.result(s);"
        "random_games(CHESS, s, 1, 0, 1)"
    )
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        _run([sys.executable, "-c", program], os.environ | {"PLYOUT_CACHE": cache})
        return time.perf_counter() - began


def contests() -> list[Contest]:
    """All work that is measured, in the order of the table."""

    def openspiel() -> Rate | None:
        return _openspiel_simulations(300)

    def mcc() -> Rate:
        return _our_search("mcc", 40_000)

    return [
        Contest(
            "perft-start", "perft 6 of the start position", "nodes/s", lambda: _our_perft(START, 6),
            {"stockfish": lambda: _stockfish_perft(START, 6), "python-chess": lambda: _python_chess_perft(START, 4)},
        ),
        Contest(
            "perft-kiwipete", "perft 5 of Kiwipete", "nodes/s", lambda: _our_perft(KIWIPETE, 5),
            {"stockfish": lambda: _stockfish_perft(KIWIPETE, 5),
             "python-chess": lambda: _python_chess_perft(KIWIPETE, 3)},
        ),
        Contest(
            "random-chess", "random games of chess", "games/s", lambda: _our_games(CHESS, 20_000),
            {"python-chess": lambda: _python_chess_games(20), "openspiel MCTS": openspiel},
        ),
        Contest("search-mcc", "search, mcc", "iterations/s", mcc, {"openspiel MCTS": openspiel}),
        Contest(
            "search-mcc-combined", "search, mcc-combined", "iterations/s", lambda: _our_search("mcc-combined", 40_000),
            {"plyout's mcc": mcc},
        ),
        Contest(
            "search-mcc-threads", "search, mcc on two threads", "iterations/s",
            lambda: _our_search("mcc", 80_000, threads=2), {"plyout's mcc on one": mcc},
        ),
        Contest("search-mcgs", "search, mcgs", "simulations/s", lambda: _our_search("mcgs", 200_000)),
        Contest("search-plyout", "search, plyout", "simulations/s", lambda: _our_search("plyout", 200_000)),
        Contest(
            "search-mcgs-evaluator", "search, mcgs by a Python function, 64 leaves at a time", "leaves/s",
            lambda: _our_batches(64, 50_000),
        ),
        Contest(
            "random-crazyhouse", "random games of crazyhouse", "games/s", lambda: _our_games(CRAZYHOUSE, 10_000)
        ),
        Contest(
            "random-tictactoe", "random games of tic-tac-toe", "games/s", lambda: _our_games(TICTACTOE, 1_000_000)
        ),
    ]  # fmt: skip


@dataclass
class Report:
    """One run of all contests, with what is measured in seconds; None is not measured."""

    contests: list[Contest] = field(default_factory=list)
    warm: float | None = None
    cold: float | None = None
    worst_stop: float | None = None

    def as_dict(self) -> dict[str, Any]:
        seconds = {"seconds_to_first_perft": self.warm, "seconds_to_compile": self.cold}
        return {"contests": [c.as_dict() for c in self.contests], **seconds, "worst_stop_s": self.worst_stop}

    def show(self) -> None:
        table = Table("work", "who", "rate", "plyout is", title="one thread, one run, medians")
        for c in self.contests:
            for name, rate in c.rates.items():
                ours, ratio = name == OURS, "" if name == OURS or rate is None else f"{c.ratio(name):,.2f} ×"
                table.add_row(
                    c.work if ours else "", name, "not installed" if rate is None else f"{rate:,.0f} {c.unit}", ratio
                )
        terminal().print(table)
        if self.worst_stop is not None:
            print(f"stop to result, worst of 1,000: {1000 * self.worst_stop:.1f} ms")
        if self.warm is not None:
            print(f"process start to first perft, compiled before: {self.warm:.2f} s")
        if self.cold is not None:
            print(f"compiling rules and playouts: {self.cold:.1f} s")


def measure(rounds: int, quiet: bool) -> Report:
    todo, report = contests(), Report()
    with Progress(
        "measurements", len(todo) + 3, quiet=quiet, keep=lambda: report if report.contests else None
    ) as progress:
        for contest in todo:
            contest.measure(rounds)
            report.contests.append(contest)
            progress.step()
        _seconds_to_perft()
        report.warm = statistics.median(_seconds_to_perft() for _ in range(rounds))
        progress.step()
        report.cold = _seconds_to_compile()
        progress.step()
        report.worst_stop = _worst_stop(1000)
        progress.step()
    return report
