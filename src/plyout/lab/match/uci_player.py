"""A UCI program at the board.

Not `chess.engine`: it reads every line that a program writes and follows every variation move by move, which takes
time from the games at hand (`python bench/runner.py` measures both), and it has no say in when a clock stops. Here a
thread reads the program's lines, notes when the move came, and keeps no more than the last that was said.
"""

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque

import chess

from plyout.errors import InputError
from plyout.lab.match.players import Answer, Fault
from plyout.lab.match.timecontrol import Clock

STARTING = 120.0  # seconds to start, or to begin a new game: a preset may have to be compiled
_QUITTING = 1.0
_SPIN = re.compile(r" min (-?\d+) max (-?\d+)")


class UciPlayer:
    """One process of a program, started by `new_game` if it is not running, or no more."""

    def __init__(self, command: tuple[str, ...], settings: dict[str, str], variant: str, seeded: bool = False) -> None:
        self._command, self._settings, self._variant, self._seeded = command, settings, variant, seeded
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[tuple[float, str | None]] = queue.SimpleQueue()
        self._ended = False

    def prepare(self) -> None:
        try:
            self._start()
        except Fault as fault:
            raise InputError(f"{' '.join(self._command)} does not start as a UCI engine: {fault}") from None

    # -- the process --------------------------------------------------------------------------------------------

    def _start(self) -> None:
        try:
            # A session of its own: Ctrl-C is for the runner, and the whole group can be ended.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True, bufsize=0,
            )  # fmt: skip
        except OSError as error:
            raise InputError(f"{self._command[0]} cannot be run: {error.strerror}") from None
        self._answers = queue.SimpleQueue()
        self._info = ""  # the last line that had a score
        self._last_words: deque[str] = deque(maxlen=5)  # what no client asked for: a traceback, say
        self._options: dict[str, tuple[str, str]] = {}
        threading.Thread(target=self._read, args=(self._process, self._answers), daemon=True).start()
        self._send("uci")
        self._wait("uciok", STARTING)
        self._set_up()
        self._send("isready")
        self._wait("readyok", STARTING)

    def _read(self, process: subprocess.Popen[bytes], answers: "queue.SimpleQueue[tuple[float, str | None]]") -> None:
        """The reader's thread: put answers in the queue with the time they came."""
        assert process.stdout is not None
        rest = b""
        while chunk := os.read(process.stdout.fileno(), 65536):
            now = time.perf_counter()
            *lines, rest = (rest + chunk).split(b"\n")
            for raw in lines:
                self._hear(raw, now, answers)
        if rest:
            self._hear(rest, time.perf_counter(), answers)
        answers.put((time.perf_counter(), None))

    def _hear(self, raw: bytes, now: float, answers: "queue.SimpleQueue[tuple[float, str | None]]") -> None:
        if raw.startswith(b"info "):
            first = b" multipv " not in raw or b" multipv 1 " in raw
            if first and b" score " in raw and not raw.startswith(b"info string"):
                self._info = raw.decode("utf-8", "replace")
            return
        line = raw.decode("utf-8", "replace").strip()
        word = line.split(" ", 1)[0]
        if word in ("bestmove", "readyok", "uciok"):
            answers.put((now, line))
        elif word == "option":
            found = re.match(r"option name (.+?) type (\w+)(.*)", line)
            if found:
                self._options[found[1].strip().lower()] = (found[1].strip(), found[2] + found[3])
        elif line and word != "id":
            self._last_words.append(line)

    def _send(self, *lines: str) -> None:
        if self._process is None:
            raise Fault("crash", "it is not running")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines).encode())
        except OSError:
            raise self._crash() from None

    def _wait(self, word: str, seconds: float) -> tuple[float, str]:
        """The next answer that begins so, and when it came; TimeoutError after so long."""
        end = time.perf_counter() + seconds
        while True:
            try:
                when, line = self._answers.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                if word == "bestmove":
                    raise TimeoutError from None
                self._kill()
                raise Fault("stall", f"no {word} within {seconds:g} s") from None
            if line is None:
                raise self._crash()
            if line.split(" ", 1)[0] == word:
                return when, line

    def _crash(self) -> Fault:
        """What to say of a process that has ended."""
        process = self._process
        assert process is not None
        try:
            status = process.wait(_QUITTING)
        except subprocess.TimeoutExpired:  # it has only closed its output
            self._kill()
            status = process.wait()
        self._process = None
        how = f"ended by signal {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        words = f": {' / '.join(self._last_words)}" if self._last_words else ""
        return Fault("crash", how + words)

    def _kill(self) -> None:
        """End the process and whatever it has started, by the number of its group, which is its own."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
            process.wait()

    # -- options ------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        if self._variant == "chess960":
            self._must_offer("UCI_Chess960", "chess960")
            self._send("setoption name UCI_Chess960 value true")
        elif self._variant != "chess":
            self._must_offer("UCI_Variant", self._variant)
            self._send(f"setoption name UCI_Variant value {self._variant}")
        for name, value in self._settings.items():
            self._send("setoption name {} value {}".format(*self._checked(name, value)))

    def _must_offer(self, option: str, variant: str) -> None:
        kind = self._options.get(option.lower(), ("", ""))[1]
        if not kind or (option == "UCI_Variant" and f" var {variant}" not in kind):
            raise InputError(f"{self._command[0]} does not play {variant}")

    def _checked(self, name: str, value: str) -> tuple[str, str]:
        """An option as the program spells it; `InputError` if it has none such or the value is out of range."""
        if name.lower() not in self._options:
            names = ", ".join(name for name, _ in self._options.values())
            raise InputError(f"{self._command[0]} has no option {name!r}: it has {names or 'none'}")
        spelt, kind = self._options[name.lower()]
        if kind.startswith("spin") and (limits := _SPIN.search(kind)):
            low, high = int(limits[1]), int(limits[2])
            if not (re.fullmatch(r"-?\d+", value) and low <= int(value) <= high):
                raise InputError(f"{spelt} must be a whole number between {low} and {high}, not {value!r}")
        if kind.startswith("check"):
            value = {"1": "true", "0": "false"}.get(value, value.lower())
            if value not in ("true", "false"):
                raise InputError(f"{spelt} must be true or false, not {value!r}")
        if kind.startswith("combo") and f" var {value} " not in kind + " ":
            raise InputError(f"{spelt} cannot be {value!r}: it has {', '.join(kind.split(' var ')[1:])}")
        return spelt, value

    # -- playing ------------------------------------------------------------------------------------------------

    def new_game(self, seed: int) -> None:
        if self._process is not None and self._process.poll() is not None:
            self._process = None
        if self._process is None and not self._ended:
            try:
                self._start()
            except InputError as error:  # the program was there when the match began
                raise Fault("crash", str(error)) from None
        if self._seeded:
            self._send(f"setoption name Seed value {seed + int(self._settings.get('Seed', '1'))}")
        self._send("ucinewgame", "isready")
        self._wait("readyok", STARTING)

    def go(self, board: chess.Board, mine: Clock, other: Clock, margin: float, patience: float) -> Answer:
        # What was said unasked comes before this answer: a second move for the last position does not count for this.
        self._send(_position(board, self._variant), "isready")
        self._wait("readyok", patience)
        self._info = ""
        command = _go(board.turn, mine, other)
        began = time.perf_counter()
        self._send(command)
        budget = mine.budget
        try:
            when, line = self._wait("bestmove", patience if budget is None else budget + margin)
        except TimeoutError:
            when, line = self._late(patience, budget is not None)
        move = line.split()[1] if " " in line else ""
        return Answer(move, when - began, *_thoughts(self._info))

    def _late(self, patience: float, timed: bool) -> tuple[float, str]:
        """Its time is up. One that still answers has lost on time; one that does not has stalled, and is ended."""
        self._send("stop")
        try:
            answer = self._wait("bestmove", patience)
        except TimeoutError:
            self._kill()
            raise Fault("stall", "no move, and no answer to 'stop': the process was ended") from None
        if not timed:
            raise Fault("stall", f"no move in {patience:g} s but when told to stop: it may not know 'go nodes'")
        return answer

    def stop(self) -> None:
        self._ended = True
        process = self._process
        if process is not None:
            _end(process)

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(Fault, subprocess.TimeoutExpired):
            self._send("quit")
            process.wait(_QUITTING)
        self._kill()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return  # its number may be another's by now
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _position(board: chess.Board, variant: str) -> str:
    root = board.root()
    start = "startpos" if variant != "chess960" and root.fen() == type(root)().fen() else f"fen {root.fen()}"
    moves = " ".join(move.uci() for move in board.move_stack)
    return f"position {start} moves {moves}" if moves else f"position {start}"


def _go(turn: chess.Color, mine: Clock, other: Clock) -> str:
    words = ["go"]
    if mine.left is not None:
        theirs = other if other.left is not None else mine
        white, black = (mine, theirs) if turn else (theirs, mine)
        for name, clock in (("w", white), ("b", black)):
            words += [f"{name}time {max(1, int(1000 * (clock.left or 0.0)))}"]
            words += [f"{name}inc {int(1000 * clock.control.increment)}"]
        words += [f"movestogo {mine.moves_to_go}"] if mine.moves_to_go else []
    if mine.control.movetime is not None:
        words.append(f"movetime {max(1, int(1000 * mine.control.movetime))}")
    if mine.control.nodes is not None:
        words.append(f"nodes {mine.control.nodes}")
    return " ".join(words)


def _thoughts(info: str) -> tuple[int | None, int | None, int | None]:
    """(centipawns, mate, depth) of an ``info`` line."""
    score = re.search(r" score (cp|mate) (-?\d+)", info)
    depth = re.search(r" depth (\d+)", info)
    cp = int(score[2]) if score and score[1] == "cp" else None
    mate = int(score[2]) if score and score[1] == "mate" else None
    return cp, mate, int(depth[1]) if depth else None
