"""What training leaves behind: the teacher's file, the students' floats, and what is told of how they were trained."""

import json
from dataclasses import asdict
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
    header = {"kind": _KIND, **asdict(network), "trained": trained}
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
            network = Teacher(int(header["blocks"]), int(header["channels"]), bool(header.get("told")))
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


def read_floats(path: Path, kind: str) -> Weights:
    """The weights of a student, value or policy, from a file of `write_floats` or from its integers (``.plynet``); or
    `InputError`."""
    weights: Weights = {}
    for name, array in (_of_integers(path, kind) if path.suffix == ".plynet" else _of_floats(path)).items():
        layer, part = name.rsplit("_", 1)
        weights.setdefault(layer, {})[part] = jnp.asarray(array, jnp.float32)
    return weights


def _of_floats(path: Path) -> Arrays:
    try:
        with np.load(path) as data:
            return dict(data)
    except (*UNREADABLE, OSError) as error:
        raise InputError(f"{path} is no network that 'plyout train student' has made: {error}") from None


def _of_integers(path: Path, kind: str) -> Arrays:
    from plyout.networks.small.file import read
    from plyout.networks.small.image import image
    from plyout.networks.small.quantise import floats_of

    network = read(path)
    try:
        image(network, kind)  # refuses what does not fit
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return floats_of(network)


def write_floats(path: Path, arrays: Arrays) -> None:
    """Matrices in half floats, biases in whole ones."""
    kinds = {"w": np.float16, "b": np.float32}
    halves: dict[str, Any] = {name: array.astype(kinds[name[-1]]) for name, array in arrays.items()}
    save_whole(path, lambda file: np.savez(file, **halves))
