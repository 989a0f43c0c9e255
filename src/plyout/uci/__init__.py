"""The engine behind UCI, the protocol of chess programs.

`conversation` executes commands; `parse` reads their arguments, `options` are what ``setoption`` can set, `info` makes
the lines that a search sends, `nonstandard` answers the commands that UCI does not have, and `output` writes lines.
"""

import sys

from plyout.uci.conversation import Uci

__all__ = ["Uci", "main"]


def main(preset: str) -> None:
    """Speak UCI on standard input and output."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    Uci(preset).run(sys.stdin.buffer)
