"""``plyout mine``."""

from pathlib import Path

import chess

from tests.cli.client import plyout


def test_mates_are_mined_as_epd(tmp_path: Path) -> None:
    out = tmp_path / "mates.epd"
    run = plyout("mine", "mates", "--mate", "1", "--count", "2", "--out", str(out))
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert plyout("mine", "mates", "--mate", "1", "--count", "2").stdout == out.read_text()
    lines = out.read_text().splitlines()
    assert len(lines) == 2
    for line in lines:
        board = chess.Board()
        assert board.set_epd(line)["dm"] == 1
