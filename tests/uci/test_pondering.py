"""Searches without an end: infinite, ponder, stop and ponderhit."""

import chess
import pytest

from tests.positions import KIWIPETE, MATE_IN_1, MATED, STALEMATE, START
from tests.uci.client import Talk, moves_of, ready_latencies, stop_latencies


@pytest.mark.parametrize(
    "go", ["go infinite", "go", "go ponder wtime 50 btime 50", "go infinite nodes 10", "go ponder"]
)
@pytest.mark.parametrize("fen", [START, MATE_IN_1, MATED, STALEMATE])
def test_no_move_is_told_before_it_is_asked_for(talk: Talk, go: str, fen: str) -> None:
    """Not even when all is known: the root is proven, or the game is over."""
    talk.ask(f"position fen {fen}")
    talk.send(go)
    said = talk.heard_within(0.25)
    assert not any(line.startswith("bestmove") for line in said)
    talk.send("stop")
    answer = talk.until("bestmove")
    move = moves_of(answer)
    board = chess.Board(fen)
    assert move == "0000" if board.is_game_over() else chess.Move.from_uci(move) in board.legal_moves
    assert talk.ask() == [], "one move, and nothing after it"


@pytest.mark.parametrize("fen", [START, MATE_IN_1, MATED])
def test_ponderhit_lets_the_clock_run(talk: Talk, fen: str) -> None:
    talk.ask(f"position fen {fen}")
    talk.send("go ponder wtime 2000 btime 2000")
    assert not any(line.startswith("bestmove") for line in talk.heard_within(0.3))
    talk.send("ponderhit")
    talk.until("bestmove")
    assert talk.ask() == []


@pytest.mark.parametrize(
    "limits", ["nodes 50", "depth 1", "movetime 50", "wtime 100 btime 100", "nodes 50 movetime 50"]
)
def test_every_limit_holds_after_ponderhit(talk: Talk, limits: str) -> None:
    talk.ask("position startpos")
    talk.send(f"go ponder {limits}")
    talk.heard_within(0.1)
    talk.send("ponderhit")
    talk.until("bestmove")
    assert talk.ask() == []


def test_ponderhit_at_once_is_not_lost(talk: Talk) -> None:
    talk.send("go ponder movetime 50", "ponderhit")
    talk.until("bestmove")


def test_ponderhit_of_an_infinite_search_waits_for_stop(talk: Talk) -> None:
    talk.send("go ponder infinite", "ponderhit")
    assert not any(line.startswith("bestmove") for line in talk.heard_within(0.2))
    talk.send("stop")
    talk.until("bestmove")


def test_stop_at_once_gives_a_legal_move(talk: Talk) -> None:
    for _ in range(20):
        talk.send(f"position fen {KIWIPETE}", "go infinite", "stop")
        move = moves_of(talk.until("bestmove"))
        assert chess.Move.from_uci(move) in chess.Board(KIWIPETE).legal_moves


@pytest.mark.slow
def test_every_stop_and_isready_is_answered(talk: Talk) -> None:
    """Whenever it comes; how soon it is answered, tests/soak measures."""
    talk.ask("position startpos")
    assert len(stop_latencies(talk, 100)) == 100
    assert len(ready_latencies(talk, 100)) == 100
    assert talk.ask() == [], "and once only"
