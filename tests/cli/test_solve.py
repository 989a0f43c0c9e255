"""``plyout solve``."""

from pathlib import Path

import pytest

from tests.cli.client import answer, mistake, plyout

PUZZLES = """\
6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id "back rank";
7k/8/8/8/8/8/R7/1R2K3 w - - dm 2; id "two rooks";
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mates.epd").write_text(PUZZLES)
    return str(tmp_path / "mates.epd")


def test_each_depth_is_a_run(file: str) -> None:
    found = answer("solve", file, "--depth", "1", "--depth", "3", "--set", "hash_mb=8", "--json")
    assert (found["file"], found["preset"]) == (file, "alphabeta")
    assert [(run["depth"], run["solved"], run["puzzles"]) for run in found["runs"]][1] == (3, 2, 2)
    assert found["runs"][1]["failed"] == []


def test_readers_get_a_table(file: str) -> None:
    shown = plyout("solve", file, "--count", "1", "--depth", "2").stdout
    assert "1 of 1" in shown


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(("--set", "x"), "--set wants name=value"), (("--preset", "mcd"), "no preset is called 'mcd'")],
)
def test_a_mistake_gets_one_line(file: str, arguments: tuple[str, ...], problem: str) -> None:
    assert problem in mistake("solve", file, *arguments)
    assert mistake("solve", "nothere.epd")
