"""Mates by checks: found exactly where python-chess finds one, and proofs that rest on them hold line by line."""

import chess
import chess.variant
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.games import CHESS, CRAZYHOUSE, TICTACTOE, state_of
from plyout.search.proof.certificate import check_certificate
from plyout.search.proof.checking import BUFFER, mate_of
from tests.sampling import set_up


def mates_by_checks(board: chess.Board, plies: int) -> bool:
    for move in list(board.legal_moves):
        if not board.gives_check(move):
            continue
        board.push(move)
        replies = list(board.legal_moves) if plies > 1 or board.is_checkmate() else None
        forced = replies is not None
        for reply in replies or ():
            board.push(reply)
            forced = mates_by_checks(board, plies - 2)
            board.pop()
            if not forced:
                break
        board.pop()
        if forced:
            return True
    return False


def distance(board: chess.Board, longest: int) -> int:
    return next((plies for plies in range(1, longest + 1, 2) if mates_by_checks(board, plies)), 0)


def found(board: chess.Board, plies: int, positions: int = 1 << 40) -> int:
    game = CRAZYHOUSE if board.uci_variant == "crazyhouse" else CHESS
    mate = int(mate_of(game)(state_of(board), plies, positions, np.empty(BUFFER, np.int64)))
    return mate & 255


def test_mates_by_checks_are_those_that_python_chess_finds() -> None:
    seen = {1: 0, 3: 0, 5: 0, 0: 0}
    for board in set_up(300, seed=5, pieces="QRRBNP"):
        expected = distance(board, 5)
        assert found(board, 5) == expected, board.fen()
        seen[expected] += 1
    assert min(seen.values()) >= 5, seen


def test_drops_mate_in_crazyhouse() -> None:
    for board in set_up(150, seed=6, pieces="QRNP"):
        house = chess.variant.CrazyhouseBoard(board.fen().replace(" ", "[QNn] ", 1))
        assert found(house, 3) == distance(house, 3), house.fen()


def test_the_search_ends_when_its_positions_are_used_up() -> None:
    board = chess.Board("r3r2k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1")
    assert found(board, 3) == 3
    assert found(board, 3, positions=1) == 0


def test_no_mate_is_seen_beyond_the_fifty_move_rule() -> None:
    board = chess.Board("r3r2k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 96 90")
    assert found(board, 3) == 3
    board.halfmove_clock = 97
    assert found(board, 3) == 0


def test_games_without_checks_have_no_mates() -> None:
    assert mate_of(TICTACTOE)(TICTACTOE.start(), 9, 1000, np.empty(BUFFER, np.int64)) == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_proofs_that_rest_on_checks_have_certificates_of_the_length_they_claim(seed: int) -> None:
    engine = Engine("plyout", hash_mb=8, checks=4, tables=0, seed=seed)
    proven = longest = 0
    for board in set_up(120, seed=40 + seed, pieces="QRBNPP"):
        engine.new_game()
        result = engine.search(board, Limits(nodes=2000))
        if result.proof in ("win", "loss"):
            plies = check_certificate(board, result.certificate())
            assert abs(result.mate or 0) == (plies + 1) // 2, board.fen()
            assert len(result.moves[0].pv) == plies, board.fen()
            proven, longest = proven + 1, max(longest, plies)
    assert proven >= 20
    assert longest >= 5


def test_a_blunder_into_checks_is_punished_from_the_graph_at_hand() -> None:
    """The node that the opponent moves to is proven already, and its lines are not in the graph."""
    engine = Engine("plyout", hash_mb=8, checks=4, tables=0, explore_all=0.3)
    punished = 0
    for board in set_up(150, seed=77, pieces="QRBNPP"):
        engine.new_game()
        blunders = [move for move in engine.search(board, Limits(nodes=1500)).moves if move.proof == "loss"]
        if not blunders:
            continue
        board.push(blunders[0].move)
        result = engine.search(board, Limits(nodes=10))
        if not board.is_game_over():
            assert result.proof == "win", board.fen()
            assert check_certificate(board, result.certificate()) == len(result.moves[0].pv)
            punished += 1
    assert punished >= 8
