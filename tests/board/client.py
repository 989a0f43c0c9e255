"""A server, and the process of a page, as tests speak with them."""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from tests.conftest import ROOT

PATIENCE = 180.0  # seconds, of which kernels may take most on their first use


class Process:
    """The process of a page."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "plyout.board.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)

    def raw(self, line: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def send(self, kind: str, source: str = "page", **content: Any) -> None:
        self.raw(json.dumps({source: {"t": kind, **content}}).encode())

    def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that `fits`."""
        end = time.monotonic() + PATIENCE
        while True:
            message: dict[str, Any] = json.loads(self._lines.get(timeout=max(end - time.monotonic(), 0.1)))
            self.seen.append(message)
            if fits(message):
                return message

    def state(self, fits: Callable[[dict[str, Any]], bool] = lambda s: True) -> dict[str, Any]:
        return self.until(lambda m: m["t"] == "state" and fits(m))

    def close(self) -> int:
        """End its input; how it ends."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            return self._process.wait(20)
        finally:
            self._process.kill()


class Server:
    """``plyout board`` as a user starts it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "plyout", "board", "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.split("/")[2].rpartition(":")[2])
        self.token = self.address.split("/")[3]
        self.errors: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr
        self.errors += self.process.stderr

    def close(self) -> int:
        """Ctrl-C; how it ends."""
        self.process.send_signal(2)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
