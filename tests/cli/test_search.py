"""``plyout search``: JSON for programs, a table for readers, the same answer twice."""

from typing import get_args

import chess
import chess.variant
import pytest

from plyout.cli.common import Level
from plyout.cli.live import board_text
from plyout.play.drawing import Look
from plyout.presets.levels import HIGHEST, LOWEST, level
from tests.cli.client import answer, mistake, plyout
from tests.positions import KIWIPETE

KEYS = set(
    "bestmove ponder value score wdl proof mate nodes time_ms nps pv moves graph preset seed".split()  # noqa: SIM905
)


def test_search_answers_in_json_and_twice_the_same() -> None:
    arguments = ("search", "--fen", KIWIPETE, "--nodes", "400", "--seed", "5", "--multipv", "3", "--json")
    first, second = answer(*arguments), answer(*arguments)
    assert set(first) >= KEYS
    assert (first["nodes"], first["seed"], first["preset"]) == (400, 5, "plyout")
    assert len(first["moves"]) == 3
    assert set(first["moves"][0]) == {"move", "visits", "value", "prior", "proof", "mate", "end_in_ply", "pv"}
    assert set(first["graph"]) == {"nodes", "edges", "bytes", "shared"}
    assert set(first["score"]) == {"cp"}
    assert len(first["wdl"]) == 3
    assert first["pv"][:2] == [first["bestmove"], first["ponder"]]
    for found in (first, second):
        del found["time_ms"], found["nps"]
    assert first == second


def test_search_obeys_its_options() -> None:
    found = answer(
        "search", "--preset", "mcc-solver", "--moves", "f3 e5 g2g4", "--nodes", "3000", "--set", "c=0.5", "--set",
        "hash_mb=8", "--threads", "2", "--json",
    )  # fmt: skip
    assert (found["bestmove"], found["proof"], found["mate"], found["score"]) == ("d8h4", "win", 1, {"mate": 1})
    assert found["preset"] == "mcc-solver"
    assert found["ponder"] is None


def test_a_level_limits_the_search() -> None:
    found = answer("search", "--level", "1850", "--movetime", "600000", "--json")
    assert found["nodes"] == level(1850).nodes


def test_search_shows_a_table_to_people() -> None:
    run = plyout("search", "--nodes", "100", "--preset", "mcc", "--set", "hash_mb=4")
    assert run.returncode == 0
    assert "best:" in run.stdout
    assert "visits" in run.stdout


def test_other_games_are_searched_too() -> None:
    found = answer(
        "search", "--variant", "tictactoe", "--preset", "mcc-solver", "--fen", "xx./oo./...", "--nodes", "500", "--json"
    )
    assert (found["bestmove"], found["proof"]) == ("2", "win")


def test_a_rule_can_be_set() -> None:
    """PUCT with random priors is no UCT."""
    arguments = ("search", "--preset", "mcc", "--nodes", "300", "--set", "hash_mb=8", "--json")
    uct, chosen = answer(*arguments), answer(*arguments, "--set", "select=puct")
    assert [m["visits"] for m in uct["moves"]] != [m["visits"] for m in chosen["moves"]]


def test_a_search_tells_the_opening() -> None:
    played = ("--set", "book=own", "--set", "book_use=weighted")
    found = answer("search", "--preset", "singh-mcts", *played, "--moves", "e4 c5 Nf3", "--nodes", "10", "--json")
    assert found["opening"] == {"eco": "B27", "name": "Sicilian Defence, Open Knight"}
    assert found["book"] is True
    assert found["nodes"] == 0
    shown = plyout("search", "--moves", "e4 c5 Nf3", "--nodes", "10").stdout
    assert "opening: B27 Sicilian Defence, Open Knight" in shown


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--fen", "nonsense"), "not a FEN"),
        (("--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"), "illegal position"),
        (("--preset", "mcd"), "no preset is called 'mcd'"),
        (("--speed", "9"), "No such option: --speed"),
        (("--nodes", "many"), "Invalid value for '--nodes'"),
        (("--nodes", "0"), "Invalid value for '--nodes'"),
        (("--set", "c"), "--set wants name=value, not 'c'"),
        (("--set", "c=-1"), "c must lie between"),
        (("--set", "c=much"), "c must be"),
        (("--set", "speed=9"), "'speed'"),
        (("--set", "select=best"), "'best'"),
        (("--moves", "e2e4 e2e4"), "'e2e4' is no legal move"),
        (("--variant", "checkers"), "no variant is called 'checkers'"),
        (("--variant", "tictactoe", "--moves", "e4"), "--moves works for chess and crazyhouse"),
        (("--seed", "1" + "0" * 400), "seed must be"),
        (("--why-not", "e5"), "'e5' is no legal move in"),
        (("--variant", "tictactoe", "--why"), "--why and --why-not are for chess and crazyhouse"),
        (("--level", "100"), "level must be a whole number of Elo from 500 to 2400"),
        (("--level", str(HIGHEST + 1)), "level must be a whole number of Elo from 500 to 2400"),
        (("--level", "1500", "--preset", "mcc"), "a level is for the preset plyout in chess, not for mcc in chess"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str) -> None:
    limit = () if "--nodes" in arguments else ("--nodes", "10")
    assert problem in mistake("search", *arguments, *limit)


def test_the_board_has_coordinates_and_pieces_in_hand() -> None:
    fen = "rnbqkb1r/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Qpnp] w KQkq - 0 1"
    lines = [row.rstrip() for row in board_text(chess.variant.CrazyhouseBoard(fen), Look()).plain.splitlines()]
    assert lines[0] == "in hand: 1♞ 2♟"
    assert lines[1] == " 8 ♜ ♞ ♝ ♛ ♚ ♝ · ♜"
    assert lines[-2:] == ["   a b c d e f g h", "in hand: 1♕"]
    assert board_text(chess.Board(), Look()).plain.splitlines()[-1].rstrip() == "   a b c d e f g h"


def test_a_pocket_is_no_markup() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qbpp] w KQkq - 0 1"
    shown = plyout("search", "--variant", "crazyhouse", "--fen", fen, "--nodes", "20", "--set", "hash_mb=8").stdout
    assert shown.startswith(fen + "\nin hand: 1♝ 2♟\n 8 ")


LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


def test_why_not_tells_the_trap() -> None:
    asked = ("search", "--fen", LEGAL, "--nodes", "2000", "--seed", "1", "--why", "--why-not", "Bxd1")
    shown = plyout(*asked).stdout
    assert "why not Bxd1 (named, " in shown
    mated = "After Bxd1 Black is mated in 2: 1...Bxd1 2.Bxf7+ Ke7 3.Nd5# (certificate checked, 1 line)."
    assert f"  certain  {mated}\n" in shown
    told = {m["san"]: m for m in answer(*asked, "--json")["explanation"]["why_not"]}
    assert mated in [s["text"] for s in told["Bxd1"]["statements"]]


def test_without_why_there_is_no_explanation() -> None:
    assert "explanation" not in answer("search", "--nodes", "50", "--json")


def test_the_help_names_the_range_of_levels() -> None:
    assert f"{LOWEST} to {HIGHEST}" in get_args(Level)[1].help
