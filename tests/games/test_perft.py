"""Counts of move sequences: against published numbers, and against python-chess where none are published."""

from collections.abc import Callable
from pathlib import Path

import chess
import chess.variant
import pytest

from plyout.games import CHESS, CRAZYHOUSE, Game, state_of
from plyout.games.chess.border import parse_board
from plyout.lab.bench import python_chess_count
from tests.positions import CASTLING_960, CHESS_COUNTS, CRAZYHOUSE_CASES, CRAZYHOUSE_COUNTS

QUICK = 1_000_000  # nodes: more are left out of the run with bounds checks

PUBLISHED = [
    pytest.param(game, fen, depth, count, marks=[pytest.mark.slow] if count > QUICK else [], id=f"{fen} d{depth}")
    for game, table in ((CHESS, CHESS_COUNTS), (CRAZYHOUSE, CRAZYHOUSE_COUNTS))
    for fen, counts in table.items()
    for depth, count in enumerate(counts, 1)
]


@pytest.mark.parametrize("game, fen, depth, count", PUBLISHED)
def test_counts_are_the_published_ones(game: Game, fen: str, depth: int, count: int) -> None:
    assert game.perft(game.parse(fen), depth) == count


@pytest.mark.parametrize("depth", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_counts_are_those_of_the_perft_suite(data_file: Callable[[str], Path], depth: int) -> None:
    """Each line is a FEN and the counts of several depths: `fen ;D1 20 ;D2 400 …`.

    Read by python-chess: some of these positions no game can reach.
    """
    wrong = []
    for line in data_file("perftsuite.epd").read_text().splitlines():
        fen, *fields = line.split(";")
        count = dict(field.split() for field in fields)[f"D{depth}"]
        if CHESS.perft(state_of(chess.Board(fen)), depth) != int(count):
            wrong.append(line)
    assert not wrong


def assert_counts_agree(game: Game, board: chess.Board, depth: int) -> None:
    for d in range(1, depth + 1):
        assert game.perft(state_of(board), d) == python_chess_count(board, d), f"depth {d} of {board.fen()}"


@pytest.mark.parametrize("number", [0, 1, 17, 300, 518, 777, 959])
def test_counts_from_chess960_starts_are_those_of_python_chess(number: int) -> None:
    assert_counts_agree(CHESS, chess.Board.from_chess960_pos(number), 3)


@pytest.mark.parametrize("fen", CASTLING_960.values(), ids=CASTLING_960)
def test_counts_around_chess960_castling_are_those_of_python_chess(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    assert_counts_agree(CHESS, board, 3)
    assert_counts_agree(CHESS, board.mirror(), 3)


def test_the_castling_cases_both_allow_and_forbid_castling() -> None:
    """So that agreement about them means something."""
    boards = {name: chess.Board(fen, chess960=True) for name, fen in CASTLING_960.items()}
    allowed = {name for name, board in boards.items() if any(board.generate_castling_moves())}
    forbidden = set(CASTLING_960) - allowed
    assert "the rook is pinned on the first rank" in forbidden
    assert {"the king stays, a-side", "king and rook swap, h-side", "the rook passes an attacked square"} <= allowed


@pytest.mark.parametrize("fen", CRAZYHOUSE_CASES.values(), ids=CRAZYHOUSE_CASES)
def test_counts_of_crazyhouse_positions_are_those_of_python_chess(fen: str) -> None:
    board = parse_board(fen, chess.variant.CrazyhouseBoard)
    assert_counts_agree(CRAZYHOUSE, board, 2)
    assert_counts_agree(CRAZYHOUSE, board.mirror(), 2)


@pytest.mark.parametrize("game", [CHESS, CRAZYHOUSE], ids=lambda game: game.name)
def test_depth_0_is_one_position(game: Game) -> None:
    assert game.perft(game.start(), 0) == 1
