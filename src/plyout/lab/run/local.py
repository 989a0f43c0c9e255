"""Tasks in threads of this process: kernels release the GIL, and programs are processes of their own."""

import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from plyout.lab.run.drive import Event, Hand
from plyout.lab.run.work import Halted, Here, Work

_SWITCH = 0.0005  # seconds after which a Python thread gives way: a move that has come should not wait to be seen


class LocalRunner:
    """So many tasks at the same time."""

    def __init__(self, concurrency: int = 1) -> None:
        self.concurrency = concurrency
        self._hands: list[_Thread] = []
        self._interval = 0.0

    def begin(self, work: Work[Any, Any], tell: Callable[[Event], None], log: Callable[[str], None]) -> None:
        work.prepare(Here())
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        self._hands = [_Thread(work, tell) for _ in range(self.concurrency)]

    def start(self, hand: Hand, tasks: Sequence[Any]) -> None:
        assert isinstance(hand, _Thread)
        hand.working = True
        hand.tasks.put(tasks)

    def look(self) -> None:
        """Threads do not come and go."""

    def words(self) -> str:
        return ""

    def end(self) -> None:
        """Workers are told again and again to stop: one may just have been about to begin."""
        hands, self._hands = self._hands, []
        for hand in hands:
            hand.tasks.put(None)
        for hand in hands:
            while hand.thread.is_alive():
                for other in hands:
                    if other.working:
                        other.worker.stop()
                hand.thread.join(0.02)
        if self._interval:
            sys.setswitchinterval(self._interval)
            self._interval = 0.0


class _Thread(Hand):
    def __init__(self, work: Work[Any, Any], tell: Callable[[Event], None]) -> None:
        self.worker = work.worker(Here())
        self.tasks: queue.SimpleQueue[Sequence[Any] | None] = queue.SimpleQueue()
        self.working = False
        self._tell = tell
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._tell(Event(self))
            while (tasks := self.tasks.get()) is not None:
                results = [self.worker.do(task) for task in tasks]
                self.working = False
                self._tell(Event(self, results))
        except Halted:
            pass
        except BaseException as error:
            self._tell(Event(self, error=error))
        finally:
            self.worker.close()
