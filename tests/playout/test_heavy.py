"""Heavy playouts play what their strategy says, as often as it says, and score how the game ends.

With RAVE on, a playout leaves its moves in the evaluator's scratch: they are replayed here with python-chess.
"""

from collections import Counter
from typing import Any

import chess
import numpy as np
import pytest
import scipy.stats

from plyout.games import state_of
from plyout.games.chess.border import decode
from plyout.kernel.random import seeded
from plyout.knowledge.tables.probe import no_tables
from plyout.parameters import EVALUATION, EXCHANGE, MIXED, RANDOM, Leaf, group, values
from plyout.playout.playouts import chess_evaluator
from plyout.playout.scratch import TRACE, new_scratch
from tests.evaluate import oracle
from tests.playout.test_mates import mates
from tests.positions import KIWIPETE, START
from tests.sampling import positions

TOO_UNLIKELY = 1e-4
CLOSED = "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 99 6"
ALL_LOSE = "1r5k/8/3q2b1/7N/8/p1r4b/P7/K6B w - - 99 80"

Playout = tuple[float, list[chess.Move]]


def playouts(board: chess.Board, count: int, seed: int = 1, longest: int = TRACE, **changes: float) -> list[Playout]:
    """(the score for the side to move, the first moves played) of so many playouts."""
    rave = changes.pop("rave", 1) > 0
    parameters, scratch = group(Leaf, values(changes)), new_scratch(no_tables(), rave)
    scratch.rng[0] = seeded(np.int64(seed), np.int64(0))
    state = state_of(board.copy(stack=False))
    played = []
    for _ in range(count):
        score = chess_evaluator(state, scratch, parameters)
        moves = scratch.trace[1 : 1 + min(int(scratch.trace[0]), longest)].tolist() if rave else []
        played.append((score, [decode(m, board.chess960) for m in moves]))
    return played


def first_moves(board: chess.Board, count: int, **changes: float) -> Counter[chess.Move]:
    return Counter(moves[0] for _, moves in playouts(board, count, longest=1, **changes))


def assert_drawn(drawn: Counter[chess.Move], weights: dict[chess.Move, float]) -> None:
    """The moves came as often as their weights say, by a chi-squared test."""
    assert set(drawn) <= set(weights), f"never to be played: {set(drawn) - set(weights)}"
    if len(weights) > 1:
        scale = drawn.total() / sum(weights.values())
        fit = scipy.stats.chisquare([drawn[m] for m in weights], [w * scale for w in weights.values()])
        assert fit.pvalue > TOO_UNLIKELY, drawn


def best(board: chess.Board, worth: Any) -> list[chess.Move]:
    """The moves of greatest worth."""
    worths = {move: worth(board, move) for move in board.legal_moves}
    return [move for move, w in worths.items() if w == max(worths.values())]


# --- what every playout keeps to -------------------------------------------------------------------------------------

SYSTEMS: dict[str, dict[str, float]] = {
    "random": {},
    "evaluation": {"greedy": EVALUATION, "epsilon": 0.5},
    "exchange": {"greedy": EXCHANGE, "epsilon": 0.4},
    "exchange only": {"greedy": EXCHANGE, "epsilon": 0},
    "anti-decisive": {"anti_decisive": 1},
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_moves_are_legal_and_lead_to_the_score(name: str) -> None:
    """Replayed with python-chess they end in mate, stalemate, bare material, or a hundred quiet plies."""
    ends = Counter[str]()
    for start in positions(8, seed=5, every=37):
        for score, moves in playouts(start, 2, seed=6, **SYSTEMS[name]):
            board = start.copy(stack=False)
            for move in moves:
                assert board.is_legal(move), f"{move} in {board.fen()}"
                assert not board.is_insufficient_material()
                assert board.halfmove_clock < 100
                board.push(move)
            if len(moves) == TRACE:
                continue
            if board.is_checkmate():
                expected = 0.0 if board.turn == start.turn else 1.0
                ends["mate"] += 1
            else:
                assert board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
                expected = 0.5
                ends["draw"] += 1
            assert score == expected, board.fen()
    assert ends["mate"] >= 1
    assert ends["draw"] >= 1


@pytest.mark.parametrize("greedy", [RANDOM, EVALUATION, EXCHANGE, MIXED])
@pytest.mark.parametrize("fen", [CLOSED, KIWIPETE, "4k3/8/8/8/8/8/8/RK5R w HA - 99 60"])
def test_with_epsilon_one_every_strategy_is_uniform(greedy: int, fen: str) -> None:
    board = chess.Board(fen, chess960="HA" in fen)
    drawn = first_moves(board, 3000, greedy=greedy, epsilon=1)
    assert_drawn(drawn, dict.fromkeys(board.legal_moves, 1.0))


def test_epsilon_is_the_share_of_random_moves() -> None:
    """One capture wins a queen: it comes with 1 - ε, and by chance."""
    board = chess.Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    share = 0.6 + 0.4 / board.legal_moves.count()
    drawn = first_moves(board, 4000, greedy=EXCHANGE, epsilon=0.4)
    hits = drawn[chess.Move.from_uci("e4d5")]
    assert scipy.stats.binomtest(hits, drawn.total(), share).pvalue > TOO_UNLIKELY


# --- greedy strategies -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "greedy, value, longest", [(EXCHANGE, oracle.exchange, 60), (EVALUATION, oracle.tapered_after, 40)]
)
def test_a_greedy_strategy_plays_only_moves_of_the_greatest_value(greedy: int, value: Any, longest: int) -> None:
    for start in positions(11, seed=7, every=41):
        for _, moves in playouts(start, 1, seed=8, greedy=greedy, epsilon=0):
            board = start.copy(stack=False)
            for move in moves[:longest]:
                among = best(board, value)
                assert move in among, f"{move} and not {among} in {board.fen()}"
                board.push(move)


UNIFORM = {
    "nothing to take": CLOSED,
    "one capture wins most": KIWIPETE,
    "two captures win the same": "4k3/8/2q1q3/3P4/8/8/8/4K3 w - - 0 1",
    "every move loses something": ALL_LOSE,
    "castling among quiet moves": "4k3/8/8/8/8/8/8/R3K2R w KQ - 99 60",
    "castling with attacked rooks": "1b2k1b1/8/8/3bb3/8/8/8/R3K2R w KQ - 99 60",
    "a promotion": "8/P7/8/8/8/7k/8/K7 w - - 0 1",
}


@pytest.mark.parametrize("name", UNIFORM)
def test_the_exchange_strategy_draws_uniformly_among_the_best(name: str) -> None:
    board = chess.Board(UNIFORM[name])
    among = best(board, oracle.exchange)
    assert len(among) < board.legal_moves.count() or "among" in name
    assert_drawn(first_moves(board, 4000, greedy=EXCHANGE, epsilon=0), dict.fromkeys(among, 1.0))


def test_equal_evaluations_have_equal_chances() -> None:
    board = next(b for b in positions(3000, seed=21, every=7) if len(best(b, oracle.tapered_after)) > 1)
    among = best(board, oracle.tapered_after)
    assert_drawn(first_moves(board, 3000, greedy=EVALUATION, epsilon=0), dict.fromkeys(among, 1.0))


# --- mixed playouts --------------------------------------------------------------------------------------------------


def test_corrective_moves_are_drawn_by_what_they_improve() -> None:
    """A move that improves the evaluation by n centipawns has n lots, any other one lot."""
    board = chess.Board(START)
    now = oracle.tapered(board, board.turn)
    weights = {m: float(max(oracle.tapered_after(board, m) - now, 1)) for m in board.legal_moves}
    assert len(set(weights.values())) > 5
    assert 1.0 in weights.values()
    drawn = first_moves(board, 8000, greedy=MIXED, epsilon=0, mixed_plies=1, mixed_win=2000)
    assert_drawn(drawn, weights)


def test_after_the_corrective_plies_the_best_evaluation_is_played() -> None:
    for _, moves in playouts(chess.Board(START), 10, greedy=MIXED, epsilon=0, mixed_plies=3, mixed_win=3000):
        board = chess.Board(START)
        for ply, move in enumerate(moves[:15]):
            if ply >= 3:
                assert move in best(board, oracle.tapered_after), f"{move} in {board.fen()}"
            board.push(move)


@pytest.mark.parametrize("turn", ["w", "b"])
def test_mixed_playouts_stop_above_the_threshold(turn: str) -> None:
    fen = f"4k3/pppp4/8/8/8/8/PPPP4/QQ2K3 {turn} - - 0 1"
    board = chess.Board(fen)
    for threshold in (300, 700, 1000):
        for score, moves in playouts(board, 20, greedy=MIXED, epsilon=0, mixed_win=threshold):
            end = board.copy()
            for move in moves:
                greatest = max(oracle.tapered_after(end, m) for m in end.legal_moves)
                assert greatest <= threshold, f"should have stopped in {end.fen()}"
                end.push(move)
            if any(end.legal_moves) and end.halfmove_clock < 100:
                assert max(oracle.tapered_after(end, m) for m in end.legal_moves) > threshold
                assert score == (1.0 if end.turn == board.turn else 0.0)
    assert len(playouts(board, 1, greedy=MIXED, epsilon=0, mixed_win=10_000)[0][1]) > 2, "nothing stops there"


# --- decisive moves --------------------------------------------------------------------------------------------------

MATES_IN_ONE = (
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/8/8/8/8/6k1/r7/7K b - - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
)


@pytest.mark.parametrize("fen", MATES_IN_ONE)
@pytest.mark.parametrize("greedy", [RANDOM, EXCHANGE])
def test_a_decisive_playout_ends_at_once_where_there_is_a_mate_in_one(fen: str, greedy: int) -> None:
    board = chess.Board(fen)
    if not mates(board):
        pytest.fail("no mate in one")
    for score, moves in playouts(board, 50, greedy=greedy, epsilon=0.4, decisive=1):
        assert (score, moves) == (1.0, [])
    assert any(moves for _, moves in playouts(board, 50, greedy=greedy, epsilon=0.4)), "it ends at once without, too"


def test_decisive_playouts_pass_no_mate_in_one_by() -> None:
    decided = 0
    for start in positions(12, seed=11, every=31):
        for score, moves in playouts(start, 1, seed=12, decisive=1):
            board = start.copy(stack=False)
            for move in moves:
                assert not mates(board), f"missed in {board.fen()}"
                board.push(move)
            if mates(board) and board.halfmove_clock < 100:
                decided += 1
                assert score == (1.0 if board.turn == start.turn else 0.0), board.fen()
    assert decided >= 3


@pytest.mark.parametrize("changes", [{"decisive": 1}, {"greedy": MIXED, "epsilon": 0, "mixed_win": 500}, {}])
def test_after_a_hundred_quiet_plies_nobody_can_win_any_more(changes: dict[str, float]) -> None:
    """The game is drawn then, even with a mate in one or a won position on the board."""
    board = chess.Board("6k1/5ppp/8/8/8/8/8/RQ2K3 w - - 100 90")
    assert {score for score, _ in playouts(board, 20, **changes)} == {0.5}


def test_mate_with_the_hundredth_quiet_ply_wins() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90")
    assert {score for score, _ in playouts(board, 20, decisive=1)} == {1.0}


@pytest.mark.parametrize("changes", [{}, {"greedy": EXCHANGE, "epsilon": 0.4}, {"greedy": EVALUATION, "epsilon": 0}])
def test_anti_decisive_playouts_allow_no_mate_they_can_avoid(changes: dict[str, float]) -> None:
    avoidable = 0
    for start in positions(10, seed=13, every=29):
        for _, moves in playouts(start, 1, seed=14, anti_decisive=1, **changes):
            board = start.copy(stack=False)
            for move in moves[:80]:
                safe = safe_moves(board)
                if safe:
                    assert move in safe, f"{move} in {board.fen()}"
                avoidable += 0 < len(safe) < board.legal_moves.count()
                board.push(move)
    assert avoidable >= 10


def safe_moves(board: chess.Board) -> list[chess.Move]:
    """The moves that allow no mate in one."""
    safe = []
    for move in list(board.legal_moves):
        board.push(move)
        if not mates(board):
            safe.append(move)
        board.pop()
    return safe


def test_anti_decisive_playouts_draw_uniformly_among_the_safe_moves() -> None:
    board = chess.Board("3r2k1/5ppp/8/8/8/8/5PPP/1N4K1 w - - 99 60")
    safe = safe_moves(board)
    assert 1 < len(safe) < board.legal_moves.count()
    assert_drawn(first_moves(board, 4000, anti_decisive=1), dict.fromkeys(safe, 1.0))


def test_where_every_move_allows_mate_one_is_played_all_the_same() -> None:
    board = chess.Board("k7/8/1K6/8/8/8/8/7R b - - 0 1")
    assert safe_moves(board) == []
    assert all(moves for _, moves in playouts(board, 20, anti_decisive=1))


# --- drawn playouts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{"rave": 0}, {"rave": 1}], ids=["plain", "heavy"])
def test_drawn_playouts_are_repeated(changes: dict[str, float]) -> None:
    """If a share p of playouts is drawn, p^6 is where six may be drawn first."""
    count = 1500
    once = sum(score == 0.5 for score, _ in playouts(chess.Board(START), count, **changes))
    again = sum(score == 0.5 for score, _ in playouts(chess.Board(START), count, draw_repeats=6, **changes))
    expected = (once / count) ** 6
    assert abs(again / count - expected) < 0.08, f"{once} drawn, with repeats {again}"
