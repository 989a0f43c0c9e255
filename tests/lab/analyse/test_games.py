"""What may be analysed: games of chess, Chess960 and crazyhouse; all else gets one line that names it."""

from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.lab.analyse.games import read_games
from tests.lab.analyse.made import BLUNDER, LEGAL, chess960_game, collection, crazyhouse_game


def test_games_of_all_three_variants_are_read(tmp_path: Path) -> None:
    games = read_games(collection(tmp_path, LEGAL, chess960_game(), crazyhouse_game()))
    kinds = [(game.start().uci_variant, game.start().chess960) for game in games]
    assert kinds == [("chess", False), ("chess", True), ("crazyhouse", False)]


def test_a_position_is_called_the_same_only_with_the_same_past(tmp_path: Path) -> None:
    other = LEGAL.replace("1. e4 e5 2. Nf3 d6 3.", "1. Nf3 d6 2. e4 e5 3.")
    first, second, third = read_games(collection(tmp_path, LEGAL, other, BLUNDER))
    keys = [[key for key, _ in game.boards()] for game in (first, second, third)]
    assert set(keys[0]) & set(keys[1]) == {keys[0][0]}
    assert keys[0][:4] == keys[2][:4] and keys[0][4] != keys[2][4], "1. e4 e5 2. Nf3 is in both"
    assert all(len(set(own)) == len(own) for own in keys)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no games with moves in PGN"),
        ("no game at all", "has no games with moves in PGN"),
        ('[White "a"]\n\n*\n', "has no games with moves in PGN"),
        (LEGAL + "\n1. e4 e5 2. Ke3 *\n", "game 2 cannot be read: illegal san: 'Ke3'"),
        ('[Variant "Atomic"]\n\n1. e4 e5 *\n', "game 1 is one of atomic: chess, Chess960 and crazyhouse can be"),
        ('[Variant "Jumbo"]\n\n1. e4 e5 *\n', "game 1 is one of 'Jumbo': chess, Chess960 and crazyhouse can be"),
        ('[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n[SetUp "1"]\n\n1. Kb1 *\n', "game 1: .*Black has no king"),
        ('[FEN "nonsense"]\n[SetUp "1"]\n\n1. Kb1 *\n', "game 1 cannot be read"),
        ("1. e4 -- 2. d4 *\n", "game 1 has a null move"),
    ],
)
def test_what_cannot_be_analysed_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=complaint) as refused:
        read_games(collection(tmp_path, text))
    assert "\n" not in str(refused.value)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pgn", tmp_path):
        with pytest.raises(InputError, match=f"cannot read {path}: "):
            read_games(path)
    (tmp_path / "x.pgn").write_bytes(bytes(range(256)) * 50)
    with pytest.raises(InputError):
        read_games(tmp_path / "x.pgn")


def test_games_without_moves_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = read_games(collection(tmp_path, '[White "a"]\n\n*\n', LEGAL))
    assert [game.number for game in games] == [2]
    assert "1 without moves left out" in capsys.readouterr().err
