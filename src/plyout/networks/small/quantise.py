"""Networks of floats, as training makes them, in the integers of the engine.

The wide layer's weights are int8, ONE (127) for 1: what is larger than 1 is cut. The next layer's are int8, too, scaled
so that the largest is 127; the few of the small layers are int16 and int32 with BITS behind the point.
"""

from typing import Any

import numpy as np

from plyout.kernel.vectors import ONE
from plyout.networks.small.features import CODES
from plyout.networks.small.file import Network
from plyout.networks.small.value import BITS, BUCKETS, HIDDEN

FEATURES_NAME = f"piece-attacked-defended-{CODES}"

Weights = dict[str, Any]
"""Float arrays by name: ``wide_w`` (features, width), ``wide_b`` and so on"""


def _rounded(x: Any, scale: float, kind: str) -> Any:
    most = np.iinfo(kind).max
    return np.clip(np.round(np.asarray(x, np.float64) * scale), -most, most).astype(kind)


def _header(kind: str, weights: Weights, scale: float, trained: dict[str, Any]) -> dict[str, Any]:
    width = weights["wide_w"].shape[1]
    return {"kind": kind, "features": FEATURES_NAME, "width": width, "scale": scale, "trained": trained}


def _scale(weights: Any) -> float:
    return 127 / max(float(np.abs(np.asarray(weights, np.float64)).max()), 1e-9)


def value_network(weights: Weights, trained: dict[str, Any]) -> Network:
    """The value network: ``wide``, ``two``, ``three`` and ``out``, the last three with BUCKETS sets side by side."""
    scale, one = _scale(weights["two_w"]), 1 << BITS
    sets = {
        name: np.asarray(weights[f"{name}_w"], np.float64).T.reshape(BUCKETS, -1, len(weights[f"{name}_w"]))
        for name in ("two", "three", "out")
    }
    arrays = {
        "biases": _rounded(weights["wide_b"], ONE, "int16"),
        "table": _rounded(weights["wide_w"], ONE, "int8"),
        "two": _rounded(sets["two"], scale, "int8"),
        "two_biases": _rounded(weights["two_b"], scale * ONE * ONE, "int32").reshape(BUCKETS, HIDDEN),
        "three": _rounded(sets["three"], one, "int16"),
        "three_biases": _rounded(weights["three_b"], one, "int32").reshape(BUCKETS, HIDDEN),
        "out": _rounded(sets["out"], one, "int16"),
        "out_biases": _rounded(weights["out_b"], one, "int32"),
    }
    return Network(_header("value", weights, scale, trained), arrays)


def policy_network(weights: Weights, trained: dict[str, Any]) -> Network:
    """The policy network: ``wide``, and ``moves`` with a column for each danger and pair."""
    scale = _scale(weights["moves_w"])
    arrays = {
        "biases": _rounded(weights["wide_b"], ONE, "int16"),
        "table": _rounded(weights["wide_w"], ONE, "int8"),
        "moves": _rounded(np.asarray(weights["moves_w"]).T, scale, "int8"),
        "moves_biases": _rounded(weights["moves_b"], scale * ONE * ONE, "int32"),
    }
    return Network(_header("policy", weights, scale, trained), arrays)
