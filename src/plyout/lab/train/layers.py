"""Layers and the optimiser, as plain functions over dictionaries of arrays: JAX needs no more."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

Weights = dict[str, Any]
_MOMENTUM = 0.99  # of the running averages
_STEADY, _FAST = 0.999, 0.9  # what the optimiser keeps of the squares, and of the gradients
_LONGEST = 2.0  # that a gradient may be


def precision() -> Any:
    """What numbers go through a network as: half of the memory where a chip has them, which a CPU has not."""
    return jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16


def _random(key: Array, shape: tuple[int, ...], spread: float) -> Array:
    """Drawn by NumPy: JAX would compile a program for each shape, which takes longer than all the rest of the start."""
    chance = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    return jnp.asarray(spread * chance.standard_normal(shape, np.float32))


def _all(value: float, *shape: int) -> Array:
    return jnp.asarray(np.full(shape, value, np.float32))


def dense(key: Array, inputs: int, outputs: int, spread: float | None = None) -> Weights:
    """A layer of weights drawn at random, and zero biases."""
    spread = (2 / inputs) ** 0.5 if spread is None else spread
    return {"w": _random(key, (inputs, outputs), spread), "b": _all(0.0, outputs)}


def apply_dense(layer: Weights, x: Array) -> Array:
    return x @ layer["w"].astype(x.dtype) + layer["b"].astype(x.dtype)


def convolution(key: Array, size: int, inputs: int, outputs: int) -> Array:
    return _random(key, (size, size, inputs, outputs), (2 / (size * size * inputs)) ** 0.5)


def apply_convolution(kernel: Array, x: Array) -> Array:
    layout = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, kernel.astype(x.dtype), (1, 1), "SAME", dimension_numbers=layout)


def norm(channels: int) -> Weights:
    return {"scale": _all(1.0, channels), "shift": _all(0.0, channels)}


def averages(channels: int) -> Weights:
    """What a normalised layer has seen on average: used when nothing is learnt."""
    return {"mean": _all(0.0, channels), "variance": _all(1.0, channels)}


def apply_norm(layer: Weights, seen: Weights, x: Array, learning: bool) -> tuple[Array, Weights]:
    """Batch normalisation; the averages as they are now come back, too."""
    if learning:
        wide = x.astype(jnp.float32)
        now = {"mean": wide.mean((0, 1, 2)), "variance": wide.var((0, 1, 2))}
        seen = {name: _MOMENTUM * seen[name] + (1 - _MOMENTUM) * now[name] for name in now}
    else:
        now = seen
    factor = layer["scale"] * jax.lax.rsqrt(now["variance"] + 1e-5)
    return x * factor.astype(x.dtype) + (layer["shift"] - now["mean"] * factor).astype(x.dtype), seen


class Adam(NamedTuple):
    """The optimiser's memory: running averages of the gradients and of their squares."""

    mean: Weights
    square: Weights


def new_adam(weights: Weights) -> Adam:
    nothing = jax.tree.map(lambda w: _all(0.0, *w.shape), weights)
    return Adam(nothing, nothing)


def adam_step(
    weights: Weights, gradients: Weights, adam: Adam, step: Array, rate: Array, decay: float
) -> tuple[Weights, Adam]:
    """One step of AdamW with clipped gradients; matrices decay, biases do not."""
    length = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    gradients = jax.tree.map(lambda g: g * jnp.minimum(1.0, _LONGEST / (length + 1e-9)), gradients)
    mean = jax.tree.map(lambda m, g: _FAST * m + (1 - _FAST) * g, adam.mean, gradients)
    square = jax.tree.map(lambda s, g: _STEADY * s + (1 - _STEADY) * g * g, adam.square, gradients)
    n = step + 1.0
    first, second = 1 - _FAST**n, 1 - _STEADY**n

    def moved(w: Array, m: Array, s: Array) -> Array:
        return w - rate * (m / first / (jnp.sqrt(s / second) + 1e-8) + (decay * w if w.ndim > 1 else 0.0))

    return jax.tree.map(moved, weights, mean, square), Adam(mean, square)
