"""A session that shows a fault, made as short as it can be: lines are left out as long as the fault stays."""

import time
from collections.abc import Callable, Sequence

from tests.fuzz.uci import Violation
from tests.fuzz.uci.replay import CLOSE, QUIT, Replay


def fault(command: list[str], steps: Sequence[bytes], patience: float) -> tuple[str, list[str]] | None:
    """What goes wrong in a session on its own, with both sides' lines; None if nothing does."""
    replay = Replay(command, patience)
    ends = [step for step in steps if step in (QUIT, CLOSE)]
    try:
        replay.run([step for step in steps if step not in ends])
        if ends:
            replay.end(ends[-1])
    except Violation as violation:
        return str(violation), replay.transcript
    finally:
        replay.engine.close()
    return None


def shrink(steps: list[bytes], fails: Callable[[list[bytes]], bool], seconds: float = 300.0) -> list[bytes]:
    """A part of the steps that still fails, of which no line, or no more that can be found in time, can be left out."""
    end = time.monotonic() + seconds
    size = max(1, len(steps) // 2)
    while time.monotonic() < end:
        at, before = 0, len(steps)
        while at < len(steps) and time.monotonic() < end:
            shorter = steps[:at] + steps[at + size :]
            if shorter and fails(shorter):
                steps = shorter
            else:
                at += size
        if size == 1 and len(steps) == before:
            break
        size = max(1, size // 2)
    return steps
