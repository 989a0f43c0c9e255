"""The store of an experiment: one SQLite file that holds its settings and every game as it ended.

A game is there whole or not at all, whenever the run is killed, and its number and its pair with colours are unique:
a run that goes on plays what is missing, and none twice. A store is read and checked whole when it is opened
(`sound.py`).
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.match.sound import COLUMNS, Damaged, check_pages, checksum, row_of, rows_of, settings_of
from plyout.lab.record import Game

FILE = "games.sqlite"
VERSION = 2  # 1 had no checksums
_APPLICATION = 0x506C796F  # "Plyo"


def _schema(version: int) -> tuple[str, str]:
    """The two tables of a version: what SQLite keeps of them is this text."""
    check = ", checksum TEXT NOT NULL" if version > 1 else ""
    return (
        f"CREATE TABLE experiment (settings TEXT NOT NULL, began REAL NOT NULL{check})",
        f"""CREATE TABLE games (
        number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL,
        result TEXT NOT NULL CHECK (result IN ('1-0', '1/2-1/2', '0-1')), reason TEXT NOT NULL, opening TEXT NOT NULL,
        plies INTEGER NOT NULL, seconds REAL NOT NULL, ended REAL NOT NULL, pgn TEXT NOT NULL{check},
        UNIQUE (pair, white, black))""",
    )


class Store:
    """An open store; without a path it lives in memory and is gone with the program."""

    def __init__(self, path: Path | None = None, settings: dict[str, Any] | None = None) -> None:
        """Open a store to play into: with `settings` it is made if it is not there, and must have the same if it is."""
        self.path = path
        self._lock: sqlite3.Connection | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = only_one(path)
        self._open()
        try:
            if self._games:
                self._must_fit(settings or {})
            if not self._games or self._version < VERSION:  # without a game there is nothing that must fit
                self._make(settings if not self._games else self._settings)
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
        store._open()
        if not store._version:
            store.close()
            raise InputError(f"{place} is not a store of games: it is empty")
        return store

    def _open(self) -> None:
        """Open the file and read and check all that is in it."""
        self._settings: dict[str, Any] = {}
        self._games: dict[int, Game] = {}
        self._version = 0
        base: sqlite3.Connection | None = None
        try:
            base = sqlite3.connect(":memory:" if self.path is None else self.path, isolation_level=None, timeout=30)
            base.execute("BEGIN")  # one state of it, though another run may be writing
            self._read(base)
            base.execute("COMMIT")
        except BaseException as error:
            if base is not None:
                base.close()
            if self._lock is not None:
                self._lock.close()
            if isinstance(error, Damaged | UnicodeError):  # Python cannot read all that SQLite says of damage
                error = error if isinstance(error, Damaged) else Damaged("its tables are not those of a store")
                advice = "bring back a copy, or give another --out"
                raise InputError(f"{self.path} is a store of games, but damaged: {error}; {advice}") from None
            if isinstance(error, sqlite3.OperationalError):
                raise InputError(f"{self.path} cannot be opened as a store of games: {_words(error)}") from None
            if isinstance(error, sqlite3.Error):
                raise InputError(f"{self.path} is not a store of games: {_words(error)}") from None
            raise
        self._base = base

    def _read(self, base: sqlite3.Connection) -> None:
        version, application, tables = (
            int(base.execute(question).fetchone()[0])
            for question in ("PRAGMA user_version", "PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        if (version, application, tables) == (0, 0, 0):
            return  # a new file
        if application != _APPLICATION:
            raise InputError(f"{self.path} is a database, but not a store of games")
        if version > VERSION:
            raise InputError(f"{self.path} was written by a newer Plyout (schema {version}; this one knows {VERSION})")
        check_pages(base, _schema(version))
        self._settings = settings_of(base, version)
        self._games = dict(rows_of(base, version, self._settings["names"]))
        self._version = version

    def _make(self, settings: Mapping[str, Any] | None) -> None:
        """Write the tables anew, in one piece: of a new store, of one without games, or of an older version."""
        text, began = json.dumps(settings), time.time()
        with self._transaction():
            if self._version:
                began = float(self._base.execute("SELECT began FROM experiment").fetchone()[0])
                self._base.execute("DROP TABLE experiment")
                self._base.execute("DROP TABLE games")
            for statement in _schema(VERSION):
                self._base.execute(statement)
            self._base.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._base.execute(f"PRAGMA user_version = {VERSION}")
            self._base.execute("INSERT INTO experiment VALUES (?, ?, ?)", (text, began, checksum(text, began)))
            for number, game in self._games.items():
                self._insert(number, game)
        self._settings, self._version = json.loads(text) or {}, VERSION

    def _must_fit(self, settings: dict[str, Any]) -> None:
        stored = self._settings
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
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:  # a full disk has ended it already
                self._base.execute("ROLLBACK")
            raise

    def settings(self) -> dict[str, Any]:
        """What the experiment was started with."""
        return self._settings

    def add(self, games: Mapping[int, Game]) -> None:
        """Keep games that have just ended, by their numbers: all of them or, on an error, none."""
        with self._transaction():
            for number, game in games.items():
                self._insert(number, game)
        self._games.update(games)

    def _insert(self, number: int, game: Game) -> None:
        marks = ", ".join("?" * (2 + len(COLUMNS)))
        columns = f"number, {', '.join(COLUMNS)}, checksum"
        self._base.execute(f"INSERT INTO games ({columns}) VALUES ({marks})", row_of(number, game))

    def games(self) -> list[Game]:
        """All games by number."""
        return [game for _, game in sorted(self._games.items(), key=lambda item: item[0])]

    def numbers(self) -> set[int]:
        """The numbers of the games that are there."""
        return set(self._games)

    def close(self) -> None:
        self._base.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _words(error: sqlite3.Error) -> str:
    """What SQLite says, without the text that it may cite."""
    return str(error).partition(" with text ")[0].partition("\n")[0]


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def only_one(path: Path) -> sqlite3.Connection:
    """Keep other runs out while this one plays.

    The lock is SQLite's own, on a second file: readers of the store are not kept out, every system has it, and it
    is gone with the process however that ends.
    """
    place = path.with_name(path.name + ".lock")
    lock: sqlite3.Connection | None = None
    try:
        lock = sqlite3.connect(place, isolation_level=None, timeout=0)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):  # Python 3.10 does not tell the code
            raise InputError(f"another run is playing into {path}: wait for it, or give another --out") from None
        raise InputError(f"{place}, which keeps other runs out, cannot be locked: {error}") from None
    return lock
