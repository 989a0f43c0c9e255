"""The exhaustive search for mates agrees with trying everything in python-chess."""

from collections import Counter

import chess

from plyout.games import state_of
from plyout.search.proof.mate import Budget, forced, shortest_mate
from tests.sampling import set_up
from tests.search.proof import brute

SPARSE = "QQRBNP"


def test_shortest_mates_are_those_of_brute_force() -> None:
    """Up to mate in two: three plies."""
    seen = Counter[int]()
    for board in set_up(250, seed=1, pieces=SPARSE):
        plies = max(brute.distance(board, 3), 0)
        assert shortest_mate(state_of(board), 3, Budget(1_000_000)) == plies, board.fen()
        seen[plies] += 1
    assert min(seen[0], seen[1], seen[3]) >= 10, seen


def test_being_mated_in_two_plies_agrees_with_brute_force() -> None:
    seen = Counter[bool]()
    for board in set_up(1500, seed=2, pieces=SPARSE):
        if not board.is_check():
            continue
        board.push(next(iter(board.legal_moves)))
        mated = brute.is_mated_within(board, 2)
        assert forced(state_of(board), 2, False, Budget(100_000)) == mated, board.fen()
        seen[mated] += 1
    for board in mated_in_two():
        assert brute.is_mated_within(board, 2)
        assert forced(state_of(board), 2, False, Budget(100_000)) is True, board.fen()
        seen[True] += 1
    assert min(seen[True], seen[False]) >= 10, seen


def mated_in_two() -> list[chess.Board]:
    """Positions after the first move of a mate in two."""
    found = []
    for board in set_up(250, seed=1, pieces=SPARSE):
        if brute.distance(board, 3) == 3:
            for move in board.legal_moves:
                after = board.copy()
                after.push(move)
                if brute.is_mated_within(after, 2):
                    found.append(after)
                    break
    return found


def test_a_budget_that_runs_out_gives_no_answer() -> None:
    state = state_of(chess.Board())
    assert shortest_mate(state, 5, Budget(100)) is None
    assert forced(state, 3, True, Budget(10)) is None
    assert shortest_mate(state, 3, Budget(100_000)) == 0


def test_mate_and_stalemate_are_told_apart() -> None:
    assert forced(state_of(chess.Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1")), 0, False, Budget(100)) is True
    assert forced(state_of(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), 0, False, Budget(100)) is False
