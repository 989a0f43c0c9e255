"""The store: each game once, the same settings, sound whatever happens."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.lab.match.store import Store
from plyout.lab.record import Game

GAME = Game(0, "a", "b", "1-0", "checkmate", "Sicilian", 40, 1.5, 100.0, "1. e4 *")
SETTINGS = {"engines": ["a", "b"], "names": ["a", "b"], "seed": 1}


def test_games_come_back_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite"
    with Store(path, SETTINGS) as store:
        store.add(1, replace(GAME, white="b", black="a"))
        store.add(0, GAME)
    with Store.read(path) as store:
        assert store.games() == [GAME, replace(GAME, white="b", black="a")]
        assert store.numbers() == {0, 1}
        assert store.settings() == SETTINGS


def test_no_game_is_stored_twice(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add(0, GAME)
        for number in (0, 5):
            with pytest.raises(sqlite3.IntegrityError):
                store.add(number, GAME)
        assert store.games() == [GAME]


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add(0, GAME)
    with pytest.raises(InputError, match=r"other settings \(seed is 1 there, 2 here\): give another --out"):
        Store(tmp_path / "games.sqlite", SETTINGS | {"seed": 2})
    Store(tmp_path / "games.sqlite", SETTINGS).close()


def test_a_run_that_failed_before_its_first_game_binds_nobody(tmp_path: Path) -> None:
    Store(tmp_path / "games.sqlite", SETTINGS).close()
    with Store(tmp_path / "games.sqlite", SETTINGS | {"seed": 2}) as store:
        assert store.settings()["seed"] == 2


def test_two_runs_do_not_play_into_one_store_and_readers_may_look(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add(0, GAME)
        with pytest.raises(InputError, match="another run is playing into"):
            Store(tmp_path / "games.sqlite", SETTINGS)
        with Store.read(tmp_path) as reader:
            assert reader.games() == [GAME]
    Store(tmp_path / "games.sqlite", SETTINGS).close()


def test_files_that_are_no_stores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no games"):
        Store.read(tmp_path)
    (tmp_path / "text").write_text("no database at all, but long enough to be read as one" * 100)
    with pytest.raises(InputError, match="is not a store of games"):
        Store.read(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other.sqlite") as base:
        base.execute("CREATE TABLE mine (x)")
    with pytest.raises(InputError, match="but not a store of games"):
        Store(tmp_path / "other.sqlite", SETTINGS)
    Store(tmp_path / "newer.sqlite", SETTINGS).close()
    with sqlite3.connect(tmp_path / "newer.sqlite") as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="written by a newer Plyout"):
        Store.read(tmp_path / "newer.sqlite")
