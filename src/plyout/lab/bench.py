"""``plyout bench``: our speed beside that of others, measured in one run.

Machines are shared and noisy, so every measurement is repeated in turn with its
rivals, the median is kept, and what counts is the ratio.
"""

import importlib.util
import json
import os
import random
import shutil
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
from rich.console import Console
from rich.table import Table

from plyout.engine import Engine, Stop, Limits
from plyout.games import CHESS, CRAZYHOUSE, TICTACTOE, Game
from plyout.networks.positions import Positions
from plyout.playout.random import random_games
from plyout.progress import Progress

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
Rate = Callable[[], float]


@dataclass
class Contest:
    """One kind of work, done by us and by others; a rival we cannot find here is None."""

    work: str
    unit: str
    ours: Rate
    rivals: dict[str, Rate | None] = field(default_factory=dict)
    results: dict[str, float] = field(default_factory=dict)

    def measure(self, rounds: int) -> None:
        present = {"plyout": self.ours} | {name: rate for name, rate in self.rivals.items() if rate}
        figures: dict[str, list[float]] = {name: [] for name in present}
        for _ in range(rounds):
            for name, rate in present.items():
                figures[name].append(rate())
        self.results = {name: statistics.median(values) for name, values in figures.items()}

    def ratio(self, rival: str) -> float:
        return self.results["plyout"] / self.results[rival]


def _timed(work: Callable[[], int]) -> float:
    """Units of work a second."""
    began = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - began)


def _our_perft(game: Game, fen: str, depth: int) -> Rate:
    state = game.parse(fen)
    game.perft(state, 2)
    return lambda: _timed(lambda: game.perft(state, depth))


def _our_games(game: Game, count: int) -> Rate:
    state = game.start()
    random_games(game, state, 1, 0, 1)

    def work() -> int:
        random_games(game, state, 1, 0, count)
        return count

    return lambda: _timed(work)


def _python_chess_perft(fen: str, depth: int) -> Rate:
    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return lambda: _timed(lambda: count(chess.Board(fen), depth))


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


def _stockfish() -> str | None:
    return shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


def _stockfish_perft(fen: str, depth: int) -> Rate | None:
    program = _stockfish()
    if not program:
        return None

    def rate() -> float:
        with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
            to, back = engine.stdin, engine.stdout
            assert to and back

            def ask(command: str, answer: str) -> str:
                to.write(command + "\n")
                to.flush()
                return next(line for line in back if line.startswith(answer))

            ask(f"position fen {fen}\nisready", "readyok")
            nodes = _timed(lambda: int(ask(f"go perft {depth}", "Nodes searched").split()[-1]))
            to.write("quit\n")
            return nodes

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
    """Leaves judged by a function in Python that takes no time itself."""

    def judge(positions: Positions) -> tuple[Any, None]:
        return np.zeros(len(positions)), None

    engine = Engine("mcgs", evaluator=judge, batch=batch)
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
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _seconds_to_compile() -> float:
    """From the start of a fresh process without cache to perft and playouts of chess, both."""
    program = (
        "from plyout.games import CHESS; from plyout.playout.random import random_games; s = CHESS.start();"
        "CHESS.perft(s, 2); CHESS.moves(s); CHESS.after(s, CHESS.moves(s)[0]); CHESS.result(s);"
        "random_games(CHESS, s, 1, 0, 1)"
    )
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | {"PLYOUT_CACHE": cache})
        return time.perf_counter() - began


def contests() -> list[Contest]:
    games = _our_games(CHESS, 20_000)
    return [
        Contest(
            "perft 6 of the start position", "nodes/s", _our_perft(CHESS, START, 6),
            {"stockfish": _stockfish_perft(START, 6), "python-chess": _python_chess_perft(START, 4)},
        ),
        Contest(
            "perft 5 of Kiwipete", "nodes/s", _our_perft(CHESS, KIWIPETE, 5),
            {"stockfish": _stockfish_perft(KIWIPETE, 5), "python-chess": _python_chess_perft(KIWIPETE, 3)},
        ),
        Contest(
            "random games of chess", "games/s", games,
            {"python-chess": _python_chess_games(20), "openspiel MCTS": _openspiel_simulations(300)},
        ),
        Contest(
            "search, mcc", "iterations/s", _our_search("mcc", 40_000),
            {"openspiel MCTS": _openspiel_simulations(300)},
        ),
        Contest(
            "search, mcc-combined", "iterations/s", _our_search("mcc-combined", 40_000),
            {"plyout's mcc": _our_search("mcc", 40_000)},
        ),
        Contest(
            "search, mcc on two threads", "iterations/s", _our_search("mcc", 80_000, threads=2),
            {"plyout's mcc on one": _our_search("mcc", 40_000)},
        ),
        Contest("search, mcgs", "simulations/s", _our_search("mcgs", 200_000)),
        Contest("search, plyout", "simulations/s", _our_search("plyout", 200_000)),
        Contest("search, mcgs by a Python function, 64 leaves at a time", "leaves/s", _our_batches(64, 50_000)),
        Contest("random games of crazyhouse", "games/s", _our_games(CRAZYHOUSE, 10_000)),
        Contest("random games of tic-tac-toe", "games/s", _our_games(TICTACTOE, 1_000_000)),
    ]  # fmt: skip


def run(rounds: int, as_json: bool) -> None:
    todo = contests()
    with Progress("bench", len(todo) + 3, quiet=as_json) as progress:
        for contest in todo:
            contest.measure(rounds)
            progress.step()
        _seconds_to_perft()
        warm = statistics.median(_seconds_to_perft() for _ in range(rounds))
        progress.step()
        cold = _seconds_to_compile()
        progress.step()
        worst_stop = _worst_stop(1000)
        progress.step()
    if as_json:
        rows = [
            {
                "work": c.work,
                "unit": c.unit,
                "rates": c.results,
                "ratios": {r: c.ratio(r) for r in c.rivals if r in c.results},
            }
            for c in todo
        ]
        print(
            json.dumps(
                {"contests": rows, "seconds_to_first_perft": warm, "seconds_to_compile": cold}
                | {"worst_stop_s": worst_stop}
            )
        )
        return
    table = Table("work", "who", "rate", "plyout is", title="one thread, one run, medians")
    for c in todo:
        for name, rate in c.results.items():
            ratio = "" if name == "plyout" else f"{c.ratio(name):,.2f} ×"
            table.add_row(c.work if name == "plyout" else "", name, f"{rate:,.0f} {c.unit}", ratio)
        for name in c.rivals:
            if name not in c.results:
                table.add_row("", name, "not installed", "")
    Console().print(table)
    print(f"stop to result, worst of 1,000: {1000 * worst_stop:.1f} ms")
    print(f"process start to first perft, compiled before: {warm:.2f} s; compiling rules and playouts: {cold:.1f} s")
