"""Mates in one are found wherever python-chess finds one, and nowhere else."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

import chess
import numpy as np
import pytest

from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.games.chess.border import decode
from plyout.games.chess.moves import SETS_SIZE, find
from plyout.kernel import kernel
from plyout.playout.mates import allows_mate, is_mate, mating_move
from tests.sampling import positions, set_up


@kernel
def verdicts(state: Any) -> tuple[int, bool, bool]:
    """(a mating move or -1, whether there is one, whether the side to move is mated)"""
    sets, more_sets = np.empty(SETS_SIZE, np.int64), np.empty(SETS_SIZE, np.int64)
    b = load(state)
    n, _, steps, _ = find(b, sets)
    move = mating_move(b, sets, n, steps, more_sets)
    return move, allows_mate(b, sets, more_sets), is_mate(b, sets)


def mates(board: chess.Board) -> set[chess.Move]:
    """Every mate in one, by trying all moves that give check."""
    found = set()
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            if board.is_checkmate():
                found.add(move)
            board.pop()
    return found


def compare(boards: Iterable[chess.Board]) -> Counter[bool]:
    seen = Counter[bool]()
    for board in boards:
        expected = mates(board)
        move, allowed, mated = verdicts(state_of(board.copy(stack=False)))
        assert mated == board.is_checkmate(), board.fen()
        assert allowed == bool(expected), f"{board.fen()}: {expected or 'no mate'}"
        if expected:
            assert decode(move, board.chess960) in expected, f"{decode(move)} in {board.fen()}"
        else:
            assert move == -1, f"{decode(move)} in {board.fen()}"
        seen[bool(expected)] += 1
    return seen


def test_mates_of_random_games_are_found() -> None:
    """Castling, Chess960 and en passant occur there; mates seldom do."""
    seen = compare(positions(2500, seed=1, every=3))
    assert seen[True] >= 20


def test_mates_of_positions_set_up_for_them_are_found() -> None:
    """Discovered checks, promotions and mates by the hundred."""
    seen = compare(
        chain(set_up(3000, seed=2), set_up(1500, seed=3, pieces="QQRRBBNN"), set_up(1500, seed=4, pieces="QPPPPP"))
    )
    assert seen[True] >= 300
    assert seen[False] >= 400


UNUSUAL = {
    "castling, h-side": ("8/8/8/2N5/7R/3Rpk2/6R1/4K2R w K - 0 1", "e1g1"),
    "castling, a-side": ("1N5n/8/8/n7/1Q6/2pk4/8/R3KNN1 w Q - 0 1", "e1c1"),
    "castling in Chess960": ("8/8/1p4p1/8/3b4/8/7R/RK3k1b w A - 0 1", "b1a1"),
    "castling in Chess960, rook from b1": ("8/7Q/8/8/8/8/R7/1RK2kNN w B - 0 1", "c1b1"),
    "en passant": ("8/8/7R/6pP/1R6/5K1k/8/8 w - g6 0 1", "h5g6"),
    "en passant by the pawn itself": ("8/8/k2N4/PpK5/R7/4p3/8/B7 w - b6 0 1", "a5b6"),
    "en passant discovers": ("8/8/2K4R/6pP/3N4/6Q1/8/7k w - g6 0 1", "h5g6"),
    "en passant discovers through the victim": ("6B1/4p1R1/1p5Q/5pP1/8/8/4K1k1/8 w - f6 0 1", "g5f6"),
    "a knight by promotion": ("8/1P3N2/k7/6Q1/4B3/8/8/4K1B1 w - - 0 1", "b7b8n"),
    "promotion with capture": ("4kr2/4P2N/K7/8/3R4/8/6r1/7N w - - 0 1", "e7f8q"),
    "promotion checks through the square left": ("8/PR6/k1p5/7K/8/8/8/8 w - - 0 1", "a7a8q"),
    "promotion checks through the square left, again": ("7N/3P3K/3k4/8/R7/n3Q3/8/4R2B w - - 0 1", "d7d8q"),
    "the king discovers": ("8/3P3k/8/6RK/8/8/B2nB3/7Q w - - 0 1", "h5g4"),
    "the king discovers along a file": ("2Q4r/k1pP4/8/K7/R7/3R4/8/8 w - - 0 1", "a5b5"),
}


@pytest.mark.parametrize("name", UNUSUAL)
@pytest.mark.parametrize("mirrored", [False, True], ids=["white", "black"])
def test_unusual_mates_are_found(name: str, mirrored: bool) -> None:
    """Each position has one mate only; a table that says otherwise fails, too."""
    fen, text = UNUSUAL[name]
    board, move = chess.Board(fen, chess960="960" in name), chess.Move.from_uci(text)
    if mirrored:
        start, to = chess.square_mirror(move.from_square), chess.square_mirror(move.to_square)
        board, move = board.mirror(), chess.Move(start, to, move.promotion)
    assert mates(board) == {move}
    found, allowed, _ = verdicts(state_of(board))
    assert allowed
    assert decode(found, board.chess960) == move


def test_mated_is_not_stalemated() -> None:
    for fen, expected in (("R6k/8/6K1/8/8/8/8/8 b - - 0 1", True), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False)):
        assert verdicts(state_of(chess.Board(fen)))[2] is expected
