"""Programs that we start: each in a session of its own, and none outlives us where we can help it.

Ctrl-C in a terminal reaches every process of its group. Ours are not in it: a run that is interrupted ends its engines
itself, when it has the results.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

Child = subprocess.Popen[bytes]

_alive: set[Child] = set()


def start(command: Sequence[str], **options: Any) -> Child:
    """Start a program; `end` it when it is not needed any more."""
    process = subprocess.Popen(command, start_new_session=True, bufsize=0, **options)
    _alive.add(process)
    return process


def alive() -> tuple[Child, ...]:
    """The programs that were started and not ended."""
    return tuple(_alive)


def kill(process: Child) -> None:
    """End a program and whatever it has started, by the number of its group, which is its own."""
    if process.poll() is not None:
        return  # its number may be another's by now
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def end(process: Child) -> None:
    """Kill a program, and forget it."""
    kill(process)
    process.wait()
    _alive.discard(process)


def end_all() -> None:
    """Kill all that are left: the last thing before a hurried exit, so nothing is waited for."""
    for process in alive():
        kill(process)


@contextlib.contextmanager
def child(command: Sequence[str], **options: Any) -> Iterator[Child]:
    """A program for the length of a block."""
    process = start(command, **options)
    try:
        yield process
    finally:
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            with contextlib.suppress(OSError):
                pipe.close()
        end(process)
