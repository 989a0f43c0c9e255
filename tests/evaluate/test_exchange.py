"""Static exchange evaluation finds what a side wins if each captures with its least valuable attacker, or stops."""

from collections import Counter
from typing import Any

import chess
import numpy as np
import pytest

from plyout.evaluate.exchange import exchanges
from plyout.games import state_of
from plyout.games.chess.border import encode
from tests.evaluate import oracle
from tests.sampling import positions, set_up


def evaluated(board: chess.Board, moves: list[chess.Move]) -> list[int]:
    out = np.zeros(len(moves), np.int64)
    exchanges(state_of(board.copy(stack=False)), np.array([encode(board, m) for m in moves], np.int64), out)
    return out.tolist()


@pytest.mark.parametrize(
    "fen, move, worth",
    [
        # the two examples of the Chess Programming Wiki
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 850 - 950),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 850),
        ("4k3/3p4/4p3/8/8/8/8/3QK3 w - - 0 1", "d1d5", -950),
        ("4k3/8/8/3p4/4K3/8/8/8 w - - 0 1", "e4d5", 100),
        ("4k3/8/2n5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
    ],
)
def test_known_exchanges(fen: str, move: str, worth: int) -> None:
    board = chess.Board(fen)
    assert evaluated(board, [chess.Move.from_uci(move)]) == [worth]


def captures(count: int, seed: int) -> Any:
    """(board, its captures and promotions) until so many were seen; half from games, half set up."""
    while count > 0:
        for boards in (positions(100, seed), set_up(100, seed, "QQRRBBNNPPPPPP")):
            for board in boards:
                moves = [m for m in board.legal_moves if board.is_capture(m) or m.promotion]
                count -= len(moves)
                yield board, moves
        seed += 1


def test_captures_are_worth_what_least_valuable_attackers_leave() -> None:
    met = Counter[str]()
    for board, moves in captures(12_000, seed=1):
        for move, worth in zip(moves, evaluated(board, moves), strict=True):
            assert worth == oracle.exchange(board, move), f"{move} in {board.fen()}"
            met["moves"] += 1
            met["en passant"] += board.is_en_passant(move)
            met["promotion"] += bool(move.promotion)
            met["loses"] += worth < 0
            met["wins less than it takes"] += 0 < worth < oracle.VALUE[board.piece_type_at(move.to_square)]
    assert met["moves"] >= 12_000
    assert min(met.values()) >= 20, met


def test_quiet_moves_win_nothing_and_lose_what_can_be_taken() -> None:
    seen = Counter[bool]()
    for board in positions(1000, seed=2, every=4):
        moves = [m for m in board.legal_moves if not (board.is_capture(m) or m.promotion or board.is_castling(m))]
        for move, worth in zip(moves, evaluated(board, moves), strict=True):
            assert worth <= 0
            assert worth == oracle.exchange(board, move), f"{move} in {board.fen()}"
            seen[worth < 0] += 1
    assert seen[True] > 1000
    assert seen[False] > 1000


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        "1b2k1b1/8/8/3bb3/8/8/8/R3K2R w KQ - 0 1",  # both rooks are attacked where they stand
        "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    ],
)
def test_castling_exchanges_nothing(fen: str) -> None:
    """It is written as the king taking its own rook, and must not be taken for that."""
    board = chess.Board(fen, chess960=True)
    moves = [m for m in board.legal_moves if board.is_castling(m)]
    assert len(moves) == 2
    assert evaluated(board, moves) == [0, 0]


def test_nearly_always_the_least_valuable_attacker_is_the_best() -> None:
    """Against a search of all orders; where they differ, capturing first with a more valuable piece opens a line."""
    agree = Counter[bool]()
    for board, moves in captures(4_000, seed=50):
        for move, worth in zip(moves, evaluated(board, moves), strict=True):
            agree[worth == oracle.exchange(board, move, all_orders=True)] += 1
    fraction = agree[True] / agree.total()
    print(f"{100 * fraction:.2f} % of {agree.total():,} captures agree with the search of all orders")
    assert fraction >= 0.99
