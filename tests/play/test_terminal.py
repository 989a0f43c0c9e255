"""A game on a real terminal: completion, colours, Ctrl-C, Ctrl-D, a flag that falls, a terminal that is closed."""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
PATIENCE = 120.0  # seconds, for a machine that is busy
CONTROL_C, CONTROL_D, TAB = b"\x03", b"\x04", b"\t"


class Terminal:
    """A program on a pseudo-terminal of its own."""

    def __init__(self, folder: Path, *words: str, **environment: str) -> None:
        process, self._file = pty.fork()
        if process == 0:
            os.chdir(folder)
            home = {"PYTHONPATH": f"{ROOT}/src:{ROOT}", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "50"}
            os.execve(sys.executable, [sys.executable, *words], os.environ | home | environment)
        self._process, self.seen, self._read = process, "", 0
        self._code: int | None = None

    def until(self, text: str) -> str:
        """Wait until it says something that it has not said before; what it said up to there."""
        end = time.monotonic() + PATIENCE
        while (at := self.seen.find(text, self._read)) < 0:
            assert time.monotonic() < end and self._more(), f"{text!r} never came: {self.seen[self._read :]!r}"
        said, self._read = self.seen[self._read : at + len(text)], at + len(text)
        return said

    def _more(self) -> bool:
        if select.select([self._file], [], [], 1.0)[0]:
            try:
                chunk = os.read(self._file, 1 << 16)
            except OSError:  # Linux says so when the program has ended
                return False
            self.seen += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
            return bool(chunk)
        return True

    def type(self, keys: bytes) -> None:
        os.write(self._file, keys)

    def press(self, key: bytes) -> None:
        """Type a key, and again if nothing comes of it: readline sleeps through a signal that comes just before it
        waits for a key."""
        for _ in range(10):
            before = len(self.seen)
            self.type(key)
            for _ in range(5):
                if not self._more() or self.seen[before:].count("\n"):
                    return

    def code(self) -> int:
        """How it ended, after it has said everything."""
        end = time.monotonic() + PATIENCE
        while self._code is None:
            assert time.monotonic() < end, f"it goes on: {self.seen!r}"
            if not self._more():
                time.sleep(0.01)
            self._wait(os.WNOHANG)
        return self._code

    def _wait(self, how: int) -> None:
        process, status = os.waitpid(self._process, how)
        if process:
            self._code = os.waitstatus_to_exitcode(status)

    def hang_up(self) -> None:
        os.close(self._file)
        self._file = -1
        self._wait(0)

    def close(self) -> None:
        if self._code is None:
            os.kill(self._process, signal.SIGKILL)
            self._wait(0)
        with contextlib.suppress(OSError):
            os.close(self._file)


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path, "-m", "tests.play.scripted", "-", "e5", "Nc6")
    yield terminal
    terminal.close()


def kept(folder: Path) -> str:
    (file,) = folder.glob("*.pgn")
    return file.read_text().rpartition("\n\n")[0].rpartition("\n\n")[2]


def test_moves_are_completed_and_the_board_has_colours(scripted: Terminal, tmp_path: Path) -> None:
    start = scripted.until("\n1. ")
    assert "\x1b[1;38;5;" in start and "48;5;" in start, "coloured pieces on coloured squares"
    scripted.type(b"e4\n")
    scripted.until("Script plays 1...e5")
    scripted.until("\n2. ")
    scripted.type(b"nf" + TAB + b"\n")
    scripted.until("Nf3")
    scripted.until("Script plays 2...Nc6")
    scripted.until("\n3. ")
    scripted.type(b"qu" + TAB + b"\n")
    scripted.until("the game is saved: ")
    assert scripted.code() == 0
    assert kept(tmp_path) == "1. e4 e5 2. Nf3 Nc6 *"


@pytest.mark.parametrize(("key", "code"), [(CONTROL_C, 130), (CONTROL_D, 0)])
def test_a_key_that_ends_programs_saves_the_game(scripted: Terminal, tmp_path: Path, key: bytes, code: int) -> None:
    scripted.until("\n1. ")
    scripted.type(b"e4\n")
    scripted.until("\n2. ")
    scripted.press(key)
    assert "the game is saved: " in scripted.until(".pgn")
    assert scripted.code() == code
    assert "Traceback" not in scripted.seen
    assert kept(tmp_path) == "1. e4 e5 *"


def test_a_key_that_ends_programs_leaves_no_file_before_the_first_move(scripted: Terminal, tmp_path: Path) -> None:
    scripted.until("\n1. ")
    scripted.press(CONTROL_C)
    assert scripted.code() == 130
    assert "saved" not in scripted.seen and not list(tmp_path.iterdir())


def test_a_terminal_that_is_closed_does_not_cost_the_game(scripted: Terminal, tmp_path: Path) -> None:
    scripted.until("\n1. ")
    scripted.type(b"e4\n")
    scripted.until("\n2. ")
    scripted.hang_up()
    assert kept(tmp_path) == "1. e4 e5 *"


def test_a_flag_falls_at_the_prompt(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-m", "tests.play.scripted", "0.02", "e5")
    terminal.until("\n1. ")
    terminal.type(b"half a li")
    terminal.until("White's flag has fallen: Black wins (0-1).")
    terminal.until("\n> ")
    terminal.type(b"quit\n")
    assert terminal.code() == 0
    terminal.close()


def test_without_colours_and_pictures_there_are_letters(tmp_path: Path) -> None:
    bare = {"TERM": "dumb", "LC_ALL": "C", "PYTHONUTF8": "0"}
    terminal = Terminal(tmp_path, "-m", "plyout", "play", "--level", "500", "--seed", "1", **bare)
    start = terminal.until("\n1. ")
    assert " 8 r n b q k b n r   Plyout, level 500\n 7 p p p p p p p p\n 6 . . . . . . . .\n" in start
    terminal.type(b"e4\n")
    terminal.until("Plyout, level 500 plays 1...")
    terminal.until("\n2. ")
    assert terminal.seen.isascii() and "\x1b[" not in terminal.seen, "nothing that such a terminal would not know"
    terminal.type(CONTROL_D)
    assert terminal.code() == 0
    assert kept(tmp_path).startswith("1. e4 ")
    terminal.close()
