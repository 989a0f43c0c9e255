"""Fit the weights of `plyout.evaluate.policy.linear` to games whose positions an engine has analysed.

usage: python tools/fit_policy.py GAMES.bin.xz … > src/plyout/evaluate/policy/weights.py

The files are those of `tools/fit_tables.py`. Positions are drawn evenly from all games; those of every fifth game
are kept for the test. The model: the engine plays move i with probability exp(r_i) / Σ exp(r_j), where r is the sum
of the weights that `plyout.evaluate.policy.move_features` names. The likelihood of the engine's moves is climbed
position by position (AdaGrad: a weight that was met often takes smaller steps), a few times over all positions in
random order; a dozen passes do what takes L-BFGS a hundred. What came of it on the games kept back goes to stderr.
"""

import argparse
import lzma
import sys
from typing import Any, NamedTuple

import numpy as np
from fit_tables import code_of

from plyout.evaluate.exchange import exchange
from plyout.evaluate.policy.attack_maps import attack_maps
from plyout.evaluate.policy.move_features import PARTS, WEIGHTS, features, moving_piece
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games import CHESS
from plyout.games.chess.board import load
from plyout.games.chess.rules import MOVES, ROOM, legal, play
from plyout.kernel import Ints, kernel
from plyout.kernel.random import mix

NONE = 32767
FIRST_STEP, COOLING = 0.12, 0.75  # the step in the first pass, in nats, and what is left of it in each next one
TEST = 5  # every fifth game
LARGEST = 2000  # hundredths of a nat, so that the sum of all parts fits 16 bits
HEATS = (20.0, 30.0, 45.0, 60.0, 80.0, 100.0, 130.0, 170.0, 220.0)


class Samples(NamedTuple):
    """Positions and their moves, as the fit reads them: the rows of a position stand together."""

    rows: Any  # (moves, parts): the indices of each move's weights
    rivals: Any  # (moves, 2): the evaluation after the move, and its exchange value
    ends: Any  # (positions,): where the rows of each position end
    best: Any  # (positions,): the row of the engine's move
    test: Any  # (positions,): whether it is kept back for the test


@kernel
def describe(state: Ints, moves: Ints, count: int, rows: Any, rivals: Any) -> None:
    """Fill in the rows of a position's moves."""
    b = load(state)
    maps = attack_maps(b)
    middlegame, endgame, left = totals(b)
    for k in range(count):
        f = features(b, maps, moving_piece(b, maps, moves[k]), moves[k])
        for part in range(len(f)):
            rows[k, part] = f[part]
        more_mg, more_eg, more = gain(b, moves[k])
        rivals[k, 0] = taper(middlegame + more_mg, endgame + more_eg, left + more)
        rivals[k, 1] = exchange(b, moves[k])


@kernel
def gather(start: Ints, data: Ints, every: int, game: int, samples: Samples) -> tuple[int, int, int]:
    """Describe one position in `every`; (number of the next game, positions, rows)."""
    rows, rivals, ends, best, test = samples
    state = np.empty(start.size, np.int64)
    moves = np.empty(ROOM, np.int64)
    i, row, used = 0, 0, 0
    while i < data.size:
        plies = data[i]
        i += 2
        state[:] = start
        for ply in range(plies):
            played, wanted, score = data[i], data[i + 1], data[i + 2]
            i += 3
            count = legal(state, moves)
            drawn = (mix(game * MOVES + ply) & 0xFFFFFF) % every == 0
            if drawn and score != NONE and count > 1 and used < ends.size and row + count <= len(rows):
                describe(state, moves, count, rows[row:], rivals[row:])
                for k in range(count):
                    if code_of(moves[k]) == wanted:
                        best[used] = row + k
                row += count
                ends[used] = row
                test[used] = game % TEST == 0
                used += 1
            for k in range(count):
                if code_of(moves[k]) == played:
                    play(state, moves[k])
                    break
        game += 1
    return game, used, row


@kernel
def climb(rows: Any, ends: Ints, best: Ints, order: Ints, step: float, weights: Any, met: Any) -> float:
    """One pass over the positions in `order`; the mean -log p of their best moves, each before it was learnt from."""
    p = np.empty(MOVES)
    slope = np.zeros(weights.size)
    loss = 0.0
    parts = rows.shape[1]
    for n in order:
        first, last = (ends[n - 1] if n else 0), ends[n]
        top = -1e300
        for k in range(first, last):
            r = 0.0
            for part in range(parts):
                r += weights[rows[k, part]]
            p[k - first] = r
            top = max(top, r)
        whole = 0.0
        for k in range(last - first):
            p[k] = np.exp(p[k] - top)
            whole += p[k]
        loss -= np.log(p[best[n] - first] / whole)
        for k in range(first, last):
            miss = p[k - first] / whole - (1.0 if k == best[n] else 0.0)
            for part in range(parts):
                slope[rows[k, part]] += miss
        for k in range(first, last):
            for part in range(parts):
                w = rows[k, part]
                if slope[w] != 0.0:
                    met[w] += slope[w] ** 2
                    weights[w] -= step * slope[w] / np.sqrt(met[w])
                    slope[w] = 0.0
    return float(loss / order.size)


@kernel
def measure(scores: Any, ends: Ints, best: Ints, which: Any, heat: float) -> tuple[float, float, float, float]:
    """Of softmax(scores / heat): the mean -log p, and how often the best move is the first, in the first 3, in 5."""
    loss, first, used = 0.0, 0, 0
    tops = np.zeros(3)
    for n in range(ends.size):
        last = ends[n]
        if which[n]:
            r = scores[first:last]
            mine, top = scores[best[n]], r.max()
            loss += (top - mine) / heat + np.log(np.exp((r - top) / heat).sum())
            better, equal = (r > mine).sum(), (r == mine).sum()
            for t in range(3):  # equals come in any order
                tops[t] += min(max((2 * t + 1 - better) / equal, 0.0), 1.0)
            used += 1
        first = last
    return loss / used, tops[0] / used, tops[1] / used, tops[2] / used


def read(paths: list[str], positions: int) -> Samples:
    games = []
    for path in paths:
        with lzma.open(path) as file:
            games.append(np.frombuffer(file.read(), np.uint16).astype(np.int64))
    every = max(sum(g.size for g in games) // 3 // positions, 1)
    rows, rivals = np.zeros((positions * 40, len(PARTS)), np.int16), np.zeros((positions * 40, 2), np.float32)
    ends, best, test = np.zeros(positions, np.int64), np.zeros(positions, np.int64), np.zeros(positions, np.bool_)
    used = row = game = 0
    for path, data in zip(paths, games, strict=True):
        game, more, more_rows = gather(
            CHESS.start(), data, every, game,
            Samples(rows[row:], rivals[row:], ends[used:], best[used:], test[used:]),
        )  # fmt: skip
        ends[used : used + more] += row
        best[used : used + more] += row
        used, row = used + more, row + more_rows
        print(f"{path}: {used:,} positions, {row:,} moves so far", file=sys.stderr, flush=True)
    return Samples(rows[:row], rivals[:row], ends[:used], best[:used], test[:used])


def fit(rows: Any, ends: Any, best: Any, test: Any, passes: int) -> Any:
    weights, met, rng = np.zeros(WEIGHTS), np.full(WEIGHTS, 1.0), np.random.default_rng(1)
    for n in range(passes):
        order = rng.permutation(np.flatnonzero(~test))
        loss = climb(rows, ends, best, order, FIRST_STEP * COOLING**n, weights, met)
        print(f"pass {n + 1}: -log p {loss:.4f}", file=sys.stderr, flush=True)
    return np.clip(np.rint(100 * weights), -LARGEST, LARGEST).astype(np.int64)


def report(name: str, scores: Any, ends: Any, best: Any, which: Any, heats: tuple[float, ...]) -> None:
    """The figures of a way to score moves, at the temperature of least loss."""
    loss, *tops = min(measure(scores, ends, best, which, heat) for heat in heats)
    print(f"{name:28s} {loss:6.3f}  " + "  ".join(f"{100 * t:5.1f} %" for t in tops), file=sys.stderr)


def write(weights: Any, positions: int) -> None:
    print(f'"""Fitted by tools/fit_policy.py to Stockfish 15.1\'s moves in {positions:,} positions."""\n')
    print("FITTED: dict[str, tuple[int, ...]] = {")
    start = 0
    for part, size in PARTS.items():
        print(f'    "{part}": (')
        for line in range(start, start + size, 16):
            print("        " + " ".join(f"{w}," for w in weights[line : min(line + 16, start + size)]))
        print("    ),")
        start += size
    print("}  # fmt: skip")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the policy's weights; see the head of this file.")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--passes", type=int, default=10)
    asked = parser.parse_args()
    rows, rivals, ends, best, test = read(asked.games, asked.positions)
    weights = fit(rows, ends, best, test, asked.passes)
    scores = weights.astype(np.float32)[rows[:, 0]]
    for part in range(1, len(PARTS)):
        scores += weights.astype(np.float32)[rows[:, part]]
    print(f"{test.sum():,} positions kept back   -log p    first     in 3     in 5", file=sys.stderr)
    report("all moves alike", np.zeros(len(rows), np.float32), ends, best, test, (100.0,))
    report("evaluation after the move", rivals[:, 0].copy(), ends, best, test, HEATS)
    report("exchange", rivals[:, 1].copy(), ends, best, test, HEATS)
    report("evaluation + exchange", rivals.sum(axis=1), ends, best, test, HEATS)
    report("these weights", scores, ends, best, test, (100.0,))
    report("these, where they were fitted", scores, ends, best, ~test, (100.0,))
    write(weights, int((~test).sum()))


if __name__ == "__main__":
    main()
