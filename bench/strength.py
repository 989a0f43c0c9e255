"""Each part of Arenz 2012 against the base engine: short matches with the paper's Elo beside ours.

usage: python bench/strength.py [GAMES] [NODES]      (40 games at 2,000 iterations a move; two processes)
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from plyout.engine import Engine
from plyout.lab.duel import Score, duel

# Elo over the base engine: tables 1 and 7 of the thesis, blitz of five minutes a side.
PAPER = {
    "mcc-combined": "864 ± 186",
    "mcc-decisive": "336 ± 77",
    "mcc-hp-see": "229 ± 73",
    "mcc-hp-eval": "153 ± 62",
    "mcc-bias": "85 ± 72",
}
PARTS = 4  # a match is cut into so many, each with openings of its own


def part(preset: str, games: int, nodes: int, seed: int) -> tuple[str, Score]:
    """Some games of a preset against the base engine."""
    return preset, duel(Engine(preset, hash_mb=64), Engine("mcc", hash_mb=64), games=games, seed=seed, nodes=nodes)


def main(games: int = 40, nodes: int = 2000) -> None:
    began = time.perf_counter()
    totals = dict.fromkeys(PAPER, Score(0, 0, 0))
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(part, p, games // PARTS, nodes, 100 + k) for p in PAPER for k in range(PARTS)]
        for job in as_completed(jobs):
            preset, score = job.result()
            old = totals[preset]
            totals[preset] = Score(old.wins + score.wins, old.draws + score.draws, old.losses + score.losses)
            done = totals[preset]
            print(f"{time.perf_counter() - began:6.0f} s  {preset} v mcc: {done}", flush=True)
    print(f"\n{nodes:,} iterations a move, openings of six random balanced plies, both colours\n")
    print("| v mcc | score | Elo (95%) | Arenz 2012 |\n|---|---|---|---|")
    for preset, score in totals.items():
        elo, low, high = score.interval()
        tally = f"{100 * score.points:.1f} % (+{score.wins} ={score.draws} -{score.losses})"
        print(f"| `{preset}` | {tally} | {elo:+.0f} ({low:+.0f} to {high:+.0f}) | {PAPER[preset]} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
