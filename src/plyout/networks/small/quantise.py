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
from plyout.networks.nnue.shape import FEATURES as VIEW_FEATURES, KING_PLACES, PIECE_SQUARES

_SEEN = f"piece-attacked-defended-{CODES}"
FEATURES_NAMES = {"value": f"{_SEEN}+views-{VIEW_FEATURES}", "policy": _SEEN}

Weights = dict[str, Any]
"""Float arrays by name: ``wide_w`` (features, width), ``wide_b`` and so on"""

_TRAINED_VIEWS = KING_PLACES * 64 * 12  # features of a view in training


def _rounded(x: Any, scale: float, kind: str) -> Any:
    most = np.iinfo(kind).max
    return np.clip(np.round(np.asarray(x, np.float64) * scale), -most, most).astype(kind)


def _header(kind: str, weights: Weights, scale: float, trained: dict[str, Any]) -> dict[str, Any]:
    width = weights["wide_w"].shape[1]
    return {"kind": kind, "features": FEATURES_NAMES[kind], "width": width, "scale": scale, "trained": trained}


def _scale(weights: Any) -> float:
    return 127 / max(float(np.abs(np.asarray(weights, np.float64)).max()), 1e-9)


def _view_rows() -> Any:
    """For each feature of a view, the one of training that it is: there the king stands on files a to d, and a feature
    is (place of the king × 64 + square) × 12 + piece."""
    king, kind, square = np.meshgrid(np.arange(KING_PLACES), np.arange(11), np.arange(64), indexing="ij")
    place = 28 - 4 * (king >> 2) + (king & 3)  # rank · 4 + file
    seen = square ^ 7
    standing = 8 * (place >> 2) + (place & 3)
    piece = (kind >> 1) + 6 * (kind & 1)  # own and others' in turn
    piece = np.where((kind == 10) & (seen != standing), 11, piece)  # both kings: the own one stands where it stands
    return ((place * 64 + seen) * 12 + piece).reshape(KING_PLACES * PIECE_SQUARES)


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
        "views": _rounded(np.asarray(weights["views_w"])[_view_rows()], ONE, "int8"),
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


def floats_of(network: Network) -> Weights:
    """The floats that these integers stand for: what training goes on with. Made integers again, they are the same."""
    arrays, scale = network.arrays, float(network.header["scale"])
    found = {"wide_w": arrays["table"] / ONE, "wide_b": arrays["biases"] / ONE}
    if network.kind == "policy":
        biases = arrays["moves_biases"] / (scale * ONE * ONE)
        return found | {"moves_w": arrays["moves"].T / scale, "moves_b": biases}
    views = np.zeros((_TRAINED_VIEWS, arrays["views"].shape[1]))
    views[_view_rows()] = arrays["views"] / ONE
    found["views_w"] = views
    one = float(1 << BITS)
    for name, weight, bias in (("two", scale, scale * ONE * ONE), ("three", one, one), ("out", one, one)):
        sets = arrays[name]
        found[f"{name}_w"] = sets.reshape(-1, sets.shape[-1]).T / weight
        found[f"{name}_b"] = arrays[f"{name}_biases"].ravel() / bias
    return found
