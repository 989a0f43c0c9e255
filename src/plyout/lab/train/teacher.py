"""The teacher: a residual network with squeeze-and-excitation, value and policy in one.

It may be told what another network says of a position: of that it then learns only where it is wrong.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from plyout.lab.train.geometry import FROM, TO, planes
from plyout.lab.train.layers import (
    Weights, apply_convolution, apply_dense, apply_norm, averages, convolution, dense, norm,
)  # fmt: skip

_VALUE_PLANES, _VALUE_HIDDEN = 16, 128
_TOLD = 2  # numbers that it is told, logits whose sum is an evaluation


@dataclass(frozen=True)
class Teacher:
    """The shape of one; weights and averages are handed in."""

    blocks: int = 10
    channels: int = 128
    told: bool = False
    """whether it is told what another network says"""

    def new(self, key: Array) -> tuple[Weights, Weights]:
        """(weights, averages) to begin with."""
        keys = iter(jax.random.split(key, 16 + 8 * self.blocks))
        c = self.channels
        weights: dict[str, Any] = {
            "first": convolution(next(keys), 3, 12 + (_TOLD if self.told else 0), c), "first_norm": norm(c),
            "policy": convolution(next(keys), 3, c, c), "policy_norm": norm(c),
            "to": dense(next(keys), c, 64, 0.01),
            "value": convolution(next(keys), 1, c, _VALUE_PLANES), "value_norm": norm(_VALUE_PLANES),
            "value_hidden": dense(next(keys), 64 * _VALUE_PLANES, _VALUE_HIDDEN),
            "value_out": dense(next(keys), _VALUE_HIDDEN, 1, 0.01),
        }  # fmt: skip
        seen: dict[str, Any] = {
            "first_norm": averages(c), "policy_norm": averages(c), "value_norm": averages(_VALUE_PLANES)
        }  # fmt: skip
        if self.told:
            weights["value_told"] = {"w": jnp.full((_TOLD, 1), 1.0), "b": jnp.zeros(1)}
        for i in range(self.blocks):
            weights[f"block{i}"] = {
                "one": convolution(next(keys), 3, c, c), "one_norm": norm(c),
                "two": convolution(next(keys), 3, c, c), "two_norm": norm(c),
                "squeeze": dense(next(keys), c, 32), "excite": dense(next(keys), 32, 2 * c, 0.01),
            }  # fmt: skip
            seen[f"block{i}"] = {"one_norm": averages(c), "two_norm": averages(c)}
        return weights, seen

    def apply(
        self, weights: Weights, seen: Weights, boards: Array, learning: bool, told: Array | None = None
    ) -> tuple[Array, Array, Weights]:
        """(logit of the expected score, logits of moves by pair, averages); what it is `told` is (n, 2)."""
        now: dict[str, Any] = {}
        x = planes(boards)
        if told is not None:
            everywhere = jnp.broadcast_to(jnp.tanh(told / 2)[:, None, None], (len(x), 8, 8, _TOLD))
            x = jnp.concatenate([x, everywhere.astype(x.dtype)], axis=3)
        x = apply_convolution(weights["first"], x)
        x, now["first_norm"] = apply_norm(weights["first_norm"], seen["first_norm"], x, learning)
        x = jax.nn.relu(x)
        for i in range(self.blocks):
            x, now[f"block{i}"] = _block(weights[f"block{i}"], seen[f"block{i}"], x, learning)
        p = apply_convolution(weights["policy"], x)
        p, now["policy_norm"] = apply_norm(weights["policy_norm"], seen["policy_norm"], p, learning)
        by_square = apply_dense(weights["to"], jax.nn.relu(p).reshape(len(p), 64, -1)).reshape(len(p), 4096)
        v = apply_convolution(weights["value"], x)
        v, now["value_norm"] = apply_norm(weights["value_norm"], seen["value_norm"], v, learning)
        v = jax.nn.relu(apply_dense(weights["value_hidden"], jax.nn.relu(v).reshape(len(v), -1)))
        value = apply_dense(weights["value_out"], v)[:, 0].astype(jnp.float32)
        if told is not None:
            value += apply_dense(weights["value_told"], told)[:, 0]
        return value, by_square.astype(jnp.float32)[:, 64 * FROM + TO], now


def _block(weights: Weights, seen: Weights, x: Array, learning: bool) -> tuple[Array, Weights]:
    now = {}
    y = apply_convolution(weights["one"], x)
    y, now["one_norm"] = apply_norm(weights["one_norm"], seen["one_norm"], y, learning)
    y = apply_convolution(weights["two"], jax.nn.relu(y))
    y, now["two_norm"] = apply_norm(weights["two_norm"], seen["two_norm"], y, learning)
    squeezed = jax.nn.relu(apply_dense(weights["squeeze"], y.mean((1, 2))))
    gain, shift = jnp.split(apply_dense(weights["excite"], squeezed), 2, axis=1)
    return jax.nn.relu(x + y * jax.nn.sigmoid(gain)[:, None, None] + shift[:, None, None]), now
