"""Checkpoints: the whole state of a run, from which it goes on as if it had never stopped."""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyout.errors import InputError
from plyout.lab.train.whole import save_whole

UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
"""what NumPy raises at a file that is damaged, or none of ours"""


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
    state: Any
    """all that changes from step to step"""
    seconds: float
    losses: tuple[float, int]
    """sum and count since the last row"""
    rows: list[Row]


def save(path: Path, checkpoint: Checkpoint, arrays: Sequence[Any]) -> None:
    """Write a checkpoint, whose state these arrays are."""
    header = json.dumps(checkpoint._replace(state=None)._asdict())
    named: dict[str, Any] = {str(i): np.asarray(array) for i, array in enumerate(arrays)}
    save_whole(path, lambda file: np.savez(file, header=header, **named))


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


def load(path: Path, like: Sequence[Any], about: dict[str, Any]) -> Checkpoint:
    """The checkpoint of this very run, with its arrays for a state, which are `like` these; or `InputError`."""
    theirs = about_of(path)
    changed = ", ".join(name for name in about | theirs if theirs.get(name) != about.get(name))
    if changed:
        raise InputError(f"{path} is of a run with another {changed}: name another --out, or remove it to begin anew")
    try:
        with np.load(path) as data:
            header = json.loads(str(data["header"]))
            found = [data[str(i)] for i in range(len(like))]
        rows = [Row(*row) for row in header["rows"]]
        seconds, (total, count) = float(header["seconds"]), header["losses"]
    except (*UNREADABLE, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}): remove it to begin anew") from None
    if any(ours.shape != kept.shape or ours.dtype != kept.dtype for ours, kept in zip(like, found, strict=True)):
        raise InputError(f"{path} is of another network: name another --out, or remove it to begin anew")
    return Checkpoint(theirs, found, seconds, (float(total), int(count)), rows)
