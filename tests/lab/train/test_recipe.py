"""The whole recipe from nothing, as a user would follow it: label, train, play with what came of it."""

import json
import shutil
from pathlib import Path

import chess
import pytest

from plyout import Engine, Limits
from plyout.lab.train.results import read_teacher
from plyout.networks.small.file import read
from tests.cli.client import inside

pytestmark = pytest.mark.slow  # commands, and no new kernels
GAMES = 1000
FEW = ["--json", "--seed", "2"]


def test_a_thousand_games_make_networks_that_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not (shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")):
        pytest.skip("stockfish is not installed: tools/debian.sh stockfish")

    def plyout(*words: str) -> dict[str, object]:
        code, out, err = inside([*words, *FEW], capsys)
        assert (code, err) == (0, ""), err
        found: dict[str, object] = json.loads(out)
        return found

    labels, teacher, small = tmp_path / "labels", tmp_path / "teacher.npz", tmp_path / "small"
    made = plyout("label", "--out", str(labels), "--games", str(GAMES), "--nodes", "20", "--max-plies", "14")
    assert made["games"] == GAMES
    steps = ["--batch", "64", "--rate", "0.005"]
    shape = ["--blocks", "1", "--channels", "8"]
    taught = plyout("train", "teacher", str(labels), "--out", str(teacher), *shape, *steps, "--steps", "400")
    widths = ["--value-width", "256", "--policy-width", "128", "--plot", str(tmp_path / "errors.svg")]
    given = [str(labels), "--out", str(small), "--teacher", str(teacher)]
    learnt = plyout("train", "student", *given, *widths, *steps, "--steps", "250")
    for answer in (taught, learnt):
        rows = answer["rows"]
        assert isinstance(rows, list)
        first, last = rows[0]["errors"], rows[-1]["errors"]
        assert last["value_mse"] < 0.9 * first["value_mse"], (first, last)
        assert last["policy_nll"] < first["policy_nll"] - 0.1, (first, last)
    assert (tmp_path / "errors.svg").stat().st_size > 1000
    assert read_teacher(teacher)[3]["games"] == GAMES
    networks = {"value": small / "value-256.plynet", "policy": small / "policy-128.plynet"}
    for kind, path in networks.items():
        assert read(path).kind == kind
        assert read(path).header["trained"]["positions"] == made["positions"]
    engine = Engine("plyout", value_net=str(networks["value"]), policy_net=str(networks["policy"]))
    plain = Engine("plyout")
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4")
    assert engine.search(board, Limits(nodes=500)).move == chess.Move.from_uci("f3f7"), "it still sees a mate"
    start = [e.search(chess.STARTING_FEN, Limits(nodes=500)) for e in (engine, plain)]
    visits = [{m.move: m.visits for m in result.moves} for result in start]
    assert visits[0] != visits[1], "and the networks have their say"
