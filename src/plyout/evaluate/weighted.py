"""The weighted evaluation: the tapered one and the features, each with a weight that `plyout fit` found.

Weights are whole numbers, GRAIN to a centipawn, so that every machine computes the same.
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
import sys

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.evaluate.features import FEATURES, HALVES, features
from plyout.games.chess.board import Board
from plyout.kernel import Ints, at, inlined

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GRAIN = 1024
TERMS = ("tapered", *FEATURES)
SHIPPED = "weights.toml"

Weights = npt.NDArray[np.int64]


@inlined
def weigh(b: Board, tapered: int, weights: Ints, sets: Ints) -> int:
    """Centipawns for the side to move, who has `tapered` by the tapered evaluation."""
    moves, attack, shield, free, pairs, groups = features(b, sets)
    return (
        at(weights, 0) * tapered
        + at(weights, 1) * moves
        + at(weights, 2) * attack
        + at(weights, 3) * shield
        + at(weights, 4) * free
        + at(weights, 5) * pairs
        + at(weights, 6) * groups
    ) // GRAIN


def vector(weights: Mapping[str, float]) -> Weights:
    """The weights as kernels get them."""
    return np.array([round(GRAIN * weights[t] / (2 if t in HALVES else 1)) for t in TERMS], np.int64)


def load_weights(path: str | Path | None = None) -> dict[str, float]:
    """The weights in a file that `plyout fit` wrote, or those that come with Plyout."""
    try:
        if path is None:
            text = resources.files("plyout.evaluate").joinpath(SHIPPED).read_text(encoding="utf-8")
        else:
            text = Path(path).read_text(encoding="utf-8")
        found = tomllib.loads(text)["weights"]
        return {term: float(found[term]) for term in TERMS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a file of weights as 'plyout fit' writes it: {error!r}") from None
