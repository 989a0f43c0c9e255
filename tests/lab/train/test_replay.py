"""Games replayed for a network: every board and every move as python-chess has them."""

import chess
import numpy as np

from plyout.lab.train.games import UNLABELLED
from plyout.lab.train.replay import positions
from tests.lab.train.made import move_of, random_games

GAMES = random_games(60, 160, seed=3)


def as_seen(board: chess.Board) -> tuple[chess.Board, bool]:
    """From the side to move, with its king on the files a to d; whether left and right are swapped."""
    turned = board if board.turn else board.mirror()
    king = turned.king(chess.WHITE)
    assert king is not None
    swapped = chess.square_file(king) > 3
    return (turned.transform(chess.flip_horizontal) if swapped else turned), swapped


def numbers(board: chess.Board) -> list[int]:
    found = [0] * 64
    for square, piece in board.piece_map().items():
        found[square] = piece.piece_type + (0 if piece.color else 6)
    return found


def test_boards_moves_scores_and_results_are_those_of_the_game() -> None:
    found = positions(GAMES)
    kinds = {"castling": 0, "en passant": 0, "promotion": 0}
    for number, game in enumerate(GAMES):
        rows = iter(np.flatnonzero(found.games == number))
        board = chess.Board()
        for played, best, score in game.plies.tolist():
            if score != UNLABELLED:
                row = next(rows)
                seen, swapped = as_seen(board)
                assert found.boards[row].tolist() == numbers(seen), board.fen()
                turned = (0 if board.turn else 56) ^ (7 if swapped else 0)
                move = move_of(best)
                assert int(found.moves[row]) == (move.from_square ^ turned) | (move.to_square ^ turned) << 6
                assert int(found.scores[row]) == int(np.uint16(score).astype(np.int16))
                assert found.points[row] == (game.points if board.turn else 1 - game.points)
            move = move_of(played)
            kinds["castling"] += board.is_castling(move)
            kinds["en passant"] += board.is_en_passant(move)
            kinds["promotion"] += move.promotion is not None
            board.push(move)
        assert next(rows, None) is None
    assert all(kinds.values()), f"a rule was not tried: {kinds}"
