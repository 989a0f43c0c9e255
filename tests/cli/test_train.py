"""``plyout train``: what is told of a run, and of mistakes."""

import sys
from pathlib import Path

import pytest

from tests.cli.client import inside
from tests.lab.train.made import random_games, write_games

pytestmark = pytest.mark.slow  # no kernels
MISTAKES = {
    "how long to learn is told by --steps or by --minutes": ["teacher", "{labels}", "--out", "{out}/t.npz"],
    "--steps or by --minutes, one": ["student", "{labels}", "--out", "{out}", "--steps", "1", "--minutes", "1"],
    "--minutes and --rate must be numbers": ["teacher", "{labels}", "--out", "{out}/t.npz", "--minutes", "inf"],
    "holds no labelled games: 'plyout label --out": ["teacher", "{out}", "--out", "{out}/t.npz", "--steps", "1"],
    "must be multiples of 256 and 128, not 300 and 256": [
        "student", "{labels}", "--out", "{out}", "--steps", "1", "--value-width", "300"
    ],
    "is no teacher that 'plyout train teacher' has made": [
        "student", "{labels}", "--out", "{out}", "--steps", "1", "--teacher", "{labels}/games-0.bin.xz"
    ],
    "--plot draws .": ["teacher", "{labels}", "--out", "{out}/t.npz", "--steps", "1", "--plot", "{out}/x.mp3"],
}  # fmt: skip


@pytest.mark.parametrize("told", MISTAKES)
def test_a_mistake_gets_one_line(told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = {"labels": write_games(tmp_path / "labels", random_games(60, 6)), "out": tmp_path}
    code, out, err = inside(["train", *(word.format(**places) for word in MISTAKES[told])], capsys)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert told in err


def test_without_jax_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    code, _, err = inside(["train", "teacher", str(tmp_path), "--out", str(tmp_path / "t.npz")], capsys)
    assert (code, err) == (2, "plyout: training needs JAX: pip install 'plyout[train]'\n")


def test_a_run_tells_how_it_goes_and_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = write_games(tmp_path / "labels", random_games(60, 12))
    shape = ["--blocks", "1", "--channels", "4", "--batch", "8", "--steps", "3"]
    code, out, err = inside(["train", "teacher", str(labels), "--out", str(tmp_path / "t.npz"), *shape], capsys)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "60 games, 600 positions (20 held back); learning on the CPU"
    assert [line.split()[1] for line in lines if line.startswith("step ")] == ["1", "2", "3"]
    assert "on games that were held back:" in lines
    assert lines[-2:] == [f"written: {tmp_path / name}" for name in ("t.npz", "t.onnx")]
