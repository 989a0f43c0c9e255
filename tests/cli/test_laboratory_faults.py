"""What disks do to the laboratory's commands: paths are tried before the work, and what was done is not lost."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli import faults
from tests.cli.client import inside, plyout

pytestmark = pytest.mark.slow  # processes: checking array indices once more would tell nothing
ROGUE = Path(__file__).parents[1] / "lab/match/rogue.py"
ENGINES = [word for name in "ab" for word in ("-e", f"uci:{sys.executable} {ROGUE}?name={name}")]
MATCH = ["match", *ENGINES, "--nodes", "1", "--max-plies", "30"]
COMMANDS = {
    "match": [*MATCH, "--out"],
    "tournament": ["tournament", *MATCH[1:], "--out"],
    "report": ["report", "{pgn}", "--out"],
    "reproduce": ["reproduce", "arenz-7", "--out"],
    "fit": ["fit", "--program", "true", "--out"],
    "fit --save": ["fit", "--program", "true", "--out", "{new}", "--save"],
    "label": ["label", "--engine", "true", "--out"],
    "train teacher": ["train", "teacher", ".", "--steps", "1", "--out"],
    "train student": ["train", "student", ".", "--steps", "1", "--out"],
    "mine mates": ["mine", "mates", "--out"],
    "mine traps": ["mine", "traps", "--out"],
    "trap-study": ["trap-study", "--out"],
    "trap-density": ["trap-density", "{pgn}", "--out"],
    "visits-to-refutation": ["visits-to-refutation", "--out"],
    "study": ["study", "tictactoe", "--plot"],
}
FILES = {"fit --save", "train teacher", "mine mates", "mine traps", "study"}


def words(command: str, folder: Path) -> list[str]:
    (folder / "games.pgn").write_text('[White "a"]\n[Black "b"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    return [word.format(pgn=folder / "games.pgn", new=folder / "new") for word in COMMANDS[command]]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = words(command, tmp_path)
    with faults.read_only(tmp_path / "closed") as closed:
        place = closed / "x.png" if command in FILES else closed
        code, out, said = inside([*given, str(place)], capsys)
    assert (code, out, said.count("\n")) == (2, "", 1), said
    assert said.startswith(f"plyout: {given[-1]}: cannot write into {closed}: "), said


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in FILES])
def test_a_file_in_place_of_a_folder_is_told(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = words(command, tmp_path)
    code, _, said = inside([*given, str(tmp_path / "games.pgn")], capsys)
    assert code == 2
    assert said == f"plyout: {given[-1]}: {tmp_path / 'games.pgn'} is a file, and a folder is wanted\n"


def test_a_plot_of_an_unknown_kind_is_told_before_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = inside(["study", "tictactoe", "--plot", str(tmp_path / "x.mp3")], capsys)
    assert code == 2
    assert said.startswith("plyout: --plot draws .")
    assert said.endswith("and not 'x.mp3'\n")
    code, _, said = inside(["study", "reti", "--plot", str(tmp_path / "x.png")], capsys)
    assert (code, said) == (2, "plyout: --plot draws tictactoe, and not reti\n")


def test_a_full_disk_in_a_match_costs_no_game_that_was_shown(tmp_path: Path) -> None:
    def use(folder: Path, limits: dict[int, int]) -> None:
        given = [*MATCH, "--games", "200", "-j", "2", "--out", str(folder / "x")]
        run = faults.plyout(*given, "--json", limits=limits)
        said = faults.one_line(run)
        assert run.returncode == 1, said
        found = json.loads(run.stdout)
        assert found["interrupted"] is True
        assert found["done"] == found["games"]
        assert 2 <= found["games"] < 200
        kept = json.loads(plyout("results", str(folder / "x"), "--json").stdout)["experiments"][0]
        assert kept["games"] == found["games"], "the games that were shown are those that were kept"

    faults.full_disk(tmp_path / "full", 96 * 1024, use)


def test_a_full_disk_in_a_match_is_told_below_the_results_so_far(tmp_path: Path) -> None:
    def use(folder: Path, limits: dict[int, int]) -> None:
        shown = faults.plyout(*MATCH, "--games", "200", "-j", "2", "--out", str(folder / "x"), limits=limits)
        assert b" games: what was done so far is in " in shown.stdout
        assert faults.one_line(shown)

    faults.full_disk(tmp_path / "full", 96 * 1024, use)
