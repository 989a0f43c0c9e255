"""Lines to the chess program, and the log of both directions."""

import sys
import threading
from typing import IO

from plyout.errors import InputError

_LONGEST_TEXT = 500


class Output:
    """Writes whole lines, from any thread."""

    def __init__(self, output: IO[str] | None = None) -> None:
        self._output = output or sys.stdout
        self._writing = threading.Lock()
        self._log: IO[str] | None = None

    def send(self, line: str) -> None:
        with self._writing:
            self._write_log("< " + line)
            print(line, file=self._output, flush=True)

    def info(self, text: str) -> None:
        """Send an ``info string``: one line for whoever reads along."""
        text = " ".join(text.split())
        self.send("info string " + (text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"))

    def log_input(self, line: str) -> None:
        """Put a line that was received into the log."""
        self._write_log("> " + line)

    def log_to(self, path: str) -> None:
        """Keep a log in this file from now on; none if the path is empty."""
        if self._log:
            self._log.close()
            self._log = None
        if path:
            try:
                self._log = open(path, "a", encoding="utf-8")  # noqa: SIM115  (closed when another is set)
            except (OSError, ValueError) as error:
                raise InputError(f"Debug Log File: {error}") from None

    def _write_log(self, line: str) -> None:
        if self._log:
            try:
                print(line, file=self._log, flush=True)
            except (OSError, ValueError):  # no room on the disk: the game goes on without a log
                self._log = None
