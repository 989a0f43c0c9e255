"""Measure how strong levels are, on the scale of Stockfish's: are they what they are called?

usage: python tools/fit_levels.py FOLDER [--levels 500,700,900] [--rounds 6]

Every level meets the nearest two of Stockfish, where there are some as weak; the lowest and the highest meet each
other, too. In each round every pairing plays ten games; the table is shown after each, so that one can end it at any
time. The games are kept in FOLDER: the same command goes on where it was, also with more rounds or other levels. The
ratings of all, with Stockfish's held at what it says of itself, are those that make the results most likely; the
curvature there gives the intervals.

To change the table of `plyout.presets.levels`, measure its knots, give them the Elo that comes out, and measure again
with another seed, in another folder.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyout.engine import Engine
from plyout.lab.match.match import match
from plyout.lab.statistics.estimate import Z, score_of
from plyout.lab.statistics.ratings import UNIT

# Stockfish 15.1 chooses among four moves at depth 2 for 1500, 4 for 1700, 6, 8, 11 and 14 for 2500: nodes enough to get
# there in most positions, whatever the machine does, and for the low ones to have looked farther the move before.
STOCKFISH = {1350: 10_000, 1500: 10_000, 1700: 10_000, 1900: 10_000, 2100: 30_000, 2300: 75_000, 2500: 200_000}
NEAR = 420  # Elo: farther off a game says next to nothing
# Elo: levels below and above meet the next one. Those between do not, as differences between ourselves come out larger
# than Stockfish's; below there is no Stockfish, and above there are few, and they take their time.
WEAK, STRONG = 1100, 2000
GAMES = 10  # of a pairing in a round
PATIENCE = 600  # seconds, as the machine may have other things to do
LONGEST = 300  # plies that end a game as drawn
AGREED_FROM = 1500  # Elo from which a game ends where both agree for some moves
AGREED: dict[str, Any] = {"resign": (4, 1000), "draw": (10, 10, 60)}
Rates = np.ndarray


class Meeting(NamedTuple):
    """What the first scored; the players are Elo, Stockfish's below zero."""

    first: int
    second: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        return f"{abs(self.second)}: +{self.wins} ={self.draws} −{self.losses}"


def pairings(levels: Sequence[int]) -> Iterator[tuple[int, int]]:
    for elo in levels:
        by_distance = sorted(STOCKFISH, key=lambda anchor: abs(anchor - elo))[:2]
        yield from ((elo, -anchor) for anchor in by_distance if abs(anchor - elo) <= NEAR)
    yield from ((high, low) for low, high in pairwise(levels) if low < WEAK or low >= STRONG)


@cache
def engine(level: int) -> Engine:
    """One for all its matches: to make one takes longer than a game."""
    return Engine(level=level, hash_mb=64)


def stockfish(player: int, program: str) -> str:
    options = f"UCI_LimitStrength=true&UCI_Elo={-player}&Threads=1&nodes={STOCKFISH[-player]}"
    return f"uci:{program}?{options}&name=stockfish-{-player}"


def played(asked: argparse.Namespace, number: int, first: int, second: int) -> Meeting:
    """The games of a pairing in round `number`."""
    conditions = AGREED if min(first, abs(second)) >= AGREED_FROM else {}
    other = engine(second) if second > 0 else stockfish(second, asked.stockfish)
    results = match(
        engine(first), other, games=GAMES, seed=asked.seed + number, nodes=10**9,
        out=asked.folder / f"{first}-v-{'stockfish-' * (second < 0)}{abs(second)}" / str(number),
        max_plies=LONGEST, patience=PATIENCE, quiet=True, **conditions,
    )  # fmt: skip
    found = results.of(results.players[0])
    return Meeting(first, second, found.wins, found.draws, found.losses)


def together(meetings: Sequence[Meeting]) -> list[Meeting]:
    """One for each pairing."""
    pairs = dict.fromkeys(m[:2] for m in meetings)
    results = {pair: [m[2:] for m in meetings if m[:2] == pair] for pair in pairs}
    return [Meeting(*pair, *map(sum, zip(*found, strict=True))) for pair, found in results.items()]


def rated(levels: Sequence[int], meetings: Sequence[Meeting]) -> tuple[Rates, Rates]:
    """The Elo of the levels and its 95 % error; every pairing has a draw more, lest a clean score have no bound."""
    elo = np.array(levels, float)
    for _ in range(100):
        slope, curvature = np.zeros(len(levels)), np.eye(len(levels)) * 1e-9
        for m in meetings:
            at = [levels.index(p) if p > 0 else -1 for p in (m.first, m.second)]
            here, there = (elo[i] if i >= 0 else float(-p) for i, p in zip(at, m[:2], strict=True))
            expected = score_of(here - there)
            push = np.zeros(len(levels))
            for i, sign in zip(at, (1.0, -1.0), strict=True):
                push[i] += sign if i >= 0 else 0.0
            slope += push * (m.points + 0.5 - (m.games + 1) * expected) / UNIT
            curvature += np.outer(push, push) * (m.games + 1) * expected * (1 - expected) / UNIT**2
        step = np.linalg.solve(curvature, slope)
        elo = elo + np.clip(step, -200, 200)
        if np.abs(step).max() < 0.01:
            break
    return elo, Z * np.sqrt(np.linalg.inv(curvature).diagonal())


def show(levels: Sequence[int], meetings: Sequence[Meeting]) -> None:
    print("| level | Elo, 95 % | against Stockfish | against the level below |\n|---|---|---|---|")
    for level, elo, error in zip(levels, *rated(levels, meetings), strict=True):
        mine = [m for m in meetings if m.first == level]
        theirs, ours = ("; ".join(str(m) for m in mine if (m.second < 0) == there) for there in (True, False))
        print(f"| {level} | {elo:.0f} ± {error:.0f} | {theirs} | {ours} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--levels", default="500,700,900,1099,1200,1350,1500,1700,1850,2000,2200,2350")
    parser.add_argument("--rounds", type=int, default=6, help=f"of {GAMES} games a pairing")
    parser.add_argument("--stockfish", default="stockfish", help="the program")
    parser.add_argument("--seed", type=int, default=1, help="of the openings: another one for an independent trial")
    asked = parser.parse_args()
    levels = sorted(int(word) for word in asked.levels.split(","))
    meetings: list[Meeting] = []
    for number in range(asked.rounds):
        meetings += [played(asked, number, *pair) for pair in pairings(levels)]
        show(levels, together(meetings))


if __name__ == "__main__":
    main()
