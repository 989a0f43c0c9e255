"""Quiescence is what a plain search of all captures on python-chess boards says."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

from plyout.evaluate.quiescence import (
    EVASIONS,
    EXCHANGES,
    INFINITE,
    MATE_SCORE,
    POCKETS,
    QUIET_ROOM,
    Options,
    quiesce,
    quiet_value,
    unweighted,
)
from plyout.evaluate.sums import sums_of
from plyout.games import state_of
from plyout.games.crazyhouse import load_house
from plyout.kernel import kernel
from tests.evaluate import quiet
from tests.sampling import positions, set_up
from tests.search.proof.brute import mates_within


@kernel
def quiescence(state: Any, switches: int, delta: int, depth: int, scratch: Any, nodes: Any) -> int:
    return quiet_value(load_house(state), switches, delta, depth, scratch, nodes)


def value_of(board: chess.Board, depth: int, evasions: bool, exchanges: bool, delta: int = 0) -> int:
    return searched(board, depth, evasions, exchanges, delta)[0]


def searched(board: chess.Board, depth: int, evasions: bool, exchanges: bool, delta: int = 0) -> tuple[int, int]:
    """(centipawns, positions searched)"""
    switches = (EVASIONS if evasions else 0) | (EXCHANGES if exchanges else 0)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        switches |= POCKETS
    scratch, nodes = np.zeros(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    state = state_of(board.copy(stack=False))
    value = int(quiescence(state, np.int64(switches), np.int64(delta), np.int64(depth), scratch, nodes))
    return value, int(nodes[0])


def houses(count: int, seed: int) -> Iterator[chess.variant.CrazyhouseBoard]:
    """Crazyhouse positions by chance, with pieces in the pockets."""
    rng = random.Random(seed)
    board = chess.variant.CrazyhouseBoard()
    while count > 0:
        moves = list(board.legal_moves)
        if not moves or len(board.move_stack) > 80:
            board = chess.variant.CrazyhouseBoard()
            continue
        takes = [m for m in moves if board.is_capture(m) or m.promotion]
        board.push(rng.choice(takes if takes and rng.random() < 0.3 else moves))
        if rng.random() < 0.1 and any(board.legal_moves):
            count -= 1
            yield board


@pytest.mark.parametrize("evasions", [False, True], ids=["stand pat in check", "evasions"])
@pytest.mark.parametrize("exchanges", [False, True], ids=["all captures", "no losing captures"])
def test_quiescence_is_the_plain_search_of_captures(evasions: bool, exchanges: bool) -> None:
    depth = 3 if exchanges else 2
    for board in positions(120, seed=5, every=5):
        expected = quiet.quiesce(board, depth, evasions, exchanges)
        assert value_of(board, depth, evasions, exchanges) == expected, board.fen()


def test_delta_pruning_leaves_out_what_cannot_help() -> None:
    saved = 0
    for board in positions(150, seed=6, every=3):
        expected = quiet.quiesce(board, 3, True, True, delta=5)
        assert value_of(board, 3, True, True, delta=5) == expected, board.fen()
        saved += searched(board, 3, True, True)[1] - searched(board, 3, True, True, delta=5)[1]
        assert value_of(board, 3, True, True, delta=20_000) == value_of(board, 3, True, True), board.fen()
    assert saved > 100, "with so small a delta something should be pruned"


@pytest.mark.parametrize("evasions", [False, True], ids=["stand pat in check", "evasions"])
def test_in_crazyhouse_pockets_count_and_drops_evade(evasions: bool) -> None:
    checks = 0
    for board in houses(250, seed=7):
        expected = quiet.quiesce(board, 2, evasions, True)
        checks += board.is_check()
        assert value_of(board, 2, evasions, True) == expected, board.fen()
    assert checks > 10


def test_depth_nought_is_the_evaluation_alone() -> None:
    for board in positions(200, seed=8, every=5):
        if not board.is_insufficient_material():
            assert value_of(board, 0, True, True) == quiet.house_tapered(board), board.fen()


def test_quiescence_does_not_care_for_colours() -> None:
    """But for the rounding: a search compares rounded evaluations of both sides."""
    for board in positions(300, seed=9, every=5):
        assert value_of(board, 6, True, True) == value_of(board.mirror(), 6, True, True), board.fen()


def test_mates_are_seen_with_their_distance_and_no_other_position_is_called_one() -> None:
    seen = 0
    for board in set_up(1500, seed=10):
        value = value_of(board, 5, True, False)
        if value >= MATE_SCORE - 100:
            seen += 1
            assert (MATE_SCORE - value) % 2 == 1
            assert mates_within(board, MATE_SCORE - value), board.fen()
    assert seen > 10
    assert value_of(chess.Board("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), 6, True, True) == -MATE_SCORE


def test_the_window_never_changes_what_lies_inside_it() -> None:
    """Fail-soft: a value outside the window is a bound on the right side."""

    @kernel
    def windowed(state: Any, alpha: int, beta: int, scratch: Any, nodes: Any) -> int:
        h = load_house(state)
        options, buffers = Options(EVASIONS | EXCHANGES, 0, 6), unweighted(scratch, nodes)
        return quiesce(h, sums_of(h.board), alpha, beta, 0, options, buffers)

    rng = random.Random(11)
    scratch, nodes = np.zeros(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    for board in positions(300, seed=11, every=4):
        exact = value_of(board, 6, True, True)
        alpha = exact + rng.randint(-150, 150)
        beta = alpha + rng.choice((1, 50, 200))
        value = int(windowed(state_of(board.copy(stack=False)), np.int64(alpha), np.int64(beta), scratch, nodes))
        if value <= alpha:
            assert exact <= value
        elif value >= beta:
            assert exact >= value
        else:
            assert value == exact
    assert INFINITE > MATE_SCORE
