"""What is learnt from: batches of positions with the values and moves that a network should find."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.errors import InputError
from plyout.lab.train.geometry import PAIR_OF, Seen, after_random_move, look
from plyout.lab.train.replay import Positions

SCALE = 260.0
"""centipawns to a factor of e in the odds: 600 are ten to one"""
HELD_BACK = 50
"""every so many-th game is not learnt from"""
_RESULT = 0.1  # share of the game's end in the value; the rest is the label's
_LABEL = 0.4  # share of the label in what a student learns of a labelled position; the rest is the teacher's
_NEVER = -1e4


class Data(NamedTuple):
    """Labelled positions where the network is."""

    boards: Array
    pairs: Array
    """the best move, by pair"""
    scores: Array
    """the label as an expected score"""
    points: Array


class Lesson(NamedTuple):
    seen: Seen
    boards: Array
    value: Array
    """the expected score that is right"""
    policy: Array
    """(n, PAIRS): the probability that a move is right"""


def split(positions: Positions) -> tuple[Data, Data]:
    """(to learn from, held back)."""
    back = positions.games % HELD_BACK == 0
    if back.all() or not back.any():
        what = "learn from" if back.all() else "test with"
        raise InputError(f"of {len(positions)} labelled positions none is left to {what}: label more games")
    return _data(positions, ~back), _data(positions, back)


def _data(positions: Positions, which: Any) -> Data:
    pairs = PAIR_OF[positions.moves[which]].astype(np.int16)
    if (pairs < 0).any():
        raise InputError("the games are damaged: no piece can make one of the moves that are labelled the best")
    scores = (0.5 + 0.5 * np.tanh(positions.scores[which].astype(np.float32) / (2 * SCALE))).astype(np.float16)
    return Data(*(jnp.asarray(x) for x in (positions.boards[which], pairs, scores, positions.points[which])))


def labelled(data: Data, rows: Array) -> Lesson:
    """What the labels say of some positions."""
    boards, pairs = data.boards[rows], data.pairs[rows].astype(jnp.int32)
    seen = look(boards)
    every = jnp.arange(len(rows))
    seen = seen._replace(moves=seen.moves.at[every, pairs].set(True))  # en passant, which boards do not show
    value = (1 - _RESULT) * data.scores[rows].astype(jnp.float32) + _RESULT * data.points[rows].astype(jnp.float32)
    return Lesson(seen, boards, value, jax.nn.one_hot(pairs, seen.moves.shape[1]))


def taught(key: Array, data: Data, rows: Array, teacher: Any) -> Lesson:
    """What a teacher says of labelled positions (a quarter), of some a random move later (half), and of some two.

    `teacher` gives logits of values and moves for boards.
    """
    first, second = jax.random.split(key)
    boards = data.boards[rows]
    quarter = len(rows) // 4
    moved = after_random_move(first, boards[quarter:])
    boards = jnp.concatenate([boards[:quarter], moved[quarter:], after_random_move(second, moved[:quarter])])
    seen = look(boards)
    seen = seen._replace(moves=seen.moves | ~seen.moves.any(1, keepdims=True))
    values, moves = teacher(boards)
    value = jax.nn.sigmoid(values)
    known = data.scores[rows[:quarter]].astype(jnp.float32)
    value = value.at[:quarter].set((1 - _LABEL) * value[:quarter] + _LABEL * known)
    return Lesson(seen, boards, value, jax.nn.softmax(legal_only(moves, seen)))


def legal_only(logits: Array, seen: Seen) -> Array:
    return jnp.where(seen.moves, logits, _NEVER)


def value_loss(logits: Array, lesson: Lesson) -> Array:
    return jnp.mean(jnp.abs(jax.nn.sigmoid(logits) - lesson.value) ** 2.2)


def cross_entropy(logits: Array, lesson: Lesson) -> Array:
    """Of the value, for the teacher: where it is sure it must be right."""
    return jnp.mean(jnp.logaddexp(0.0, logits) - lesson.value * logits)


def policy_loss(logits: Array, lesson: Lesson) -> Array:
    return -jnp.mean(jnp.sum(lesson.policy * jax.nn.log_softmax(legal_only(logits, lesson.seen)), axis=1))
