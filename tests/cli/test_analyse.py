"""``plyout analyse``: what it prints, what it refuses, and how it ends early."""

import json
import signal
from pathlib import Path

import pytest

from plyout.progress import Progress
from tests.cli.client import inside
from tests.cli.faults import read_only
from tests.lab.analyse.made import BLUNDER, LEGAL, MISSED, collection, read_back

pytestmark = pytest.mark.slow  # the command, not the kernels, is tried
QUICK = ["--nodes", "50", "--explain", "1", "--set", "hash_mb=16"]


def test_a_collection_is_told_in_a_table_and_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new/out"
    words = ["analyse", str(collection(tmp_path, MISSED, LEGAL)), *QUICK, "--out", str(out)]
    code, text, err = inside(words, capsys)
    assert (code, err) == (0, "")
    assert "Saint Brie" in text and "Philidor Defence" in text
    for name in ("annotated.pgn", "analysis.html"):
        assert str(out / name) in text and (out / name).stat().st_size > 500


def test_the_answer_for_programs_has_every_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["analyse", str(collection(tmp_path, MISSED)), *QUICK, "--seed", "7", "--out", str(tmp_path), "--json"]
    code, text, err = inside(words, capsys)
    assert (code, err, text.count("\n")) == (0, "", 1)
    found = json.loads(text)
    assert (found["nodes"], found["changes"]["seed"]) == (50, "7")
    (game,) = found["games"]
    assert [move["san"] for move in game["moves"]] == ["Ra7", "h6", "Ra8+", "Kh7"]
    assert game["moves"][0]["missed"] == 1
    assert [Path(name).is_file() for name in found["files"]] == [True, True]


@pytest.mark.parametrize("after", [1, 9])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["analyse", str(collection(tmp_path, MISSED, BLUNDER)), *QUICK, "--out", str(tmp_path / "x"), "--json"]
    step, left = Progress.step, after

    def step_and_interrupt(self: Progress, by: float = 1, note: str = "") -> None:
        nonlocal left
        step(self, by, note)
        left -= by > 0 and self.what == "positions"  # and not what is compiled on the way
        if left == 0:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "step", step_and_interrupt)
        code, text, err = inside(words, capsys)
    assert code == 130
    assert err == (
        f"interrupted after {after} of 20 positions: what was done so far is in {tmp_path / 'x'}: "
        "the same command goes on from there\n"
    )
    found = json.loads(text)
    assert (found["interrupted"], found["done"], found["of"], found["what"]) == (True, after, 20, "positions")
    whole = [game["number"] for game in found["games"]]
    assert whole == ([1] if after == 9 else [])
    assert len(found["files"]) == 2 * len(whole)
    code, text, err = inside(words, capsys)
    assert (code, len(json.loads(text)["games"])) == (0, 2)
    assert len(read_back((tmp_path / "x/annotated.pgn").read_text(encoding="utf-8"))) == 2


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a mistake gets."""
    code, out, err = inside(["analyse", *words], capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("plyout: ").rstrip("\n")


def test_mistakes_get_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def of(text: str, *words: str) -> str:
        return refused(capsys, str(collection(tmp_path, text)), "--out", str(tmp_path / "out"), *words)

    assert "has no games with moves in PGN" in of("")
    assert "illegal san: 'Ke3'" in of("1. e4 e5 2. Ke3 *\n")
    assert "is one of antichess: chess, Chess960 and crazyhouse" in of('[Variant "Antichess"]\n\n1. e3 *\n')
    assert not (tmp_path / "out").exists(), "the file is read before anything is written"
    assert "'nobody'" in of(LEGAL, "--preset", "nobody")
    assert "a level makes mistakes on purpose" in of(LEGAL, "--set", "level=900")
    assert "cannot read" in refused(capsys, str(tmp_path / "none.pgn"))
    (tmp_path / "file").touch()
    path = collection(tmp_path, LEGAL)
    assert "is a file, and a folder is wanted" in refused(capsys, str(path), "--out", str(tmp_path / "file"))


def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = collection(tmp_path, LEGAL)
    with read_only(tmp_path / "closed") as closed:
        assert "cannot write" in refused(capsys, str(path), "--out", str(closed / "x"))
