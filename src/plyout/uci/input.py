"""Lines from the chess program, read ahead in a thread of their own.

So ``quit``, or the end of the input, is seen even while the engine waits for somebody to read what it says: it need not
wait for ever.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator

_CHUNK = 1 << 16
_LINES = 10_000  # that may wait
_LOOK = 0.5  # seconds


def read_ahead(file: int, on_end: Callable[[], None]) -> Iterator[bytes]:
    """The lines of an open file, up to ``quit``; from there on, or from their end, `on_end` is called now and then."""
    waiting: queue.Queue[bytes | OSError | None] = queue.Queue(_LINES)

    def read() -> None:
        for item in _lines(file):
            waiting.put(item)
            if isinstance(item, OSError) or item.split()[:1] == [b"quit"]:
                break
        threading.Thread(target=end, daemon=True).start()
        waiting.put(None)

    def end() -> None:
        while True:
            time.sleep(_LOOK)
            on_end()

    threading.Thread(target=read, daemon=True).start()
    while (item := waiting.get()) is not None:
        if isinstance(item, OSError):
            raise item
        yield item


def _lines(file: int) -> Iterator[bytes | OSError]:
    """Whole lines, and what stands after the last one; an error, at which nothing more can be read."""
    begun: list[bytes] = []
    while True:
        try:
            chunk = os.read(file, _CHUNK)
        except OSError as error:
            yield error
            return
        first, *rest = chunk.split(b"\n")
        begun.append(first)
        for piece in rest:
            yield b"".join(begun)
            begun = [piece]
        if not chunk:
            break
    if any(begun):
        yield b"".join(begun)
