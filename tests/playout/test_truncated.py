"""Evaluators that play nothing out: what they say is the evaluation of a python-chess board, on the scale asked for."""

from typing import Any

import chess
import pytest

from plyout.evaluate.score import RAW
from plyout.games import state_of
from plyout.knowledge.tables.probe import no_tables
from plyout.parameters import Leaf, group, values
from plyout.playout.scratch import new_scratch
from plyout.playout.truncated import quiescence_evaluator, static_evaluator
from tests.evaluate import oracle, quiet
from tests.sampling import positions


def evaluated(evaluator: Any, board: chess.Board, seed: int = 1, **changes: float) -> float:
    scratch = new_scratch(no_tables(), rave=False)
    scratch.rng[0] = seed
    return float(evaluator(state_of(board.copy(stack=False)), scratch, group(Leaf, values(changes))))


def test_a_raw_payoff_is_the_evaluation_in_centipawns() -> None:
    for board in positions(100, seed=40, every=7):
        found = (2 * evaluated(static_evaluator, board, squash=0) - 1) * RAW
        assert round(found, 6) == oracle.tapered(board, board.turn), board.fen()


def test_a_squashed_payoff_is_a_score_by_the_odds() -> None:
    for board in positions(50, seed=41, every=7):
        worth = oracle.tapered(board, board.turn)
        assert evaluated(static_evaluator, board, squash=400) == pytest.approx(1 / (1 + 10 ** (-worth / 400)))
    assert evaluated(static_evaluator, chess.Board()) == pytest.approx(0.5, abs=0.05)


def test_quiescence_evaluates_after_the_captures() -> None:
    for board in positions(60, seed=42, every=7):
        found = (2 * evaluated(quiescence_evaluator, board, squash=0, quiet_depth=2) - 1) * RAW
        assert round(found, 6) == quiet.quiesce(board, 2, True, True), board.fen()


def test_random_plies_come_first_and_the_score_stays_that_of_the_side_to_move() -> None:
    for board in positions(40, seed=43, every=7):
        possible = set()
        for move in board.legal_moves:
            board.push(move)
            possible.add(-oracle.tapered(board, board.turn))
            board.pop()
        met = {round((2 * evaluated(static_evaluator, board, s, squash=0, max_depth=1) - 1) * RAW) for s in range(8)}
        assert met <= possible, board.fen()
        assert len(met) > 1 or len(possible) == 1
