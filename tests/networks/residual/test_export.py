"""A teacher as ONNX says what it says as JAX, and the file is what was written."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp

from plyout.errors import InputError
from plyout.games import CHESS, state_of
from plyout.lab.train import geometry, teacher
from plyout.networks.residual import mirrored
from plyout.networks.residual.onnx import Network
from tests.networks.residual.tiny import SHAPE, seen_board, weights, write_tiny
from tests.sampling import positions


@pytest.fixture(scope="module")
def boards() -> Any:
    return [board.copy(stack=False) for board in positions(300, seed=5, every=3)]


@pytest.fixture(scope="module")
def by_jax(boards: Any) -> tuple[Any, Any]:
    """Values and logits in float32: training computes in sixteen bits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(teacher, "planes", lambda b: geometry.planes(b).astype(jnp.float32))
        seen = jnp.asarray(np.stack([seen_board(board) for board in boards]))
        logits, policy, _ = SHAPE.apply(*weights(), seen, learning=False)
    return np.asarray(2 * jax.nn.sigmoid(logits) - 1), np.asarray(policy)


def answers(network: Network, boards: Any) -> tuple[Any, Any]:
    states = np.stack([state_of(board) for board in boards])
    values, policies = network._answers(network.layout.planes(states, CHESS))
    return values[:, 0], policies


def test_onnx_says_what_jax_says(tmp_path: Path, boards: Any, by_jax: tuple[Any, Any]) -> None:
    """To half floats: the values within 0.002, the logits within 0.01."""
    values, policies = answers(Network(write_tiny(tmp_path / "tiny.onnx")), boards)
    assert np.abs(by_jax[0]).max() > 0.05 and by_jax[1].std() > 0.1, "it says something"
    assert np.abs(values - by_jax[0]).max() < 0.002
    assert np.abs(policies - by_jax[1]).max() < 0.01


def test_eight_bits_say_nearly_the_same(tmp_path: Path, boards: Any, by_jax: tuple[Any, Any]) -> None:
    seen = np.stack([seen_board(board) for board in boards])
    values, policies = answers(Network(write_tiny(tmp_path / "tiny.onnx", boards=seen)), boards)
    assert np.abs(values - by_jax[0]).mean() < 0.02
    assert np.abs(policies - by_jax[1]).mean() < 0.1 * by_jax[1].std()
    assert (policies != answers(Network(write_tiny(tmp_path / "half.onnx")), boards)[1]).any()


def test_the_pairs_and_planes_are_those_of_training(boards: Any) -> None:
    assert np.array_equal(mirrored.FROM, geometry.FROM) and np.array_equal(mirrored.TO, geometry.TO)
    states = np.stack([state_of(board) for board in boards])
    seen = jnp.asarray(np.stack([seen_board(board) for board in boards]))
    wanted = np.asarray(geometry.planes(seen), np.float32).transpose(0, 3, 1, 2)
    assert np.array_equal(mirrored.planes(states, CHESS), wanted)


def test_a_model_says_what_it_is(tmp_path: Path) -> None:
    says = Network(write_tiny(tmp_path / "tiny.onnx")).says
    assert says["layout"] == "mirrored"
    assert says["architecture"] == "residual, 1 blocks of 8 channels, squeeze-and-excitation"
    assert json.loads(says["trained"]) == {"games": 0}


def test_a_changed_weight_is_noticed(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "tiny.onnx")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="its checksum is wrong") as caught:
        Network(path)
    assert "\n" not in str(caught.value)
