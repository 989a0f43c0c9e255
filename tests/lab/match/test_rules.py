"""Time controls, specs, endings and adjudication, each by itself."""

from pathlib import Path

import chess
import pytest

from plyout.errors import InputError
from plyout.lab.match.adjudicate import Adjudication, Adjudicator
from plyout.lab.match.game import ending_of
from plyout.lab.match.players import parse_spec, specs_of
from plyout.lab.match.timecontrol import Clock, TimeControl


def test_a_clock_runs_down_gains_its_increment_and_begins_anew() -> None:
    clock = Clock(TimeControl.parse("2/10+1"))
    clock.spend(4.0)
    assert (clock.left, clock.moves_to_go, clock.budget) == (7.0, 1, 7.0)
    clock.spend(2.5)
    assert (clock.left, clock.moves_to_go) == (15.5, 2)
    assert Clock(TimeControl(nodes=5)).budget is None
    assert Clock(TimeControl(base=9, movetime=0.5)).budget == 0.5


@pytest.mark.parametrize("text", ["", "ten", "10+", "-1", "10+-1", "0", "1/2/3"])
def test_a_clock_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="clock"):
        TimeControl.parse(text)


def test_specs_say_who_plays() -> None:
    spec = parse_spec("mcc?c=0.7&threads=2&movetime=50&name=me")
    assert (spec.preset, spec.name, spec.settings) == ("mcc", "me", {"c": "0.7", "threads": "2"})
    assert spec.control == TimeControl(movetime=0.05)
    uci = parse_spec("uci:sh -c 'exec engine'?UCI_Elo=1500&A%26B=1%202")
    assert uci.command[1:] == ("-c", "exec engine")
    assert Path(uci.command[0]).name == "sh"
    assert uci.settings == {"UCI_Elo": "1500", "A&B": "1 2", "UCI_LimitStrength": "true"}
    assert [s.name for s in specs_of(["mcc", "mcc-solver", "mcc", "mcc"])] == ["mcc", "mcc-solver", "mcc #2", "mcc #3"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [("nosuch", "no preset is called 'nosuch'"), ("mcc?c", "name=value"), ("uci:", "uci: wants a program"),
     ("mcc?nodes=many", "nodes must be a number"), ("mcc?tc=x", "a clock is"), ("uci:/no/such", "not a program")],
)  # fmt: skip
def test_a_wrong_spec_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parse_spec(text)


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", ("1-0", "checkmate")),
        ("k7/8/8/8/8/8/5PPP/r5K1 w - - 0 1", ("0-1", "checkmate")),
        ("8/8/8/8/8/2k5/8/K1B5 w - - 0 1", ("1/2-1/2", "material")),
        ("8/8/8/8/8/2k5/8/K1R5 w - - 100 90", ("1/2-1/2", "fifty moves")),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90", ("1-0", "checkmate")),
        ("8/8/8/8/8/2k5/8/K1R5 w - - 99 90", None),
    ],
)
def test_games_end_by_the_rules(fen: str, ending: tuple[str, str] | None) -> None:
    assert ending_of(chess.Board(fen)) == ending


def test_a_position_met_three_times_is_drawn() -> None:
    board = chess.Board()
    for _ in range(2):
        assert ending_of(board) is None
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(san)
    assert ending_of(board) == ("1/2-1/2", "repetition")


def test_both_must_agree_for_a_game_to_be_resigned() -> None:
    board, adjudicator = chess.Board(), Adjudicator(Adjudication(resign=(2, 600)), None)
    for white, black in ((700, -650), (None, -900), (800, -500), (900, -700), (None, None)):
        adjudicator.score(chess.WHITE, white, None)
        adjudicator.score(chess.BLACK, black, None)
        assert adjudicator.verdict(board) is None
    for _ in range(2):
        adjudicator.score(chess.WHITE, -700, None)
        adjudicator.score(chess.BLACK, None, 5)
    assert adjudicator.verdict(board) == ("0-1", "adjudication: resigned")


def test_a_level_game_is_drawn_late_enough() -> None:
    adjudicator = Adjudicator(Adjudication(draw=(1, 10, 40)), None)
    adjudicator.score(chess.WHITE, 10, None)
    adjudicator.score(chess.BLACK, -10, None)
    early, late = chess.Board(), chess.Board()
    late.fullmove_number = 40
    assert adjudicator.verdict(early) is None
    assert adjudicator.verdict(late) == ("1/2-1/2", "adjudication: level")


class _Tables:
    """White wins, whoever is to move; nothing is known of more than five pieces."""

    def get_wdl(self, board: chess.Board) -> int | None:
        if chess.popcount(board.occupied) > 5:
            return None
        return 2 if board.turn else -2


def test_tables_decide_right_after_a_capture_or_pawn_move() -> None:
    adjudicator = Adjudicator(Adjudication(), _Tables())
    for fen, verdict in (
        ("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", ("1-0", "adjudication: tables")),
        ("4k3/8/8/8/8/8/8/3QK3 b - - 1 1", None),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", None),
        (chess.STARTING_FEN, None),
    ):
        assert adjudicator.verdict(chess.Board(fen)) == verdict


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no Syzygy tables"):
        Adjudication(tables=str(tmp_path))
