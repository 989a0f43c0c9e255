"""What the match runner itself costs: its share of a move, and what a second game at the same time brings.

usage: python bench/runner.py

First, two programs that answer at once play a game they know by heart (a dozen lines of Python each): all the time
that a move takes there is the runner's, the system's pipes' and theirs; python-chess's client plays the same moves
beside it. Then games of fixed nodes are played one at a time and two at a time, in one process and in processes of
their own.
"""

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.engine

from plyout.lab.match.adjudicate import Adjudication
from plyout.lab.match.game import Rules, Seat, ending_of, play
from plyout.lab.match.match import match
from plyout.lab.match.openings import Opening
from plyout.lab.match.players import open_player, parse_spec
from plyout.lab.match.timecontrol import TimeControl

PLIES, ROUNDS = 200, 5
# It writes as much on the way as an engine does in its first milliseconds.
BY_HEART = """
import sys
moves = sys.argv[1].split(",")
ply = 0
for line in sys.stdin:
    if line.startswith("position"):
        ply = len(line.split(" moves ")[1].split()) if " moves " in line else 0
    elif line.startswith("go"):
        line = " ".join(moves[ply:ply + 8])
        for depth in range(1, 11):
            print(f"info depth {depth} seldepth 12 score cp 13 nodes 500 nps 500000 time 1 pv {line}")
        print("bestmove", moves[ply], flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.strip() == "uci":
        print("uciok", flush=True)
    elif line.startswith("quit"):
        break
"""


def long_game() -> list[str]:
    """Random moves of a game that goes on for long enough."""
    for seed in range(1000):
        generator, board = random.Random(seed), chess.Board()
        while len(board.move_stack) < PLIES + 8 and ending_of(board) is None:
            board.push(generator.choice(list(board.legal_moves)))
        if len(board.move_stack) == PLIES + 8:
            return [move.uci() for move in board.move_stack]
    raise AssertionError("random games end early today")


def ours(command: str) -> tuple[float, float]:
    """Seconds a move in the runner, the game's PGN included, and the processor's time that the runner itself takes."""
    spec = parse_spec(f"uci:{command}")
    players = [open_player(spec, "chess") for _ in range(2)]
    control = TimeControl(base=60.0, increment=1.0)
    white, black = (Seat(name, player, control) for name, player in zip("ab", players, strict=True))
    rules = Rules(adjudication=Adjudication(max_plies=PLIES))
    times, work = [], []
    for _ in range(ROUNDS):
        began, worked = time.perf_counter(), time.process_time()
        game, _ = play(white, black, Opening(), rules)
        times.append((time.perf_counter() - began) / PLIES)
        work.append((time.process_time() - worked) / PLIES)
        assert (game.plies, game.reason) == (PLIES, "adjudication: length"), game
    for player in players:
        player.close()
    return statistics.median(times), statistics.median(work)


def theirs(command: list[str]) -> float:
    """Seconds a move through chess.engine, nothing but moves."""
    times = []
    engines = [chess.engine.SimpleEngine.popen_uci(command) for _ in range(2)]
    for _ in range(ROUNDS):
        board = chess.Board()
        began = time.perf_counter()
        for ply in range(PLIES):
            limit = chess.engine.Limit(white_clock=60, black_clock=60, white_inc=1, black_inc=1)
            found = engines[ply % 2].play(board, limit, info=chess.engine.INFO_SCORE)
            assert found.move
            board.push(found.move)
        times.append((time.perf_counter() - began) / PLIES)
    for engine in engines:
        engine.quit()
    return statistics.median(times)


def overhead() -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "by_heart.py"
        script.write_text(BY_HEART)
        moves = ",".join(long_game())
        mine, work = ours(f"{sys.executable} -S {script} {moves}")
        other = theirs([sys.executable, "-S", str(script), moves])
    print(f"a move with engines that answer at once: {1000 * mine:.2f} ms, {1000 * work:.2f} of it the runner's work")
    print(f"the same moves through python-chess's client: {1000 * other:.2f} ms")


def concurrency(more: str, nodes: int, games: int) -> None:
    """Both engines are one preset, so that all games take their time; medians of three."""
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(3):
        for at_once, found in speeds.items():
            began = time.perf_counter()
            engines = [f"mcc-decisive?hash_mb=16&name={name}{more}" for name in "ab"]
            results = match(*engines, games=games, nodes=nodes, max_plies=60, concurrency=at_once)
            found.append(sum(g.plies for g in results.games) / (time.perf_counter() - began))
    one, two = (statistics.median(found) for found in speeds.values())
    where = "processes of their own" if more else "one process"
    print(f"{where}, {nodes:,} nodes a move: {one:.0f} plies/s one at a time, {two:.0f} two: {two / one:.2f} times")


if __name__ == "__main__":
    overhead()
    for nodes, games in ((2000, 4), (10_000, 2)):
        concurrency("", nodes, games)
        concurrency("&process=true", nodes, games)
