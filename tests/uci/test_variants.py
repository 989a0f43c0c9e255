"""Chess960 and crazyhouse."""

import chess
import chess.variant
import pytest

from tests.positions import CRAZYHOUSE_START
from tests.uci.client import Talk, moves_of, ranks

CASTLES = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("chess960", "position", "castling"),
    [
        ("false", f"fen {CASTLES}", "e1g1"),
        ("true", f"fen {CASTLES}", "e1h1"),
        ("true", "startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "e1h1"),
        ("true", "fen 4k3/8/8/8/8/8/8/1K4RR w H - 0 1", None),
        ("false", "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
        ("true", "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
    ],
)
def test_castling_is_written_as_the_mode_wants_it(
    talk: Talk, chess960: str, position: str, castling: str | None
) -> None:
    """In Chess960 the king takes his own rook, from the ordinary start position, too."""
    talk.ask(f"setoption name UCI_Chess960 value {chess960}", f"position {position}")
    if castling is None:
        return
    answer = talk.go(f"nodes 50 searchmoves {castling}")
    assert moves_of(answer) == castling
    assert f" pv {castling}" in answer[-2]


def test_both_ways_to_write_castling_are_understood(talk: Talk) -> None:
    for chess960 in ("false", "true"):
        talk.ask(f"setoption name UCI_Chess960 value {chess960}")
        found = set()
        for move in ("e1h1", "e1g1"):
            talk.ask(f"position fen {CASTLES} moves {move}")
            found.add(talk.fen())
        assert found == {"4k3/8/8/8/8/8/8/5RK1 b - - 1 1"}


def test_chess960_is_recognised_by_its_rights(talk: Talk) -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert talk.ask(f"position fen {fen}") == []
    move = moves_of(talk.go("nodes 100"))
    assert chess.Board(fen, chess960=True).is_legal(chess.Move.from_uci(move))


def test_a_new_game_of_chess960_is_one_of_chess960(talk: Talk) -> None:
    talk.ask("setoption name UCI_Chess960 value true", "ucinewgame")
    talk.ask("position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7")
    assert moves_of(talk.go("nodes 20 searchmoves e1g1")) == "e1h1"


def test_crazyhouse_is_played(talk: Talk) -> None:
    talk.ask("setoption name Preset value mcc", "setoption name UCI_Variant value crazyhouse")
    assert talk.fen() == CRAZYHOUSE_START
    fen = "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1"
    talk.ask(f"position fen {fen} moves Q@c5")
    assert talk.fen() == "2k5/8/8/2Q5/8/8/8/4K3[n] b - - 1 1"
    talk.ask(f"position fen {fen}", "setoption name MultiPV value 500")
    answer = talk.go("nodes 500")
    board = chess.variant.CrazyhouseBoard(fen)
    assert {move for _, move in ranks(answer)} == {move.uci() for move in board.legal_moves}
    assert talk.ask("perft 1")[-1] == "Nodes searched: 67"
    assert [line[:17] for line in talk.ask("eval")] == ["info string eval:"]
