"""Kill a match again and again, and see what is in its store: nothing lost, nothing twice.

usage: python tests/lab/match/killing.py [--games 100] [--kills 10] [--seed 1]
"""

import argparse
import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn

ROGUE = Path(__file__).with_name("rogue.py")
FIRST, SECOND = "mcc?nodes=10&hash_mb=8", f"uci:{sys.executable} {ROGUE}?name=rogue&nodes=1"


def command(out: Path, games: int) -> list[str]:
    words = [sys.executable, "-m", "plyout", "match", "-e", FIRST, "-e", SECOND, "--games", str(games)]
    return [*words, "--max-plies", "40", "-j", "2", "--out", str(out), "--json"]


def stored(out: Path) -> int:
    try:
        with sqlite3.connect(f"file:{out / 'games.sqlite'}?mode=rw", uri=True, timeout=10) as base:
            return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # it is not there yet
        return 0


def kill_and_go_on(out: Path, games: int, kills: int, seed: int) -> list[int]:
    """Start the match, kill it `kills` times at random moments, then let it end; the games stored at each kill."""
    generator = random.Random(seed)
    at = []
    for number in range(kills):
        process = subprocess.Popen(command(out, games), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        goal = (number + 1) * games // (kills + 2)
        while stored(out) < goal and process.poll() is None:
            time.sleep(0.005)
        time.sleep(generator.uniform(0, 0.3))  # anywhere between two moves, two games, or inside a transaction
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        at.append(stored(out))
    run = subprocess.run(command(out, games), capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert answer["games"] == answer["wins"] + answer["draws"] + answer["losses"] == games
    return at


def check(out: Path, games: int) -> None:
    """The store is sound, each pair was played with both colours and one opening, and the PGN has every game."""
    with sqlite3.connect(out / "games.sqlite") as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = base.execute("SELECT number, pair, white, black, opening, pgn FROM games ORDER BY number").fetchall()
    assert [row[0] for row in rows] == list(range(games))
    starts = []
    for number, pair, white, black, _, pgn in rows:
        assert pair == number // 2
        assert (white, black) == ((FIRST, "rogue") if number % 2 == 0 else ("rogue", FIRST))
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game is not None and not game.errors
        assert (game.headers["White"], game.headers["Black"]) == (white, black)
        starts.append([move.uci() for move in game.mainline_moves()][:6])
    assert all(starts[2 * p] == starts[2 * p + 1] for p in range(games // 2)), "one opening, both colours"
    assert len({rows[2 * p][4] for p in range(games // 2)}) > games // 8, "different openings"
    with open(out / "games.pgn") as file:
        assert sum(chess.pgn.skip_game(file) for _ in range(games + 1)) == games


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "match"
        at = kill_and_go_on(out, arguments.games, arguments.kills, arguments.seed)
        check(out, arguments.games)
        print(f"killed with {', '.join(map(str, at))} games stored; then exactly {arguments.games}, all sound")


if __name__ == "__main__":
    main()
