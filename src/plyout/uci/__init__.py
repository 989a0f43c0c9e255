"""The engine spoken to in UCI, the protocol of chess programs.

`conversation` obeys commands; `parse` understands them, `options` are what can be set, `info` and `people` are what is
answered to programs and to people, and `voice` is how.
"""

import sys

from plyout.uci.conversation import Uci

__all__ = ["Uci", "main"]


def main(preset: str) -> None:
    """Speak UCI on standard input and output."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    Uci(preset).run(sys.stdin.buffer)
