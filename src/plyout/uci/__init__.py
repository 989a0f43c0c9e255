"""The engine behind UCI, the protocol of chess programs.

`conversation` executes commands; `input` and `parse` read them, `options` are what ``setoption`` can set, `making`
makes the engine that they describe, `info` makes the lines that a search sends, `fallback` finds a move where there
can be no search, `nonstandard` answers the commands that UCI does not have, and `output` writes lines.
"""

import os
import sys

from plyout.uci.conversation import Uci
from plyout.uci.input import read_ahead

__all__ = ["Uci", "main"]


def main(preset: str, level: int | None = None) -> None:
    """Speak UCI on standard input and output; `level` limits the strength from the start."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    uci = Uci(preset, level=level)
    uci.run(read_ahead(sys.stdin.fileno(), uci.output.give_up) if sys.stdin else ())
