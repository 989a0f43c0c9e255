"""What JAX finds on a board by geometry: attacks, defenders, moves, as python-chess finds them."""

import chess
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plyout.lab.train.geometry import CASTLE, CODES, FROM, PAIRS, TO, VIEW, after, features, look, views
from plyout.lab.train.replay import positions
from tests.lab.train.made import random_games
from tests.lab.train.test_replay import as_seen, numbers
from tests.networks.small.reference import trained_view

COUNT = 200


@pytest.fixture(scope="module")
def boards() -> np.ndarray:
    every = positions(random_games(40, 120, seed=5)).boards
    return np.asarray(every[np.random.default_rng(1).integers(len(every), size=COUNT)])


def as_chess(row: np.ndarray) -> chess.Board:
    board = chess.Board(None)
    for square in np.flatnonzero(row):
        board.set_piece_at(int(square), chess.Piece((int(row[square]) - 1) % 6 + 1, bool(row[square] <= 6)))
    return board


def strength(board: chess.Board, side: chess.Color, square: int) -> int:
    """0 no attack, 1 one, 2 one by a pawn, 3 several by pieces."""
    kinds = [board.piece_type_at(attacker) for attacker in board.attackers(side, square)]
    return 2 if chess.PAWN in kinds else 3 if len(kinds) > 1 else len(kinds)


def test_attacks_and_moves_are_those_of_python_chess(boards: np.ndarray) -> None:
    seen = jax.tree.map(np.asarray, look(jnp.asarray(boards)))
    for row, codes, moves, danger in zip(boards, *seen, strict=True):
        board = as_chess(row)
        castles = (row[FROM] == chess.KING) & (abs(FROM - TO) == 2)
        found = {(int(FROM[k]), int(TO[k])) for k in np.flatnonzero(moves & ~castles)}
        assert found == {(m.from_square, m.to_square) for m in board.generate_pseudo_legal_moves()}, board.fen()
        assert danger.tolist() == [[0, 1, 2, 1][strength(board, chess.BLACK, square)] for square in chess.SQUARES]
        for square in chess.SQUARES:
            piece, code = board.piece_at(square), -1
            if piece is not None:
                attacked, defended = (strength(board, side, square) for side in (not piece.color, piece.color))
                code = piece.piece_type - 1 + (0 if piece.color else 6) + 12 * attacked + 48 * defended
            assert codes[square] == code, board.fen()


def test_each_piece_turns_one_feature_on(boards: np.ndarray) -> None:
    codes = look(jnp.asarray(boards)).codes
    on = np.asarray(features(codes), np.float32).reshape(len(boards), 64, CODES)
    assert (on.sum(2) == (boards > 0)).all()
    rows, squares = np.nonzero(boards)
    assert (on[rows, squares, np.asarray(codes)[rows, squares]] == 1).all()


def test_both_sides_see_the_board_from_their_kings(boards: np.ndarray) -> None:
    seen = [np.asarray(view, np.float32) for view in views(jnp.asarray(boards))]
    for side, view in zip((chess.WHITE, chess.BLACK), seen, strict=True):  # the one to move is White
        assert view.shape == (len(boards), VIEW)
        for row, on in zip(boards, view, strict=True):
            assert np.flatnonzero(on).tolist() == sorted(trained_view(as_chess(row), side))


def test_a_move_is_legal_where_chess_says_so_and_leads_where_it_leads(boards: np.ndarray) -> None:
    chance = jnp.where(look(jnp.asarray(boards)).moves & ~CASTLE, 0.0, -1e9)
    pairs = jax.random.categorical(jax.random.key(1), chance)
    moved, legal = after(jnp.asarray(boards), pairs)
    for row, pair, now, may in zip(boards, np.asarray(pairs), np.asarray(moved), np.asarray(legal), strict=True):
        board = as_chess(row)
        ways = {}
        for move in board.legal_moves:
            board.push(move)
            ways[move.from_square, move.to_square, move.promotion] = numbers(as_seen(board)[0])
            board.pop()
        start, to = int(FROM[pair]), int(TO[pair])
        promotes = board.piece_type_at(start) == chess.PAWN and to >= 56
        move = (start, to, chess.QUEEN if promotes else None)
        assert may == (move in ways), board.fen()
        if may:
            assert now.tolist() == ways[move], board.fen()
    assert legal.sum() > 0.8 * COUNT


def test_pairs_are_all_moves_of_queens_and_knights() -> None:
    empty = chess.Board(None)
    pairs = set()
    for square in chess.SQUARES:
        for piece in (chess.QUEEN, chess.KNIGHT):
            empty.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            pairs |= {(square, to) for to in empty.attacks(square)}
        empty.remove_piece_at(square)
    assert {(int(a), int(b)) for a, b in zip(FROM, TO, strict=True)} == pairs
    assert len(pairs) == PAIRS
