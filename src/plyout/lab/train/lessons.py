"""What is learnt from: batches of positions with the values and moves that a network should find."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.errors import InputError
from plyout.lab.train.geometry import CASTLE, PAIR_OF, TO, Seen, after, look
from plyout.lab.train.replay import KING, Positions

SCALE = 260.0
"""centipawns to a factor of e in the odds: 600 are ten to one"""
HELD_BACK = 50
"""every so many-th game is not learnt from"""
_RESULT = 0.1  # share of the game's end in the value; the rest is the label's
_LABEL = 0.4  # share of the label in what a student learns of a labelled position; the rest is the teacher's
_BY_CHANCE = 0.25  # of the moves in games that are played on: what follows bad ones must be known, too
_ANEW, _STUCK, _NO_MORE = 1 / 12, 0.5, 0.25  # chances that a game begins anew: any; one without a move; more if decided
_DECIDED = 0.49  # of a point, away from a draw
_NOISY = 0.25  # what a value counts where a search plays on before it asks for one
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
    counts: Array
    """(n,): how much a student's value does"""


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
    return Lesson(seen, boards, value, jax.nn.one_hot(pairs, seen.moves.shape[1]), _counts(seen, boards, pairs))


def _counts(seen: Seen, boards: Array, best: Array) -> Array:
    """Little where the best move is a capture, or the side to move in check: quiescence is there for these."""
    rows = jnp.arange(len(boards))
    check = seen.danger[rows, jnp.argmax(boards == KING, axis=1)] > 0
    return jnp.where((boards[rows, jnp.asarray(TO)[best]] > 0) | check, _NOISY, 1.0)


def begun(key: Array, data: Data, batch: int) -> Array:
    """The boards of the games that a teacher plays on for lessons of so many positions, as they begin."""
    return data.boards[jax.random.randint(key, (batch - _labelled_of(batch),), 0, len(data.boards))]


def _labelled_of(batch: int) -> int:
    return batch // 8


def taught(key: Array, data: Data, rows: Array, games: Array, teacher: Any) -> tuple[Lesson, Array]:
    """What a teacher says of labelled positions (an eighth) and of games that it plays on from such; and these games a
    move later.

    `teacher` gives logits of values and moves for boards. Near all positions are new ones: a student that sees the same
    again and again learns them by heart.
    """
    labelled = _labelled_of(len(rows))
    boards = jnp.concatenate([data.boards[rows[:labelled]], games])
    seen = look(boards)
    values, logits = teacher(boards)
    value, logits = jax.nn.sigmoid(values), legal_only(logits, seen)
    games = _played_on(key, data, games, logits[labelled:], value[labelled:])
    counts = _counts(seen, boards, jnp.argmax(logits, axis=1))
    seen = seen._replace(moves=seen.moves | ~seen.moves.any(1, keepdims=True))
    known = data.scores[rows[:labelled]].astype(jnp.float32)
    told = value.at[:labelled].set((1 - _LABEL) * value[:labelled] + _LABEL * known)
    return Lesson(seen, boards, told, jax.nn.softmax(legal_only(logits, seen)), counts), games


def _played_on(key: Array, data: Data, games: Array, logits: Array, value: Array) -> Array:
    """The games after a move by the teacher's logits or, of some, by chance; some begin anew."""
    for_chance, for_move, for_anew, for_row = jax.random.split(key, 4)
    count = len(games)
    may = (logits > _NEVER) & ~CASTLE
    by_chance = jax.random.uniform(for_chance, (count, 1)) < _BY_CHANCE
    move = jax.random.categorical(for_move, jnp.where(may, jnp.where(by_chance, 0.0, logits), _NEVER))
    moved, legal = after(games, move)
    legal &= may.any(1)
    chance = jnp.where(legal, _ANEW, _STUCK) + jnp.where(jnp.abs(value - 0.5) > _DECIDED, _NO_MORE, 0.0)
    anew = jax.random.uniform(for_anew, (count,)) < chance
    begin = data.boards[jax.random.randint(for_row, (count,), 0, len(data.boards))]
    return jnp.where(anew[:, None], begin, jnp.where(legal[:, None], moved, games))


def legal_only(logits: Array, seen: Seen) -> Array:
    return jnp.where(seen.moves, logits, _NEVER)


def value_loss(logits: Array, lesson: Lesson) -> Array:
    """Of a student, who is asked where things are quiet."""
    off = jnp.abs(jax.nn.sigmoid(logits) - lesson.value) ** 2.2
    return jnp.sum(lesson.counts * off) / jnp.sum(lesson.counts)


def cross_entropy(logits: Array, lesson: Lesson) -> Array:
    """Of the value, for the teacher: where it is sure it must be right."""
    return jnp.mean(jnp.logaddexp(0.0, logits) - lesson.value * logits)


def policy_loss(logits: Array, lesson: Lesson) -> Array:
    return -jnp.mean(jnp.sum(lesson.policy * jax.nn.log_softmax(legal_only(logits, lesson.seen)), axis=1))
