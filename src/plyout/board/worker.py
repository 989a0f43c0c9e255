"""The process of one page: it owns the game and the searches, and ends when its input ends.

Lines of JSON come in, ``{"page": …}`` from the page and ``{"server": …}`` from the server; lines of JSON go out to the
page. One thread handles what comes, one thing after the other (`session.py`); searches have threads of their own, and
so has what is told of them.
"""

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from plyout.board.commands import OF_THE_PAGE, OF_THE_SERVER
from plyout.board.session import SIDES, Session
from plyout.errors import InputError

_SHARED_EVERY = 0.0005  # seconds that a search which comes back from its kernel waits at most for another thread


class Worker:
    """Handles messages; `write` sends a line to the page."""

    def __init__(self, write: Callable[[bytes], Any]) -> None:
        self._write, self._writing = write, threading.Lock()
        self._to_do: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._session = Session(self.send)

    def send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        with self._writing:
            self._write(line)

    def run(self, lines: Iterable[bytes]) -> None:
        """Handle messages until there are no more."""
        self.send({"t": "status", "side": 0, "text": "loading the engine …"})
        self._session.tell()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        self._load()
        self.send({"t": "status", "side": 0, "text": ""})
        while True:
            try:
                action = self._to_do.get(timeout=self._session.seconds_to_fall)
            except queue.Empty:
                action = self._session.time_over
            if action is None:
                return
            self._do(action)

    def _read(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self._to_do.put(partial(self._handle, line))
        self._to_do.put(None)

    def _load(self) -> None:
        """What takes a second to load."""
        from plyout.board.side import Side
        from plyout.kernel import report_compiling_to
        from plyout.knowledge.books.openings import opening_name
        from plyout.progress import report_notes_to

        def note(text: str | None) -> None:
            self.send({"t": "status", "side": 0, "text": text or ""})

        report_compiling_to(note)
        report_notes_to(note)
        self._session.opening_name = opening_name
        self._session.sides = [
            Side(number, self.send, self._ready, partial(self._found, number)) for number in range(SIDES)
        ]

    def _found(self, side: int, job: Any, result: Any) -> None:
        self._to_do.put(partial(self._session.found, side, job, result))

    def _ready(self, job: Any) -> None:
        self._to_do.put(partial(self._session.ready, job))

    def _do(self, action: Callable[[], None]) -> None:
        """Do something; what is wrong with it is told to the page, which may show what was refused."""
        try:
            action()
        except InputError as error:
            self.send({"t": "error", "text": str(error)})
            self._session.tell()
        except Exception as error:  # a page may send anything
            self.send({"t": "error", "text": f"a message could not be understood: {type(error).__name__}"})
            self._session.tell()

    def _handle(self, line: bytes) -> None:
        ((source, content),) = json.loads(line).items()
        commands = OF_THE_SERVER if source == "server" else OF_THE_PAGE
        kind = content.get("t") if isinstance(content, dict) else None
        command = commands.get(kind) if isinstance(kind, str) else None
        if command is None:
            raise InputError(f"no message is called {str(kind)[:40]!r}")
        command(self._session, content)


def main() -> None:
    """Speak with the server on standard input and output; whatever else prints goes to standard error."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.setswitchinterval(_SHARED_EVERY)
    Worker(out.write).run(sys.stdin.buffer)
    os._exit(0)  # searches are not waited for


if __name__ == "__main__":
    main()
