"""Play many fast games, count what must never happen, and measure how soon the engine answers.

    python tests/soak/soak.py --games 200 --clock 1 --increment 0.01 --jobs 2
    python tests/soak/soak.py --memory 600

Every second game is against Stockfish at its weakest, if it is installed, the others against itself. Time is
measured here, from sending the position to having the move: what the engine sees of it is less.
"""

import argparse
import asyncio
import multiprocessing
import random
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import chess
import chess.engine

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.uci.client import Talk, ready_latencies, stop_latencies

PLYOUT = [sys.executable, "-m", "plyout", "uci"]
LONGEST_GAME = 400  # plies
MOST_GROWTH = 64  # MB
OPENINGS = [
    line.split()
    for line in (
        "e2e4 e7e5", "e2e4 c7c5", "e2e4 e7e6", "e2e4 c7c6", "d2d4 d7d5", "d2d4 g8f6", "c2c4 e7e5", "g1f3 d7d5",
        "e2e4 e7e5 g1f3 b8c6 f1b5", "e2e4 e7e5 f2f4", "d2d4 d7d5 c2c4 c7c6", "e2e4 d7d5 e4d5 d8d5",
        "b2b3 e7e5", "e2e4 g8f6", "d2d4 f7f5", "g2g4 d7d5",
    )
]  # fmt: skip


@dataclass
class Report:
    """What happened in some games."""

    results: Counter[str] = field(default_factory=Counter)
    trouble: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    least_left: float = float("inf")  # seconds, on a clock of ours after a move

    def add(self, other: "Report") -> None:
        self.results += other.results
        self.trouble += other.trouble
        self.counts += other.counts
        self.least_left = min(self.least_left, other.least_left)


class Player:
    def __init__(self, name: str, engine: chess.engine.SimpleEngine) -> None:
        self.name, self.engine, self.left = name, engine, 0.0


def play_game(number: int, white: Player, black: Player, clock: float, increment: float) -> Report:
    """One game. A trouble of Plyout's ends it and is counted; one of the opponent's ends it only."""
    report = Report()
    rng = random.Random(number)
    board = chess.Board()
    for move in rng.choice(OPENINGS):
        board.push_uci(move)
    for _ in range(rng.randrange(5)):  # and a few moves of anybody's
        if not any(board.legal_moves):
            break
        board.push(rng.choice(list(board.legal_moves)))
    white.left = black.left = clock
    game = object()

    def trouble(kind: str, player: Player, text: str) -> Report:
        report.results["broken off"] += 1
        if player.name == "plyout":
            report.counts[kind] += 1
            report.trouble.append(f"game {number}, {kind}: {text}, in {board.fen()}")
        return report

    while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST_GAME:
        mover = white if board.turn else black
        limit = chess.engine.Limit(
            white_clock=max(white.left, 0.001), black_clock=max(black.left, 0.001),
            white_inc=increment, black_inc=increment,
        )  # fmt: skip
        began = time.perf_counter()
        try:
            move = mover.engine.play(board, limit, game=game).move
        except chess.engine.EngineTerminatedError as error:
            return trouble("crashes", mover, repr(error))
        except (chess.engine.EngineError, asyncio.TimeoutError) as error:
            return trouble("illegal moves", mover, repr(error))
        spent = time.perf_counter() - began
        report.counts["moves"] += mover.name == "plyout"
        if move is None or move not in board.legal_moves:
            return trouble("illegal moves", mover, str(move))
        mover.left -= spent
        if mover.name == "plyout":
            report.least_left = min(report.least_left, mover.left)
        if mover.left < 0:
            return trouble("time losses", mover, f"{1000 * spent:.0f} ms with {1000 * (mover.left + spent):.0f} left")
        mover.left += increment
        board.push(move)
    outcome = board.result(claim_draw=True)
    if outcome == "*":
        report.results["too long"] += 1
    elif outcome == "1/2-1/2" or white.name == black.name:
        report.results["drawn" if outcome == "1/2-1/2" else "against itself, decided"] += 1
    else:
        winner = white if outcome == "1-0" else black
        report.results["won" if winner.name == "plyout" else "lost"] += 1
    return report


def start(name: str, command: list[str], options: dict[str, str | int]) -> Player:
    player = Player(name, chess.engine.SimpleEngine.popen_uci(command, timeout=300))
    player.engine.configure(options)
    player.engine.ping()
    return player


def play_games(numbers: list[int], clock: float, increment: float) -> Report:
    """Some games, by one set of processes; one that has died is started again."""
    report = Report()
    stockfish = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin") or shutil.which("stockfish")
    commands: dict[str, tuple[str, list[str], dict[str, str | int]]] = {
        "ours": ("plyout", PLYOUT, {"Hash": 64}),
        "itself": ("plyout", PLYOUT, {"Hash": 64, "Seed": 2}),
    }
    if stockfish:
        commands["stockfish"] = ("stockfish", [stockfish], {"UCI_LimitStrength": True, "UCI_Elo": 1350, "Hash": 16})
    players = {key: start(*command) for key, command in commands.items()}
    for number in numbers:
        other = "stockfish" if stockfish and number % 2 == 0 else "itself"
        pair = [players["ours"], players[other]]
        if number // 2 % 2:
            pair.reverse()
        try:
            report.add(play_game(number, pair[0], pair[1], clock, increment))
        except Exception as error:
            report.trouble.append(f"game {number}, crashes: {error!r}")
            report.counts["crashes"] += 1
        if report.trouble:
            for key, command in commands.items():
                try:
                    players[key].engine.ping()
                except Exception:
                    players[key] = start(*command)
    for player in players.values():
        try:
            player.engine.quit()
        except Exception as error:
            report.trouble.append(f"at the end: {error!r}")
            report.counts["crashes"] += 1
    return report


def soak(games: int, clock: float, increment: float, jobs: int) -> bool:
    """Play, measure and print; whether all is well."""
    warm = Talk("uci")  # compiled once, before the clocks run
    warm.ready()
    warm.close()
    began = time.perf_counter()
    numbers = [list(range(games))[job::jobs] for job in range(jobs)]
    if jobs > 1:  # pairs stay together: a job gets both opponents and both colours
        blocks = [list(range(i, min(i + 4, games))) for i in range(0, games, 4)]
        numbers = [[n for block in blocks[job::jobs] for n in block] for job in range(jobs)]
    report = Report()
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for part in pool.imap_unordered(partial(play_games, clock=clock, increment=increment), numbers):
            report.add(part)
    talk = Talk("uci")
    talk.ready()
    talk.ask("setoption name Hash value 64")
    stops, readies = stop_latencies(talk, 1000), ready_latencies(talk, 1000)
    talk.close()
    print(f"games              {sum(report.results.values())} at {clock:g} s + {1000 * increment:g} ms, {jobs} at once")
    print(f"results            {', '.join(f'{name} {n}' for name, n in sorted(report.results.items()))}")
    print(f"moves of ours      {report.counts['moves']}")
    for kind in ("time losses", "illegal moves", "crashes"):
        print(f"{kind:18} {report.counts[kind]}")
    print(f"least time left    {1000 * report.least_left:.0f} ms")
    for name, found in (("stop -> bestmove", stops), ("isready -> readyok", readies)):
        ordered = sorted(1000 * seconds for seconds in found)
        print(f"{name:18} worst {ordered[-1]:.1f} ms, median {ordered[len(ordered) // 2]:.1f} ms, of {len(ordered)}")
    print(f"took               {time.perf_counter() - began:.0f} s")
    for line in report.trouble:
        print("!", line)
    return not report.trouble and sum(report.results.values()) == games


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} has no resident memory")


def memory(seconds: float, hash_mb: int = 64) -> bool:
    """Search for so long, far beyond a full hash, and watch the memory; whether it stays in its bounds.

    Pages of the hash count only when they are first written, so the growth is measured from when it is full; before
    that it must not exceed the hash by more than the bound.
    """
    talk = Talk("uci")
    talk.ready()
    talk.ask(f"setoption name Hash value {hash_mb}", "position startpos")
    pid = talk.process.pid
    idle = resident_mb(pid)
    talk.send("go infinite")
    greatest, full_at, at_full, growth_full, hashfull = idle, None, 0.0, 0.0, 0
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        for line in talk.heard_within(1.0):
            if " hashfull " in line:
                hashfull = int(line.split(" hashfull ")[1].split()[0])
        now = resident_mb(pid)
        greatest = max(greatest, now)
        if full_at is None and hashfull >= 990:
            full_at, at_full = passed, now
        elif full_at is not None:
            growth_full = max(growth_full, now - at_full)
    talk.send("stop")
    talk.until("bestmove")
    status = talk.close()
    print(f"idle               {idle:.1f} MB resident, with Hash {hash_mb}")
    print(f"greatest growth    {greatest - idle:.1f} MB in {seconds:g} s (at most {MOST_GROWTH} is right)")
    if full_at is not None:
        print(f"the hash was full  after {full_at:.0f} s; growth since: {growth_full:.1f} MB")
    else:
        print(f"the hash was not full at the end: {hashfull / 10:.1f} %")
    return greatest - idle <= MOST_GROWTH and status == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for the whole game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds more for each move")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--memory", type=float, metavar="SECONDS", help="no games: search for so long")
    given = parser.parse_args()
    if given.memory is not None:
        well = memory(given.memory)
    else:
        well = soak(given.games, given.clock, given.increment, max(1, given.jobs))
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
