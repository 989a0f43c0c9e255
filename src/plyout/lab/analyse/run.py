"""The threads that analyse: games are opened one after the other, and each is closed when nothing of it is missing."""

import queue
import threading
import time
from collections import Counter, deque

from plyout.lab.analyse.analyst import Analyst, Task, name_of
from plyout.lab.analyse.games import Given
from plyout.lab.analyse.judge import Judge, known
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import Kept, Record
from plyout.progress import Progress

Answer = tuple[str, Record] | BaseException


class Run:
    """Games being analysed into a store, by so many `jobs` at once."""

    def __init__(self, games: list[Given], settings: Settings, kept: Kept, jobs: int = 1) -> None:
        self._games, self._settings, self._kept = games, settings, kept
        self._analysts = [Analyst(settings) for _ in range(jobs)]
        self._weights = _weights(games)
        self._unopened = deque(games)
        self._ready: deque[Task] = deque()
        self._open: list[tuple[Given, set[str]]] = []  # games, and what each waits for
        self._judged: dict[int, Judge] = {}
        self._asked: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._under_way: set[str] = set()
        self._halted = threading.Event()

    @property
    def judged(self) -> list[Judge]:
        """The games that are whole, in the order of the file."""
        return [self._judged[game.number] for game in self._games if game.number in self._judged]

    def run(self, quiet: bool = False) -> list[Judge]:
        """Analyse what is missing. Ctrl-C ends it with what is in the store."""
        total = sum(self._weights.values())
        done = sum(count for name, count in self._weights.items() if self._kept.get(name) is not None)
        threads = [threading.Thread(target=self._work, args=(a,), daemon=True) for a in self._analysts]
        with Progress("positions", total, quiet, done=done, keep=lambda: self.judged) as progress:
            try:
                for board in {board.uci_variant: board for board in map(Given.start, self._games)}.values():
                    self._analysts[0].prepare(board)
                for thread in threads:
                    thread.start()
                while self._ask():
                    self._take(progress)
            finally:
                self._halt(threads)
        return self.judged

    def _ask(self) -> bool:
        """Give the analysts something to do; False when all is done."""
        while len(self._under_way) < len(self._analysts):
            while not self._ready and self._unopened:
                self._go_on(self._unopened.popleft())
            if not self._ready:
                break
            task = self._ready.popleft()
            if task.name not in self._under_way and self._kept.get(task.name) is None:
                self._under_way.add(task.name)
                self._asked.put(task)
        return bool(self._under_way)

    def _go_on(self, game: Given) -> None:
        """See what a game wants next: all of it is asked for before that of any other game."""
        judge = Judge(game, self._kept, self._settings.why)
        if judge.missing:
            self._open.append((game, {task.name for task in judge.missing}))
            self._ready.extendleft(reversed(judge.missing))
        else:
            self._judged[game.number] = judge

    def _take(self, progress: Progress) -> None:
        """Keep an answer; games that have waited for it go on."""
        try:
            answer = self._answers.get(timeout=0.5)  # Ctrl-C is heard in between, on every system
        except queue.Empty:
            return
        if isinstance(answer, BaseException):
            raise answer
        name, record = answer
        self._under_way.discard(name)
        self._kept.add(name, record)
        for _, waiting in self._open:
            waiting.discard(name)
        ready = [game for game, waiting in self._open if not waiting]
        self._open = [(game, waiting) for game, waiting in self._open if waiting]
        for game in ready:
            self._go_on(game)
        progress.step(self._weights.get(name, 0), f"{len(self._judged)} of {len(self._games)} games")

    def _work(self, analyst: Analyst) -> None:
        try:
            while (task := self._asked.get()) is not None and not self._halted.is_set():
                record = analyst.answer(task)
                if self._halted.is_set():  # a search that was stopped is none
                    return
                self._answers.put((task.name, record))
        except BaseException as error:
            self._answers.put(error)

    def _halt(self, threads: list[threading.Thread]) -> None:
        """End what is going on. Analysts are told again and again: one may just have been about to begin."""
        self._halted.set()
        for _ in threads:
            self._asked.put(None)
        while any(thread.is_alive() for thread in threads):
            for analyst in self._analysts:
                analyst.stop()
            time.sleep(0.02)


def _weights(games: list[Given]) -> Counter[str]:
    """How often each position that is to be searched occurs in the games."""
    found: Counter[str] = Counter()
    for game in games:
        for at, (key, board) in enumerate(game.boards()):
            if at < len(game.moves) or known(board) is None:
                found[name_of("position", key)] += 1
    return found
