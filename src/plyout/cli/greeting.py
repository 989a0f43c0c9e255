"""What to try: the greeting of ``plyout`` alone in a terminal, and the end of the tour."""

import shutil
import sys
from collections.abc import Collection
from pathlib import Path

import typer

from plyout import __version__

FIRST = 5
IDEAS = {  # the first five whose commands are there
    "plyout tour": "a guided minute: a trap, and why",
    "plyout play --level 1200": "play against it in the terminal",
    "plyout analyse GAMES.pgn": "your games, every mistake explained",
    "plyout board": "play and analyse in the browser",
    "plyout search --why": "one position, and why this move",
    "plyout presets": "the systems of five papers",
    "plyout match -e plyout -e mcc-combined": "two systems play, for a minute",
}


def names_of(context: typer.Context) -> list[str]:
    """The commands that there are."""
    return list(getattr(context.find_root().command, "commands", ()))


def ideas(commands: Collection[str], leave_out: str = "") -> str:
    """Five things to try with these commands, one a line."""
    found = [line for line in IDEAS if line.split()[1] in commands and line.split()[1] != leave_out][:FIRST]
    lines = [line.replace("plyout", _program(), 1) for line in found]
    widest = max(map(len, lines))
    shown = (typer.style(line.ljust(widest), bold=True) for line in lines)
    return "\n".join(f"  {line}  {IDEAS[idea]}" for line, idea in zip(shown, found, strict=True))


def _program() -> str:
    """What to type for it: its name; or its place below this folder, as of a .venv that is not on the path."""
    beside = Path(sys.executable).parent / "plyout"
    if shutil.which("plyout") is None and beside.exists() and beside.is_relative_to(Path.cwd()):
        return str(beside.relative_to(Path.cwd()))
    return "plyout"


def greeting(commands: Collection[str]) -> str:
    """For somebody who has started the program and waits what happens."""
    return (
        f"Plyout {__version__}: a Monte-Carlo chess engine, and a laboratory for such engines.\n\n"
        f"Five things to try; the first compiles for half a minute, this once:\n\n{ideas(commands)}\n\n"
        f"All commands: {_program()} --help. For chess programs: {_program()} uci."
    )
