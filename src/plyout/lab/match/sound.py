"""Whether what a store holds is what was put there: SQLite sees damage to its pages, but not to a text on one of them.

Every row carries a checksum since version 2; stores of version 1 have none, and are checked by what must agree.
"""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields
from typing import Any

from plyout.lab.record import POINTS, Game

COLUMNS = [field.name for field in fields(Game)]
KINDS = [{"int": int, "str": str, "float": float}[str(getattr(field.type, "__name__", field.type))]
         for field in fields(Game)]  # fmt: skip
_TAG = re.compile(r'^\[(White|Black|Result) "([^"\n]*)"\]$', re.MULTILINE)


class Damaged(Exception):
    """A store cannot be what was written; the message says what is wrong with it."""


def checksum(*values: Any) -> str:
    """Of a row: sixteen digits by which one that was altered is known."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def settings_of(base: sqlite3.Connection, version: int) -> dict[str, Any]:
    """What the experiment was started with, checked."""
    rows = base.execute("SELECT * FROM experiment").fetchall()
    if len(rows) != 1:
        raise Damaged(f"it has {len(rows)} settings")
    settings, began, *check = rows[0]
    if not isinstance(settings, str) or not isinstance(began, float):
        raise Damaged("its settings are not what they were")
    if version > 1 and check != [checksum(settings, began)]:
        raise Damaged("its settings are not what they were")
    try:
        found = json.loads(settings)
    except (ValueError, RecursionError):
        raise Damaged("its settings are no JSON") from None
    if not isinstance(found, dict) or not _are_names(found.get("names")):
        raise Damaged("its settings name no players")
    return found


def _are_names(found: object) -> bool:
    return isinstance(found, list) and len(found) > 1 and all(isinstance(name, str) for name in found)


def rows_of(base: sqlite3.Connection, version: int, names: Sequence[str]) -> Iterator[tuple[int, Game]]:
    """(number, game) of all games by number, each checked."""
    check = ", checksum" if version > 1 else ""
    for row in base.execute(f"SELECT number, {', '.join(COLUMNS)}{check} FROM games ORDER BY number"):
        number, values = row[0], row[1 : 1 + len(COLUMNS)]
        if not isinstance(number, int) or [type(value) for value in values] != KINDS:
            raise Damaged(f"game {number} is not what it was")
        game = Game(*values)
        sound = row[-1] == checksum(number, *values) if version > 1 else number >= 0 and game.pair == number // 2
        if not sound or game.result not in POINTS or not {game.white, game.black} <= set(names):
            raise Damaged(f"game {number + 1} is not what it was")
        if not _tags_agree(game):
            raise Damaged(f"game {number + 1} and its PGN differ")
        yield number, game


def _tags_agree(game: Game) -> bool:
    tags = {"White": game.white, "Black": game.black, "Result": game.result}
    return all(tags[name] == value for name, value in _TAG.findall(game.pgn))


def row_of(number: int, game: Game) -> tuple[Any, ...]:
    """A game as a row with its checksum."""
    values = (number, *astuple(game))
    return (*values, checksum(*values))


def check_pages(base: sqlite3.Connection, schema: Sequence[str]) -> None:
    """That the tables are ours, word by word, and SQLite finds its pages and indices in order."""
    found = [sql for (sql,) in base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")]
    if found != list(schema):
        raise Damaged("its tables are not those of a store")
    wrong = base.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if wrong != "ok":
        raise Damaged(str(wrong).splitlines()[-1])
