"""Tasks that are known beforehand, and do not depend on each other."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Generic

from plyout.lab.run.work import Done, R, T


class Listed(Generic[T, R]):
    """A source of `tasks`, each done by itself, or so many of them by one machine; `keep` gets a task and its result.

    >>> source = Listed("abc", keep=print, together=2)
    >>> source.take(), source.take(), source.take()
    (['a', 'b'], ['c'], [])
    >>> source.keep([Done("b", 4)])
    b 4
    """

    def __init__(self, tasks: Iterable[T], keep: Callable[[T, R], None], together: int = 1) -> None:
        self._tasks, self._keep, self._together = iter(tasks), keep, together

    def take(self) -> list[T]:
        return list(islice(self._tasks, self._together))

    def keep(self, done: Sequence[Done[T, R]]) -> None:
        for one in done:
            self._keep(one.task, one.result)
