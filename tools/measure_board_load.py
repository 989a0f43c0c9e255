"""What the board takes of the processors while a search runs, for docs/board.md: by CPU time, which a busy machine
changes less than the clock. Linux only.

usage: python tools/measure_board_load.py [--runs N] [--seconds S] [--preset NAME ...]
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
from measure_board import KIWIPETE, MEMORY, ready, say, stop, until
from playwright.sync_api import Page, sync_playwright
from websockets.sync.client import connect

import plyout.board.side as sides
import plyout.engine.montecarlo as montecarlo
import plyout.search.threads as searching
from plyout import Engine, Limits
from plyout.board.shown import Job
from plyout.board.side import Side
from plyout.board.telling import Teller
from plyout.engine.history import Recorder
from plyout.engine.summary import Summary

PROC = Path("/proc")
WARM_UP = 5.0  # seconds of a search before it is looked at
_WHOLE = 1_000_000_000  # nanoseconds
BLIND = "void ((panel) => { panel.search = (m) => { panel.last = m; }; panel.history = () => {}; })(plyout.panels[0])"


# -- inside of one process --------------------------------------------------------------------------------------------


class Spent:
    """CPU time of the threads that call some functions: milliseconds, call by call."""

    def __init__(self) -> None:
        self.by: dict[str, list[float]] = {}

    def watch(self, owner: Any, name: str) -> None:
        function, times = getattr(owner, name), self.by.setdefault(name, [])

        def timed(*given: Any, **named: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*given, **named)
            finally:
                times.append(1000 * (time.thread_time() - began))

        setattr(owner, name, timed)

    def __str__(self) -> str:
        medians = [f"{name} {statistics.median(times):.2f} ms ({len(times)} times)" for name, times in self.by.items()]
        return ", ".join(medians)


def as_text(message: dict[str, Any]) -> None:
    """Make a message, and throw it away."""
    json.dumps(message)


class Told:
    """A side whose messages nobody gets, and the CPU time that its thread took for each search."""

    def __init__(self, preset: str) -> None:
        self._preset, self._number, self._done = preset, 0, threading.Event()
        self._marks: list[float] = []
        self.side = Side(0, as_text, lambda job: self._mark(), lambda job, result: self._ended())
        self.search(Limits(nodes=1000))  # makes the engine

    def _mark(self) -> None:
        self._marks.append(time.thread_time())

    def _ended(self) -> None:
        self._mark()
        self._done.set()

    def search(self, limits: Limits) -> float:
        self._number += 1
        self._done.clear()
        self._marks.clear()
        changes = (("hash_mb", MEMORY),)
        self.side.start(Job(self._number, chess.Board(KIWIPETE), limits, self._preset, changes))
        self._done.wait()
        return self._marks[1] - self._marks[0]

    @property
    def engine(self) -> Engine:
        assert self.side._engine is not None
        return self.side._engine

    def alone(self, limits: Limits) -> float:
        """The same search by the same engine, with nobody who looks on, in a thread like the side's."""
        took = list[float]()

        def search() -> None:
            self.engine.watch = None
            began = time.thread_time()
            self.engine.search(chess.Board(KIWIPETE), limits, lines=1, play_on=True)
            took.append(time.thread_time() - began)

        self.engine.new_game()
        thread = threading.Thread(target=search)
        thread.start()
        thread.join()
        return took[0]


def measure_inside(preset: str, runs: int, nodes: int) -> None:
    """What the search's thread does for a page, and the same search without. Its clock is its own CPU time, so that a
    busy machine does not make it tell more often."""
    for module in (montecarlo, searching):
        setattr(module, "time", SimpleNamespace(perf_counter=time.thread_time))  # noqa: B010
    told, ratios = Told(preset), list[float]()
    for _ in range(runs):
        before = told.alone(Limits(nodes=nodes))
        told.engine.new_game()
        with_page = told.search(Limits(nodes=nodes))
        ratios.append((before + told.alone(Limits(nodes=nodes))) / 2 / with_page)
    spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
    print(f"{preset}, {nodes:,} iterations, CPU time of the search's thread without a page to with:", end=" ")
    print(f"{statistics.median(ratios):.3f} ({spread})")
    spent = Spent()
    for owner, name in ((Summary, "result"), (Recorder, "_take"), (sides, "drawing_of"), (Teller, "_tell")):
        spent.watch(owner, name)
    told.engine.new_game()
    told.search(Limits(movetime=5000))
    print(f"  {spent}", flush=True)


# -- by the system ----------------------------------------------------------------------------------------------------


def threads_of(process: int) -> dict[str, float]:
    """Seconds of CPU time of every thread."""
    found = {}
    for task in (PROC / str(process) / "task").iterdir():
        try:
            found[task.name] = int((task / "schedstat").read_text().split()[0]) / _WHOLE
        except OSError:
            continue  # it has ended
    return found


def children_of(process: int) -> list[int]:
    """All processes below one."""
    found = list[int]()
    for task in (PROC / str(process) / "task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *children_of(child)]
    return found


def seconds_of(processes: list[int]) -> float:
    return sum(sum(threads_of(process).values()) for process in processes)


@contextmanager
def board() -> Iterator[tuple[str, int]]:
    """``plyout board``: its address and its process."""
    command = [sys.executable, "-m", "plyout", "board", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.send_signal(2)


def load(server: int, browser: list[int], progress: Callable[[], list[float]], wait: Callable[[], None]) -> str:
    """What everybody takes while a search runs. `progress` tells iterations, seconds, messages of it so far."""
    worker = children_of(server)[-1]

    def look() -> tuple[dict[str, float], float, float, list[float], float]:
        return threads_of(worker), seconds_of([server]), seconds_of(browser), progress(), time.perf_counter()

    threads, served, drawn, said, began = look()
    wait()
    threads2, served2, drawn2, said2, ended = look()
    wall = ended - began
    grown = {name: now - threads.get(name, 0.0) for name, now in threads2.items()}
    search = max(grown.values())
    nodes, seconds, messages = (b - a for a, b in zip(said, said2, strict=True))
    shares = {
        "search": search, "told by its process": sum(grown.values()) - search, "server": served2 - served,
        "browser": drawn2 - drawn,
    }  # fmt: skip
    told = ", ".join(f"{name} {share / wall:.1%}" for name, share in shares.items())
    a_message = 1000 * (sum(shares.values()) - search) / max(messages, 1)
    speed = nodes / seconds / (search / wall)
    return f"{told}; {messages / wall:.1f} messages a second, {a_message:.1f} ms each; {speed:,.0f} iterations a second"


def with_nobody(address: str, server: int, preset: str, seconds: float) -> str:
    """A client that reads what it gets and throws it away."""
    last, count = dict[str, Any](), [0]
    with connect(
        f"{address.replace('http', 'ws')}socket", origin=re.match(r"http://[^/]+", address)[0], max_size=None  # type: ignore
    ) as socket:  # fmt: skip

        def tell(**message: Any) -> None:
            socket.send(json.dumps(message))

        def read() -> None:
            for text in socket:
                if text.startswith('{"t":"search"'):  # type: ignore[arg-type]
                    last["text"], count[0] = text, count[0] + 1

        threading.Thread(target=read, daemon=True).start()
        tell(t="settings", values={"preset": preset, "seed": 1, "memory": MEMORY})
        tell(t="fen", text=KIWIPETE)
        tell(t="analyse", on=True)
        while not last:
            time.sleep(0.1)
        time.sleep(WARM_UP)

        def progress() -> list[float]:
            message = json.loads(last["text"])
            return [message["nodes"], message["seconds"], count[0]]

        return load(server, [], progress, lambda: time.sleep(seconds))


def with_page(page: Page, address: str, script: str, preset: str, measured: Callable[[Page], str]) -> str:
    """A page in a browser, in which a script was run."""
    ready(page, address)
    page.evaluate(script)
    say(page, t="settings", values={"preset": preset, "seed": 1, "memory": MEMORY})
    say(page, t="fen", text=KIWIPETE)
    say(page, t="analyse", on=True)
    until(page, "plyout.panels[0].last && plyout.panels[0].last.nodes > 1000")
    page.wait_for_timeout(1000 * WARM_UP)
    page.evaluate(
        "void ((panel) => { const search = panel.search; window.told = 0;"
        " panel.search = (message) => { told++; search.call(panel, message); }; })(plyout.panels[0])"
    )
    found = measured(page)
    stop(page)
    page.close()
    return found


def measure_outside(presets: list[str], seconds: float) -> None:
    asked = "[plyout.panels[0].last.nodes, plyout.panels[0].last.seconds, told]"
    with board() as (address, server), sync_playwright() as started:
        for preset in presets:
            print(f"{preset}, nobody looks: {with_nobody(address, server, preset, seconds)}", flush=True)
        before = set(children_of(os.getpid()))

        def measured(page: Page) -> str:
            others = before.union(children_of(server))
            browser = [process for process in children_of(os.getpid()) if process not in others]
            return load(server, browser, lambda: page.evaluate(asked), lambda: page.wait_for_timeout(1000 * seconds))

        for preset in presets:
            for name, script in (("a page that draws nothing", BLIND), ("a page", "0")):
                chromium = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                page = chromium.new_page(viewport={"width": 1440, "height": 900})
                print(f"{preset}, {name}: {with_page(page, address, script, preset, measured)}", flush=True)
                chromium.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--nodes", type=int, default=120_000)
    parser.add_argument("--preset", action="append")
    options = parser.parse_args()
    presets = options.preset or ["plyout", "mcgs"]
    measure_outside(presets, options.seconds)
    for preset in presets if options.runs else ():
        measure_inside(preset, options.runs, options.nodes)


if __name__ == "__main__":
    main()
