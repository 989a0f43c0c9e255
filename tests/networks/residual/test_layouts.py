"""Layouts: what a position looks like to a network, and which number of a policy is a move's."""

from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, state_of
from plyout.games.chess.border import decode
from plyout.games.chess.move import CASTLE
from plyout.networks.positions import Positions
from plyout.networks.residual.layouts import LAYOUTS, MIRRORED, PLAIN, layout_of
from plyout.networks.residual.mirrored import FROM, TO, likings, pairs
from plyout.networks.small.pairs import PAIRS
from tests.sampling import positions

CHESS960 = [  # castling where the king stays, where it goes one square, and where it takes the rook's
    "1r3krn/8/8/8/8/8/8/1R3KRN w BGbg - 0 1", "6kr/8/8/8/8/8/8/R5KR w HA - 0 1", "rk6/8/8/8/8/8/8/RK5R b a - 0 1",
    "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1",
]  # fmt: skip


def asked(board: chess.Board) -> tuple[Any, Any]:
    """The state and the legal moves of one position, as an evaluator gets them."""
    state = state_of(board)
    return state[None], np.array([CHESS.moves(state)])


def seen_square(board: chess.Board, square: int) -> int:
    king = board.king(board.turn)
    assert king is not None
    return square ^ (0 if board.turn else 56) ^ (7 if chess.square_file(king) > 3 else 0)


def check_pairs(board: chess.Board) -> None:
    states, moves = asked(board)
    for number, pair in zip(moves[0], pairs(moves, states)[0], strict=True):
        move = decode(int(number), False)  # castling is where the king goes
        if board.chess960 and int(number) & CASTLE:
            continue  # the next test's
        assert FROM[pair] == seen_square(board, move.from_square)
        assert TO[pair] == seen_square(board, move.to_square)


def test_a_move_is_the_pair_of_squares_it_goes() -> None:
    for board in positions(400, seed=3):
        check_pairs(board)


@pytest.mark.parametrize("fen", CHESS960)
def test_castling_has_a_pair_wherever_the_king_stands(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    assert any(board.is_castling(move) for move in board.legal_moves)
    states, moves = asked(board)
    found = pairs(moves, states)
    assert ((found >= 0) & (found < PAIRS)).all()
    for number, pair in zip(moves[0], found[0], strict=True):
        move = decode(int(number), True)
        assert FROM[pair] == seen_square(board, move.from_square)
        if board.is_castling(move):
            rook, rank = move.to_square, move.from_square & 56
            goes = rank + (6 if rook > move.from_square else 2)
            assert TO[pair] == seen_square(board, rook if goes == move.from_square else goes)


def test_a_lesser_promotion_is_the_queens_pair_less_something() -> None:
    states, moves = asked(chess.Board("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
    policy = np.random.default_rng(1).normal(size=(1, PAIRS))
    found = {decode(int(m), False).uci(): x for m, x in zip(moves[0], likings(policy, moves, states)[0], strict=True)}
    for to in ("a8", "b8"):
        assert all(found[f"a7{to}{piece}"] == found[f"a7{to}q"] - 4 for piece in "nbr")


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_colours_reversed_look_the_same(layout: Any) -> None:
    policy = np.random.default_rng(1).normal(size=(1, layout.policy))
    for board in positions(60, seed=8, every=5):
        looks, liked = [], []
        for each in (board.copy(stack=False), board.mirror()):
            states, moves = asked(each)
            looks.append(layout.planes(states, CHESS))
            liked.append(np.sort(layout.likings(policy, moves, states)))
        assert np.array_equal(*looks)
        assert np.array_equal(*liked)


def test_left_and_right_look_the_same_where_nobody_castles() -> None:
    policy = np.random.default_rng(1).normal(size=(1, PAIRS))
    for board in positions(120, seed=9, every=5):
        board = board.copy(stack=False)
        board.clear_stack()
        board.castling_rights = 0
        turned = board.transform(chess.flip_horizontal)
        if chess.square_file(board.king(board.turn) or 0) in (3, 4):
            assert np.array_equal(*(MIRRORED.planes(asked(b)[0], CHESS) for b in (board, turned)))
        by_move = []
        for each, flip in ((board, 0), (turned, 7)):
            states, moves = asked(each)
            liked = likings(policy, moves, states)[0]
            named = [decode(int(m), False) for m in moves[0]]
            by_move.append(
                {(m.from_square ^ flip, m.to_square ^ flip, m.promotion): x for m, x in zip(named, liked, strict=True)}
            )
        assert by_move[0] == by_move[1]


def test_a_layout_is_known_by_name_or_by_shape() -> None:
    assert layout_of("mirrored", ["n", 12, 8, 8], [["n", 1], ["n", PAIRS]]) is MIRRORED
    assert layout_of(None, ["n", 12, 8, 8], [["n", PAIRS], ["n"]]) is MIRRORED
    assert layout_of(None, ["n", 26, 8, 8], [["n", 1], ["n", PLAIN.policy]]) is PLAIN
    for said, inputs, complaint in (
        ("rotated", ["n", 12, 8, 8], "its layout is 'rotated', and not one of plain, mirrored"),
        (None, ["n", 13, 8, 8], "it must have .*12 planes and a policy of 1792 numbers, and has 13 planes"),
        ("plain", ["n", 12, 8, 8], "it must have 15/26 planes and a policy of 4488 numbers"),
        (None, ["n", 768], r"its input must be planes, \(n, planes, 8, 8\)"),
    ):
        with pytest.raises(InputError, match=complaint):
            layout_of(said, inputs, [["n", 1], ["n", PAIRS]])


def test_both_layouts_serve_one_evaluator(tmp_path: Path) -> None:
    """A model of either layout gives every legal move of any position a share, and nothing to others."""
    from plyout.networks.residual.onnx import Network
    from tests.damage.kinds import KINDS
    from tests.networks.residual.tiny import write_tiny

    boards = [board.copy(stack=False) for board in positions(40, seed=2, every=7)]
    listed = [CHESS.moves(state_of(board)) for board in boards]
    counts = np.array([len(moves) for moves in listed])
    moves = np.full((len(boards), counts.max()), -1)
    for row, found in zip(moves, listed, strict=True):
        row[: len(found)] = found
    asked = Positions(CHESS, np.stack([state_of(board) for board in boards]), moves, counts)
    for path in (KINDS["network"].make(tmp_path), write_tiny(tmp_path / "residual.onnx")):
        values, priors = Network(path)(asked)
        assert values.shape == (40,) and (np.abs(values) <= 1).all()
        assert ((priors > 0) == (moves >= 0)).all()
        with pytest.raises(InputError, match="is for chess, and not for crazyhouse"):
            Network(path).check_game(CRAZYHOUSE)


def test_a_higher_temperature_makes_priors_more_alike(tmp_path: Path) -> None:
    from plyout.networks.residual.onnx import Network
    from tests.networks.residual.tiny import write_tiny

    path = write_tiny(tmp_path / "tiny.onnx")
    states, moves = asked(chess.Board())
    one, two = (
        Network(path, temperature=t)(Positions(CHESS, states, moves, np.array([moves.size])))[1] for t in (1.0, 2.0)
    )
    assert np.allclose(two**2, one)
    assert (one < 1).any()
