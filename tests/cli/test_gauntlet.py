"""``plyout gauntlet``: what is wrong is said before anything is played, and what was played is shown."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.client import inside
from tests.cli.test_interrupted import Interrupt, engine, interrupt

pytestmark = pytest.mark.slow  # the command, not the kernels, is tried
__all__ = ["interrupt"]  # the fixture
LADDER = [
    "-r",
    engine("weak", "--illegal", "2"),
    "-r",
    engine("even"),
    "--anchor",
    "weak=1000",
    "--anchor",
    "even=1500",
]
QUICK = ["--nodes", "1", "--max-plies", "20", "--games", "8"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--anchor", "even"), "--anchor wants NAME=ELO, as in toga2=2700, not 'even'"),
        (("--anchor", "even=strong"), "--anchor wants NAME=ELO"),
        (("--anchor", "even=inf"), "--anchor wants NAME=ELO"),
        (("--anchor", "odd=1500"), "no rung is called 'odd': there are even"),
        ((), "no rung has a known rating"),
        (("--anchor", "even=1500", "--games", "3"), "--games must be even"),
        (("--anchor", "even=1500", "--resign", "4"), "--resign wants moves,centipawns"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = inside(["gauntlet", "-e", engine("me"), "-r", engine("even"), *arguments], capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_the_table_has_every_rung_and_the_rating_stands_below(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = inside(["gauntlet", "-e", engine("me"), *LADDER, *QUICK], capsys)
    assert (code, err) == (0, "")
    assert "me: Elo 1" in out
    assert "8 games at 1 nodes" in out
    assert "weak: 2 illegal moves" in out
    assert out.index("even") < out.index("weak"), "the strongest first"


def test_an_interrupted_gauntlet_keeps_its_games_and_goes_on(interrupt: Interrupt, tmp_path: Path) -> None:
    words = ["gauntlet", "-e", engine("me"), *LADDER, *QUICK, "--out", str(tmp_path / "x"), "--json"]
    out, err = interrupt(3, *words)
    found = json.loads(out)
    assert (found["interrupted"], found["done"], found["of"], found["games"]) == (True, 3, 8, 3)
    assert found["low"] < found["elo"] < found["high"]
    assert f"{tmp_path / 'x'}: the same command goes on" in err


def test_what_was_kept_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["gauntlet", "-e", engine("me"), *LADDER, *QUICK, "--out", str(tmp_path), "--json"]
    first, again = (inside(words, capsys) for _ in range(2))
    assert first[0] == again[0] == 0, again[2]
    assert json.loads(first[1]) == json.loads(again[1])
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert log.count("game 1:") == 1
    assert "8 of 8 games are there" in log
    assert sys.executable not in first[1], "names, not commands"
