"""One engine on a page: a thread that searches what it is told to."""

import threading
from collections.abc import Callable

from plyout.board.packing import Drawing, Names, drawing_of, node_at
from plyout.board.shown import Job, Latest, Shown
from plyout.board.telling import Send, Teller
from plyout.engine import Engine, Result, Stop
from plyout.errors import InputError
from plyout.search.graph import Graph, new_graph
from plyout.search.top import top_of

EVERY = 0.33  # seconds between two messages about a search: each costs the search 3 ms, and the page some 30
_PATIENCE = 2.0  # seconds
_LINES = 4  # root moves whose lines are told


class Side:
    """An engine. `send` gets messages for the page; from the search's thread `ready` gets a job whose engine is made,
    and `done` a job and its result, None if it has failed."""

    def __init__(
        self, number: int, send: Send, ready: Callable[[Job], None], done: Callable[[Job, Result | None], None]
    ) -> None:
        self._number, self._send, self._began, self._done = number, send, ready, done
        self.teller = Teller(number, send)
        self._ready = threading.Condition()
        self._wanted: Job | None = None
        self._running: Job | None = None
        self._stop = Stop()
        self._engine: Engine | None = None
        self._made_of: object = None  # what the engine was made of
        self._closed = False
        threading.Thread(target=self._work, daemon=True).start()

    def must_make(self, job: Job) -> bool:
        """Whether the engine for a job is still to be made, which may take long."""
        return self._made_of != _parts_of(job)

    def start(self, job: Job) -> None:
        """Search this, and nothing else."""
        shown = self.teller.shown
        if shown is not None and shown.job.board.fen() != job.board.fen():
            self.teller.focus = []  # a line of another position
        with self._ready:
            self._wanted = job
            self._stop.set()
            self._ready.notify_all()

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
            return self._wanted is not None or self._running is not None

    def at_rest(self) -> bool:
        """Whether nothing is searched; a search that is about to end is waited for."""
        with self._ready:
            told = self.shown is not None and self.shown.ended and self.shown.job is self._running
            if self._wanted is None and (told or self._stop):
                self._ready.wait_for(lambda: self._running is None, _PATIENCE)
            return self._wanted is None and self._running is None

    @property
    def shown(self) -> Shown | None:
        """The search that the page sees."""
        return self.teller.shown

    def show(self, shown: Shown) -> None:
        """Let the page see a search that was done elsewhere."""
        self.halt()
        self.teller.focus = []
        self.teller.now(shown)

    def look(self, line: list[str]) -> None:
        """Draw what is below some moves from now on."""
        self.teller.focus = line
        self.redraw()

    def redraw(self) -> None:
        """Draw what is wanted, if something else is drawn; a search that is running will do so itself."""
        if not self.busy:
            self.teller.redraw()

    # -- the search's thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._wanted is not None or self._closed)
                if self._closed:
                    self._engine = self._made_of = None
                    self.teller.close()
                    return
                job, self._wanted = self._wanted, None
                self._running, self._stop = job, Stop()
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
                self._running = None
                self._ready.notify_all()
            self._done(job, result)

    def _search(self, job: Job, stop: Stop) -> Result:
        engine = self._engine_for(job)
        self._began(job)
        names, frames = Names(job.board.copy(stack=False)), dict[int, Drawing]()
        latest: Latest | None = None

        def watch(n: int, graph: Graph, root: int) -> None:
            """Copy what is drawn: at every snapshot, and before something is told."""
            nonlocal latest
            wanted = self.teller.focus
            node, line = node_at(graph, root, wanted, job.board.chess960)
            latest = Latest(wanted, line, drawing_of(graph, node))
            frames[n] = latest.drawing if not line else drawing_of(graph, root)

        def shown(result: Result, ended: bool) -> Shown:
            for n in frames.keys() - set(result.history.n.tolist()):
                del frames[n]  # no snapshot's
            return Shown(job, result.tree, result.history, result, names, frames, latest, ended)

        engine.watch = watch
        result = engine.search(
            job.board, job.limits, on_progress=lambda so_far: self.teller.soon(shown(so_far, ended=False)), every=EVERY,
            stop=stop, play_on=True, lines=_LINES,
        )  # fmt: skip
        self.teller.now(shown(result, ended=True))
        return result

    def _engine_for(self, job: Job) -> Engine:
        """The engine that a job wants, made anew if the last one was another; what it takes is told."""
        if self.must_make(job) or self._engine is None:
            self._send({"t": "status", "side": self._number, "text": f"preparing {job.preset} …"})
            self._engine = self._made_of = None  # its memory is for the next
            try:
                self._engine = Engine(job.preset, str(job.board.uci_variant), **dict(job.changes))
                self._engine.prepare()
                top_of(new_graph(1, 1), 0, 1)  # compiled here, and not on the search's time
            finally:
                self._send({"t": "status", "side": self._number, "text": ""})
            self._made_of = _parts_of(job)
        return self._engine


def _parts_of(job: Job) -> object:
    """What the engine for a job is made of."""
    return job.preset, job.board.uci_variant, job.changes
