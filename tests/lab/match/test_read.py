from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.lab.match.read import games_of_pgn, read_games
from plyout.lab.match.store import Store


def pgn(white: str, black: str, result: str, moves: str, **tags: str) -> str:
    heads = {"Event": "?", "White": white, "Black": black, "Result": result} | tags
    return "\n".join(f'[{name} "{value}"]' for name, value in heads.items()) + f"\n\n{moves} {result}\n\n"


MATE = "1. f3 e5 2. g4 Qh4#"


def test_players_results_and_pairs_are_read() -> None:
    text = pgn("A", "B", "0-1", MATE, Round="1", PlyCount="4", Opening="Barnes")
    text += pgn("B", "A", "1/2-1/2", "1. e4 e5", Round="1")
    text += pgn("A", "B", "*", "1. e4", Round="2")
    text += pgn("A", "B", "1-0", "1. e4 e5", Round="?")
    text += pgn("B", "A", "1-0", "1. e4 e5", Round="?")
    first, second, third, fourth = games_of_pgn(text)
    assert (first.white, first.black, first.result, first.plies, first.opening) == ("A", "B", "0-1", 4, "Barnes")
    assert first.pair == second.pair
    assert len({first.pair, third.pair, fourth.pair}) == 3  # without a round no two are twins


def test_files_put_together_lose_no_game() -> None:
    text = pgn("A", "B", "0-1", MATE).rstrip() + "\n"
    assert len(list(games_of_pgn(text * 5))) == 5
    assert len(list(games_of_pgn((text * 5).replace("\n", "\r\n")))) == 5


@pytest.mark.parametrize(
    ("moves", "termination", "reason"),
    [
        (MATE, "", "checkmate"),
        (MATE + " {[%eval #1] [%clk 0:00:01]}", "normal", "checkmate"),
        ("1. e4 e5 {+0.50/12 0.50s}", "normal", "unknown"),
        ("1. e4 e5 {-0.12/9 0.1s, Black wins on time}", "", "time"),
        ("1. e4 e5", "time forfeit", "time"),
        ("1. e4 e5 {[%emt 0:00:01] B: crash, exit code 1}", "abandoned", "crash"),
        ("1. e4 e5 {B: stall, said nothing}", "abandoned", "stall"),
        ("1. e4 e5", "rules infraction", "illegal"),
        ("1. e4 e5 {0.00/1 0s, Draw by stalemate}", "", "stalemate"),
        ("1. e4 e5 {0.00/1 0s, Draw by 3-fold repetition}", "", "repetition"),
        ("1. e4 e5 {0.00/1 0s, Draw by fifty moves rule}", "", "fifty moves"),
        ("1. e4 e5 {0.00/1 0s, Draw by insufficient mating material}", "", "material"),
        ("1. e4 e5 {0.00/1 0s, Draw by adjudication}", "", "adjudication"),
    ],
)
def test_endings_are_told_by_tag_and_last_comment(moves: str, termination: str, reason: str) -> None:
    tags = {"Termination": termination} if termination else {}
    (game,) = games_of_pgn(pgn("A", "B", "0-1", moves, **tags))
    assert game.reason == reason


def test_a_folder_stands_for_its_games(tmp_path: Path) -> None:
    (tmp_path / "match.pgn").write_text(pgn("A", "B", "0-1", MATE))
    games, settings = read_games(tmp_path)
    assert len(games) == 1
    assert settings == {"games": "match.pgn"}


def test_our_own_store_is_read(tmp_path: Path) -> None:
    (game,) = games_of_pgn(pgn("A", "B", "0-1", MATE))
    with Store(tmp_path / "games.sqlite", {"names": ["A", "B"]}) as written:
        written.add({0: game})
    assert read_games(tmp_path) == ([game], {"names": ["A", "B"]})


def test_what_holds_no_games_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not there"):
        read_games(tmp_path / "none.pgn")
    with pytest.raises(InputError, match="0 PGN files"):
        read_games(tmp_path)
    (tmp_path / "empty.pgn").write_text("no games\n")
    with pytest.raises(InputError, match="no finished game"):
        read_games(tmp_path)
