"""plyout tune: a table for people, JSON for programs, a plot, a preset, and one line for mistakes."""

import json
from pathlib import Path

import pytest

from plyout.presets import preset
from tests.cli.client import inside

pytestmark = pytest.mark.slow
SHORT = ["tune", "--preset", "mcts", "--set", "hash_mb=2", "--nodes", "4", "--max-plies", "8", "--pairs", "2"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    return inside([*SHORT, *words], capsys)


def test_it_shows_a_table_and_how_to_confirm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-p", "puct_init", "-p", "quiet_depth=4:1:8:1", "--out", str(tmp_path / "x"), "-j", "2"]
    code, out, err = run(capsys, *words, "--plot", str(tmp_path / "x.png"), "--save", str(tmp_path / "mine.toml"))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert any("puct_init" in line and "0 to 100" in line and "0.5" in line for line in lines)
    assert any("quiet_depth" in line and "1 to 8" in line for line in lines)
    assert any(line.startswith("2 of 2 pairs; plus against minus: ") for line in lines)
    assert "by chance alone a parameter would have moved by ±" in out
    assert "a match must show" in out
    assert f"  plyout match -e {tmp_path / 'mine.toml'} -e 'mcts?hash_mb=2' " in out
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert preset(str(tmp_path / "mine.toml")).parameters["hash_mb"] == 2
    names = {path.name for path in (tmp_path / "x").iterdir()}
    assert names >= {"games.sqlite", "games.pgn", "results.json", "log", "tune.json", "tuned.toml"}
    assert "after 2 pairs: puct_init" in (tmp_path / "x/log").read_text()


def test_it_answers_with_json_and_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-p", "puct_init=2:1:4:0.5", "--out", str(tmp_path), "--json"]
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["pairs"], found["of_pairs"], found["games"]) == (2, 2, 4)
    (row,) = found["parameters"]
    assert (row["name"], row["start"], row["low"], row["high"], row["step"]) == ("puct_init", 2, 1, 4, 0.5)
    assert len(found["path"]) == 3
    assert found["saved"] == str(tmp_path / "tuned.toml")
    assert found["confirm"].startswith("plyout match -e ")
    assert json.loads(run(capsys, *words)[1]) == found, "nothing was left to play"


@pytest.mark.parametrize(
    "words, problem",
    [
        (["-p", "book_use"], "book_use is one of best, weighted"),
        (["-p", "value_net"], "value_net is a text"),
        (["-p", "c=x"], "-p wants name, name=start"),
        (["-p", "c", "-p", "c"], "-p c is given twice"),
        (["-p", "c", "--preset", "mctz"], "no preset is called 'mctz'"),
        (["-p", "c", "--preset", "none.toml"], "none.toml cannot be read"),
        (["-p", "c", "--rate", "0"], "--rate must be above 0"),
        (["-p", "c", "--rate", "11"], "the rate must lie between 0 and 10"),
        (["-p", "c", "--set", "weights=x"], "no parameter is called 'weights'"),
        (["-p", "c", "--set", "c"], "--set wants name=value"),
        (["-p", "c", "--save", "mine.txt"], "--save wants a file that ends in .toml"),
        (["-p", "c", "--plot", "x.xyz"], "--plot draws"),
        (["-p", "c", "--tc", "ten"], "a clock is seconds+increment"),
        (["-p", "c", "--lag", "0"], "Invalid value for '--lag'"),
        (["-p", "c", "--pairs", "0"], "Invalid value for '--pairs'"),
        ([], "Missing option '--parameter'"),
    ],
)
def test_a_mistake_gets_one_line_and_makes_nothing(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words, "--out", "runs")
    assert (code, out) == (2, "")
    assert err.startswith("plyout: ")
    assert err.count("\n") == 1, err
    assert problem in err
    assert not (tmp_path / "runs/games.sqlite").exists()
