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
MOST = 25_000  # centipawns: more would be taken for a mate, whatever the weights
_GREATEST = 1e6  # weight, so that sums of them fit into a word
TERMS = ("tapered", *FEATURES)
SHIPPED = "weights.toml"

Weights = npt.NDArray[np.int64]


@inlined
def weigh(b: Board, tapered: int, weights: Ints, sets: Ints) -> int:
    """Centipawns for the side to move, who has `tapered` by the tapered evaluation."""
    moves, attack, shield, free, pairs, groups = features(b, sets)
    total = (
        at(weights, 0) * tapered
        + at(weights, 1) * moves
        + at(weights, 2) * attack
        + at(weights, 3) * shield
        + at(weights, 4) * free
        + at(weights, 5) * pairs
        + at(weights, 6) * groups
    ) // GRAIN
    return min(max(total, -MOST), MOST)


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
        weights = {term: _number(term, found[term]) for term in TERMS}
    except KeyError as error:
        raise InputError(
            f"{path or SHIPPED} is not a file of weights as 'plyout fit' writes it: no {error.args[0]!r}"
        ) from None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path or SHIPPED} is not a file of weights as 'plyout fit' writes it: {reason}") from None
    return weights


def _number(term: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _GREATEST:
        raise InputError(f"{term} is {str(value)[:40]!r}, and a weight is a number, ±{_GREATEST:g} at most")
    return float(value)
