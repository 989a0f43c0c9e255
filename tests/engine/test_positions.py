"""What a position may be given as."""

import chess
import chess.variant
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import state_of
from tests.dump import searched
from tests.positions import KIWIPETE


def test_a_board_a_fen_and_a_state_are_the_same_position() -> None:
    trees = {
        searched("mcc", position, 100)
        for position in (KIWIPETE, chess.Board(KIWIPETE), state_of(chess.Board(KIWIPETE)))
    }
    assert len(trees) == 1


def test_moves_of_chess960_are_those_of_the_board() -> None:
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HA - 0 1"
    board = chess.Board(fen, chess960=True)
    result = Engine("mcc", hash_mb=4).search(board, Limits(nodes=500))
    assert {m.move for m in result.moves} == set(board.legal_moves)


def test_a_board_of_another_game_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="crazyhouse"):
        Engine("mcc", hash_mb=1).search(chess.variant.CrazyhouseBoard(), Limits(nodes=10))
    with pytest.raises(InputError, match="not a FEN"):
        Engine("mcc", hash_mb=1).search("nonsense", Limits(nodes=10))
    with pytest.raises(InputError, match="no variant"):
        Engine("mcc", "checkers")
    with pytest.raises(InputError, match="for chess only"):
        Engine("mcc-bias", "tictactoe")
    with pytest.raises(InputError, match="for chess only"):
        Engine("mcc-decisive", "crazyhouse")
