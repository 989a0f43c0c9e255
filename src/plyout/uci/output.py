"""Lines to the chess program, and the log of both directions."""

import errno
import os
import sys
import threading
import time
from contextlib import suppress
from typing import IO, NoReturn

from plyout.errors import InputError

_LONGEST_TEXT = 500
_PATIENCE = 3.0  # seconds that a reader may take for a line after it has said its last
_READER_GONE = 141  # what the shell reports of a SIGPIPE


class Output:
    """Writes whole lines, from any thread. When nobody can read them any more, the process ends."""

    def __init__(self, output: IO[str] | None = None) -> None:
        self._output = output or sys.stdout
        self._writing = threading.Lock()
        self._log: IO[str] | None = None
        self._since: float | None = None  # when the line that is being written was begun

    def send(self, line: str) -> None:
        with self._writing:
            self._write_log("< " + line)
            self._since = time.monotonic()
            try:
                print(line, file=self._output, flush=True)
            except (OSError, ValueError) as error:
                _leave(error)
            self._since = None

    def give_up(self) -> None:
        """Nobody will say anything more: end the process if nobody has read anything either for some time."""
        since = self._since
        if since is not None and time.monotonic() - since > _PATIENCE:
            os._exit(_READER_GONE)

    def info(self, text: str) -> None:
        """Send an ``info string``: one line for whoever reads along."""
        text = " ".join(text.split())
        self.send("info string " + (text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"))

    def log_input(self, line: str) -> None:
        """Put a line that was received into the log."""
        with self._writing:
            self._write_log("> " + line)

    def log_to(self, path: str) -> None:
        """Keep a log in this file from now on; none if the path is empty."""
        with self._writing:
            self._end_log()
            if path:
                try:
                    self._log = _opened(path)
                except (OSError, ValueError) as error:
                    raise InputError(f"Debug Log File: {error}: going on without") from None

    def _write_log(self, line: str) -> None:
        if self._log:
            try:
                print(line, file=self._log, flush=True)
            except (OSError, ValueError):  # no room on the disk: the game goes on without a log
                self._end_log()

    def _end_log(self) -> None:
        log, self._log = self._log, None
        with suppress(OSError, ValueError):
            if log:
                log.close()


def _opened(path: str) -> IO[str]:
    """A log, without waiting for anybody: it may be a pipe that nobody reads."""

    def opener(path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)

    return open(path, "a", encoding="utf-8", errors="backslashreplace", opener=opener)


def _leave(error: Exception) -> NoReturn:
    """End the process: others of its threads may be waiting for input that does not come."""
    gone = isinstance(error, BrokenPipeError | ValueError) or getattr(error, "errno", None) == errno.EPIPE
    if not gone:
        with suppress(OSError, ValueError):
            print(f"plyout: the output cannot be written: {error}", file=sys.stderr, flush=True)
    os._exit(_READER_GONE if gone else 1)
