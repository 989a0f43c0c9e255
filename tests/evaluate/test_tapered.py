"""The tapered evaluation is the obvious sum over pieces, and a move's gain is the difference that it makes."""

from collections import Counter
from typing import Any

import chess
import numpy as np
import pytest

from plyout.evaluate.piece_square import ENDGAME, MIDDLEGAME
from plyout.evaluate.policy.priors import evaluation_prior, no_prior
from plyout.evaluate.tapered import PHASE_UNIT, evaluate, gain, totals
from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.games.chess.border import encode
from plyout.kernel import kernel
from plyout.parameters import Expansion, group, values
from tests.evaluate import oracle
from tests.sampling import positions


@kernel
def measure(state: Any, moves: Any, out: Any) -> None:
    """Into `out`: evaluation, middlegame, endgame, phase; then the gains of each move."""
    b = load(state)
    out[0] = evaluate(b)
    out[1], out[2], out[3] = totals(b)
    for i in range(moves.size):
        out[4 + 3 * i], out[5 + 3 * i], out[6 + 3 * i] = gain(b, moves[i])


def measured(board: chess.Board, moves: list[chess.Move]) -> Any:
    out = np.zeros(4 + 3 * len(moves), np.int64)
    measure(state_of(board.copy(stack=False)), np.array([encode(board, m) for m in moves], np.int64), out)
    return out


def test_evaluation_is_the_sum_over_pieces_interpolated_by_the_phase() -> None:
    for board in positions(2000, seed=1, every=3):
        assert measured(board, [])[0] == oracle.tapered(board, board.turn), board.fen()


def test_evaluation_does_not_care_for_colours() -> None:
    for board in positions(300, seed=2, every=7):
        assert measured(board, [])[0] == measured(board.mirror(), [])[0], board.fen()


def test_more_queens_than_a_game_begins_with_do_not_lift_the_phase_above_the_whole() -> None:
    board = chess.Board("qqqqkqqq/8/8/8/8/8/8/QQQQKQQ1 w - - 0 1")
    assert measured(board, [])[0] == oracle.totals(board, chess.WHITE)[0], "only the middlegame should count"


def test_the_gain_of_every_legal_move_is_the_difference_of_totals() -> None:
    """All kinds of moves, Chess960 castling too."""
    met = Counter[str]()
    for board in positions(1200, seed=3, every=2):
        moves = list(board.legal_moves)
        out = measured(board, moves)
        before = oracle.totals(board, board.turn)
        assert tuple(out[1:3]) == before[:2]
        assert out[3] == before[2] * PHASE_UNIT
        for i, move in enumerate(moves):
            castling, en_passant = board.is_castling(move), board.is_en_passant(move)
            met["castling"] += castling
            met["castling 960"] += castling and board.chess960
            met["en passant"] += en_passant
            met["promotion"] += bool(move.promotion)
            met["capture"] += board.is_capture(move)
            met["quiet"] += not (castling or move.promotion or board.is_capture(move))
            mover = board.turn
            board.push(move)
            after = oracle.totals(board, mover)
            board.pop()
            middlegame, endgame, phase = (a - b for a, b in zip(after, before, strict=True))
            expected = [middlegame, endgame, phase * PHASE_UNIT]
            assert out[4 + 3 * i : 7 + 3 * i].tolist() == expected, f"{move} in {board.fen()}"
    for kind in ("castling", "castling 960", "en passant", "promotion", "capture", "quiet"):
        assert met[kind] >= 10, f"only {met[kind]} moves of the kind {kind}"


def test_a_prior_is_the_evaluation_after_the_move_for_its_mover() -> None:
    for board in positions(100, seed=4, every=11):
        moves = list(board.legal_moves)
        numbers = np.array([encode(board, m) for m in moves], np.int64)
        scores, state = np.zeros(len(moves)), state_of(board.copy(stack=False))
        parameters = group(Expansion, values({}))
        no_prior(state, numbers, len(moves), scores, parameters)
        assert not scores.any(), "no prior should leave the zeros"
        evaluation_prior(state, numbers, len(moves), scores, parameters)
        assert scores.tolist() == [oracle.tapered_after(board, m) for m in moves], board.fen()


@pytest.mark.parametrize("table", [MIDDLEGAME, ENDGAME], ids=["middlegame", "endgame"])
def test_the_tables_rank_the_pieces_as_everybody_does(table: tuple[int, ...]) -> None:
    """A slip in their order (ranks turned over, pieces swapped) would show."""
    assert len(table) == 6 * 64
    pawn, knight, bishop, rook, queen = (float(np.mean(table[64 * p + 8 : 64 * p + 56])) for p in range(5))
    assert pawn < knight < queen
    assert pawn < bishop < queen
    assert rook < queen
    assert np.mean(ENDGAME[48:56]) > np.mean(ENDGAME[8:16]) + 100, "pawns before promotion are worth more"
