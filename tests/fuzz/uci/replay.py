"""Speak a session to a process of the engine and judge what it answers.

A step of a session is a line, or a mark that is not sent: WAIT for the move of a search that ends by itself, SYNC with
the engine by ``isready``, NAP a few milliseconds, QUIT or CLOSE its input at the end.
"""

import contextlib
import os
import queue
import resource
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.uci import Violation, said
from tests.fuzz.uci.judge import LIMITED
from tests.fuzz.uci.protocol import Model

WAIT, SYNC, NAP, QUIT, CLOSE = b"#wait", b"#sync", b"#nap", b"#quit", b"#close"
LANDMARK = "8/8/8/8/8/4k3/8/R3K3 b - - 0 1"  # a position that the grammar does not make
SETTLED = (
    b"stop", b"setoption name UCI_Variant value chess", b"setoption name UCI_Chess960 value false",
    b"setoption name MultiPV value 1", f"position fen {LANDMARK}".encode(), b"d",
)  # fmt: skip
PATIENCE = 20.0  # seconds without the answer that is due make an engine mute
_COMPILING = 600.0  # seconds, while it says that it compiles
_ADDRESS_SPACE = 6 << 30  # bytes: a Hash at its maximum must fail, and not the machine
_COUNTED = {"info string", "info of a search", "bestmove", "readyok", "uciok", "option", "id", "Fen:"}
_BESIDE_HASH_MB = 700  # of memory: the program itself, kernels of several presets, threads, tables


class Engine:
    """A process, with what it says in a queue; its standard error counts as its answer, too."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE)),
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            self._lines.put(raw)
        self._lines.put(None)

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Violation(f"the engine has ended, status {self.process.wait()}") from None

    def next(self, seconds: float) -> str | None:
        """The next line, or None at the end; `queue.Empty` if there is none in time."""
        raw = self._lines.get(timeout=max(0.0, seconds))
        if raw is None:
            return None
        try:
            return raw.decode("utf-8").rstrip("\n")
        except UnicodeDecodeError:
            raise Violation(f"not UTF-8: {raw[:200]!r}") from None

    def resident_mb(self) -> float:
        text = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()


class Replay:
    """One life of an engine: `run` sessions, then `end` it."""

    def __init__(self, command: list[str], patience: float = PATIENCE, helpers: bool = False) -> None:
        # Each set of options that was never seen would start helpers that look for kernels to compile, and find none.
        self.engine = Engine(command, {} if helpers else {"PLYOUT_COMPILE_PROCESSES": "1"})
        self.model = Model()
        self.patience = patience
        self.counts: Counter[str] = Counter()
        self.transcript: list[str] = []  # the last lines, of both sides
        self.peak_mb = 0.0
        self._unsent: list[bytes] = []
        self._heard: list[str] = []  # since it was last judged
        self._moves = 0  # among them
        self._readyoks = 0

    def run(self, steps: list[bytes]) -> None:
        """A session; at its end everything is answered."""
        for step in steps:
            self._step(step)
        self._finish()
        self.counts["sessions"] += 1
        self._check_memory()

    def end(self, how: bytes = QUIT) -> None:
        """End the process as a chess program does: it must go at once, whatever it does."""
        if how == QUIT:
            self._send(b"quit")
            self._flush()
        else:
            self._flush()
            assert self.engine.process.stdin is not None
            self.engine.process.stdin.close()
        try:
            while (line := self.engine.next(self.patience)) is not None:
                self._note("< " + line)
                self._heard.append(line)
            status = self.engine.process.wait(self.patience)
        except (queue.Empty, subprocess.TimeoutExpired):
            raise Violation(f"the engine goes on {self.patience:g} s after its end") from None
        if status != 0:
            raise Violation(f"the engine has ended with status {status}")
        self.model.end()
        self.model.answered(self._taken(), complete=False)

    def _step(self, step: bytes) -> None:
        if step == WAIT:
            if self.model.search is not None and self.model.search.kind == LIMITED:
                self._finish()
        elif step == SYNC:
            self._sync()
        elif step.startswith(NAP):
            self._flush()
            time.sleep(int(step.split()[1]) / 1000)
        else:
            if self.model.wants_quiet(step):
                self._finish()
            self._send(step)
            if self.model.must_settle:
                self._settle()
            elif self.model.must_ask:
                self._sync()

    def _send(self, line: bytes) -> None:
        self._unsent.append(line + b"\n")
        self._note("> " + line[:2000].decode("latin-1").encode("unicode_escape").decode())
        self.counts["lines"] += 1
        self.model.hear(line)

    def _flush(self) -> None:
        if self._unsent:
            self.engine.write(b"".join(self._unsent))
            self._unsent.clear()

    def _note(self, line: str) -> None:
        self.transcript.append(line)
        if len(self.transcript) > 4000:
            del self.transcript[:2000]

    def _settle(self) -> None:
        """After a line of which nobody knows what it does: stop it, and make the state known again."""
        for line in SETTLED:
            self._send(line)
        self._flush()
        self._hear_until(lambda: self._heard[-1:] == [f"Fen: {LANDMARK}"])
        heard = self._taken()
        for line in heard:
            if said.is_of_search(line):
                said.read_info(line)
            elif not said.BESTMOVE.fullmatch(line):
                said.check(line)
        if sum(line.startswith("bestmove") for line in heard) > 1:
            raise Violation("two moves for one line")
        self.model.forget()

    def _finish(self) -> None:
        """The end of all searches, judged."""
        search = self.model.search
        if search is not None:
            if search.kind == LIMITED and not self.model.in_doubt:
                self._flush()
                self._hear_until(lambda: self._moves > self.model.moves_due)
            else:
                self._send(b"stop")
        self._sync()

    def _sync(self) -> None:
        """Wait for all answers that are due, and judge them."""
        if self.model.in_doubt:
            self._send(b"stop")
        if self.model.search is None and (self.model.must_ask or len(self.model.positions) > 1):
            self._send(b"d")
        self._send(b"isready")
        self._flush()
        readyoks, due = self.model.readyoks, self.model.moves_due
        self._hear_until(lambda: self._readyoks >= readyoks and self._moves >= due)
        self.model.answered(self._taken(), complete=True)
        for judged in self.model.judged:
            self.counts.update(judged.counts)
            self.counts[f"searches, {judged.kind}"] += 1
        self.model.judged.clear()

    def _hear_until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + self.patience
        while not done():
            try:
                line = self.engine.next(end - time.monotonic())
            except queue.Empty:
                raise Violation(f"mute for {self.patience:g} s: {self._due()}") from None
            if line is None:
                raise Violation(f"the engine has ended, status {self.engine.process.wait()}")
            if line.startswith("info string compiling") or "endgame tables" in line:
                end = max(end, time.monotonic() + min(_COMPILING, 10 * self.patience))
            self._take(line)

    def _due(self) -> str:
        missing = self.model.readyoks - self._readyoks
        return f"{missing} readyok" if missing > 0 else "bestmove after " + repr(self.model.searches[0].line[:200])

    def _take(self, line: str) -> None:
        self._note("< " + line)
        self._heard.append(line)
        if line.startswith("bestmove"):
            self._moves += 1
        elif line == "readyok":
            self._readyoks += 1

    def _taken(self) -> list[str]:
        """What was heard since it was last judged."""
        heard, self._heard, self._moves, self._readyoks = self._heard, [], 0, 0
        self._count(heard)
        return heard

    def _count(self, lines: list[str]) -> None:
        for line in lines:
            word = line.split(" ", 1)[0]
            if word == "info":
                word = "info string" if line.startswith("info string ") else "info of a search"
            self.counts["said: " + (word if word in _COUNTED else "other")] += 1

    def _check_memory(self) -> None:
        now = self.engine.resident_mb()
        self.peak_mb = max(self.peak_mb, now)
        if now > self.model.hash_mb + _BESIDE_HASH_MB:
            raise Violation(f"{now:.0f} MB of memory with at most {self.model.hash_mb} MB of Hash")
