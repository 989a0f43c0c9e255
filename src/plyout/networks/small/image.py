"""A small network in memory as kernels read it: one array of words, with all its parts behind each other.

Kernels get its address, so whoever makes an image keeps it while they run. It is checked here that the parts fit
together and that no sum can overflow, whatever the position.
"""

from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.kernel.vectors import LANES, ONE
from plyout.networks.small import policy, value
from plyout.networks.small.features import FEATURES, MOST
from plyout.networks.small.file import Network
from plyout.networks.small.pairs import PAIRS
from plyout.networks.small.quantise import FEATURES_NAMES
from plyout.networks.small.views import room_for
from plyout.networks.nnue.shape import FEATURES as VIEW_FEATURES

_CENTINATS = 100
_HEADER = 8  # words; what follows begins at multiples of 64 bytes


def image(network: Network, kind: str) -> Any:
    """The words of a network of this kind; `InputError` where it is another, or does not fit."""
    if network.kind != kind:
        raise InputError(f"this network is for {network.kind!r}, and one for {kind!r} is wanted")
    if network.header["features"] != FEATURES_NAMES[kind]:
        shown = FEATURES_NAMES[kind]
        raise InputError(f"this network sees {network.header['features']!r}, and the engine shows it {shown!r}")
    width, scale = network.header["width"], network.header["scale"]
    step = 2 * LANES if kind == "value" else LANES
    if type(width) is not int or not 0 < width <= value.WIDEST or width % step:
        raise InputError(f"a {kind} network's width must be a multiple of {step} up to {value.WIDEST}, not {width!r}")
    if type(scale) not in (int, float) or not 1e-3 < scale < 1e6:
        raise InputError(f"a network's scale must be a number above 0, not {scale!r}")
    return _IMAGES[kind](network.arrays, width, float(scale))


def _check(arrays: dict[str, Any], shapes: dict[str, tuple[str, tuple[int, ...]]]) -> None:
    for name, (kind, shape) in shapes.items():
        found = arrays.get(name)
        if found is None or found.dtype != kind or found.shape != shape:
            what = "missing" if found is None else f"{found.dtype} {found.shape}"
            raise InputError(f"the network's array {name!r} must be {kind} {shape}, and it is {what}")


def _check_sums(arrays: dict[str, Any], products: Any, rows: int) -> None:
    """No sum of the wide layer, of so many rows, may leave int16, none of the next one int32."""
    most = np.abs(arrays["biases"].astype(np.int64)) + rows * 128
    if most.max() > np.iinfo(np.int16).max:
        raise InputError("the network's biases are too large: sums would overflow")
    if np.abs(products.astype(np.int64)).sum(axis=-1).max() * ONE * ONE > np.iinfo(np.int32).max:
        raise InputError("the network's weights are too large: sums would overflow")


def _assembled(numbers: list[int], parts: list[Any], places: list[int]) -> Any:
    """A header of `numbers`, where `places` tells which of them are to become the parts' offsets, and the parts."""
    starts, at = [], 8 * _HEADER
    for part in parts:
        starts.append(at)
        at += -(-part.nbytes // 64) * 64
    words = np.zeros(at // 8, np.int64)
    words[: len(numbers)] = numbers
    words[places] = starts
    octets = words.view(np.uint8)
    for start, part in zip(starts, parts, strict=True):
        octets[start : start + part.nbytes] = np.ascontiguousarray(part).view(np.uint8).reshape(-1)
    return words


def _value(arrays: dict[str, Any], width: int, scale: float) -> Any:
    hidden, buckets = value.HIDDEN, value.BUCKETS
    _check(arrays, {
        "biases": ("int16", (width,)), "table": ("int8", (FEATURES, width)),
        "views": ("int8", (VIEW_FEATURES, width // 2)),
        "two": ("int8", (buckets, hidden, width)), "two_biases": ("int32", (buckets, hidden)),
        "three": ("int16", (buckets, hidden, hidden)), "three_biases": ("int32", (buckets, hidden)),
        "out": ("int16", (buckets, 1, hidden)), "out_biases": ("int32", (buckets,)),
    })  # fmt: skip
    _check_sums(arrays, arrays["two"], 2 * MOST)
    small = [arrays[name].reshape(buckets, -1) for name in ("two_biases", "three", "three_biases", "out", "out_biases")]
    parts = [arrays["biases"], arrays["table"], arrays["two"], np.concatenate(small, axis=1).astype(np.int64)]
    parts.append(arrays["views"])
    multiplier = round(2.0**32 * (1 << value.BITS) / (scale * ONE * ONE))
    numbers = [width, 0, 0, 0, multiplier, 0, 0, room_for(width)]
    return _assembled(numbers, parts, [value.BIASES, value.TABLE, value.TWO, value.SMALL, value.VIEWS])


def _policy(arrays: dict[str, Any], width: int, scale: float) -> Any:
    rows = policy.DANGERS * PAIRS
    _check(arrays, {
        "biases": ("int16", (width,)), "table": ("int8", (FEATURES, width)),
        "moves": ("int8", (rows, width)), "moves_biases": ("int32", (rows,)),
    })  # fmt: skip
    _check_sums(arrays, arrays["moves"], MOST)
    parts = [arrays["biases"], arrays["table"], arrays["moves"], arrays["moves_biases"].astype(np.int64)]
    multiplier = round(2.0**32 * _CENTINATS / (scale * ONE * ONE))
    numbers = [width, 0, 0, 0, multiplier, 0]
    return _assembled(numbers, parts, [policy.BIASES, policy.TABLE, policy.MOVES, policy.MOVE_BIASES])


_IMAGES = {"value": _value, "policy": _policy}
