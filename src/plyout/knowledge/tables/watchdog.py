"""A limit of time for what code that is not ours computes in Python from a file that may be damaged."""

import ctypes
import threading
import time
from types import TracebackType

_IDLE = 10.0  # seconds after which the thread that looks at the clock ends
_ENOUGH = 1_000_000  # steps in which an error that is on its way has arrived


class Watchdog:
    """``with watchdog: …`` raises a `TimeoutError` inside if that takes longer than so many seconds; one at a time.

    A second thread looks at the clock. Only plain Python can be ended like this: what never returns from C cannot.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._watched = 0  # the thread that is at work, or 0
        self._began = 0.0
        self._ended = False
        self._watcher: threading.Thread | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._watched, self._began, self._ended = threading.get_ident(), time.monotonic(), False
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._watcher.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._watched = 0
            on_its_way = self._ended and kind is not TimeoutError
        if on_its_way:  # it must not arrive any later than here
            for _ in range(_ENOUGH):
                pass

    def _watch(self) -> None:
        while True:
            time.sleep(self._seconds / 4)
            with self._lock:
                passed = time.monotonic() - self._began
                if self._watched and passed > self._seconds and not self._ended:
                    self._ended = True
                    thread = ctypes.c_ulong(self._watched)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeoutError))
                if not self._watched and passed > _IDLE:
                    self._watcher = None
                    return
