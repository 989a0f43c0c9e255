"""Play many fast games against other engines, count what must never happen, and measure how soon the engine answers.

    python tests/soak/soak.py --games 1000 --clock 1 --increment 0.01 --jobs 2
    python tests/soak/soak.py --memory 600

Plyout's default preset plays Stockfish at its weakest, Toga and Glaurung in turn, as far as they are installed. An
interrupted run prints what it has.
"""

import argparse
import multiprocessing
import queue
import sys
import time
from collections import Counter
from multiprocessing.queues import Queue
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.soak.games import HASH_MB, MUST_NOT, OPPONENTS, Report, missing, play_games
from tests.uci.client import Talk, ready_latencies, stop_latencies

MOST_GROWTH = 64  # MB
MOST_BESIDE_HASH = 64  # MB: what a process that has played may have more than one that is ready, and its hash
LONGEST_STOP = 50  # milliseconds from `stop` to `bestmove`
STOPS = 1000


def soak(games: int, clock: float, increment: float, jobs: int, stops: int) -> bool:
    """Play, measure and print; whether all is well."""
    absent = missing()
    if absent:
        print(f"not installed, and not played against: {', '.join(absent)}")
    if len(absent) == len(OPPONENTS):
        return False
    warm = Talk("uci")  # compiled once, before the clocks run
    warm.ready()
    warm.close()
    began = time.perf_counter()
    report, interrupted = played(games, clock, increment, jobs)
    latencies: dict[str, list[float]] = {}
    if not interrupted:
        talk = Talk("uci")
        talk.ready()
        talk.ask(f"setoption name Hash value {HASH_MB}")
        latencies["stop -> bestmove"] = stop_latencies(talk, stops)
        latencies["isready -> readyok"] = ready_latencies(talk, stops)
        talk.close()
    well = show(report, f"{clock:g} s + {1000 * increment:g} ms, {jobs} at once", latencies)
    print(f"took                   {time.perf_counter() - began:.0f} s")
    for line in report.trouble[:100]:
        print("!", line)
    if interrupted:
        print(f"interrupted: {sum(report.results.values())} of {games} games were played")
    return well and not interrupted


def played(games: int, clock: float, increment: float, jobs: int) -> tuple[Report, bool]:
    """The games, each job with opponents and colours in turn; and whether somebody has interrupted them."""
    pairs = [list(range(i, min(i + 2, games))) for i in range(0, games, 2)]
    context = multiprocessing.get_context("spawn")
    results: Queue[Report | None] = context.Queue()
    workers = []
    for job in range(jobs):
        numbers = [number for pair in pairs[job::jobs] for number in pair]
        workers.append(context.Process(target=play_games, args=(numbers, clock, increment, results), daemon=True))
        workers[-1].start()
    report, ended = Report(), 0
    try:
        while ended < jobs:
            try:
                part = results.get(timeout=60)
            except queue.Empty:
                if any(worker.exitcode for worker in workers):
                    report.trouble.append("a worker has died")
                    break
                continue
            if part is None:
                ended += 1
                continue
            report.add(part)
            print(f"\r{sum(report.results.values())} games, {len(report.trouble)} troubles", end="", flush=True)
    except KeyboardInterrupt:
        return report, True
    finally:
        print()
        for worker in workers:
            worker.terminate()
            worker.join()
    return report, False


def show(report: Report, how: str, latencies: dict[str, list[float]]) -> bool:
    """Print the table; whether nothing has happened that must not."""
    well = not report.trouble
    print(f"games                  {sum(report.results.values())} at {how}")
    for name in OPPONENTS:
        counts = Counter({key.split(": ", 1)[1]: n for key, n in report.results.items() if key.startswith(name + ":")})
        if counts:
            print(f"  against {name:12} {', '.join(f'{result} {n}' for result, n in sorted(counts.items()))}")
    print(f"moves of ours          {report.counts['moves']}, with {report.counts['lines judged']} lines")
    for kind in MUST_NOT:
        print(f"{kind:22} {report.counts[kind]}")
        well = well and not report.counts[kind]
    print(f"time losses of others  {report.counts['time losses of others']}, after which they play on")
    print(f"least time left        {1000 * report.least_left:.0f} ms")
    allowed = report.base_mb + HASH_MB + MOST_BESIDE_HASH
    print(f"memory                 {report.base_mb:.0f} MB when ready, {report.peak_mb:.0f} MB at its peak, "
          f"with Hash {HASH_MB}: at most {allowed:.0f} MB is right")  # fmt: skip
    well = well and report.peak_mb <= allowed
    for name, found in latencies.items():
        ordered = sorted(1000 * seconds for seconds in found)
        print(f"{name:22} worst {ordered[-1]:.1f} ms, median {ordered[len(ordered) // 2]:.1f} ms, of {len(ordered)}")
        well = well and ordered[-1] <= LONGEST_STOP
    return well


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} has no resident memory")


def memory(seconds: float, hash_mb: int = 64) -> bool:
    """Search for so long, far beyond a full hash, and watch the memory; whether it stays in its bounds.

    Pages of the hash count only when they are first written, so the growth is measured from when it is full; before
    that it must not exceed the hash by more than the bound.
    """
    talk = Talk("uci")
    talk.ready()
    talk.ask(f"setoption name Hash value {hash_mb}", "position startpos")
    pid = talk.process.pid
    idle = resident_mb(pid)
    talk.send("go infinite")
    greatest, full_at, at_full, growth_full, hashfull = idle, None, 0.0, 0.0, 0
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        for line in talk.heard_within(1.0):
            if " hashfull " in line:
                hashfull = int(line.split(" hashfull ")[1].split()[0])
        now = resident_mb(pid)
        greatest = max(greatest, now)
        if full_at is None and hashfull >= 990:
            full_at, at_full = passed, now
        elif full_at is not None:
            growth_full = max(growth_full, now - at_full)
    talk.send("stop")
    talk.until("bestmove")
    status = talk.close()
    print(f"idle               {idle:.1f} MB resident, with Hash {hash_mb}")
    print(f"greatest growth    {greatest - idle:.1f} MB in {seconds:g} s (at most {MOST_GROWTH} is right)")
    if full_at is not None:
        print(f"the hash was full  after {full_at:.0f} s; growth since: {growth_full:.1f} MB")
    else:
        print(f"the hash was not full at the end: {hashfull / 10:.1f} %")
    return greatest - idle <= MOST_GROWTH and status == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for the whole game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds more for each move")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--stops", type=int, default=STOPS, help="how often to measure from stop to bestmove")
    parser.add_argument("--memory", type=float, metavar="SECONDS", help="no games: search for so long")
    given = parser.parse_args()
    if given.memory is not None:
        well = memory(given.memory)
    else:
        well = soak(given.games, given.clock, given.increment, max(1, given.jobs), given.stops)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
