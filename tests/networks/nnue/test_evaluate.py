"""The evaluation is Stockfish's to the last digit it prints, and a plain one's of the same integers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout.kernel import INTERPRETED
from plyout.networks.library import STOCKFISH, find
from plyout.networks.nnue.evaluate import Evaluator
from plyout.networks.nnue.file import read
from tests.conftest import ROOT
from tests.networks.nnue import made, oracle

FEW = 3 if INTERPRETED else 200


@pytest.fixture(scope="module")
def random_network(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    numbers = made.arrays(seed=1)
    path = tmp_path_factory.mktemp("nnue") / "random.nnue"
    path.write_bytes(made.file_of(numbers))
    return path, numbers


def test_values_are_those_of_a_plain_evaluation_of_the_same_integers(random_network: tuple[Path, list[Any]]) -> None:
    path, numbers = random_network
    evaluator = Evaluator(read(path))
    fens = oracle.positions(FEW, seed=3)
    ours = [evaluator.value(fen) for fen in fens]
    assert ours == [made.value(chess.Board(fen, chess960=True), numbers) for fen in fens]
    assert INTERPRETED or len(set(ours)) > FEW / 2


def test_a_value_does_not_depend_on_what_was_evaluated_before(random_network: tuple[Path, list[Any]]) -> None:
    network = read(random_network[0])
    fens = oracle.positions(FEW, seed=4)
    forth, back = Evaluator(network), Evaluator(network)
    assert [forth.value(fen) for fen in fens] == [back.value(fen) for fen in reversed(fens)][::-1]
    assert [Evaluator(network).value(fen) for fen in fens[:10]] == [forth.value(fen) for fen in fens[:10]]


def test_both_colours_and_both_wings_are_alike(random_network: tuple[Path, list[Any]]) -> None:
    """Features see the board from the mover's end, its king on files e to h."""
    evaluator = Evaluator(read(random_network[0]))
    for fen in oracle.positions(FEW, seed=5):
        board = chess.Board(fen, chess960=True)
        board.clear_stack()
        board.castling_rights = chess.BB_EMPTY
        board.ep_square = None
        value = evaluator.value(board.fen())
        assert evaluator.value(board.mirror().fen()) == value
        assert evaluator.value(board.transform(chess.flip_horizontal).fen()) == value


@pytest.mark.skipif(INTERPRETED, reason="it is running already")
def test_interpreted_kernels_give_the_same() -> None:
    """Equal to the same plain evaluation."""
    environment = os.environ | {"PLYOUT_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "pytest", "-q", __file__, "-k", "plain_evaluation"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(INTERPRETED, reason="it takes long")
@pytest.mark.skipif(not oracle.is_stockfish_15_1(), reason="Debian 12's package stockfish is not installed")
def test_every_stack_prints_what_stockfish_prints() -> None:
    differences = oracle.differences(find(STOCKFISH), oracle.positions(1000, seed=6))
    assert differences == []
