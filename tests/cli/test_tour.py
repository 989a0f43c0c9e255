"""The first minute: the tour, and the greeting of ``plyout`` alone in a terminal."""

import contextlib
import os
import pty
import re
import subprocess
import sys

import pytest

from plyout.cli.greeting import FIRST, IDEAS, greeting
from plyout.cli.sections import SECTIONS
from tests.cli.client import plyout

KNOWN = {name for commands in SECTIONS.values() for name in commands}


def in_a_terminal(*arguments: str, to_a_pipe: bool = False) -> str:
    """What a command writes, its input being a terminal, and its output, too, unless it goes `to_a_pipe`."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "plyout", *arguments],
        stdin=theirs, stdout=subprocess.PIPE if to_a_pipe else theirs, stderr=subprocess.DEVNULL,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    if to_a_pipe:
        return process.communicate(timeout=120)[0].decode()
    found = b""
    with contextlib.suppress(OSError):  # the terminal is gone with the process
        while piece := os.read(ours, 4096):
            found += piece
    os.close(ours)
    assert process.wait(120) == 0
    return found.decode().replace("\r", "")


def test_alone_in_a_terminal_it_greets_with_five_things_to_try() -> None:
    shown = re.sub(r"\x1b\[\d*m", "", in_a_terminal())
    assert shown.startswith("Plyout ")
    assert sum(line.startswith("  ") and "plyout " in line for line in shown.splitlines()) == FIRST


def test_alone_with_a_pipe_behind_it_shows_the_help() -> None:
    assert in_a_terminal(to_a_pipe=True) == plyout("--help").stdout


def test_what_is_proposed_is_there() -> None:
    assert {line.split()[1] for line in IDEAS} <= KNOWN
    assert greeting({"search", "match"}).count("plyout match") == 1
    assert "plyout board" not in greeting({"search", "match"})
    assert max(map(len, re.sub(r"\x1b\[\d*m", "", greeting(KNOWN)).splitlines())) <= 80


def test_the_tour_shows_the_trap_its_refutation_and_what_to_type_next() -> None:
    shown = plyout("tour", "--movetime", "200")
    assert shown.returncode == 0, shown.stderr
    order = ["White has just taken on e5", " 1 ♖ ·", "│ Nxe5", "why not Bxd1", "mated in 2: 1...Bxd1 2.Bxf7+",
             "The end of that line", "certain: ", "plyout play"]  # fmt: skip
    places = [shown.stdout.find(text) for text in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of another kind")
def test_in_a_terminal_the_board_has_colours() -> None:
    shown = in_a_terminal("tour", "--movetime", "50")
    assert "\x1b[1;" in shown
    assert re.search(r"\x1b\[[\d;]*48;", shown), "squares have backgrounds"
    assert "3.Nd5#" in shown
