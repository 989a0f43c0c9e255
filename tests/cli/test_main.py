"""The command line: JSON for programs, one line for mistakes, the same answer twice."""

import json
import subprocess
import sys
from typing import Any

import pytest

from plyout.parameters import SETTINGS, TABLE
from plyout.presets import presets
from tests.positions import KIWIPETE


def plyout(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plyout", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


def answer(*arguments: str) -> dict[str, Any]:
    run = plyout(*arguments)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout.count("\n") == 1, "one JSON object, one line"
    found = json.loads(run.stdout)
    assert isinstance(found, dict)
    return found


def test_perft_answers_in_json() -> None:
    found = answer("perft", "--fen", KIWIPETE, "--depth", "3", "--divide", "--json")
    assert set(found) == {"nodes", "seconds", "nps", "depth", "fen", "variant", "divide"}
    assert (found["nodes"], found["depth"], found["fen"], found["variant"]) == (97862, 3, KIWIPETE, "chess")
    assert len(found["divide"]) == 48
    assert sum(found["divide"].values()) == 97862


def test_playouts_answer_in_json() -> None:
    found = answer("playouts", "--count", "200", "--seed", "3", "--variant", "tictactoe", "--json")
    wanted = {"white", "draw", "black", "plies", "count", "seconds", "per_second", "seed", "fen", "variant"}
    assert set(found) == wanted
    assert found["white"] + found["draw"] + found["black"] == found["count"] == 200


KEYS = set(
    "bestmove ponder value score wdl proof mate nodes time_ms nps pv moves graph preset seed".split()  # noqa: SIM905
)


def test_search_answers_in_json_and_twice_the_same() -> None:
    arguments = ("search", "--fen", KIWIPETE, "--nodes", "400", "--seed", "5", "--multipv", "3", "--json")
    first, second = answer(*arguments), answer(*arguments)
    assert set(first) >= KEYS
    assert (first["nodes"], first["seed"], first["preset"]) == (400, 5, "plyout")
    assert len(first["moves"]) == 3
    assert set(first["moves"][0]) == {"move", "visits", "value", "prior", "proof", "mate", "pv"}
    assert set(first["graph"]) == {"nodes", "edges", "bytes"}
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


def test_presets_are_listed() -> None:
    found = answer("presets", "--json")["presets"]
    assert [p["name"] for p in found] == list(presets())
    assert all(p["description"] for p in found)


def test_a_preset_is_shown_with_every_parameter() -> None:
    found = answer("presets", "show", "mcc-combined", "--json")
    assert found["name"] == "mcc-combined"
    assert set(found["rules"]) == {"select", "judge", "rate", "choose", "similarity", "scaling"}
    assert set(found["parameters"]) == {p.name for p in (*TABLE, *SETTINGS)}
    assert found["parameters"]["bias"] == 0.001


MISTAKES = {
    "a bad FEN": ("search", "--fen", "nonsense", "--nodes", "10"),
    "an illegal position": ("search", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1", "--nodes", "10"),
    "an unknown preset": ("search", "--preset", "mcd", "--nodes", "10"),
    "a preset to show that is unknown": ("presets", "show", "mcd"),
    "an unknown option": ("search", "--speed", "9"),
    "an unknown command": ("serach",),
    "a value that is no number": ("search", "--nodes", "many"),
    "a value out of range": ("search", "--nodes", "0"),
    "a setting without value": ("search", "--set", "c", "--nodes", "10"),
    "a setting out of range": ("search", "--set", "c=-1", "--nodes", "10"),
    "an unknown setting": ("search", "--set", "speed=9", "--nodes", "10"),
    "a setting that is no number": ("search", "--set", "c=much", "--nodes", "10"),
    "an illegal move": ("search", "--moves", "e2e4 e2e4", "--nodes", "10"),
    "an unknown variant": ("search", "--variant", "checkers", "--nodes", "10"),
    "a seed beyond all numbers": ("search", "--seed", "1" + "0" * 400, "--nodes", "10"),
    "a bad FEN for perft": ("perft", "--fen", "8/8 w"),
    "a negative count": ("playouts", "--count", "-5"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_one_line_and_no_traceback(name: str) -> None:
    run = plyout(*MISTAKES[name])
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("plyout: ")
    assert run.stderr.count("\n") == 1
    assert "Traceback" not in run.stderr
