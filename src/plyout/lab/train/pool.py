"""A pool of what a teacher said last, from which a value network learns: it takes each position several times.

A teacher's answer costs several times what a student's step does, and a student is far from knowing by heart what it
has seen a few times among millions. Values alone are kept: a position's are two numbers, and its moves 1,792.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from plyout.lab.train.geometry import look
from plyout.lab.train.lessons import Data, Lesson, begun

_BATCHES = 64


class Pool(NamedTuple):
    games: Array
    """that the teacher plays on"""
    boards: Array
    values: Array
    counts: Array
    """of the last batches"""
    step: Array


def new(key: Array, data: Data, batch: int) -> Pool:
    games, size = begun(key, data, batch), _BATCHES * batch
    boards = jnp.zeros((size, *games.shape[1:]), games.dtype)
    return Pool(games, boards, jnp.zeros(size), jnp.zeros(size), jnp.asarray(0, jnp.int32))


def lesson(
    key: Array, pool: Pool, batch: int, reuse: int, ask: Callable[[Array], tuple[Lesson, Array]]
) -> tuple[Lesson, Pool]:
    """Positions by chance from the pool; in one step of `reuse` it gets a batch more, by `ask` for the games."""

    def filled(pool: Pool) -> Pool:
        found, games = ask(pool.games)
        at = pool.step // reuse % _BATCHES * batch

        def put(whole: Array, part: Array) -> Array:
            return jax.lax.dynamic_update_slice_in_dim(whole, part.astype(whole.dtype), at, 0)

        boards, values = put(pool.boards, found.boards), put(pool.values, found.value)
        return Pool(games, boards, values, put(pool.counts, found.counts), pool.step)

    pool = jax.lax.cond(pool.step % reuse == 0, filled, lambda pool: pool, pool)
    there = jnp.minimum(pool.step // reuse + 1, _BATCHES) * batch
    rows = jax.random.randint(key, (batch,), 0, there)
    boards = pool.boards[rows]
    seen = look(boards)
    nothing = jnp.zeros((batch, seen.moves.shape[1]))
    return Lesson(seen, boards, pool.values[rows], nothing, pool.counts[rows]), pool._replace(step=pool.step + 1)
