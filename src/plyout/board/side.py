"""One engine on a page: a thread that searches what it is told to, and tells how it goes."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import chess

from plyout.board.packing import (
    Drawing, Names, columns_of, drawing_of, event_message, node_at, numbers_of, snapshots_of,
)  # fmt: skip
from plyout.engine import Engine, Limits, Result, Stop
from plyout.engine.history import MARKS, History
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.search.graph import Graph, new_graph
from plyout.search.top import top_of

Send = Callable[[dict[str, Any]], None]
EVERY = 0.25  # seconds between two messages about a search
_MARKS = frozenset(MARKS)
_LINES = 4  # root moves whose lines are told


@dataclass(frozen=True)
class Job:
    """A search to be done."""

    number: int
    board: chess.Board
    limits: Limits
    preset: str
    changes: tuple[tuple[str, Any], ...] = ()
    plays: bool = False  # its move is to be played


@dataclass
class Shown:
    """What a page sees of one search."""

    job: Job
    tree: Tree
    history: History
    numbers: dict[str, Any]
    names: Names
    frames: dict[int, Drawing] = field(default_factory=dict)  # by iterations
    latest: "Latest | None" = None


class Latest(NamedTuple):
    """What is drawn."""

    wanted: list[str]  # the line below which it was to be
    line: list[str]  # as much of it as the tree has
    drawing: Drawing


class Side:
    """An engine; `send` gets messages for the page, from the search's thread, and `done` a result when it has one."""

    def __init__(self, side: int, send: Send, done: Callable[[int, Job, Result | None], None]) -> None:
        self._side, self._send, self._done = side, send, done
        self._wanted: Job | None = None
        self._ready = threading.Condition()
        self._stop = Stop()
        self._engine: Engine | None = None
        self._made_of: Any = None
        self._telling = threading.Lock()
        self._told = -1, 0  # of which search how many snapshots were sent
        self.focus: list[str] = []
        self.shown: Shown | None = None
        self.running: Job | None = None
        self._closed = False
        threading.Thread(target=self._work, daemon=True).start()

    def start(self, job: Job) -> None:
        """Search this, and nothing else."""
        with self._ready:
            self._wanted = job
            self._stop.set()
            self._ready.notify()

    def halt(self) -> None:
        with self._ready:
            self._wanted = None
            self._stop.set()

    def close(self) -> None:
        """End the thread, and the search that is going on; the engine and its tree are given up."""
        with self._ready:
            self._wanted, self._closed = None, True
            self._stop.set()
            self._ready.notify()

    @property
    def busy(self) -> bool:
        with self._ready:
            return self._wanted is not None or self.running is not None

    # -- the search's thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._ready:
                self.running = None
                self._ready.wait_for(lambda: self._wanted is not None or self._closed)
                if self._closed:
                    self._engine = self._made_of = self.shown = None
                    return
                job, self._wanted = self._wanted, None
                self.running, self._stop = job, Stop()
                stop = self._stop
            assert job is not None
            result = None
            try:
                result = self._search(job, stop)
            except InputError as error:
                self._send({"t": "error", "text": str(error)})
            except Exception as error:  # a fault of ours: the page goes on
                self._send({"t": "error", "text": f"the search has failed: {type(error).__name__}: {error}"[:300]})
                self._made_of = None
            with self._ready:
                self.running = None
            self._done(self._side, job, result)

    def _search(self, job: Job, stop: Stop) -> Result:
        engine = self._engine_for(job)
        names, frames = Names(job.board.copy(stack=False)), dict[int, Drawing]()

        latest: Latest | None = None

        def watch(n: int, graph: Graph, root: int) -> None:
            nonlocal latest
            wanted = self.focus
            node, line = node_at(graph, root, wanted, job.board.chess960)
            latest = Latest(wanted, line, drawing_of(graph, node))
            if n in _MARKS:
                frames[n] = latest.drawing if not line else drawing_of(graph, root)

        def tell(result: Result, ended: bool = False) -> None:
            numbers = numbers_of(result, names)
            self.shown = Shown(job, result.tree, result.history, numbers, names, frames, latest)
            self.tell(ended)

        engine.watch = watch
        result = engine.search(
            job.board, job.limits, on_progress=tell, every=EVERY, stop=stop, play_on=True, lines=_LINES
        )  # fmt: skip
        tell(result, ended=True)
        return result

    def _engine_for(self, job: Job) -> Engine:
        """The engine that a job wants, made anew if the last one was another; what it takes is told."""
        game = str(job.board.uci_variant)
        wanted = job.preset, game, job.changes
        if self._made_of != wanted or self._engine is None:
            self._send({"t": "status", "side": self._side, "text": f"preparing {job.preset} …"})
            self._engine = self._made_of = None  # its memory is for the next
            self._engine = Engine(job.preset, game, **dict(job.changes))
            self._engine.prepare()
            top_of(new_graph(1, 1), 0, 1)  # compiled here, and not on the search's time
            self._made_of = wanted
            self._send({"t": "status", "side": self._side, "text": ""})
        return self._engine

    # -- what is told -----------------------------------------------------------------------------------------------

    def tell_again(self) -> None:
        """Send everything, to a page that knows nothing yet: now, or when the search tells of itself."""
        with self._telling:
            self._told = -1, 0
        if not self.busy:
            self.tell(ended=True)

    def tell(self, ended: bool) -> None:
        """Send what the search knows now. While it is running, only its thread may."""
        with self._telling:
            if self.shown is not None:
                self._tell(self.shown, ended)

    def _tell(self, shown: Shown, ended: bool) -> None:
        number, snapshots = self._told
        if number != shown.job.number:
            snapshots = 0
            self._send(
                {"t": "begin", "side": self._side, "number": shown.job.number, "preset": shown.job.preset,
                 "fen": shown.job.board.fen(), "turn": "white" if shown.job.board.turn else "black"}
            )  # fmt: skip
        history = shown.history
        if len(history) > snapshots or ended:
            snapshots = min(snapshots, len(history))
            rows = snapshots_of(history, max(snapshots - 1, 0) if ended else snapshots)
            told = [event_message(event, shown.names) for event in history.events]
            self._send(
                {"t": "history", "side": self._side, "number": shown.job.number, "since": len(history) - len(rows),
                 "columns": columns_of(history, shown.names), "rows": rows, "events": told}
            )  # fmt: skip
        self._told = shown.job.number, len(history)
        self._send(
            {"t": "search", "side": self._side, "number": shown.job.number, "ended": ended, **shown.numbers,
             "tree": self._drawing(shown)}
        )  # fmt: skip

    def _drawing(self, shown: Shown) -> dict[str, Any]:
        chess960 = shown.job.board.chess960
        if shown.latest is None:
            wanted = self.focus
            node, line = node_at(shown.tree.graph, shown.tree.root, wanted, chess960)
            shown.latest = Latest(wanted, line, drawing_of(shown.tree.graph, node))
        return {"focus": shown.latest.line, **shown.latest.drawing.message(chess960)}

    def frame(self, n: int) -> None:
        """Send the tree as it was after so many iterations."""
        shown = self.shown
        if shown is None or n not in shown.frames:
            raise InputError("the tree of that moment was not kept")
        drawing = shown.frames[n].message(shown.job.board.chess960)
        self._send({"t": "frame", "side": self._side, "number": shown.job.number, "n": n, "tree": drawing})

    def look(self, line: list[str]) -> None:
        """Draw what is below some moves from now on."""
        self.focus = line
        self.redraw()

    def redraw(self) -> None:
        """Draw what is wanted, if something else is drawn; a search that is running will do so itself."""
        shown = self.shown
        if not self.busy and shown is not None and shown.latest is not None and shown.latest.wanted != self.focus:
            shown.latest = None
            self.tell(ended=True)
