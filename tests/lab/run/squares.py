"""Work that takes no time: numbers are squared. Workers of a cluster import it, too."""

import time
from dataclasses import dataclass

from plyout.errors import InputError
from plyout.lab.run.work import Here, Thing


@dataclass(frozen=True)
class Squares:
    bad: int = -1
    """a number that is none"""
    seconds: float = 0.0
    """that a task takes"""
    fails_to_start: bool = False
    needs: tuple[Thing, ...] = ()
    cores: int = 1

    def things(self) -> tuple[Thing, ...]:
        return self.needs

    def prepare(self, here: Here) -> None:
        if self.fails_to_start:
            raise InputError("no squares here")

    def worker(self, here: Here) -> "Squarer":
        return Squarer(self)


@dataclass
class Squarer:
    work: Squares

    def do(self, task: int) -> int:
        time.sleep(self.work.seconds)
        if task == self.work.bad:
            raise InputError("seven is no number")
        return task * task

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass
