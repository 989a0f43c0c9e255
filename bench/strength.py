"""Each part of Arenz 2012 against the base engine: short matches with the paper's Elo beside ours.

usage: python bench/strength.py [GAMES] [NODES]      (40 games at 2,000 iterations a move; two at a time)
"""

import sys
import time

from plyout.lab.match.match import match

# Elo over the base engine: tables 1 and 7 of the thesis, blitz of five minutes a side.
PAPER = {
    "mcc-combined": "864 ± 186",
    "mcc-decisive": "336 ± 77",
    "mcc-hp-see": "229 ± 73",
    "mcc-hp-eval": "153 ± 62",
    "mcc-bias": "85 ± 72",
}


def main(games: int = 40, nodes: int = 2000) -> None:
    began, rows = time.perf_counter(), []
    for preset, paper in PAPER.items():
        engines = [f"{name}?hash_mb=64&name={name}" for name in (preset, "mcc")]
        results = match(*engines, games=games, nodes=nodes, max_plies=400, concurrency=2)
        print(f"{time.perf_counter() - began:6.0f} s  {results}", flush=True)
        e = results.of(preset)
        tally = f"{100 * e.score:.1f} % (+{e.wins} ={e.draws} -{e.losses})"
        rows.append(f"| `{preset}` | {tally} | {e.elo:+.0f} ({e.low:+.0f} to {e.high:+.0f}) | {paper} |")
    print(f"\n{nodes:,} iterations a move, built-in openings, both colours\n")
    print("| v mcc | score | Elo (95%) | Arenz 2012 |\n|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
