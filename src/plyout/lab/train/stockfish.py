"""What Stockfish's network says of many boards at once, as JAX computes it: a teacher may be told it.

The same sums as in `plyout.networks.nnue`, in floats, which hold its integers. Boards are as `plyout.lab.train.replay`
makes them, so the side to move is White, on the files a to d.
"""

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.lab.train.layers import Weights
from plyout.lab.train.replay import ENEMY, KING
from plyout.networks.nnue import shape
from plyout.networks.nnue.file import read
from plyout.networks.nnue.shape import FEATURES, PIECE_SQUARES

_UNITS = 361 / 100 * 260
"""of Stockfish's to a factor of e in the odds: 361 to a pawn, which has 100 of the labels' centipawns"""
_ONE = 127.0
_PIECES = 32
_MOST = 6.0  # that is told: more than 600 to 1 nobody needs to know


def read_stockfish(path: Path) -> Weights:
    """The network in a file of 'plyout networks extract', or `InputError`."""
    block = read(path).block

    def part(kind: str, offset: int, *sides: int) -> Any:
        numbers = np.frombuffer(block, kind, int(np.prod(sides)), offset)
        return numbers.reshape(sides)

    stacks = [shape.STACKS + i * shape.STACK for i in range(shape.BUCKETS)]

    def layer(weights: int, biases: int, outputs: int, inputs: int) -> Weights:
        tables = np.stack([part("i2", at + weights, outputs, inputs) for at in stacks])
        added = np.stack([part("i4", at + biases, outputs) for at in stacks])
        return {"w": jnp.asarray(tables, jnp.float32), "b": jnp.asarray(added, jnp.float32)}

    table = part("i2", shape.WEIGHTS, FEATURES, shape.SUMS)
    material = part("i4", shape.MATERIAL, FEATURES, shape.BUCKETS)
    return {  # a row of zeros at the end, for squares that hold nothing; half floats hold integers up to 2,048
        "table": jnp.asarray(np.pad(table, ((0, 1), (0, 0))), jnp.float16),
        "biases": jnp.asarray(part("i2", shape.BIASES, shape.SUMS), jnp.float32),
        "material": jnp.asarray(np.pad(material, ((0, 1), (0, 0))), jnp.float32),
        "first": layer(shape.FIRST_WEIGHTS, shape.FIRST_BIASES, shape.FIRST, shape.SUMS),
        "second": layer(shape.SECOND_WEIGHTS, shape.SECOND_BIASES, shape.SECOND, shape.SECOND_INPUTS),
        "last": layer(shape.LAST_WEIGHTS, shape.LAST_BIAS, 1, shape.SECOND),
    }


def _kind_of() -> Any:
    """By what a square holds, 64 times the kind that a feature tells: own and others' pawns, knights …, both kings."""
    kinds = np.zeros((2, 2 * ENEMY + 1), np.int32)
    for held in range(1, 2 * ENEMY + 1):
        piece, enemy = (held - 1) % ENEMY, held > ENEMY
        for other in (0, 1):
            kinds[other, held] = 64 * (2 * piece + (1 if enemy != bool(other) and piece + 1 != KING else 0))
    return kinds


_KINDS = _kind_of()  # by whose view it is: the mover's, or the other side's
_SQUARES = np.arange(64)


def _features(boards: Array, other: int) -> Array:
    """(n, _PIECES) features that are on, seen by the side to move, or by the other; the last row of the table else."""
    held = boards.astype(jnp.int32)
    king = jnp.argmax(held == KING + ENEMY * other, axis=1)
    flip = jnp.where(king & 7 < 4, 7, 0) ^ 56 * other
    place = king ^ flip
    first = (31 - 4 * (place >> 3) - (place & 3)) * PIECE_SQUARES
    rows = first[:, None] + jnp.asarray(_KINDS[other])[held] + (_SQUARES ^ flip[:, None])
    return jnp.sort(jnp.where(held > 0, rows, FEATURES), axis=1)[:, :_PIECES]


def _products(sums: Array) -> Array:
    kept = jnp.clip(sums, 0.0, _ONE)
    return jnp.floor(kept[:, : shape.PAIRS] * kept[:, shape.PAIRS :] / 128)


def _of_bucket(layer: Weights, x: Array, which: Array) -> Array:
    outputs = jnp.einsum("ni,boi->nbo", x, layer["w"]) + layer["b"]
    return jnp.take_along_axis(outputs, which[:, None, None], axis=1)[:, 0]


def told(network: Weights, boards: Array) -> Array:
    """(n, 2): what the network says of material and of position, as logits of the expected score; added up they are
    its evaluation."""
    views = [_features(boards, other) for other in (0, 1)]
    sums = [network["biases"] + network["table"][rows].sum(1, dtype=jnp.float32) for rows in views]
    which = ((boards > 0).sum(1) - 1) // 4
    mine, theirs = (network["material"][rows].sum(1) for rows in views)
    material = jnp.take_along_axis(mine - theirs, which[:, None], axis=1)[:, 0] / 2
    x = _of_bucket(network["first"], jnp.concatenate([_products(s) for s in sums], axis=1), which)
    most = shape.FIRST - 1
    squares = jnp.minimum(jnp.floor(x[:, :most] ** 2 / (1 << 19)), _ONE)
    lines = jnp.clip(jnp.floor(x[:, :most] / 64), 0.0, _ONE)
    between = jnp.pad(jnp.concatenate([squares, lines], axis=1), ((0, 0), (0, shape.SECOND_INPUTS - 2 * most)))
    y = jnp.clip(jnp.floor(_of_bucket(network["second"], between, which) / 64), 0.0, _ONE)
    positional = _of_bucket(network["last"], y, which)[:, 0] + x[:, most] * (600 * 16 / (127 * 64))
    return jnp.clip(jnp.stack([material, positional], axis=1) / (16 * _UNITS), -_MOST, _MOST)
