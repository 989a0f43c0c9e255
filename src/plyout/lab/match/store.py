"""The store of an experiment: one SQLite file that holds its settings and every game as it ended.

A game is there whole or not at all, whenever the run is killed, and its number and its pair with colours are unique:
a run that goes on plays what is missing, and none twice.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.record import Game

FILE = "games.sqlite"
VERSION = 1
_APPLICATION = 0x506C796F  # "Plyo"
_COLUMNS = [field.name for field in fields(Game)]
_SCHEMA = (
    "CREATE TABLE experiment (settings TEXT NOT NULL, began REAL NOT NULL)",
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL,
        result TEXT NOT NULL CHECK (result IN ('1-0', '1/2-1/2', '0-1')), reason TEXT NOT NULL, opening TEXT NOT NULL,
        plies INTEGER NOT NULL, seconds REAL NOT NULL, ended REAL NOT NULL, pgn TEXT NOT NULL,
        UNIQUE (pair, white, black))""",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)


class Store:
    """An open store; without a path it lives in memory and is gone with the program."""

    def __init__(self, path: Path | None = None, settings: dict[str, Any] | None = None) -> None:
        """Open a store to play into: with `settings` it is made if it is not there, and must have the same if it is."""
        self.path = path
        self._lock: sqlite3.Connection | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _only_one(path)
        self._base = sqlite3.connect(":memory:" if path is None else path, isolation_level=None, timeout=30)
        try:
            with self._transaction():
                if not self._version():
                    for statement in _SCHEMA:
                        self._base.execute(statement)
                    self._base.execute("INSERT INTO experiment VALUES (?, ?)", (json.dumps(settings), time.time()))
                elif not self.numbers():  # a run that failed before its first game leaves nothing to fit to
                    self._base.execute("UPDATE experiment SET settings = ?", (json.dumps(settings),))
            self._must_fit(settings or {})
        except BaseException:
            self.close()
            raise

    @classmethod
    def read(cls, path: str | Path) -> "Store":
        """A store that is there, to be read: a folder that ``--out`` made, or the file in it."""
        place = Path(path)
        place = place / FILE if place.is_dir() else place
        if not place.is_file():
            raise InputError(f"{path} holds no games: give a folder that --out made, or its {FILE}")
        store = cls.__new__(cls)
        store.path, store._lock = place, None
        store._base = sqlite3.connect(place, isolation_level=None, timeout=30)
        if not store._version():
            raise InputError(f"{place} is not a store of games")
        return store

    def _version(self) -> int:
        """The schema's version; 0 if the file is new; `InputError` if it is not ours."""
        try:
            version = int(self._base.execute("PRAGMA user_version").fetchone()[0])
            ours = int(self._base.execute("PRAGMA application_id").fetchone()[0]) == _APPLICATION
            empty = not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.path} is not a store of games: {error}") from None
        if not ours and not empty:
            raise InputError(f"{self.path} is a database, but not a store of games")
        if version > VERSION:
            raise InputError(f"{self.path} was written by a newer Plyout (schema {version}; this one knows {VERSION})")
        return version

    def _must_fit(self, settings: dict[str, Any]) -> None:
        stored = self.settings()
        wanted = json.loads(json.dumps(settings))
        different = {name for name in stored.keys() | wanted if stored.get(name) != wanted.get(name)}
        different -= {"names"} if "engines" in different else set()
        if different:
            what = "; ".join(f"{n} is {stored.get(n)!r} there, {wanted.get(n)!r} here" for n in sorted(different))
            raise InputError(
                f"{self.path} has games of other settings ({what}): give another --out, or the same settings"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def settings(self) -> dict[str, Any]:
        """What the experiment was started with."""
        found = json.loads(self._base.execute("SELECT settings FROM experiment").fetchone()[0])
        assert isinstance(found, dict)
        return found

    def add(self, number: int, game: Game) -> None:
        """Keep a game that has just ended."""
        marks = ", ".join("?" * (1 + len(_COLUMNS)))
        with self._transaction():
            self._base.execute(
                f"INSERT INTO games (number, {', '.join(_COLUMNS)}) VALUES ({marks})", (number, *astuple(game))
            )

    def games(self) -> list[Game]:
        """All games by number."""
        rows = self._base.execute(f"SELECT {', '.join(_COLUMNS)} FROM games ORDER BY number")
        return [Game(*row) for row in rows]

    def numbers(self) -> set[int]:
        """The numbers of the games that are there."""
        return {number for (number,) in self._base.execute("SELECT number FROM games")}

    def close(self) -> None:
        self._base.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def _only_one(path: Path) -> sqlite3.Connection:
    """Keep other runs out while this one plays.

    The lock is SQLite's own, on a second file: readers of the store are not kept out, every system has it, and it
    is gone with the process however that ends.
    """
    lock = sqlite3.connect(path.with_name(path.name + ".lock"), isolation_level=None, timeout=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        raise InputError(f"another run is playing into {path}: wait for it, or give another --out") from None
    return lock
