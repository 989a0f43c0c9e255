"""The game on a page: moves, variations, FEN and PGN in and out."""

import io

import chess.pgn
import pytest

from plyout.board.game import LONGEST_PGN, Game
from plyout.errors import InputError


def test_moves_make_variations_and_are_found_again() -> None:
    game = Game()
    game.line(["e4", "e7e5", "Nf3"])
    first = game.position()["here"]
    game.go_to(1)
    game.play("c5")
    rows = game.moves()
    assert [row[2] for row in rows] == ["e4", "e5", "Nf3", "c5"]
    assert {row[2]: row[1] for row in rows}["c5"] == 1, "it follows 1. e4"
    game.go_to(1)
    game.line(["e7e5", "g1f3"])
    assert game.position()["here"] == first, "a move that is there is not made again"
    assert "1. e4 e5 ( 1... c5 ) 2. Nf3" in game.pgn()


def test_a_variation_becomes_the_main_line() -> None:
    game = Game()
    game.line(["e4", "e5"])
    game.go_to(0)
    game.line(["d4", "d5"])
    game.promote()
    assert "1. d4 ( 1. e4 e5 ) 1... d5" in game.pgn()


def test_a_move_is_taken_back_with_what_follows() -> None:
    game = Game()
    game.line(["e4", "e5", "Nf3"])
    game.go_to(2)
    game.remove()
    assert game.pgn().strip().endswith("1. e4 *")
    assert game.position()["last"] == ["e2", "e4"]
    with pytest.raises(InputError, match="no move number"):
        game.go_to(3)
    game.remove()
    with pytest.raises(InputError, match="no move to take back"):
        game.remove()


@pytest.mark.parametrize("text", ["e2e5", "Ke3", "", "x" * 500, "0000", "e2e4\n"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no legal move"):
        Game().play(text)


def test_crazyhouse_has_pockets_and_drops() -> None:
    game = Game()
    game.begin("crazyhouse")
    game.line(["e4", "d5", "exd5", "Qxd5"])
    position = game.position()
    assert position["pockets"] == {
        "white": {"pawn": 1, "knight": 0, "bishop": 0, "rook": 0, "queen": 0},
        "black": {"pawn": 1, "knight": 0, "bishop": 0, "rook": 0, "queen": 0},
    }
    assert "P@e5" in position["legal"]
    game.play("P@e5")
    assert game.position()["last"] == ["e5"]


def test_chess960_castles_king_onto_rook() -> None:
    game = Game()
    game.read_fen("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "chess")
    assert game.variant == "chess960"
    assert {"f1h1", "f1b1"} <= set(game.position()["legal"])
    game.play("f1b1")
    assert game.board.king(chess.WHITE) == chess.C1


def test_a_pgn_comes_out_as_it_went_in() -> None:
    text = '[Event "x"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 {good} ( 1. e3 Kd7 ) 1... Ke7 *'
    game = Game()
    game.read_pgn(text)
    again = chess.pgn.read_game(io.StringIO(game.pgn()))
    assert again is not None
    assert [str(node.move) for node in again.mainline()] == ["e2e4", "e8e7"]
    assert [str(v.move) for v in again.variations] == ["e2e4", "e2e3"]
    assert again.variations[0].comment == "good"
    assert game.position()["last"] == ["e8", "e7"], "one stands at the end"


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "no game"), ("nonsense", "no game"), ("1. e4 e5 2. Ke3", "illegal san"),
        ("x" * (LONGEST_PGN + 1), "characters"), ('[Variant "Atomic"]\n\n1. e4 *', "cannot be shown"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "illegal position"),
    ],
)  # fmt: skip
def test_a_bad_pgn_changes_nothing(text: str, why: str) -> None:
    game = Game()
    game.line(["e4"])
    with pytest.raises(InputError, match=why):
        game.read_pgn(text)
    assert [row[2] for row in game.moves()] == ["e4"]


def test_variations_within_variations_are_no_trouble() -> None:
    game, depth = Game(), 1000
    game.read_pgn("1. e4 " + "(1. d4 (1. e4 " * depth + "))" * depth + "*")
    assert len(game.moves()) >= 2
    assert game.pgn()


def test_a_line_is_played_whole_or_not_at_all() -> None:
    game = Game()
    with pytest.raises(InputError, match="no legal move"):
        game.line(["e4", "e5", "Ke3"])
    assert game.moves() == []
    assert game.position()["ply"] == 0


def test_a_position_of_the_game_is_found_again() -> None:
    game = Game()
    game.line(["e4", "e5"])
    wanted = game.board.fen()
    game.go_to(0)
    game.line(["d4", "d5"])
    assert game.find(wanted)
    assert game.position()["last"] == ["e7", "e5"], "in another variation"
    assert not game.find("8/8/8/8/8/8/8/K1k5 w - - 0 1")
    assert game.board.fen() == wanted


def test_the_result_that_a_pgn_gives_stays_as_long_as_the_game_ends_there() -> None:
    game = Game()
    game.read_pgn('[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0')
    game.go_to(1)
    assert '[Result "1-0"]' in game.pgn()
    game.play("c5")
    assert '[Result "1-0"]' in game.pgn(), "a variation changes nothing"
    game.go_to(3)
    game.play("Nc6")
    assert '[Result "*"]' in game.pgn()


@pytest.mark.parametrize("number", [0, 17, 333, 518, 700, 959])
def test_a_chess960_fen_is_read_as_it_was_written(number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    game = Game()
    game.read_fen(board.fen(), "chess")
    assert game.variant == ("chess" if number == 518 else "chess960")
    assert {move.uci() for move in game.board.legal_moves} == {move.uci() for move in board.legal_moves}


def test_the_end_of_a_game_is_told() -> None:
    game = Game()
    game.line(["f3", "e5", "g4", "Qh4"])
    assert game.position()["result"] == ("0-1", "checkmate")
    assert game.position()["legal"] == []
    assert '[Result "0-1"]' in game.pgn()
