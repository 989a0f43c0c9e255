"""The store: each game once, the same settings, sound whatever happens."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.lab.match.store import Store
from plyout.lab.record import Game
from tests.lab.match import stores

GAME = Game(0, "a", "b", "1-0", "checkmate", "Sicilian", 40, 1.5, 100.0, "1. e4 *")
SETTINGS = {"engines": ["a", "b"], "names": ["a", "b"], "seed": 1}


def test_games_come_back_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite"
    with Store(path, SETTINGS) as store:
        store.add({1: replace(GAME, white="b", black="a")})
        store.add({0: GAME})
    with Store.read(path) as store:
        assert store.games() == [GAME, replace(GAME, white="b", black="a")]
        assert store.numbers() == {0, 1}
        assert store.settings() == SETTINGS


def test_no_game_is_stored_twice(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add({0: GAME})
        for number in (0, 5):
            with pytest.raises(sqlite3.IntegrityError):
                store.add({number: GAME})
        assert store.games() == [GAME]


def test_games_that_come_together_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    other = replace(GAME, white="b", black="a")
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        with pytest.raises(sqlite3.IntegrityError):
            store.add({0: GAME, 1: other, 2: GAME})
        assert store.games() == []
        store.add({1: other, 0: GAME})
        assert store.games() == [GAME, other]
    with Store.read(tmp_path) as store:
        assert store.games() == [GAME, other]


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add({0: GAME})
    with pytest.raises(InputError, match=r"other settings \(seed is 1 there, 2 here\): give another --out"):
        Store(tmp_path / "games.sqlite", SETTINGS | {"seed": 2})
    Store(tmp_path / "games.sqlite", SETTINGS).close()


def test_a_run_that_failed_before_its_first_game_binds_nobody(tmp_path: Path) -> None:
    Store(tmp_path / "games.sqlite", SETTINGS).close()
    with Store(tmp_path / "games.sqlite", SETTINGS | {"seed": 2}) as store:
        assert store.settings()["seed"] == 2


def test_two_runs_do_not_play_into_one_store_and_readers_may_look(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", SETTINGS) as store:
        store.add({0: GAME})
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


def test_nothing_is_played_into_a_damaged_store(tmp_path: Path) -> None:
    whole = stores.sample(tmp_path).read_bytes()
    at = whole.index(b"Nf3")
    (tmp_path / "games.sqlite").write_bytes(whole[:at] + b"Nh3" + whole[at + 3 :])
    with pytest.raises(InputError, match=r"damaged: game \d+ is not what it was; bring back a copy, or give another"):
        Store(tmp_path / "games.sqlite", stores.SETTINGS)
    (tmp_path / "games.sqlite").write_bytes(whole)
    Store(tmp_path / "games.sqlite", stores.SETTINGS).close()


def test_a_store_of_the_first_version_is_read_and_goes_on_as_one_of_the_second(tmp_path: Path) -> None:
    with Store.read(stores.sample(tmp_path / "second", games=4)) as store:
        games = store.games()
    path = stores.of_version_1(tmp_path, games=4)
    with Store.read(path) as store:
        assert store.games() == games
    with Store(path, stores.SETTINGS) as store:
        store.add({4: replace(games[0], pair=2)})
    with Store.read(path) as store:
        assert store.games() == [*games, replace(games[0], pair=2)]
    with sqlite3.connect(path) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (2,)
        assert base.execute("SELECT count(*) FROM games WHERE length(checksum) = 16").fetchone() == (5,)


def test_what_stands_where_a_store_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").mkdir()
    with pytest.raises(InputError, match="holds no games"):
        Store.read(tmp_path)
    with pytest.raises(InputError, match="cannot be opened as a store of games: unable to open database file"):
        Store(tmp_path / "games.sqlite", SETTINGS)
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(InputError, match="is not a store of games: it is empty"):
        Store.read(tmp_path / "empty.sqlite")
    (tmp_path / "x.sqlite.lock").write_bytes(b"no lock" * 100)
    with pytest.raises(InputError, match="keeps other runs out, cannot be locked"):
        Store(tmp_path / "x.sqlite", SETTINGS)
