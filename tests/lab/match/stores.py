"""Stores of games, of either version."""

import random
import sqlite3
from dataclasses import astuple
from pathlib import Path

from plyout.lab.match.sound import COLUMNS
from plyout.lab.match.store import FILE, Store
from plyout.lab.record import Game

SETTINGS = {"engines": ["a", "b"], "names": ["a", "b"], "seed": 1, "time control": "10+0.1"}


def sample(folder: Path, games: int = 12) -> Path:
    """A store with games that fill several pages."""
    chance = random.Random(1)
    with Store(folder / FILE, SETTINGS) as store:
        for number in range(games):
            white, black = "ab" if number % 2 == 0 else "ba"
            moves = " ".join(f"{i}. Nf3 Nf6 {{ {chance.random():.6f} }}" for i in range(1, 60))
            pgn = f'[White "{white}"]\n[Black "{black}"]\n[Result "1-0"]\n\n{moves} 1-0'
            game = Game(number // 2, white, black, "1-0", "checkmate", "Réti", 118, 1.5, 1e9 + number, pgn)
            store.add({number: game})
    return folder / FILE


def of_version_1(folder: Path, games: int = 12) -> Path:
    """The same as the first version wrote it, without checksums."""
    path = sample(folder, games)
    with Store.read(path) as store:
        stored = store.games()
    base = sqlite3.connect(path, isolation_level=None)
    began, settings = base.execute("SELECT began, settings FROM experiment").fetchone()
    for name in ("experiment", "games"):
        (statement,) = base.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        base.execute(f"DROP TABLE {name}")
        base.execute(statement.replace(", checksum TEXT NOT NULL", ""))
    base.execute("INSERT INTO experiment VALUES (?, ?)", (settings, began))
    marks = ", ".join("?" * (1 + len(COLUMNS)))
    for number, game in enumerate(stored):
        base.execute(f"INSERT INTO games VALUES ({marks})", (number, *astuple(game)))
    base.execute("PRAGMA user_version = 1")
    base.close()
    return path
