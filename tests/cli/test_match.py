"""plyout match, tournament and results: JSON for programs, one line for mistakes, interrupted and gone on with."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess.pgn
import pytest

from tests.cli.client import answer, mistake, plyout

pytestmark = pytest.mark.slow  # processes and clocks: checking array indices once more would tell nothing
ROGUE = Path(__file__).parents[1] / "lab/match/rogue.py"
KEYS = {
    "games", "wins", "draws", "losses", "score", "elo", "elo_error", "los", "pentanomial", "time_losses", "crashes",
    "stalls", "illegal", "endings", "players",
}  # fmt: skip


def engine(name: str, *faults: str) -> str:
    return f"uci:{sys.executable} {ROGUE} {' '.join(faults)}?name={name}"


def arguments(out: Path, *more: str) -> list[str]:
    words = ["match", "-e", engine("a"), "-e", engine("b", "--illegal", "20"), "--games", "4", "--nodes", "1"]
    return [*words, "--max-plies", "80", "--out", str(out), *more]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match that was played."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    found = answer(*arguments(folder, "--json"))
    assert set(found) >= KEYS
    assert (found["games"], found["illegal"], found["wins"]) == (4, 4, 4)
    assert found["pentanomial"] == [0, 0, 0, 0, 2]
    assert [p["illegal"] for p in found["players"]] == [0, 4]
    return folder


def test_everything_is_kept(out: Path) -> None:
    names = {path.name for path in out.iterdir()}
    assert names >= {"games.sqlite", "games.pgn", "results.json", "log"}
    log = (out / "log").read_text()
    assert "b: illegal, 'a1a1' in" in log
    assert log.rstrip().endswith("4 of 4 games are there")


def test_the_same_command_goes_on_and_another_is_refused(out: Path) -> None:
    before = (out / "games.pgn").read_text()
    run = plyout(*arguments(out))
    assert run.returncode == 0, run.stderr
    assert "b: 4 illegal" in run.stdout
    assert (out / "games.pgn").read_text() == before, "nothing was left to play"
    problem = mistake(*arguments(out, "--seed", "2"))
    assert "has games of other settings" in problem
    assert "seed is 1 there, 2 here" in problem
    assert "--games must be at least as many" in mistake(*arguments(out, "--games", "2"))


def test_results_are_shown_and_exported(out: Path) -> None:
    assert "endings: 4 illegal" in plyout("results", str(out)).stdout
    shown = plyout("results", str(out), "--list").stdout
    assert shown.count(" illegal ") >= 4
    rows = list(csv.DictReader(io.StringIO(plyout("results", str(out), "--export", "csv").stdout)))
    assert [row["pair"] for row in rows] == ["0", "0", "1", "1"]
    games = json.loads(plyout("results", str(out), "--export", "json").stdout)["games"]
    assert [(g["white"], g["result"]) for g in games] == [("a", "1-0"), ("b", "0-1")] * 2
    pgn = io.StringIO(plyout("results", str(out), "--export", "pgn").stdout)
    read = [chess.pgn.read_game(pgn) for _ in range(4)]
    assert [g.headers["Termination"] for g in read if g] == ["rules infraction"] * 4
    assert "doc" in mistake("results", str(out), "--export", "doc")


def test_experiments_are_compared(out: Path) -> None:
    second = out.parent / "second"
    words = arguments(second, "--json")
    words[words.index("--nodes")] = "--movetime"
    words[words.index("1")] = "1000"
    answer(*words)
    rows = answer("results", str(out.parent), "--json")["experiments"]
    assert [Path(row["experiment"]).name for row in rows] == ["first", "second"]
    assert rows[1]["difference"] == rows[1]["elo"] - rows[0]["elo"]
    assert rows[1]["better"] == 0.5
    assert "second" in plyout("results", str(out.parent)).stdout


def test_ctrl_c_keeps_the_games_and_says_how_to_go_on(tmp_path: Path) -> None:
    slow = [word if word != engine("a") else engine("a", "--late", "1") for word in arguments(tmp_path / "x", "--json")]
    process = subprocess.Popen(
        [sys.executable, "-m", "plyout", *slow],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # ignored in a background job
    )
    while not (tmp_path / "x/log").is_file():
        time.sleep(0.05)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=30)
    assert process.returncode == 130
    hint = f"what was done so far is in {tmp_path / 'x'}: the same command goes on from there"
    (line,) = error.decode().splitlines()
    assert line.startswith("interrupted after ")
    assert line.endswith(f" of 4 games: {hint}")
    assert json.loads(output)["interrupted"] is True
    assert json.loads((tmp_path / "x/results.json").read_text())["games"] < 4


def test_a_tournament_answers_in_json() -> None:
    engines = [word for name in "abc" for word in ("-e", engine(name))]
    found = answer("tournament", *engines, "--games", "2", "--nodes", "1", "--max-plies", "20", "-j", "2", "--json")
    played = {p["name"]: p["wins"] + p["draws"] + p["losses"] for p in found["players"]}
    assert (found["games"], played) == (6, {"a": 4, "b": 4, "c": 4})


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["match", "-e", "mcc"], "a match is between two engines"),
        (["match", "-e", "mcc", "-e", "mcc", "--games", "3"], "must be even"),
        (["match", "-e", "mcc", "-e", "uci:nosuchengine"], "apt install nosuchengine"),
        (["match", "-e", "mcc?x=1", "-e", "mcc"], "no parameter is called 'x'"),
        (["match", "-e", "mcc", "-e", "mcc", "--tc", "fast"], "a clock is seconds+increment"),
        (["match", "-e", "mcc", "-e", "mcc", "--sprt", "5"], "--sprt wants two Elo differences"),
        (["match", "-e", "mcc", "-e", "mcc", "--sprt", "5,0"], "elo0 < elo1"),
        (["match", "-e", "mcc", "-e", "mcc", "--resign", "no"], "--resign wants moves,centipawns"),
        (["match", "-e", "mcc", "-e", "mcc", "--draw", "8,10"], "--draw wants moves,centipawns,from-move"),
        (["tournament", "-e", "mcc", "-e", "mcc", "--type", "swiss"], "one of round-robin, gauntlet"),
        (["match", "-e", "mcc", "-e", 'uci:"unbalanced'], "cannot be read as a command: no closing quotation"),
        (["match", "-e", "mcc", "-e", "mcc", "--movetime", "nan"], "movetime must be a number above 0, and is nan"),
        (["match", "-e", "mcc", "-e", "mcc", "--out", "/dev/null"], "--out: /dev/null is a file, and a folder"),
        (["results", "/nowhere"], "holds no games"),
    ],
)
def test_mistakes_get_one_line(words: list[str], problem: str) -> None:
    assert problem in mistake(*words)
