"""Fuzz the UCI engine: ``python -m tests.fuzz.uci --lines 1000000 --jobs 2 --seed 1``.

Exit status 1, and the shortest session found that shows it, if the engine breaks the protocol.
"""

import argparse
import multiprocessing
import os
import queue
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path

import tests.conftest  # noqa: F401  (the engine finds the endgame tables of the tests, and no others)
from tests.fuzz.uci import Violation
from tests.fuzz.uci.grammar import Grammar
from tests.fuzz.uci.options import Options
from tests.fuzz.uci.replay import CLOSE, PATIENCE, QUIT, Replay
from tests.fuzz.uci.said import MOVE
from tests.fuzz.uci.shrink import fault, shrink

COMMAND = [sys.executable, "-m", "plyout", "uci"]
LIFE = 10_000  # lines that one process gets
PRESETS = ("plyout", "alphabeta", "mcts", "mcgs", "mcc-combined")


@dataclass
class Part:
    """What a worker reports of one process, or of a part of its life."""

    counts: Counter[str] = field(default_factory=Counter)
    peak_mb: float = 0.0
    complaint: str = ""
    steps: list[bytes] = field(default_factory=list)  # of the whole life
    last: int = 0  # how many of them are the session that failed


def first_options(command: list[str], patience: float, presets: tuple[str, ...]) -> list[str]:
    """The options that the engine advertises; what the presets need is compiled on the way."""
    replay = Replay(command, 10 * patience, helpers=True)
    try:
        steps = [b"uci"]
        for variant in (b"crazyhouse", b"chess"):
            steps.append(b"setoption name UCI_Variant value " + variant)
            for preset in (*presets, presets[0]):
                steps += [
                    b"setoption name Preset value " + preset.encode(),
                    b"position startpos",
                    b"go nodes 2",
                    b"#wait",
                ]
        replay.run(steps)
        return [line[2:] for line in replay.transcript if line.startswith("< option ")]
    finally:
        replay.engine.close()


def live(command: list[str], seed: str, options: Options, lines: int, patience: float) -> Part:
    """One process from start to end."""
    rng = random.Random(seed)
    grammar = Grammar(rng, options)
    replay = Replay(command, patience)
    part = Part(replay.counts)
    try:
        while replay.counts["lines"] < lines:
            session = [*(() if part.steps else (b"uci", b"isready")), *grammar.session()]
            part.last = len(session)
            part.steps += session
            replay.run(session)
        part.last = 3
        part.steps += [rng.choice((b"go infinite", b"go nodes 50", b"isready")), rng.choice((QUIT, CLOSE))]
        replay.run([])
        replay._step(part.steps[-2])
        replay.end(part.steps[-1])
        part.steps.clear()
    except Violation as violation:
        part.complaint = str(violation)
    finally:
        replay.engine.close()
    replay.counts["processes"] += 1
    part.peak_mb = replay.peak_mb
    return part


def work(given: argparse.Namespace, job: int, options: Options, results: "Queue[Part | None]") -> None:
    """A worker: one process of the engine after the other."""
    left, life = given.lines // given.jobs, 0
    with tempfile.TemporaryDirectory(prefix="plyout-fuzz-") as folder:
        os.chdir(folder)  # where logs of any name may be written
        while left > 0:
            part = live(COMMAND, f"{given.seed}-{job}-{life}", options, min(left, LIFE), given.patience)
            left -= max(1, part.counts["lines"])
            life += 1
            results.put(part)
            if part.complaint and not given.keep_going:
                break
    results.put(None)


def kind_of(complaint: str) -> str:
    """A complaint without what is particular to it."""
    text = re.sub(r"['\"].*", "", complaint.split(", in ")[0])
    text = re.sub(r"line .* (has|goes|of)", r"line \1", text)
    return re.sub(rf"\b(?:{MOVE.pattern})|\d+", "*", text)


def shortest(part: Part, patience: float, seconds: float) -> tuple[list[bytes], str, list[str]]:
    """The steps that still show a fault, what it is, and the lines of both sides."""
    wanted = kind_of(part.complaint)
    found: dict[int, tuple[str, list[str]]] = {}
    impatience = min(patience, 8.0)

    def fails(steps: list[bytes]) -> bool:
        result = fault(COMMAND, steps, impatience)
        if result is None or kind_of(result[0]) != wanted:
            return False
        found[len(steps)] = result
        return True

    for count in (part.last, 5 * part.last, len(part.steps)):
        if fails(part.steps[-count:]):
            steps = shrink(part.steps[-count:], fails, seconds)
            return steps, *found[len(steps)]
    return part.steps, part.complaint + " (not seen again)", []


def escaped(steps: list[bytes]) -> str:
    return "".join(step.decode("latin-1").encode("unicode_escape").decode() + "\n" for step in steps)


def unescaped(text: str) -> list[bytes]:
    return [line.encode().decode("unicode_escape").encode("latin-1") for line in text.splitlines()]


def show(part: Part, given: argparse.Namespace) -> None:
    steps, complaint, transcript = shortest(part, given.patience, given.shrink)
    with tempfile.NamedTemporaryFile("w", prefix="uci-session-", suffix=".txt", delete=False) as file:
        file.write(escaped(steps))
    print(f"\nBROKEN (seed {given.seed}): {complaint}\nthe session, {len(steps)} steps, is in {file.name}:")
    for line in transcript[-60:]:
        print("   ", line[:300])
    print(f"again: python -m tests.fuzz.uci --replay {file.name}", flush=True)


def summary(counts: Counter[str], peak_mb: float, seconds: float) -> str:
    rows = [f"{name:28} {count:>10,}" for name, count in sorted(counts.items())]
    rows += [f"{'peak of memory':28} {peak_mb:>10,.0f} MB", f"{'time':28} {seconds:>10,.0f} s"]
    return "\n".join([*rows, f"{'lines a second':28} {counts['lines'] / seconds:>10,.0f}"])


def run(given: argparse.Namespace) -> int:
    options = Options(first_options(COMMAND, given.patience, given.presets), given.presets)
    context = multiprocessing.get_context("fork")
    results: Queue[Part | None] = context.Queue()
    workers = [
        context.Process(target=work, args=(given, job, options, results), daemon=True) for job in range(given.jobs)
    ]
    for worker in workers:
        worker.start()
    counts: Counter[str] = Counter()
    peak, ended, faults = 0.0, 0, dict[str, Part]()
    began = time.monotonic()
    try:
        while ended < len(workers):
            try:
                part = results.get(timeout=10)
            except queue.Empty:
                if any(worker.exitcode for worker in workers):
                    print("\na worker of the fuzzer has died")
                    return 1
                continue
            if part is None:
                ended += 1
                continue
            counts += part.counts
            peak = max(peak, part.peak_mb)
            if part.complaint:
                known = faults.get(kind_of(part.complaint))
                if known is None or part.last < known.last:
                    faults[kind_of(part.complaint)] = part
                counts["BROKEN: " + kind_of(part.complaint)] += 1
                print(f"\n! {part.complaint}", flush=True)
                if not given.keep_going:
                    break
            rate = counts["lines"] / (time.monotonic() - began)
            print(
                f"\r{counts['lines']:,} lines, {counts['sessions']:,} sessions, {rate:.0f} lines/s", end="", flush=True
            )
    except KeyboardInterrupt:
        print("\ninterrupted; so far:")
    for worker in workers:
        worker.terminate()
        worker.join()
    print("\n" + summary(counts, peak, time.monotonic() - began), flush=True)
    for part in faults.values():
        show(part, given)
    return 1 if faults else 0


def again(given: argparse.Namespace) -> int:
    found = fault(COMMAND, unescaped(Path(given.replay).read_text(encoding="utf-8")), given.patience)
    print("\n".join([*found[1][-200:], f"BROKEN: {found[0]}"]) if found else "no fault is seen")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds until an engine counts as mute")
    parser.add_argument("--presets", type=lambda text: tuple(text.split(",")), default=PRESETS)
    parser.add_argument(
        "--keep-going", action="store_true", help="collect faults, and show one of each kind at the end"
    )
    parser.add_argument("--shrink", type=float, default=300.0, metavar="SECONDS", help="for making a session shorter")
    parser.add_argument("--replay", metavar="FILE", help="a session that was written before")
    given = parser.parse_args()
    return again(given) if given.replay else run(given)


if __name__ == "__main__":
    sys.exit(main())
