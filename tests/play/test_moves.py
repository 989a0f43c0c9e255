"""Moves as people type them."""

import random

import chess
import chess.variant
import pytest

from plyout.errors import InputError
from plyout.play.moves import completions, read_move

CASTLING = "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1"
PROMOTION = "8/P7/8/8/7k/8/8/2K5 w - - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
BISHOP_AND_PAWN = "4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "texts", "uci"),
    [
        (chess.STARTING_FEN, ["Nf3", "nf3", "NF3", "g1f3", "G1F3", "g1-f3", "Nf3!", "Nf3?!", " Nf3 "], "g1f3"),
        (CASTLING, ["O-O", "0-0", "o-o", "oo", "OO", "e1g1"], "e1g1"),
        (CASTLING, ["O-O-O", "0-0-0", "ooo", "e1c1"], "e1c1"),
        (PROMOTION, ["a8=Q", "a8Q", "a8q", "a8=q", "a7a8q", "A8=Q", "a8(Q)"], "a7a8q"),
        (TWO_KNIGHTS, ["Nbd2", "nbd2", "b1d2"], "b1d2"),
        (BISHOP_AND_PAWN, ["bxc3", "b2c3"], "b2c3"),
        (BISHOP_AND_PAWN, ["Bxc3", "Bc3", "B:c3", "d2c3"], "d2c3"),
    ],
)
def test_a_move_is_understood_however_it_is_written(fen: str, texts: list[str], uci: str) -> None:
    for text in texts:
        assert read_move(chess.Board(fen), text).uci() == uci, text


def test_drops_are_understood() -> None:
    board = chess.variant.CrazyhouseBoard("rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[NPp] w KQkq - 0 3")
    for text in ("N@f6", "n@f6", "N@F6"):
        assert board.uci(read_move(board, text)) == "N@f6"
    assert board.uci(read_move(board, "p@e5")) == "P@e5"
    assert completions(board, "N@f6") == ["N@f6+"]


@pytest.mark.parametrize(
    ("fen", "text", "told"),
    [
        (TWO_KNIGHTS, "Nd2", "'Nd2' may be Nbd2 or Nfd2"),
        (PROMOTION, "a8", "'a8' may be a8=B, a8=N, a8=Q or a8=R"),
        (PROMOTION, "a7a8", "'a7a8' may be a8=B, a8=N, a8=Q or a8=R"),
        (BISHOP_AND_PAWN, "c3", "'c3' may be bxc3"),
        (BISHOP_AND_PAWN, "BC3", "'BC3' may be Bxc3 or bxc3"),
        (chess.STARTING_FEN, "Ke2", "'Ke2' is no legal move here"),
        (chess.STARTING_FEN, "e2e5", "'e2e5' is no legal move here"),
        (chess.STARTING_FEN, "0000", "'0000' is no legal move here"),
        (chess.STARTING_FEN, "--", "'--' is no legal move here"),
        (chess.STARTING_FEN, "", "'' is no legal move here"),
        (chess.STARTING_FEN, "x" * 500, "…' is no legal move here"),
        ("4k3/8/8/8/7b/8/8/4K2R w K - 0 1", "O-O", "'O-O' is no legal move here, and there is a check"),
    ],
)
def test_what_is_no_move_gets_one_line(fen: str, text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_move(chess.Board(fen), text)
    assert str(error.value).endswith(told)
    assert len(str(error.value)) < 120


def test_every_legal_move_is_read_back_and_completed() -> None:
    rng = random.Random(1)
    board = chess.Board()
    while not board.is_game_over():
        for move in board.legal_moves:
            san = board.san(move)
            assert read_move(board, san) == read_move(board, board.uci(move)) == move
            assert san in completions(board, san[:2])
        board.push(rng.choice(list(board.legal_moves)))


def test_completion_knows_other_capitals() -> None:
    assert completions(chess.Board(), "nf") == ["Nf3"]
    assert completions(chess.Board(), "qq") == []
    assert len(completions(chess.Board(), "")) == 20
