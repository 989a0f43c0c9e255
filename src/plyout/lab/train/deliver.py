"""Networks as the engine reads them: students in ``.plynet`` files, a teacher as ONNX. Needs Numba, unlike training."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from plyout.lab.train.games import files_in, read_games
from plyout.lab.train.replay import positions
from plyout.lab.train.results import read_teacher
from plyout.networks.small.file import SUFFIX, write
from plyout.networks.small.quantise import policy_network, value_network


def deliver(files: Iterable[Path], trained: dict[str, Any]) -> list[Path]:
    """Write a network beside each file of floats, ``value-….npz`` or ``policy-….npz``."""
    written = []
    for path in files:
        make = value_network if path.name.startswith("value-") else policy_network
        with np.load(path) as data:
            network = make({name: data[name].astype(np.float32) for name in data.files}, trained)
        written.append(path.with_suffix(SUFFIX))
        write(written[-1], network)
    return written


_GAMES, _BOARDS = 500, 1024  # labelled games, and positions of them that activations are measured by


def deliver_teacher(path: Path, labels: Path) -> Path:
    """Write a teacher's file as ONNX beside it, in eight bits; where that went."""
    from plyout.lab.train.export import write_onnx

    boards = positions(islice(read_games(files_in(labels)), _GAMES)).boards
    some = boards[np.random.default_rng(1).permutation(len(boards))[:_BOARDS]]
    model = path.with_suffix(".onnx")
    write_onnx(model, *read_teacher(path), some)
    return model
