"""The figures of docs/board.md, and its pictures: a page in Chromium, and the same searches without one.

usage: python tools/measure_board.py [--runs N] [--seconds S] [--pictures FOLDER]

On a quiet machine: with a page and without alternate, and medians are told. Pictures are taken only where a folder is
named.
"""

import argparse
import asyncio
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
import uvicorn
from playwright.sync_api import Page, sync_playwright

import plyout.engine.montecarlo as montecarlo
from plyout import Engine, Limits
from plyout.board.guard import Door
from plyout.board.server import application, listen
from plyout.engine.history import Recorder

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
MEMORY = 96  # MB
_LATE_EVERY = 0.01  # seconds between two looks at how late the server's event loop is


class Late:
    """How late an event loop is: milliseconds, look by look."""

    def __init__(self) -> None:
        self.by: list[float] = []

    async def watch(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_LATE_EVERY)
            self.by.append(1000 * (time.perf_counter() - began - _LATE_EVERY))


@contextmanager
def served() -> Iterator[tuple[str, Late]]:
    """A server in this process: its address, and how late it is."""
    listening, late = listen("127.0.0.1", 0), Late()
    door = Door("127.0.0.1", listening.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(application(door), log_level="warning", lifespan="on"))

    async def serve() -> None:
        watching = asyncio.create_task(late.watch())
        await server.serve(sockets=[listening])
        watching.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield door.address, late
    finally:
        server.should_exit = True
        thread.join()


def until(page: Page, expression: str, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def say(page: Page, **message: Any) -> None:
    page.evaluate("message => plyout.link.send(message)", message)


def ready(page: Page, address: str) -> None:
    page.goto(address)
    until(page, "Boolean(window.plyout && plyout.state && plyout.state.opening !== undefined)")


def stop(page: Page) -> None:
    say(page, t="analyse", on=False)
    until(page, "!plyout.state.analysing && plyout.state.searching.every((running) => !running)")


def search_on_page(page: Page, preset: str, seed: int, seconds: float) -> tuple[float, dict[str, float]]:
    """(iterations a second of a search on the page, what came over the socket meanwhile)"""
    say(page, t="settings", values={"preset": preset, "seed": seed, "memory": MEMORY})
    say(page, t="fen", text=KIWIPETE)
    say(page, t="analyse", on=True)
    until(page, f"plyout.state.settings.seed === {seed} && plyout.panels[0].last && !plyout.panels[0].last.ended")
    sofar = page.evaluate("[plyout.link.received, plyout.link.bytes, performance.now()]")
    page.wait_for_timeout(1000 * seconds)
    now = page.evaluate("[plyout.link.received, plyout.link.bytes, performance.now()]")
    stop(page)
    until(page, "plyout.panels[0].last.ended")
    nodes, took = page.evaluate("[plyout.panels[0].last.nodes, plyout.panels[0].last.seconds]")
    messages, size, spent = (b - a for a, b in zip(sofar, now, strict=True))
    told = {"messages a second": 1000 * messages / spent, "bytes each": size / max(messages, 1)}
    return nodes / took, told


def search_alone(preset: str, seed: int, seconds: float) -> float:
    """Iterations a second of the same search by itself."""
    engine = Engine(preset, hash_mb=MEMORY, seed=seed)
    result = engine.search(chess.Board(KIWIPETE), Limits(movetime=1000 * seconds), lines=1)
    return result.nodes / result.seconds


def quantiles(numbers: list[float]) -> str:
    ordered = sorted(numbers)
    shown = {"median": 0.5, "95 %": 0.95, "99 %": 0.99, "worst": 1.0}
    return ", ".join(
        f"{name} {ordered[min(int(q * len(ordered)), len(ordered) - 1)]:.2f} ms" for name, q in shown.items()
    )


def measure_page(page: Page, late: Late, runs: int, seconds: float) -> None:
    for preset in ("plyout", "mcgs"):
        search_alone(preset, 1, 0.2)  # loads the kernels
        search_on_page(page, preset, 1, 0.5)
        with_page, without, told = list[float](), list[float](), list[dict[str, float]]()
        late.by.clear()
        page.evaluate("plyout.panels[0].tree.frames.length = 0")
        lateness = list[float]()
        for run in range(runs):
            without.append(search_alone(preset, 100 + run, seconds))
            late.by.clear()
            speed, heard = search_on_page(page, preset, 100 + run, seconds)
            lateness += late.by
            with_page.append(speed)
            told.append(heard)
        ratios = [a / b for a, b in zip(with_page, without, strict=True)]
        print(f"{preset}: {statistics.median(with_page):,.0f} iterations a second with a page, ", end="")
        print(f"{statistics.median(without):,.0f} without: {statistics.median(ratios):.3f}", end="")
        print(f" (median of {runs} pairs, {min(ratios):.3f} to {max(ratios):.3f})")
        for name in told[0]:
            print(f"  {name}: {statistics.median(t[name] for t in told):,.1f}")
        nodes = page.evaluate("plyout.panels[0].tree.nodes.length")
        print(f"  a frame of {nodes} nodes: {quantiles(page.evaluate('plyout.panels[0].tree.frames'))}")
        print(f"  the server's event loop late by: {quantiles(lateness)}", flush=True)


class Off(Recorder):
    """A search without a history but for its end."""

    @property
    def next(self) -> float:
        return float("inf")

    def look(self, iterations: int, now: float) -> None:
        pass


def measure_history(runs: int) -> None:
    """The time of searches with a history to that of the same without, alternating."""
    cases = {
        "3,000 iterations": Limits(nodes=3_000),
        "3,000 iterations, on a clock": Limits(nodes=3_000, clock=1e7),
        "30,000 iterations": Limits(nodes=30_000),
        "30,000 iterations, on a clock": Limits(nodes=30_000, clock=1e7),
        "100,000 iterations": Limits(nodes=100_000),
    }
    for preset in ("mcgs", "plyout"):
        engine = Engine(preset, hash_mb=MEMORY)
        engine.search(KIWIPETE, Limits(nodes=1000))
        for name, limits in cases.items():
            times: dict[Any, list[float]] = {Recorder: [], Off: []}
            snapshots, most = 0, max(runs * 3_000 // (limits.nodes or 1), 3)
            for run in range(most):
                for kind in (Recorder, Off) if run % 2 else (Off, Recorder):
                    setattr(montecarlo, "Recorder", kind)  # noqa: B010
                    engine.new_game()
                    began = time.process_time()
                    result = engine.search(KIWIPETE, limits, lines=1)
                    times[kind].append(time.process_time() - began)
                    snapshots = max(snapshots, len(result.history))
            setattr(montecarlo, "Recorder", Recorder)  # noqa: B010
            recorded, plain = (statistics.median(times[kind]) for kind in (Recorder, Off))
            pairs = statistics.median(a / b for a, b in zip(times[Recorder], times[Off], strict=True))
            print(
                f"{preset}, {name}: {1000 * plain:.1f} ms; with {snapshots} snapshots {recorded / plain - 1:+.2%}",
                end="",
            )
            print(f", pair by pair {pairs - 1:+.2%}, by the fastest {min(times[Recorder]) / min(times[Off]) - 1:+.2%}")


def take_pictures(page: Page, address: str, folder: Path) -> None:
    say(page, t="settings", values={"mode": "analyse", "preset": "mcgs-solver", "memory": 32, "seed": None})
    say(page, t="fen", text=LEGAL)
    until(page, f"plyout.state.fen === '{LEGAL}'")
    say(page, t="analyse", on=True)
    until(
        page,
        "plyout.panels[0].preset === 'mcgs-solver' && plyout.panels[0].last && plyout.panels[0].last.nodes > 30000",
    )
    stop(page)
    page.wait_for_timeout(1500)
    place = page.evaluate("plyout.panels[0].tree.nodes.find((node) => node.path === 'h5d1').now")
    box = page.locator("canvas.tree").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
    page.wait_for_timeout(500)
    page.screenshot(path=folder / "board-tree.png")
    page.mouse.move(5, 5)
    say(page, t="settings", values={"mode": "compare", "preset": "mcts", "other": "mcgs"})
    say(page, t="fen", text=ITALIAN)
    until(page, f"plyout.state.fen === '{ITALIAN}'")
    say(page, t="analyse", on=True)
    names = "['mcts', 'mcgs']"
    until(page, f"plyout.panels.every((p, i) => p.last && p.preset === {names}[i] && p.last.nodes > 6000)")
    stop(page)
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "board-compare.png")
    say(page, t="settings", values={"mode": "play", "preset": "plyout", "level": 1500, "minutes": 5, "increment": 3})
    say(page, t="new", variant="chess")
    until(page, "plyout.state.settings.mode === 'play' && plyout.state.ply === 0")
    for ply, move in ((2, "e2e4"), (4, "g1f3")):
        say(page, t="move", uci=move)
        until(page, f"plyout.state.ply === {ply}")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "board-phone.png", full_page=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    if options.runs:
        measure_history(12 * options.runs)
    with served() as (address, late), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("pageerror", lambda error: print("the page complains:", error))
        ready(page, address)
        if options.runs:
            measure_page(page, late, options.runs, options.seconds)
        if options.pictures:
            take_pictures(page, address, options.pictures)
        browser.close()


if __name__ == "__main__":
    main()
