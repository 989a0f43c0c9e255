"""``position``, and games that are over or should be."""

import chess
import pytest

from tests.positions import KIWIPETE, MATED, STALEMATE, START
from tests.uci.client import Talk, moves_and_counts, moves_of, piped


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
@pytest.mark.parametrize("go", ["nodes 100", "movetime 50", "wtime 1000 btime 1000", "depth 3", "mate 2"])
def test_a_finished_game_has_no_move(talk: Talk, fen: str, score: str, go: str) -> None:
    talk.ask(f"position fen {fen}")
    assert talk.go(go) == [f"info depth 0 score {score}", "bestmove 0000"]


DRAWN_BUT_GOING_ON = {
    "fifty moves": "fen 8/8/8/4k3/8/4K3/4R3/8 w - - 100 90",
    "threefold repetition": "startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 2,
    "insufficient material": "fen 8/8/8/4k3/8/4K3/8/8 w - - 0 1",
}


@pytest.mark.parametrize("name", DRAWN_BUT_GOING_ON)
def test_a_draw_that_nobody_has_claimed_is_played_on(talk: Talk, name: str) -> None:
    """Where there are legal moves the chess program decides whether the game is over, and wants a move."""
    talk.ask(f"position {DRAWN_BUT_GOING_ON[name]}")
    board = chess.Board(talk.fen())
    assert chess.Move.from_uci(moves_of(talk.go("nodes 100"))) in board.legal_moves


def test_a_position_is_set_with_moves(talk: Talk) -> None:
    board = chess.Board()
    for move in "e2e4 c7c5 e4e5 d7d5 e5d6 e8d7".split():  # noqa: SIM905
        board.push_uci(move)
    talk.ask("position startpos moves e2e4 c7c5 e4e5 d7d5 e5d6 e8d7")
    assert talk.fen() == board.fen()
    talk.ask(f"position fen {KIWIPETE} moves e1c1 h8h4")
    assert talk.fen().startswith("r3k3/p1ppqpb1/bn2pnp1/3PN3/1p2P2r/2N2Q1p/PPPBBPPP/2KR3R w q ")


def test_a_fen_may_lack_its_counters(talk: Talk) -> None:
    assert talk.ask("position fen 4k3/8/8/8/8/8/8/R3K3 w Q -") == []
    assert talk.fen() == "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"


def test_a_new_game_is_searched_as_the_first(talk: Talk) -> None:
    """Everything learnt is forgotten, and the streams of random numbers begin anew."""
    talk.ask("ucinewgame", "position startpos")
    first = moves_and_counts(talk.go("nodes 400"))
    talk.go("nodes 400")
    talk.ask("ucinewgame")
    assert talk.fen() == START
    assert moves_and_counts(talk.go("nodes 400")) == first


def test_there_is_a_position_before_any_was_set() -> None:
    run = piped("go nodes 20\n", "uci")
    assert chess.Move.from_uci(moves_of(run.stdout.splitlines())) in chess.Board().legal_moves
