"""Other people's programs talk to the engine: python-chess, and a suite that tests UCI engines."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.variant
import pytest

from tests.playable import playable

COMMAND = [sys.executable, "-m", "plyout", "uci"]


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=180) as engine:
        yield engine


def play(engine: chess.engine.SimpleEngine, board: chess.Board, plies: int) -> None:
    """python-chess itself refuses a move that is illegal."""
    game = object()
    for _ in range(plies):
        result = engine.play(board, chess.engine.Limit(nodes=200), game=game, info=chess.engine.INFO_ALL)
        assert result.move is not None
        assert result.info["nodes"] <= 200
        assert result.info["pv"][0] == result.move
        board.push(result.move)


@pytest.mark.parametrize("preset", playable())
def test_python_chess_plays_with_every_preset(engine: chess.engine.SimpleEngine, preset: str) -> None:
    engine.configure({"Preset": preset, "Hash": 16})
    play(engine, chess.Board(), 6)


def test_python_chess_plays_crazyhouse(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Preset": "mcc", "Hash": 16})
    play(engine, chess.variant.CrazyhouseBoard(), 6)
    play(engine, chess.variant.CrazyhouseBoard("2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1"), 2)


def test_python_chess_plays_chess960(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Preset": "mcc-combined", "Hash": 16})
    play(engine, chess.Board.from_chess960_pos(0), 6)


def test_python_chess_analyses(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Preset": "mcc-combined", "Hash": 16})
    lines = engine.analyse(chess.Board(), chess.engine.Limit(nodes=300), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3


@pytest.mark.slow
def test_the_suite_for_uci_engines_passes_whole(tmp_path: Path) -> None:
    program = shutil.which("uci-test-suite", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("uci-test-suite is not installed")
    subprocess.run(COMMAND, input=b"isready\n", check=True, capture_output=True, timeout=180)  # compiled before
    wrapper = tmp_path / "engine.sh"
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plyout uci\n', encoding="utf-8")
    wrapper.chmod(0o755)
    run = subprocess.run([program, "--verbose", str(wrapper)], capture_output=True, text=True, timeout=120)
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    found = re.search(r"(\d+)/(\d+)", output)
    assert found is None or found[1] == found[2], output
    assert "FAIL" not in output.upper() or re.search(r"\b0 failed|failed: 0|failed tests: 0", output, re.I), output
