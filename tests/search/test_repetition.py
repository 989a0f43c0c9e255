"""Positions that return: known at once on the way down, and worth a draw whatever other ways have found behind them."""

import random

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.games import CHESS, state_of

SHUFFLE = "g3h2 d5f6 h3g3 f7g6 a4c4 d2d1 c4b4 g6h5 b4c4 h5g6 c4b4 g6h5 b4c4 h5g6"


def test_a_position_repeats_if_it_returns_within_some_plies_or_for_the_third_time() -> None:
    """As python-chess counts: games of few pieces, in which much returns."""
    rng = random.Random(7)
    seen = {True: 0, False: 0}
    for _ in range(20):
        board = chess.Board("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1")
        for _ in range(80):
            own = board.move_stack[-2] if len(board.move_stack) > 1 else chess.Move.null()
            back = chess.Move(own.to_square, own.from_square)
            board.push(back if board.is_legal(back) and rng.random() < 0.6 else rng.choice(list(board.legal_moves)))
            if board.is_game_over() and not board.can_claim_draw():
                break
            plies = rng.randrange(0, 20)
            past, returns = board.copy(), False
            for ago in range(1, min(plies, len(board.move_stack)) + 1):
                past.pop()
                returns = returns or (ago >= 4 and past.epd() == board.epd())
            expected = returns or board.is_repetition(3)
            assert CHESS.repeats(state_of(board), np.int64(plies)) == expected, (board.fen(), plies)
            seen[expected] += 1
    assert min(seen.values()) > 50


def test_a_move_that_repeats_the_position_a_third_time_is_worth_a_draw() -> None:
    """Black is better, and searches every position of the game in one graph that goes on: before the last move it has
    found much behind it, on ways to the same position that did not repeat it."""
    board = chess.Board("8/3p1kp1/4p2p/3n1p2/R2P1P1P/5PBK/3r4/8 w - - 8 38")
    engine = Engine("plyout", hash_mb=32)
    for text in SHUFFLE.split():
        move = chess.Move.from_uci(text)
        if board.turn == chess.BLACK:
            result = engine.search(board, Limits(nodes=6000))
            found = next(m for m in result.moves if m.move == move)
        board.push(move)
    assert board.is_repetition(3)
    assert found.value == 0.5
    assert found.visits > 0
    assert result.move != move
    assert result.value > 0.7
