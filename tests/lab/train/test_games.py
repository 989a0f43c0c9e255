"""Labelled games on disk: read as they were written, refused with one line where they are damaged."""

import lzma
from pathlib import Path

import numpy as np
import pytest

from plyout.errors import InputError
from plyout.lab.train.games import LabelledGame, files_in, game_bytes, read_games
from plyout.lab.train.replay import positions
from tests.lab.train.made import random_games, write_games


def test_games_are_read_as_they_were_written(tmp_path: Path) -> None:
    games = [*random_games(5, 30), LabelledGame(0.0, np.zeros((0, 3), np.uint16))]
    found = list(read_games(files_in(write_games(tmp_path, games))))
    assert [game.points for game in found] == [game.points for game in games]
    assert all(np.array_equal(one.plies, other.plies) for one, other in zip(found, games, strict=True))


def test_the_format_is_the_documented_one() -> None:
    game = LabelledGame(
        0.5, np.array([[12 | 28 << 6, 0, 32767], [51 | 35 << 6, 52 | 36 << 6, 65536 - 29998]], np.uint16)
    )
    assert game_bytes(game).hex() == "020001000c070000ff7ff3083409d28a"


GOOD = b"".join(map(game_bytes, random_games(3, 20)))
DAMAGED = {
    "no xz at all": (b"games", "cannot be read as labelled games"),
    "cut off": (lzma.compress(GOOD)[:-20], "cannot be read as labelled games"),
    "a changed byte": (lzma.compress(GOOD)[:60] + b"!" + lzma.compress(GOOD)[61:], "cannot be read as labelled games"),
    "the last game is not whole": (lzma.compress(GOOD[:-1]), "is damaged at byte"),
    "three points for a win": (lzma.compress(GOOD[:2] + b"\x06" + GOOD[3:]), "is damaged at byte 0"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_named(what: str, tmp_path: Path) -> None:
    data, wanted = DAMAGED[what]
    (tmp_path / "games-0.bin.xz").write_bytes(data)
    with pytest.raises(InputError, match=wanted) as told:
        list(read_games(files_in(tmp_path)))
    assert str(tmp_path) in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize(
    "move", [0, 28 | 36 << 6, 52 | 36 << 6, 1 | 11 << 6, 12 | 28 << 6 | 1 << 12, 12 | 28 << 6 | 6 << 12]
)
def test_moves_that_nobody_can_make_are_refused(column: int, move: int) -> None:
    """From an empty square, of the other side's piece, onto an own piece, with a pawn or a king as promotion."""
    game = random_games(1, 6, opening=0)[0]
    game.plies[0] = 12 | 28 << 6, 12 | 28 << 6, 0
    positions([game.__class__(0.5, game.plies[:1])])
    game.plies[0, column] = move
    with pytest.raises(InputError, match="ply 1 of game 1"):
        positions([game])


def test_a_folder_without_games_says_how_to_make_some(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="plyout label --out"):
        files_in(tmp_path)
