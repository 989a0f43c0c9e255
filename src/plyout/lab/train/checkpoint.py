"""Checkpoints: the whole state of a run, from which it goes on as if it had never stopped."""

import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.errors import InputError
from plyout.lab.train.layers import Adam, Weights
from plyout.lab.train.whole import save_whole

UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
"""what NumPy raises at a file that is damaged, or none of ours"""


class State(NamedTuple):
    weights: Weights
    averages: Weights
    adam: Adam
    step: Array
    kept: Any
    """what the lessons of the next step go on with"""


class Row(NamedTuple):
    """How things stood after so many steps."""

    step: int
    seconds: float
    loss: float
    """on average since the row before"""
    errors: dict[str, float]
    """on games that were held back"""


class Checkpoint(NamedTuple):
    about: dict[str, Any]
    """what the run is of: a run of something else does not go on from here"""
    state: State
    seconds: float
    losses: tuple[float, int]
    """sum and count since the last row"""
    rows: list[Row]


def save(path: Path, checkpoint: Checkpoint) -> None:
    leaves: dict[str, Any] = {str(i): np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(checkpoint.state))}
    header = json.dumps(checkpoint._replace(state=None)._asdict())  # type: ignore[arg-type]
    save_whole(path, lambda file: np.savez(file, header=header, **leaves))


def about_of(path: Path) -> dict[str, Any]:
    """What a checkpoint is of, or `InputError`."""
    try:
        with np.load(path) as data:
            about = json.loads(str(data["header"]))["about"]
    except UNREADABLE as error:
        raise InputError(f"{path} is no checkpoint that can be read ({error}): remove it to begin anew") from None
    if not isinstance(about, dict):
        raise InputError(f"{path} is no checkpoint of ours: remove it to begin anew")
    return about


def load(path: Path, like: State, about: dict[str, Any]) -> Checkpoint:
    """The checkpoint of this very run, or `InputError`."""
    theirs = about_of(path)
    changed = ", ".join(name for name in about | theirs if theirs.get(name) != about.get(name))
    if changed:
        raise InputError(f"{path} is of a run with another {changed}: name another --out, or remove it to begin anew")
    leaves, tree = jax.tree.flatten(like)
    try:
        with np.load(path) as data:
            header = json.loads(str(data["header"]))
            found = [data[str(i)] for i in range(len(leaves))]
        rows = [Row(*row) for row in header["rows"]]
        seconds, (total, count) = float(header["seconds"]), header["losses"]
    except (*UNREADABLE, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}): remove it to begin anew") from None
    if any(ours.shape != kept.shape or ours.dtype != kept.dtype for ours, kept in zip(leaves, found, strict=True)):
        raise InputError(f"{path} is of another network: name another --out, or remove it to begin anew")
    state = State(*jax.tree.unflatten(tree, [jnp.asarray(leaf) for leaf in found]))
    return Checkpoint(theirs, state, seconds, (float(total), int(count)), rows)
