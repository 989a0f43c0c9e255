"""Who learns what from whom: the teacher from labels, the students from a teacher, or from labels as well."""

from collections.abc import Callable
from typing import Any, NamedTuple

from jax import Array

from plyout.lab.train.layers import Weights
from plyout.lab.train.lessons import Data, Lesson, begun, cross_entropy, labelled, policy_loss, taught, value_loss
from plyout.lab.train.student import Policy, Value, bounded
from plyout.lab.train.teacher import Teacher

_VALUE_COUNTS = 2.0  # times as much as the policy, for the teacher
_STUDENT_COUNTS = 100.0  # likewise, for a loss that is itself small


class Pupil(NamedTuple):
    """A network that learns."""

    new: Callable[[Array], tuple[Weights, Weights]]
    """(weights, averages)"""
    loss: Callable[[Weights, Weights, Lesson], tuple[Array, Weights]]
    """(what is to fall, averages)"""
    lesson: Callable[[Array, Data, Array, Array, Any], tuple[Lesson, Array]]
    """from a key, the data, the rows to take, boards kept from step to step, and `knowledge`; and the boards to keep"""
    bound: Callable[[Weights], Weights]
    """applied to the weights after every step"""
    predict: Callable[[Weights, Weights, Lesson], tuple[Array, Array]]
    """logits of values and moves"""
    begin: Callable[[Array, Data, int], Array] = lambda key, data, batch: data.boards[:0]
    """the boards to keep, at first"""
    knowledge: Any = None
    """what lessons need beside the data: a teacher's weights"""


def _from_labels(key: Array, data: Data, rows: Array, kept: Array, knowledge: Any) -> tuple[Lesson, Array]:
    return labelled(data, rows), kept


def teacher(network: Teacher) -> Pupil:
    """Learns values and moves from the labels."""

    def loss(weights: Weights, averages: Weights, lesson: Lesson) -> tuple[Array, Weights]:
        value, policy, now = network.apply(weights, averages, lesson.boards, learning=True)
        return policy_loss(policy, lesson) + _VALUE_COUNTS * cross_entropy(value, lesson), now

    def predict(weights: Weights, averages: Weights, lesson: Lesson) -> tuple[Array, Array]:
        return network.apply(weights, averages, lesson.boards, learning=False)[:2]

    return Pupil(network.new, loss, _from_labels, lambda weights: weights, predict)


def students(value: Value, policy: Policy, taught_by: tuple[Teacher, Weights, Weights] | None) -> Pupil:
    """Both learn at once from a teacher, whose answers are dear, or from the labels; neither knows of the other."""

    def new(key: Array) -> tuple[Weights, Weights]:
        return {"value": value.new(key), "policy": policy.new(key)}, {}

    def loss(weights: Weights, averages: Weights, lesson: Lesson) -> tuple[Array, Weights]:
        value_told, policy_told = predict(weights, averages, lesson)
        return _STUDENT_COUNTS * value_loss(value_told, lesson) + policy_loss(policy_told, lesson), averages

    def predict(weights: Weights, averages: Weights, lesson: Lesson) -> tuple[Array, Array]:
        return value.apply(weights["value"], lesson.seen), policy.apply(weights["policy"], lesson.seen)

    if taught_by is None:
        return Pupil(new, loss, _from_labels, bounded, predict)
    network = taught_by[0]

    def from_teacher(
        key: Array, data: Data, rows: Array, games: Array, knowledge: tuple[Weights, Weights]
    ) -> tuple[Lesson, Array]:
        def ask(boards: Array) -> tuple[Array, Array]:
            return network.apply(*knowledge, boards, learning=False)[:2]

        return taught(key, data, rows, games, ask)

    return Pupil(new, loss, from_teacher, bounded, predict, begun, taught_by[1:])
