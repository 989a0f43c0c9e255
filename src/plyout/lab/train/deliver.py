"""The students as the engine reads them: integers in ``.plynet`` files. Needs Numba, unlike the training itself."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

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
