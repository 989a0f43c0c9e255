"""What games want to know: they are opened one after the other, and each is closed when nothing of it is missing."""

from collections import Counter, deque
from collections.abc import Sequence

from plyout.lab.analyse.analyst import Analysis, Task, name_of
from plyout.lab.analyse.games import Given
from plyout.lab.analyse.judge import Judge, known
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import Kept, Record
from plyout.lab.run.drive import Runner, drive
from plyout.lab.run.work import Done
from plyout.progress import Progress, beside


class Run:
    """Games being analysed into a store."""

    def __init__(self, games: list[Given], settings: Settings, kept: Kept, runner: Runner, quiet: bool = False) -> None:
        self._games, self._settings, self._kept, self._runner = games, settings, kept, runner
        self._weights = _weights(games)
        self._unopened = deque(games)
        self._ready: deque[Task] = deque()
        self._open: list[tuple[Given, set[str]]] = []  # games, and what each waits for
        self._judged: dict[int, Judge] = {}
        self._under_way: set[str] = set()
        total = sum(self._weights.values())
        done = sum(count for name, count in self._weights.items() if kept.get(name) is not None)
        self._progress = Progress("positions", total, quiet, done=done, keep=lambda: self.judged)

    @property
    def judged(self) -> list[Judge]:
        """The games that are whole, in the order of the file."""
        return [self._judged[game.number] for game in self._games if game.number in self._judged]

    def run(self) -> list[Judge]:
        """Analyse what is missing. Ctrl-C ends it with what is in the store."""
        starts = {board.uci_variant: board for board in map(Given.start, self._games)}
        analysis = Analysis.of(self._settings, list(starts.values()))
        with self._progress:
            drive(analysis, self, self._runner)
        return self.judged

    def take(self) -> list[Task]:
        """The next analysis that is not there, nor under way for another game."""
        while True:
            while not self._ready and self._unopened:
                self._go_on(self._unopened.popleft())
            if not self._ready:
                return []
            task = self._ready.popleft()
            if task.name not in self._under_way and self._kept.get(task.name) is None:
                self._under_way.add(task.name)
                return [task]

    def _go_on(self, game: Given) -> None:
        """See what a game wants next: all of it is asked for before that of any other game."""
        judge = Judge(game, self._kept, self._settings.why)
        if judge.missing:
            self._open.append((game, {task.name for task in judge.missing}))
            self._ready.extendleft(reversed(judge.missing))
        else:
            self._judged[game.number] = judge

    def keep(self, done: Sequence[Done[Task, Record]]) -> None:
        """Keep answers; games that have waited for them go on."""
        for one in done:
            name = one.task.name
            self._under_way.discard(name)
            self._kept.add(name, one.result)
            for _, waiting in self._open:
                waiting.discard(name)
            ready = [game for game, waiting in self._open if not waiting]
            self._open = [(game, waiting) for game, waiting in self._open if waiting]
            for game in ready:
                self._go_on(game)
            note = beside(f"{len(self._judged)} of {len(self._games)} games", self._runner.words())
            self._progress.step(self._weights.get(name, 0), note)


def _weights(games: list[Given]) -> Counter[str]:
    """How often each position that is to be searched occurs in the games."""
    found: Counter[str] = Counter()
    for game in games:
        for at, (key, board) in enumerate(game.boards()):
            if at < len(game.moves) or known(board) is None:
                found[name_of("position", key)] += 1
    return found
