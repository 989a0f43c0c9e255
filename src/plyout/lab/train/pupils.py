"""Who learns what from whom: the teacher from labels, the students from a teacher, or from labels as well."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from plyout.lab.train import pool
from plyout.lab.train.layers import Weights
from plyout.lab.train.lessons import Data, Lesson, begun, cross_entropy, labelled, policy_loss, taught, value_loss
from plyout.lab.train.stockfish import told
from plyout.lab.train.student import Policy, Value, bounded
from plyout.lab.train.teacher import Teacher

_VALUE_COUNTS = 2.0  # times as much as the policy, for the teacher
_STUDENT_COUNTS = 100.0  # likewise, for a loss that is itself small


class Pupil(NamedTuple):
    """A network that learns."""

    new: Callable[[Array], tuple[Weights, Weights]]
    """(weights, averages)"""
    loss: Callable[[Weights, Weights, Lesson, Any], tuple[Array, Weights]]
    """(what is to fall, averages), from weights, averages, a lesson and `knowledge`"""
    lesson: Callable[[Array, Data, Array, Any, Any], tuple[Lesson, Any]]
    """from a key, the data, the rows to take, what is kept from step to step, and `knowledge`; and what to keep"""
    bound: Callable[[Weights], Weights]
    """applied to the weights after every step"""
    predict: Callable[[Weights, Weights, Lesson, Any], tuple[Array, Array]]
    """logits of values and moves, from the same"""
    begin: Callable[[Array, Data, int], Any] = lambda key, data, batch: data.boards[:0]
    """what to keep, at first"""
    knowledge: Any = None
    """what is needed beside the data: the weights of who teaches, or tells"""


def _from_labels(key: Array, data: Data, rows: Array, kept: Array, knowledge: Any) -> tuple[Lesson, Array]:
    return labelled(data, rows), kept


def _told(stockfish: Weights | None, boards: Array) -> Array | None:
    return None if stockfish is None else told(stockfish, boards)


def teacher(network: Teacher, stockfish: Weights | None = None) -> Pupil:
    """Learns values and moves from the labels, and may be told what Stockfish's network says."""

    def loss(weights: Weights, averages: Weights, lesson: Lesson, knowledge: Weights | None) -> tuple[Array, Weights]:
        hint = _told(knowledge, lesson.boards)
        value, policy, now = network.apply(weights, averages, lesson.boards, True, hint)
        return policy_loss(policy, lesson) + _VALUE_COUNTS * cross_entropy(value, lesson), now

    def predict(weights: Weights, averages: Weights, lesson: Lesson, knowledge: Weights | None) -> tuple[Array, Array]:
        return network.apply(weights, averages, lesson.boards, False, _told(knowledge, lesson.boards))[:2]

    return Pupil(network.new, loss, _from_labels, lambda weights: weights, predict, knowledge=stockfish)


class TaughtBy(NamedTuple):
    """A teacher, and what it is told by."""

    network: Teacher
    weights: Weights
    averages: Weights
    stockfish: Weights | None


def students(
    value: Value, policy: Policy, taught_by: TaughtBy | None, only: str | None = None, reuse: int = 1
) -> Pupil:
    """Both learn at once from a teacher, whose answers are dear, or from the labels; neither knows of the other.

    Or `only` one of them does; a value alone can learn from each answer several times.
    """

    def new(key: Array) -> tuple[Weights, Weights]:
        return {"value": value.new(key), "policy": policy.new(key)}, {}

    def loss(weights: Weights, averages: Weights, lesson: Lesson, knowledge: Any) -> tuple[Array, Weights]:
        told = predict(weights, averages, lesson, knowledge)
        found = jnp.zeros(())
        if only != "policy":
            found += _STUDENT_COUNTS * value_loss(told[0], lesson)
        if only != "value":
            found += policy_loss(told[1], lesson)
        return found, averages

    def predict(weights: Weights, averages: Weights, lesson: Lesson, knowledge: Any) -> tuple[Array, Array]:
        return value.apply(weights["value"], lesson.seen, lesson.boards), policy.apply(weights["policy"], lesson.seen)

    if taught_by is None:
        return Pupil(new, loss, _from_labels, bounded, predict)
    network = taught_by.network

    def from_teacher(
        key: Array, data: Data, rows: Array, kept: Any, knowledge: tuple[Weights, Weights, Weights | None]
    ) -> tuple[Lesson, Any]:
        weights, averages, stockfish = knowledge

        def ask(boards: Array) -> tuple[Array, Array]:
            return network.apply(weights, averages, boards, False, _told(stockfish, boards))[:2]

        if reuse == 1:
            return taught(key, data, rows, kept, ask)
        for_rows, for_games = jax.random.split(key)
        return pool.lesson(for_rows, kept, len(rows), reuse, lambda games: taught(for_games, data, rows, games, ask))

    begin = begun if reuse == 1 else pool.new
    return Pupil(new, loss, from_teacher, bounded, predict, begin, taught_by[1:])
