"""What is done, whoever does it: tasks, what they have in common, and where their results go.

A `Source` stays with the driver, who alone writes results. The `Work` goes to every machine, which makes workers of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_T = TypeVar("_T", contravariant=True)
_R = TypeVar("_R", covariant=True)


class Halted(Exception):
    """The run was ended: this task will be done again another time."""


class Thing(NamedTuple):
    """Something that tasks need beside Plyout: a file, program, network or folder, or our tables of endings."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"the {self.kind} {self.name}"


@dataclass(frozen=True)
class Here:
    """What the machine of a worker has of its own."""

    places: Mapping[Thing, str] = field(default_factory=dict)
    """where things are that have another place than on the driver's machine"""
    pace: float = 1.0
    """times are so many times as long: more on a slow machine"""


class Worker(Protocol[_T, _R]):
    """Does tasks in one thread, one after the other."""

    def do(self, task: _T, /) -> _R:
        """The result; `InputError` if the user has to mend something, `Halted` when it was stopped."""

    def stop(self) -> None:
        """End what it is doing, from another thread. It may be told several times, and does nothing more."""

    def close(self) -> None:
        """There is nothing more to do."""


class Work(Protocol[_T, _R]):
    """What all tasks of a run have in common; it can be pickled, and so can tasks and results."""

    @property
    def cores(self) -> int:
        """How many cores a worker keeps busy."""

    def things(self) -> Sequence[Thing]:
        """What must be on a machine, and be the same as on the driver's."""

    def prepare(self, here: Here) -> None:
        """Once on each machine: compile, and see that programs start; `InputError` says why nothing can be done."""

    def worker(self, here: Here) -> Worker[_T, _R]:
        """Somebody who does tasks."""


@dataclass(frozen=True)
class Done(Generic[T, R]):
    """A task that was done."""

    task: T
    result: R
    where: str = ""
    """the machine, if it is another"""


class Source(Protocol[T, R]):
    """The tasks that are left, and where results go. Only the driver's thread asks it."""

    def take(self) -> Sequence[T]:
        """The next tasks that one machine should do, in this order. None: there is nothing to do before more results
        come, or at all."""

    def keep(self, done: Sequence[Done[T, R]]) -> None:
        """These were done, all that are known of by now: what is written to a disk is best written together."""
