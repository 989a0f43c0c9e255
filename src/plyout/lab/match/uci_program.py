"""A UCI program as a process: started, asked, heard, ended.

Not `chess.engine`: it reads every line that a program writes and follows every variation move by move, which takes
time from the games at hand (`python bench/runner.py` measures both), and it has no say in when a clock stops. Here a
thread reads the program's lines, notes when the move came, and keeps no more than the last that was said.
"""

import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque

from plyout.errors import InputError
from plyout.lab import children
from plyout.lab.match.players import Fault

FIRST_WORD = 10.0  # seconds until a program must have said something in UCI: even ours answers before it compiles
STARTING = 120.0  # seconds to start, or to begin a new game: a preset may have to be compiled
_QUITTING = 1.0
_ANSWERS = ("bestmove", "readyok", "uciok")
_SHOWN = 80  # characters of what a program says that are told


class UciProgram:
    """A program that runs. `greet` comes first; whatever goes wrong is a `Fault`."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.command = command
        try:
            self._process = children.start(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        except (OSError, ValueError) as error:  # a null character in the command is a ValueError
            why = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"{command[0]} cannot be run: {why}") from None
        self.name = ""  # as it calls itself
        self.info = ""  # the last line that had a score
        self.options: dict[str, tuple[str, str]] = {}  # by name in small letters: its spelling, and its type
        self._answers: queue.SimpleQueue[tuple[float, str | None]] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=5)  # what no client asked for: a traceback, say
        self._speaks = threading.Event()  # it has said something in UCI, or ended
        threading.Thread(target=self._read, daemon=True).start()

    def greet(self) -> None:
        """See that it speaks UCI, and what options it has."""
        self.send("uci")
        if not self._speaks.wait(FIRST_WORD):
            self.end()
            raise Fault("stall", f"no answer to 'uci' within {FIRST_WORD:g} s{self._instead()}")
        self.wait("uciok", STARTING)

    def alive(self) -> bool:
        return self._process.poll() is None

    def _read(self) -> None:
        """The reader's thread: put answers in the queue with the time they came."""
        assert self._process.stdout is not None
        rest = b""
        while chunk := os.read(self._process.stdout.fileno(), 65536):
            now = time.perf_counter()
            *lines, rest = (rest + chunk).split(b"\n")
            for raw in lines:
                self._hear(raw, now)
        if rest:
            self._hear(rest, time.perf_counter())
        self._answers.put((time.perf_counter(), None))
        self._speaks.set()

    def _hear(self, raw: bytes, now: float) -> None:
        if raw.startswith(b"info "):
            first = b" multipv " not in raw or b" multipv 1 " in raw
            if first and b" score " in raw and not raw.startswith(b"info string"):
                self.info = raw.decode("utf-8", "replace")
            if not self._speaks.is_set():
                self._speaks.set()
            return
        line = raw.decode("utf-8", "replace").strip()
        word = line.split(" ", 1)[0]
        if word in _ANSWERS:
            self._answers.put((now, line))
        elif word == "option":
            found = re.match(r"option name (.+?) type (\w+)(.*)", line)
            if found:
                self.options[found[1].strip().lower()] = (found[1].strip(), found[2] + found[3])
        elif word == "id":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
        else:
            if line:
                self._last_words.append(line)
            return
        self._speaks.set()

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines).encode("utf-8", "replace"))
        except (OSError, ValueError):  # ValueError: we have closed it
            raise self.crash() from None

    def wait(self, word: str, seconds: float) -> tuple[float, str]:
        """The next answer that begins so, and when it came; after so long TimeoutError for a move, else `Fault`."""
        end = time.perf_counter() + seconds
        while True:
            try:
                when, line = self._answers.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                if word == "bestmove":
                    raise TimeoutError from None
                self.end()
                raise Fault("stall", f"no {word} within {seconds:g} s{self._instead()}") from None
            if line is None:
                raise self.crash()
            if line.split(" ", 1)[0] == word:
                return when, line

    def _instead(self) -> str:
        return f"; it said {self._last_words[-1][:_SHOWN]!r}" if self._last_words else ""

    def crash(self) -> Fault:
        """What to say of a process that has ended."""
        try:
            status = self._process.wait(_QUITTING)
        except subprocess.TimeoutExpired:  # it has only closed its output
            status = -signal.SIGKILL
        self.end()
        how = f"ended by {_signal_name(-status)}" if status < 0 else f"ended with status {status}"
        words = f": {' / '.join(self._last_words)}" if self._last_words else ""
        return Fault("crash", how + words)

    def stop(self) -> None:
        """End it, from any thread: whoever waits for an answer hears that it has ended."""
        children.kill(self._process)

    def quit(self) -> None:
        """Ask it to go, and see to it."""
        try:
            self.send("quit")
            self._process.wait(_QUITTING)
        except (Fault, subprocess.TimeoutExpired):
            pass
        self.end()

    def end(self) -> None:
        """It is gone, however it takes that."""
        children.end(self._process)
        if self._process.stdin is not None:
            self._process.stdin.close()


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:  # a real-time signal has no name
        return f"signal {number}"
