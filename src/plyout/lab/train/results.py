"""What training leaves behind: the teacher's file, the students' floats, and what is told of how they were trained."""

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.lab.train.checkpoint import UNREADABLE
from plyout.lab.train.layers import Weights
from plyout.lab.train.teacher import Teacher
from plyout.lab.train.whole import save_whole

_KIND = "plyout teacher"
Arrays = dict[str, npt.NDArray[np.floating[Any]]]


def write_teacher(path: Path, network: Teacher, weights: Weights, averages: Weights, trained: dict[str, Any]) -> None:
    """Weights in half floats (``w0`` … in the order of the tree), averages (``a0`` …), and a header in JSON."""
    header = {"kind": _KIND, "blocks": network.blocks, "channels": network.channels, "trained": trained}
    arrays: dict[str, Any] = {f"w{i}": np.asarray(leaf, np.float16) for i, leaf in enumerate(jax.tree.leaves(weights))}
    arrays |= {f"a{i}": np.asarray(leaf, np.float32) for i, leaf in enumerate(jax.tree.leaves(averages))}
    save_whole(path, lambda file: np.savez(file, header=json.dumps(header), **arrays))


def read_teacher(path: Path) -> tuple[Teacher, Weights, Weights, dict[str, Any]]:
    """(shape, weights, averages, how it was trained) of a file of `write_teacher`, or `InputError`."""
    try:
        with np.load(path) as data:
            header = json.loads(str(data["header"]))
            if not isinstance(header, dict) or header.get("kind") != _KIND:
                raise ValueError("its header is another's")
            network = Teacher(int(header["blocks"]), int(header["channels"]))
            weights, averages = network.new(jax.random.key(0))
            filled = [_filled(weights, data, "w"), _filled(averages, data, "a")]
    except UNREADABLE as error:
        raise InputError(f"{path} is no teacher that 'plyout train teacher' has made: {error}") from None
    return network, filled[0], filled[1], dict(header.get("trained") or {})


def _filled(like: Weights, data: Any, letter: str) -> Any:
    leaves, tree = jax.tree.flatten(like)
    found = [jnp.asarray(data[f"{letter}{i}"], jnp.float32) for i in range(len(leaves))]
    if any(a.shape != b.shape for a, b in zip(found, leaves, strict=True)):
        raise ValueError("its weights have another shape than its header says")
    return jax.tree.unflatten(tree, found)


def floats(weights: Weights) -> Arrays:
    """A student's weights by the names of its layers: ``wide_w``, ``wide_b`` …"""
    return {f"{layer}_{part}": np.asarray(array) for layer, parts in weights.items() for part, array in parts.items()}


def read_floats(path: Path) -> Weights:
    """A student's weights from a file of `write_floats`, or `InputError`."""
    weights: Weights = {}
    try:
        with np.load(path) as data:
            for name in data.files:
                layer, part = name.rsplit("_", 1)
                weights.setdefault(layer, {})[part] = jnp.asarray(data[name], jnp.float32)
    except (*UNREADABLE, OSError) as error:
        raise InputError(f"{path} is no network that 'plyout train student' has made: {error}") from None
    return weights


def write_floats(path: Path, arrays: Arrays) -> None:
    """Matrices in half floats, biases in whole ones."""
    kinds = {"w": np.float16, "b": np.float32}
    halves: dict[str, Any] = {name: array.astype(kinds[name[-1]]) for name, array in arrays.items()}
    save_whole(path, lambda file: np.savez(file, **halves))
