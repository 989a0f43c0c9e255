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


def _header(kind: str, width: int, scale: float, trained: dict[str, Any]) -> dict[str, Any]:
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


def _units(scale: float) -> dict[str, tuple[str, float]]:
    """Of the value network's arrays: their type, and what stands for 1."""
    one = float(1 << BITS)
    return {
        "biases": ("int16", ONE), "table": ("int8", ONE), "views": ("int8", ONE),
        "two": ("int8", scale), "two_biases": ("int32", scale * ONE * ONE),
        "three": ("int16", one), "three_biases": ("int32", one), "out": ("int16", one), "out_biases": ("int32", one),
    }  # fmt: skip


def value_of_layers(layers: Weights, trained: dict[str, Any]) -> Network:
    """The value network whose arrays, by their names in the file, hold these floats."""
    scale = _scale(layers["two"])
    arrays = {name: _rounded(layers[name], unit, kind) for name, (kind, unit) in _units(scale).items()}
    return Network(_header("value", layers["table"].shape[1], scale, trained), arrays)


def layers_of_value(network: Network) -> Weights:
    """The floats that a value network's arrays hold: `value_of_layers` makes the same integers of them."""
    units = _units(float(network.header["scale"]))
    return {name: network.arrays[name] / unit for name, (_, unit) in units.items()}


def value_network(weights: Weights, trained: dict[str, Any]) -> Network:
    """The value network: ``wide``, ``two``, ``three`` and ``out``, the last three with BUCKETS sets side by side."""
    wide, views = np.asarray(weights["wide_w"]), np.asarray(weights["views_w"])[_view_rows()]
    layers = {"biases": weights["wide_b"], "table": wide, "views": views, "out_biases": weights["out_b"]}
    for name in ("two", "three", "out"):
        matrix = np.asarray(weights[f"{name}_w"], np.float64)
        layers[name] = matrix.T.reshape(BUCKETS, -1, len(matrix))
    for name in ("two", "three"):
        layers[f"{name}_biases"] = np.reshape(weights[f"{name}_b"], (BUCKETS, HIDDEN))
    return value_of_layers(layers, trained)


def policy_network(weights: Weights, trained: dict[str, Any]) -> Network:
    """The policy network: ``wide``, and ``moves`` with a column for each danger and pair."""
    scale = _scale(weights["moves_w"])
    arrays = {
        "biases": _rounded(weights["wide_b"], ONE, "int16"),
        "table": _rounded(weights["wide_w"], ONE, "int8"),
        "moves": _rounded(np.asarray(weights["moves_w"]).T, scale, "int8"),
        "moves_biases": _rounded(weights["moves_b"], scale * ONE * ONE, "int32"),
    }
    return Network(_header("policy", weights["wide_w"].shape[1], scale, trained), arrays)


def floats_of(network: Network) -> Weights:
    """The floats that these integers stand for: what training goes on with. Made integers again, they are the same."""
    if network.kind == "policy":
        arrays, scale = network.arrays, float(network.header["scale"])
        wide = {"wide_w": arrays["table"] / ONE, "wide_b": arrays["biases"] / ONE}
        return wide | {"moves_w": arrays["moves"].T / scale, "moves_b": arrays["moves_biases"] / (scale * ONE * ONE)}
    layers = layers_of_value(network)
    views = np.zeros((_TRAINED_VIEWS, layers["views"].shape[1]))
    views[_view_rows()] = layers["views"]
    found = {"wide_w": layers["table"], "wide_b": layers["biases"], "views_w": views}
    for name in ("two", "three", "out"):
        found[f"{name}_w"] = layers[name].reshape(-1, layers[name].shape[-1]).T
        found[f"{name}_b"] = layers[f"{name}_biases"].ravel()
    return found
