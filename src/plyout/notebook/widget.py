"""A search in a notebook that one starts, watches and stops: the tree grows beside the board.

The search runs in a thread of the kernel, which goes on with other cells meanwhile. It ends at its limit, with `stop`
or the button, when the widget is closed or its output removed, and when the page has not answered for a minute.
"""

import threading
import time
from typing import Any

import anywidget
import chess
import traitlets

from plyout.board.shown import Job
from plyout.board.side import Side
from plyout.engine import Limits, Result
from plyout.errors import InputError
from plyout.games.chess.border import check_board
from plyout.notebook.boards import board_of
from plyout.notebook.bundle import code, style
from plyout.presets import preset as preset_named

_PATIENCE = 60.0  # seconds without an answer after which nobody looks on any more
_LONGEST_LINE = 200  # moves
_UNHEARD = "nobody has looked on for a minute: the search has ended"


class Live(anywidget.AnyWidget):  # type: ignore[misc]
    """A live search of a position (a board or a FEN) by a preset, with changes as of `Engine`.

    It ends after so many `seconds`, or `nodes` if they are given. `result` is that of the last search.
    """

    _esm, _css = code(), style()
    fen = traitlets.Unicode().tag(sync=True)
    preset = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        position: chess.Board | str = chess.STARTING_FEN,
        preset: str = "plyout",
        *,
        seconds: float = 60.0,
        nodes: int | None = None,
        **changes: Any,
    ) -> None:
        self.board = board_of(position)
        check_board(self.board, self.board.fen())
        preset_named(preset)  # or an InputError now, and not in the thread
        self.limits = Limits(movetime=1000 * seconds) if nodes is None else Limits(nodes=nodes)
        self.result: Result | None = None
        self._changes = tuple(changes.items())
        self._number, self._heard_at = 0, time.monotonic()
        self._ended, self._gone = threading.Event(), False
        self._ended.set()
        self._side = Side(0, self._tell, ready=lambda job: None, done=self._done)
        super().__init__(fen=self.board.fen(), preset=preset)
        self.on_msg(self._hear)

    # -- from a cell --------------------------------------------------------------------------------------------------

    def start(self) -> "Live":
        """Search, and go on with the next cell at once."""
        if self._gone:
            raise InputError("this widget is closed: make another")
        self._heard_at, self._number = time.monotonic(), self._number + 1
        self._ended.clear()
        self._side.start(Job(self._number, self.board, self.limits, self.preset, self._changes))
        self._tell({"t": "running", "on": True})
        return self

    def stop(self) -> None:
        """End the search; its result is there soon after, see `wait`."""
        self._side.halt()
        if not self._side.busy:
            self._ended.set()

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def wait(self, seconds: float | None = None) -> Result | None:
        """Wait until the search has ended, but not longer than so many seconds; the result."""
        self._ended.wait(seconds)
        return self.result

    def close(self) -> None:
        """End the search and remove the widget; its memory is given back."""
        if not getattr(self, "_gone", True):
            self._gone = True
            self._side.close()
        super().close()

    # -- the search's thread, and the page ----------------------------------------------------------------------------

    def _tell(self, message: dict[str, Any]) -> None:
        if self._gone:
            return
        if message["t"] == "search" and not message["ended"] and time.monotonic() - self._heard_at > _PATIENCE:
            self._side.halt()
            self.send({"t": "error", "text": _UNHEARD})
        self.send(message)

    def _done(self, job: Job, result: Result | None) -> None:
        self.result = result or self.result
        if job.number == self._number:
            self._ended.set()
            self._tell({"t": "running", "on": False})

    def _hear(self, _: Any, message: Any, buffers: Any) -> None:
        """What the page says; it may say anything."""
        kind = message.get("t") if isinstance(message, dict) else None
        self._heard_at = time.monotonic()
        try:
            if kind == "start":
                self.start()
            elif kind in ("stop", "gone"):
                self.stop()
            elif kind == "ready":
                self._tell({"t": "running", "on": self.running})
                self._side.teller.again()
            elif kind == "frame" and isinstance(message.get("n"), int):
                self._side.teller.frame(message["n"])
            elif kind == "look" and isinstance(message.get("line"), list):
                self._side.look([str(move)[:8] for move in message["line"][:_LONGEST_LINE]])
        except InputError as error:
            self._tell({"t": "error", "text": str(error)})
