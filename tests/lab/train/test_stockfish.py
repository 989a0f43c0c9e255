"""A teacher may be told what Stockfish's network says: that is what the engine computes, and it counts."""

from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.lab.train import school
from plyout.lab.train.replay import positions
from plyout.lab.train.school import Effort, Show
from plyout.lab.train.stockfish import _MOST, _UNITS, read_stockfish, told
from plyout.lab.train.teacher import Teacher
from tests.lab.train.made import random_games, write_games
from tests.lab.train.test_geometry import as_chess
from tests.networks.nnue import made

TINY, TOLD = Teacher(1, 8), Teacher(1, 8, told=True)
EFFORT = Effort(3, None, 32, 2e-3, 0.05)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nnue") / "random.nnue"
    path.write_bytes(made.file_of(made.arrays(seed=1)))
    return path


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("labels"), random_games(60, 10))


def test_what_is_told_is_the_evaluation_of_the_same_integers(network: Path) -> None:
    every = positions(random_games(40, 120, seed=5)).boards
    boards = np.asarray(every[np.random.default_rng(1).integers(len(every), size=100)])
    found = np.asarray(told(read_stockfish(network), jnp.asarray(boards)))
    numbers = made.arrays(seed=1)
    values = np.array([made.value(as_chess(row), numbers) for row in boards])
    inside = np.abs(found).max(axis=1) < _MOST
    assert inside.sum() > 50, "most are not cut"
    assert np.abs(found.sum(axis=1) * _UNITS - values)[inside].max() <= 1.5, "but for what is rounded on the way"
    assert len(set(values[inside].tolist())) > 25


def test_what_is_told_reaches_teacher_and_students(network: Path, labels: Path, tmp_path: Path) -> None:
    taught = school.teach(labels, tmp_path / "told.npz", TOLD, EFFORT, Show(), network)
    assert taught.about["told"]
    assert taught.about["told_by"]
    weights, averages = TOLD.new(jax.random.key(1))
    boards = jnp.asarray(positions(random_games(2, 10, seed=3)).boards)
    one, other = (TOLD.apply(weights, averages, boards, False, jnp.full((len(boards), 2), x))[0] for x in (0.5, -0.5))
    assert (one > other).all()
    found = school.school(labels, tmp_path, tmp_path / "told.npz", (256, 128), replace(EFFORT, steps=2), Show(), None,
                          network)  # fmt: skip
    assert found.about["told_by"] == taught.about["told_by"]


def test_a_teacher_that_is_told_needs_the_network_and_no_other_does(
    network: Path, labels: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="name that, too"):
        school.teach(labels, tmp_path / "a.npz", TOLD, EFFORT, Show())
    with pytest.raises(InputError, match="leave that out"):
        school.teach(labels, tmp_path / "a.npz", TINY, EFFORT, Show(), network)
    with pytest.raises(InputError, match="it is a teacher whom Stockfish's network tells something"):
        school.school(labels, tmp_path, None, (256, 128), EFFORT, Show(), None, network)
