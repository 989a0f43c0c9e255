"""The other end: one process on some machine, which does tasks.

What it is asked first, `about`, takes and returns plain data: the machine may have another Plyout.
"""

import os
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyout.lab.run import kit
from plyout.lab.run.work import Here, Thing, Work, Worker

_PRIVATE, _RUNNABLE = 0o600, 0o700


class RemoteWorker:
    """Lives as an actor. One thread does tasks; others answer meanwhile."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._worker: Worker[Any, Any] | None = None
        self._working = threading.Lock()

    def about(self, things: Sequence[tuple[str, str]], with_speed: bool) -> dict[str, Any]:
        """Versions, checksums in the order of `things`, and how fast the machine is."""
        return {
            "versions": kit.versions(),
            "checksums": [kit.checksum(Thing(*thing)) for thing in things],
            "speed": kit.speed() if with_speed else 0.0,
        }

    def take_up(self, work: Work[Any, Any], things: Sequence[Thing], pace: float, *sent: tuple[Thing, bytes]) -> None:
        """Get ready for a run, with `things` that are here, perhaps elsewhere, and others that were `sent`."""
        self.rest()
        places = {thing: str(kit.place(thing) or "") for thing in things}
        # a network is found by its name everywhere
        places = {t: place for t, place in places.items() if place not in ("", t.name) and t.kind != "network"}
        for thing, content in sent:
            places[thing] = self._lay_down(thing, content)
        here = Here(places, pace)
        work.prepare(here)
        self._worker = work.worker(here)

    def _lay_down(self, thing: Thing, content: bytes) -> str:
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="plyout-")
        folder = Path(tempfile.mkdtemp(dir=self._folder.name))
        path = folder / (Path(thing.name).name or "file")
        path.write_bytes(content)
        path.chmod(_RUNNABLE if thing.kind == "program" else _PRIVATE)
        return str(path)

    def do(self, tasks: Sequence[Any]) -> list[Any]:
        with self._working:
            assert self._worker is not None
            return [self._worker.do(task) for task in tasks]

    def ping(self) -> int:
        return os.getpid()

    def rest(self) -> None:
        """The run is over: what is being done is not wanted any more."""
        while not self._working.acquire(timeout=0.02):
            if self._worker is not None:
                self._worker.stop()
        try:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.close()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None
        finally:
            self._working.release()
