"""Games kept as PGN files."""

import tempfile
from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.play.keeping import Keeper

FIRST, LONGER, SECOND = '[Event "1"]\n\n1. e4 *', '[Event "1"]\n\n1. e4 e5 2. Nf3 *', '[Event "2"]\n\n1. d4 *'


def test_a_game_that_goes_on_replaces_what_was_kept_of_it(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    keeper = Keeper(path)
    assert keeper.keep(FIRST) == keeper.keep(LONGER) == path
    assert path.read_text() == LONGER + "\n\n"
    keeper.next_game()
    keeper.keep(SECOND)
    assert path.read_text() == f"{LONGER}\n\n{SECOND}\n\n"


def test_what_is_in_a_file_already_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b'[Site "\xff"]\n\n1. c4 *')
    keeper = Keeper(path)
    keeper.keep(FIRST)
    assert path.read_bytes() == b'[Site "\xff"]\n\n1. c4 *\n\n' + FIRST.encode() + b"\n\n"
    path.write_bytes(path.read_bytes() + b"somebody else's\n\n")
    keeper.keep(LONGER)
    assert path.read_text(errors="replace").endswith(f"{FIRST}\n\nsomebody else's\n\n{LONGER}\n\n")


def test_a_game_is_kept_in_another_file_too(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "a.pgn")
    keeper.keep(FIRST)
    assert keeper.keep(FIRST, tmp_path / "b.pgn") == tmp_path / "b.pgn"
    keeper.keep(LONGER)
    assert (tmp_path / "a.pgn").read_text() == LONGER + "\n\n"
    assert (tmp_path / "b.pgn").read_text() == FIRST + "\n\n"


def test_without_a_name_a_new_file_is_made_here_and_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda form: "plyout-2026-01-01-120000")
    first, second = Keeper(), Keeper()
    path = first.keep(FIRST)
    assert path == tmp_path / "plyout-2026-01-01-120000.pgn"
    assert second.keep(SECOND) == tmp_path / "plyout-2026-01-01-120000-1.pgn", "another session's file is not touched"
    assert first.keep(LONGER) == path
    assert path.read_text() == LONGER + "\n\n"


def test_where_nothing_can_be_written_another_place_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    blocked = tmp_path / "file/games.pgn"
    with pytest.raises(InputError, match="cannot be written"):
        Keeper(blocked).keep(FIRST)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    path = Keeper(blocked).keep_somewhere(FIRST)
    assert path is not None and path.parent == tmp_path
    assert path.read_text() == FIRST + "\n\n"
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "nowhere"))
    assert Keeper(blocked).keep_somewhere(FIRST) is None


@pytest.mark.parametrize("name", [".", "no/such/folder/x.pgn", "x" * 300, "a\0b"])
def test_a_name_that_cannot_be_written_gets_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as error:
        Keeper().keep(FIRST, tmp_path / name)
    assert "\n" not in str(error.value)
