"""Telling a page how the searches of one engine go, in a thread of its own: the search goes on meanwhile."""

import threading
from collections.abc import Callable
from typing import Any

from plyout.board.packing import columns_of, event_message, snapshots_of
from plyout.board.shown import Shown

Send = Callable[[dict[str, Any]], None]


class Teller:
    """Makes messages of what a search shows, and sends them in order."""

    def __init__(self, side: int, send: Send) -> None:
        self._side, self._send = side, send
        self._telling = threading.Lock()  # held while messages are made
        self._news = threading.Condition()
        self._waiting: Shown | None = None
        self._closed = False
        self._told = -1, 0  # of which search how many snapshots were sent
        self.focus: list[str] = []
        """the line below which the tree is to be drawn"""
        self.shown: Shown | None = None
        """what was told last"""
        threading.Thread(target=self._work, daemon=True).start()

    def soon(self, shown: Shown) -> None:
        """Tell this, unless something newer comes first."""
        with self._news:
            self._waiting = shown
            self._news.notify()

    def now(self, shown: Shown) -> None:
        """Tell this, in the caller's thread."""
        with self._telling:
            with self._news:
                self._waiting = None
            self._tell(shown)

    def again(self) -> None:
        """Tell everything that was told last, to a page that knows nothing yet."""
        with self._telling:
            self._told = -1, 0
            if self.shown is not None:
                self._tell(self.shown)

    def redraw(self) -> None:
        """Draw what is wanted, if something else is drawn. Only where no search is running: that will do so itself."""
        with self._telling:
            shown = self.shown
            if shown is not None and shown.latest is not None and shown.latest.wanted != self.focus:
                shown.latest = None
                self._tell(shown)

    def frame(self, n: int) -> None:
        """Send the tree as it was at the snapshot after so many iterations; none, where it was not kept."""
        shown = self.shown
        if shown is not None:
            frame = shown.frames.get(n)
            tree = frame.message(shown.job.board.chess960) if frame is not None else None
            self._send({"t": "frame", "side": self._side, "number": shown.job.number, "n": n, "tree": tree})

    def close(self) -> None:
        """End the thread, and forget what was shown."""
        with self._news:
            self._closed, self.shown = True, None
            self._news.notify()

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting is not None or self._closed)
                if self._closed:
                    return
            with self._telling:
                with self._news:
                    shown, self._waiting = self._waiting, None
                if shown is not None:
                    self._tell(shown)

    def _tell(self, shown: Shown) -> None:
        if self.shown is not None and shown.job.number < self.shown.job.number:
            return  # of a search that was still ending when another was loaded
        self.shown = shown
        number, snapshots = self._told
        about = {"side": self._side, "number": shown.job.number}
        if number != shown.job.number:
            snapshots = 0
            board = shown.job.board
            turn = "white" if board.turn else "black"
            self._send({"t": "begin", **about, "preset": shown.job.preset, "fen": board.fen(), "turn": turn})
        history, names = shown.history, shown.names
        if len(history) > snapshots or shown.ended:
            snapshots = min(snapshots, len(history))
            rows = snapshots_of(history, max(snapshots - 1, 0) if shown.ended else snapshots)
            events = [event_message(event, names) for event in history.events]
            self._send(
                {"t": "history", **about, "since": len(history) - len(rows), "columns": columns_of(history, names),
                 "rows": rows, "events": events}
            )  # fmt: skip
        self._told = shown.job.number, len(history)
        drawn = shown.drawn(self.focus)
        tree = {"focus": drawn.line, **drawn.drawing.message(shown.job.board.chess960)}
        self._send({"t": "search", **about, "ended": shown.ended, **shown.numbers, "tree": tree})
