"""A conversation with the engine's process, line by line, with the time of every answer."""

import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import tests.conftest  # noqa: F401  (the engine finds the endgame tables of the tests, and no others)

MOVE = r"(?:[a-h][1-8][a-h][1-8][qrbn]?|[PNBRQ]@[a-h][1-8])"
_SCORE = r"score (?:cp -?\d+|mate -?\d+)"
_COUNTS = r"nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+"
LEGAL_LINE = re.compile(
    r"id (?:name|author) \S.*"
    r"|option name \S.* type (?:check|spin|combo|string)(?: .*)?"
    r"|uciok|readyok"
    rf"|bestmove (?:0000|{MOVE}(?: ponder {MOVE})?)"
    rf"|info depth \d+ seldepth \d+ multipv \d+ {_SCORE}(?: wdl \d+ \d+ \d+)? {_COUNTS} pv(?: {MOVE})+"
    r"|info depth 0 score (?:mate 0|cp 0)"
    rf"|info currmove {MOVE} currmovenumber \d+"
    r"|info string \S.{0,1000}"
    # not in the protocol: d, perft and bench
    rf"|(?:[.a-zA-Z] ){{7}}[.a-zA-Z]|Fen: \S.*|{MOVE}: \d+|Nodes searched: \d+|Nodes/second: \d+|"
)


def is_legal(line: str) -> bool:
    """Whether such a line belongs to the protocol, or answers a command beyond it."""
    return LEGAL_LINE.fullmatch(line) is not None


class CompilerGate:
    """An environment for processes in which the import of the compiler waits until the gate is opened."""

    def __init__(self, folder: Path) -> None:
        self._opened, self._reached = folder / "opened", folder / "reached"
        (folder / "sitecustomize.py").write_text(f"""
import pathlib, sys, time

class Gate:
    def find_spec(self, name, path=None, target=None):
        if name in ("numba", "llvmlite"):
            pathlib.Path({str(self._reached)!r}).touch()
            while not pathlib.Path({str(self._opened)!r}).exists():
                time.sleep(0.01)
        return None

sys.meta_path.insert(0, Gate())
""")
        path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
        self.environment = os.environ | {"PYTHONPATH": path}

    def open(self) -> None:
        self._opened.touch()

    def was_reached(self) -> bool:
        return self._reached.exists()


class Talk:
    """A process of the engine. What it writes to standard error counts as its answer, too: a traceback is no UCI."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyout", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        self.changed: set[str] = set()  # options that were set
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            self._lines.put((time.perf_counter(), raw.decode("utf-8").rstrip("\n")))
        self._lines.put((time.perf_counter(), None))

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *lines: str) -> None:
        for line in lines:
            if found := re.match(r"setoption name (.+) value", line):
                self.changed.add(found[1])
        self.write("".join(line + "\n" for line in lines).encode())

    def timed_until(self, wanted: Callable[[str], bool] | str, seconds: float = 20.0) -> list[tuple[float, str]]:
        """What is said up to the wanted line (or one that begins so), with the times by `time.perf_counter`."""
        fits = wanted if callable(wanted) else lambda line: line.split(" ")[0] == wanted
        heard: list[tuple[float, str]] = []
        end = time.perf_counter() + seconds
        while True:
            try:
                when, line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                raise AssertionError(f"no {wanted!r} within {seconds} s, but {heard[-20:]!r}") from None
            if line is None:
                raise AssertionError(f"the engine has ended: {[text for _, text in heard][-20:]!r}")
            heard.append((when, line))
            if fits(line):
                return heard

    def until(self, wanted: Callable[[str], bool] | str, seconds: float = 20.0) -> list[str]:
        return [line for _, line in self.timed_until(wanted, seconds)]

    def heard_within(self, seconds: float) -> list[str]:
        """What is said in so much time."""
        time.sleep(seconds)
        heard = []
        while not self._lines.empty():
            line = self._lines.get()[1]
            assert line is not None, "the engine has ended"
            heard.append(line)
        return heard

    def ask(self, *lines: str) -> list[str]:
        """Everything that is answered to some lines, but for news of compiling; no search is waited for."""
        self.send(*lines, "isready")
        return without_compiling(self.until("readyok"))[:-1]

    def ready(self) -> None:
        """Wait until all is compiled."""
        self.send("isready")
        self.until("readyok", 300)

    def go(self, what: str, seconds: float = 20.0) -> list[str]:
        """The answer to ``go``, up to the move; there must be only one."""
        self.send(f"go {what}")
        answer = without_compiling(self.until("bestmove", seconds))
        assert self.ask() == [], "nothing may follow the move"
        return answer

    def fen(self) -> str:
        return next(line for line in self.ask("d") if line.startswith("Fen: ")).removeprefix("Fen: ")

    def close(self) -> int:
        """End it as a chess program does; the exit status."""
        if self.process.poll() is None:
            try:
                self.send("quit")
                self.process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
        return self.process.wait()


def without_compiling(lines: list[str]) -> list[str]:
    """The lines without news of what is being made on first use."""
    return [line for line in lines if not re.match("info string compiling|info string .* endgame tables", line)]


def moves_of(lines: list[str]) -> str:
    """The move that was told."""
    assert lines[-1].startswith("bestmove ")
    return lines[-1].split()[1]


def ranks(lines: list[str]) -> list[tuple[int, str]]:
    """Rank and first move of the last report."""
    found: list[tuple[int, str]] = []
    for line in lines:
        if m := re.search(r" multipv (\d+) .* pv (\S+)", line):
            if m[1] == "1":
                found.clear()
            found.append((int(m[1]), m[2]))
    return found


def moves_and_counts(lines: list[str]) -> list[str]:
    """A search without what differs from one run to the next."""
    return [re.sub(r"(nps|time) \d+", r"\1 *", line) for line in lines]


def stop_latencies(talk: Talk, count: int) -> list[float]:
    """Seconds from ``stop`` to ``bestmove``, so many times, after searches of different lengths."""
    found = []
    for number in range(count):
        talk.send("go infinite")
        time.sleep(0.005 * (number % 8))
        began = time.perf_counter()
        talk.send("stop")
        found.append(talk.timed_until("bestmove")[-1][0] - began)
    return found


def ready_latencies(talk: Talk, count: int) -> list[float]:
    """Seconds from ``isready`` to ``readyok`` during one search, so many times."""
    talk.send("go infinite")
    found = []
    for number in range(count):
        time.sleep(0.001 * (number % 8))
        began = time.perf_counter()
        talk.send("isready")
        found.append(talk.timed_until("readyok")[-1][0] - began)
    talk.send("stop")
    talk.until("bestmove")
    return found


def piped(text: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A whole conversation at once."""
    return subprocess.run(
        [sys.executable, "-m", "plyout", *arguments],
        input=text, capture_output=True, text=True, timeout=120, env=os.environ | environment,
    )  # fmt: skip


class Heard:
    """The standard output of an engine in this process, as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._begun = ""

    def write(self, text: str) -> int:
        *whole, self._begun = (self._begun + text).split("\n")
        self.lines += whole
        return len(text)

    def flush(self) -> None:
        pass
