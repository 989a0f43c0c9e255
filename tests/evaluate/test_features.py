"""Each feature is what counting on a python-chess board says."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.evaluate import features as f
from plyout.evaluate.features import FEATURES
from plyout.evaluate.tapered import evaluate
from plyout.evaluate.weighted import GRAIN, TERMS, load_weights, vector, weigh
from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.games.chess.moves import SETS_SIZE
from plyout.kernel import kernel
from tests.evaluate import oracle
from tests.sampling import positions


def mobility(board: chess.Board, side: chess.Color) -> int:
    board = board.copy(stack=False)
    if side != board.turn:
        board.turn, board.ep_square = side, None
    return board.legal_moves.count()


def in_front(board: chess.Board, side: chess.Color, ranks: int) -> set[int]:
    king = board.king(side)
    assert king is not None
    file, rank = chess.square_file(king), chess.square_rank(king) + (ranks if side else -ranks)
    return {chess.square(x, rank) for x in (file - 1, file, file + 1) if 0 <= x < 8 and 0 <= rank < 8}


def king_attack(board: chess.Board, side: chess.Color) -> int:
    king = board.king(not side)
    assert king is not None
    neighbours = {s for s in chess.SQUARES if chess.square_distance(s, king) == 1}
    zone = neighbours | in_front(board, not side, 2)
    worth = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 5}
    return sum(
        worth.get(piece.piece_type, 0)
        for square, piece in board.piece_map().items()
        if piece.color == side and zone & set(board.attacks(square))
    )


def pawn_shield(board: chess.Board, side: chess.Color) -> float:
    pawns = set(board.pieces(chess.PAWN, side))
    return len(in_front(board, side, 1) & pawns) + 0.5 * len(in_front(board, side, 2) & pawns)


def files(board: chess.Board, side: chess.Color) -> list[int]:
    return [chess.square_file(s) for s in board.pieces(chess.PAWN, side)]


def passed(board: chess.Board, side: chess.Color) -> int:
    def stops(enemy: int, pawn: int) -> bool:
        ahead = chess.square_rank(enemy) - chess.square_rank(pawn)
        near = abs(chess.square_file(enemy) - chess.square_file(pawn)) <= 1
        return near and (ahead > 0 if side else ahead < 0)

    enemies = board.pieces(chess.PAWN, not side)
    return sum(not any(stops(e, p) for e in enemies) for p in board.pieces(chess.PAWN, side))


def doubled(board: chess.Board, side: chess.Color) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(files(board, side)).values())


def islands(board: chess.Board, side: chess.Color) -> int:
    there = set(files(board, side))
    return sum(file in there and file - 1 not in there for file in range(8))


OBVIOUS: dict[str, Callable[[chess.Board, chess.Color], float]] = {
    "mobility": mobility,
    "king_attack": king_attack,
    "pawn_shield": pawn_shield,
    "passed": passed,
    "doubled": doubled,
    "islands": islands,
}


@kernel
def measure(state: Any, weights: Any, out: Any) -> None:
    b = load(state)
    sets = np.empty(SETS_SIZE, np.int64)
    out[0], out[1], out[2], out[3], out[4], out[5] = f.features(b, sets)
    out[6] = weigh(b, evaluate(b), weights, sets)


def measured(board: chess.Board, weights: Any) -> list[int]:
    out = np.zeros(7, np.int64)
    measure(state_of(board.copy(stack=False)), weights, out)
    return [int(x) for x in out]


def differences(board: chess.Board) -> list[float]:
    return [OBVIOUS[name](board, board.turn) - OBVIOUS[name](board, not board.turn) for name in FEATURES]


def test_every_feature_is_the_obvious_count() -> None:
    weights = vector(load_weights())
    varied: dict[str, set[float]] = {name: set() for name in FEATURES}
    for board in positions(600, seed=20, every=4):
        expected = differences(board)
        halves = [2 * x if name in f.HALVES else x for name, x in zip(FEATURES, expected, strict=True)]
        assert measured(board, weights)[:6] == halves, board.fen()
        for name, value in zip(FEATURES, expected, strict=True):
            varied[name].add(value)
    assert all(len(values) >= 3 for values in varied.values()), varied


def test_the_weighted_evaluation_is_the_sum_of_weights_times_features() -> None:
    shipped = load_weights()
    for board in positions(200, seed=21, every=5):
        terms = [oracle.tapered(board, board.turn), *differences(board)]
        expected = sum(shipped[name] * x for name, x in zip(TERMS, terms, strict=True))
        assert measured(board, vector(shipped))[6] == pytest.approx(expected, abs=1.5 + abs(expected) / GRAIN), (
            board.fen()
        )


def test_the_weighted_evaluation_does_not_care_for_colours() -> None:
    weights = vector(load_weights())
    for board in positions(200, seed=22, every=5):
        assert measured(board, weights) == measured(board.mirror(), weights), board.fen()


def test_the_tapered_evaluation_alone_is_weight_one() -> None:
    alone = vector(dict.fromkeys(TERMS, 0.0) | {"tapered": 1.0})
    for board in positions(50, seed=23, every=5):
        assert measured(board, alone)[6] == oracle.tapered(board, board.turn)


def test_a_file_that_holds_no_weights_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "weights.toml"
    path.write_text("[weights]\ntapered = 1\n")
    with pytest.raises(InputError, match="plyout fit"):
        load_weights(path)
    with pytest.raises(InputError, match="plyout fit"):
        load_weights(tmp_path / "missing.toml")
