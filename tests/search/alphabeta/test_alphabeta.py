"""Alpha-beta is plain negamax with less work: against slow versions on python-chess boards, and known mates."""

import random
import threading

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.evaluate.quiescence import INFINITE, MATE_SCORE
from plyout.lab.puzzles.read import read_puzzles
from plyout.search.alphabeta.stack import MAX_PLY
from tests.evaluate import quiet
from tests.sampling import positions, set_up

PLAIN = {"transpositions": 0, "killers": 0, "history": 0, "null_move": 0, "reduce": 0, "prune": 0, "hash_mb": 4}


def negamax(board: chess.Board, depth: int, ply: int = 0) -> int:
    """No window, no order: the definition."""
    if ply and board.is_insufficient_material():
        return 0
    moves = list(board.legal_moves)
    if not moves:
        return ply - MATE_SCORE if board.is_check() else 0
    if ply and board.halfmove_clock >= 100:
        return 0
    if depth == 0:
        return quiet.quiesce(board, ply + 2, True, True, ply=ply)
    best = -INFINITE
    for move in moves:
        board.push(move)
        best = max(best, -negamax(board, depth - 1, ply + 1))
        board.pop()
    return best


def plain(**changes: float) -> Engine:
    return Engine("alphabeta", **{**PLAIN, "quiet_depth": 2, "quiet_delta": 0, **changes})


@pytest.mark.parametrize("switches", [{}, {"killers": 1, "history": 1}], ids=["plain", "killers and history"])
def test_the_value_is_that_of_plain_negamax(switches: dict[str, float]) -> None:
    engine = plain(**switches)
    cases = [(b.copy(stack=False), 1) for b in positions(15, seed=30, every=9)]
    cases += [(b, 2) for b in set_up(10, seed=31, pieces="RBNPP")]
    for board, depth in cases:
        expected = negamax(board.copy(), depth)
        result = engine.search(board, Limits(depth=depth))
        if abs(expected) > MATE_SCORE - 100:  # a mate ends the deepening early
            assert result.mate == (MATE_SCORE - abs(expected) + 1) // 2 * (1 if expected > 0 else -1), board.fen()
        else:
            assert result.centipawns == expected, board.fen()


def test_killers_and_history_change_the_work_but_never_the_value() -> None:
    engines = [plain(), plain(killers=1), plain(history=1), plain(killers=1, history=1)]
    nodes = [0] * len(engines)
    for board in positions(12, seed=32, every=17):
        results = [e.search(board.copy(stack=False), Limits(depth=4)) for e in engines]
        assert len({r.centipawns for r in results}) == 1, board.fen()
        nodes = [n + r.nodes for n, r in zip(nodes, results, strict=True)]
    print("nodes by switches:", nodes)
    assert min(nodes[1:]) < nodes[0]


@pytest.mark.parametrize("name", ["alphabeta-v1", "alphabeta-v2"])
def test_every_mate_in_two_is_found_with_its_distance_at_depth_three(name: str) -> None:
    engine = Engine(name, hash_mb=4)
    for puzzle in read_puzzles("mate-in-2.epd")[:60]:
        engine.new_game()
        result = engine.search(puzzle.board, Limits(depth=3))
        assert result.mate == 2, puzzle.board.fen()
        assert result.move == puzzle.best[0], puzzle.board.fen()
        assert result.proof == "win"


def test_who_leaves_moves_out_finds_every_mate_in_two_some_plies_later() -> None:
    """At depth fourteen: in a search by the clock that is a matter of a second at most, mostly of milliseconds."""
    engine = Engine("alphabeta", hash_mb=4)
    for puzzle in read_puzzles("mate-in-2.epd")[:60]:
        engine.new_game()
        result = engine.search(puzzle.board, Limits(depth=14))
        assert result.mate == 2, puzzle.board.fen()
        assert result.proof == "win"


def test_being_mated_is_put_off() -> None:
    """After the first move of a mate in two the loser knows it, and its line is mate at the end."""
    engine = Engine("alphabeta", hash_mb=4)
    for puzzle in read_puzzles("mate-in-2.epd")[:20]:
        board = puzzle.board.copy()
        board.push(puzzle.best[0])
        result = engine.search(board, Limits(depth=4))
        assert result.mate == -1
        for move in result.pv:
            board.push(move)
        assert board.is_checkmate(), board.fen()


def test_a_threefold_repetition_is_worth_a_draw() -> None:
    board = chess.Board("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")  # Black has no queen
    for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        board.push_san(san)
    result = Engine("alphabeta", **PLAIN).search(board, Limits(depth=3))
    assert result.move == chess.Move.from_uci("f6g8"), "the position is there for the third time"
    assert result.centipawns == 0
    forgotten = Engine("alphabeta", **PLAIN).search(board.fen(), Limits(depth=3))
    assert forgotten.centipawns is not None
    assert forgotten.centipawns < -300


def test_the_fifty_move_rule_is_known_and_mate_comes_before_it() -> None:
    engine = Engine("alphabeta", **PLAIN)
    assert engine.search("7k/8/8/8/8/8/Q7/K7 w - - 99 80", Limits(depth=3)).centipawns == 0
    assert engine.search("7k/8/6K1/8/8/8/Q7/8 w - - 99 80", Limits(depth=3)).mate == 1


def test_the_principal_variation_is_legal_and_as_long_as_the_search() -> None:
    engine = plain()
    for board in positions(20, seed=33, every=13):
        result = engine.search(board.copy(stack=False), Limits(depth=3))
        line = board.copy(stack=False)
        for move in result.pv:
            assert move in line.legal_moves
            line.push(move)
        assert len(result.pv) == 3 or line.is_game_over() or result.mate is not None, board.fen()


def test_limits_are_kept() -> None:
    engine = Engine("alphabeta", hash_mb=16)
    engine.prepare()
    assert engine.search(chess.Board(), Limits(nodes=20_000)).nodes == 20_000
    in_time = engine.search(chess.Board(), Limits(movetime=300))
    assert in_time.plies is not None
    assert 4 <= in_time.plies < MAX_PLY - 1  # it has ended before the search by itself would
    assert engine.search(chess.Board(), Limits(depth=3)).plies == 3
    threading.Timer(0.2, engine.stop).start()
    stopped = engine.search(chess.Board(), Limits(infinite=True))
    assert stopped.move is not None
    assert stopped.plies is not None
    assert stopped.plies < MAX_PLY - 1
    with pytest.raises(InputError, match="no playouts"):
        engine.search(chess.Board(), Limits(playouts=5))
    with pytest.raises(InputError, match="chess only"):
        Engine("alphabeta", "crazyhouse")


def test_only_the_given_moves_are_searched() -> None:
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = Engine("alphabeta", hash_mb=4).search(chess.Board(), Limits(depth=3), moves=wanted)
    assert {m.move for m in result.moves} == set(wanted)
    assert result.restricted


def test_each_addition_saves_nodes() -> None:
    """Together they must; the measured gains are in docs/alphaone.md."""
    rng = random.Random(5)
    boards = [b.copy(stack=False) for b in positions(60, seed=34, every=11) if rng.random() < 0.2]
    off, on = Engine("alphabeta", **PLAIN), Engine("alphabeta", hash_mb=16)
    assert sum(on.search(b, Limits(depth=5)).nodes for b in boards) < 0.5 * sum(
        off.search(b, Limits(depth=5)).nodes for b in boards
    )
