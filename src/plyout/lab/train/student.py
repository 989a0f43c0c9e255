"""The students: networks so small that a search can ask them at every leaf.

Both begin with the features of `plyout.lab.train.geometry`, of which some thirty are on, and one wide layer whose
outputs are clamped to 0 … 1 and squared. To one half of them the value adds what the side to move sees from where its
king stands, to the other half what the other side sees from there. It goes on through two small layers, of which there
are several: one for every four pieces on the board. The policy scores a move by a product with a vector of its own, one
for each pair of squares and danger at its end.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from plyout.lab.train.geometry import FEATURES, PAIRS, TO, VIEW, Seen, features, views
from plyout.lab.train.layers import Weights, apply_dense, dense

HIDDEN = 16
BUCKETS = 8
LARGEST = {"wide": 1.0, "views": 1.0, "two": 2.0, "three": 2.0, "out": 7.0, "moves": 2.0}
"""Of a layer's weights: the wide one's must fit the bytes of the engine, and the more the others differ, the fewer
steps are left for the small ones of them."""


def bucket(codes: Array) -> Array:
    """By the number of pieces: 0 for up to four of them, 7 for more than twenty-eight."""
    return ((codes >= 0).sum(1) - 1) // 4


def _clamped_square(x: Array) -> Array:
    return jnp.square(jnp.clip(x, 0, 1))


def _choose(outputs: Array, which: Array) -> Array:
    """Of (n, BUCKETS * k) outputs the k of each row's bucket."""
    each = outputs.reshape(len(outputs), BUCKETS, -1)
    return jnp.take_along_axis(each, which[:, None, None], axis=1)[:, 0]


@dataclass(frozen=True)
class Value:
    width: int = 512

    def new(self, key: Array) -> Weights:
        keys = jax.random.split(key, 5)
        return {
            "wide": dense(keys[0], FEATURES, self.width, 0.05),
            "views": {"w": dense(keys[4], VIEW, self.width // 2, 0.02)["w"]},
            "two": dense(keys[1], self.width, BUCKETS * HIDDEN),
            "three": dense(keys[2], HIDDEN, BUCKETS * HIDDEN),
            "out": dense(keys[3], HIDDEN, BUCKETS),
        }

    def apply(self, weights: Weights, seen: Seen, boards: Array) -> Array:
        """The logit of the expected score."""
        which = bucket(seen.codes)
        x = apply_dense(weights["wide"], features(seen.codes))
        halves = [view @ weights["views"]["w"].astype(view.dtype) for view in views(boards)]
        x = _clamped_square(x + jnp.concatenate(halves, axis=1))
        x = jax.nn.relu(_choose(apply_dense(weights["two"], x), which))
        x = jax.nn.relu(_choose(apply_dense(weights["three"], x), which))
        return _choose(apply_dense(weights["out"], x), which)[:, 0].astype(jnp.float32)


def widened(known: Weights, new: Weights) -> Weights:
    """A value network as wide as `new` that says what a narrower one does: nobody listens yet to what is added, by
    chance, to each half of its sums. As it is, where it cannot be so."""
    if known.keys() != new.keys() or known["wide"]["w"].shape[1] >= new["wide"]["w"].shape[1]:
        return known
    old, wide = known["wide"]["w"].shape[1], new["wide"]["w"].shape[1]
    place = jnp.concatenate([jnp.arange(old // 2), wide // 2 + jnp.arange(old // 2)])
    return known | {
        "wide": {part: x.at[..., place].set(known["wide"][part]) for part, x in new["wide"].items()},
        "views": {"w": new["views"]["w"].at[:, : old // 2].set(known["views"]["w"])},
        "two": known["two"] | {"w": jnp.zeros_like(new["two"]["w"]).at[place].set(known["two"]["w"])},
    }


@dataclass(frozen=True)
class Policy:
    width: int = 256

    def new(self, key: Array) -> Weights:
        keys = jax.random.split(key, 2)
        return {
            "wide": dense(keys[0], FEATURES, self.width, 0.05),
            "moves": dense(keys[1], self.width, 3 * PAIRS, 0.02),
        }

    def apply(self, weights: Weights, seen: Seen) -> Array:
        """Logits of moves by pair."""
        x = _clamped_square(apply_dense(weights["wide"], features(seen.codes)))
        each = apply_dense(weights["moves"], x).reshape(len(x), 3, PAIRS)
        return jnp.take_along_axis(each, seen.danger[:, None, TO], axis=1)[:, 0].astype(jnp.float32)


def bounded(weights: Weights) -> Weights:
    """The weights of both, none larger than the integers of the engine can hold."""
    return {
        student: {layer: {**parts, "w": jnp.clip(parts["w"], -LARGEST[layer], LARGEST[layer])}
                  for layer, parts in layers.items()}
        for student, layers in weights.items()
    }  # fmt: skip
