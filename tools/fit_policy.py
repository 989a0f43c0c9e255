"""Fit the weights of `plyout.evaluate.policy` to games whose positions an engine has judged.

usage: python tools/fit_policy.py [--positions 400000] GAMES.bin.xz … > src/plyout/evaluate/policy_weights.py

The files are those of `tools/fit_tables.py`. From each game a few positions are drawn; of every fifth game they are
kept for the test. The model: the engine plays move i with probability exp(r_i) / Σ exp(r_j), and r is the sum of
the weights that `plyout.evaluate.features` names. The weights maximise the likelihood of the engine's moves, less
a small penalty on their squares (L-BFGS). What came of it on the games kept back goes to stderr.
"""

import argparse
import lzma
import sys
from typing import Any

import numpy as np
from scipy.optimize import minimize

from plyout.evaluate.exchange import exchange
from plyout.evaluate.features import PARTS, WEIGHTS, features, man_of
from plyout.evaluate.sight import look, phase
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games import CHESS
from plyout.games.chess.board import CASTLE, load
from plyout.games.chess.rules import ROOM, legal, play
from plyout.kernel import Ints, kernel, shr
from plyout.kernel.random import mix

NONE = 32767
RIVALS = 2  # ratings of others that are kept beside the features: the evaluation after the move, and that + exchange
PENALTY = 2.0
HUNDREDTHS = 100
LARGEST = 2500  # the sum of all parts fits 16 bits


@kernel
def code_of(move: int) -> int:
    """The move as the files write it."""
    to = shr(move, 6) & 63
    if move & CASTLE:
        to = (move & 56) + (6 if to > move & 63 else 2)
    promotion = shr(move, 15) & 7
    return move & 63 | to << 6 | (promotion + 1 << 12 if promotion else 0)


@kernel
def gather(start: Ints, data: Ints, every: int, first_game: int, out: Any, rivals: Any, ends: Any, best: Any, test: Any) -> Any:
    """Describe one position in `every`: a row of `out` a move; `ends` closes the rows of a position."""
    state = np.empty(start.size, np.int64)
    moves = np.empty(ROOM, np.int64)
    i, rows, used, game = 0, 0, 0, first_game
    while i < data.size:
        plies = data[i]
        i += 2
        state[:] = start
        for ply in range(plies):
            played, wanted, score = data[i], data[i + 1], data[i + 2]
            i += 3
            count = legal(state, moves)
            if score != NONE and (mix(game * 1024 + ply) & 0xFFFFFF) % every == 0 and count > 1:
                if used >= best.size or rows + count > out.shape[0]:
                    return game - first_game, used, rows
                b = load(state)
                s = look(b)
                stage = phase(b)
                middlegame, endgame, left = totals(b)
                for k in range(count):
                    f = features(b, s, stage, man_of(b, s, moves[k]), moves[k])
                    for slot in range(len(f)):
                        out[rows + k, slot] = f[slot]
                    more_mg, more_eg, more = gain(b, moves[k])
                    rivals[rows + k, 0] = taper(middlegame + more_mg, endgame + more_eg, left + more)
                    after = taper(middlegame + more_mg, endgame + more_eg, left + more)
                    rivals[rows + k, 1] = after if more_mg == 0 else after
                    rivals[rows + k, 1] = exchange(b, moves[k])
                    if code_of(moves[k]) == wanted:
                        best[used] = rows + k
                rows += count
                ends[used] = rows
                test[used] = game % 5 == 0
                used += 1
            for k in range(count):
                if code_of(moves[k]) == played:
                    play(state, moves[k])
                    break
        game += 1
    return game - first_game, used, rows


@kernel
def likelihood(rows: Any, ends: Ints, best: Ints, which: Any, weights: Any, gradient: Any) -> float:
    """The sum of -log p of the best moves of the positions marked in `which`; its gradient is added to `gradient`."""
    total = 0.0
    p = np.empty(512)
    first = 0
    for n in range(ends.size):
        last = ends[n]
        if which[n]:
            top = -1e300
            for k in range(first, last):
                r = 0.0
                for slot in range(rows.shape[1]):
                    r += weights[rows[k, slot]]
                p[k - first] = r
                top = max(top, r)
            whole = 0.0
            for k in range(last - first):
                whole += np.exp(p[k] - top)
            total += top + np.log(whole) - p[best[n] - first]
            for k in range(first, last):
                share = np.exp(p[k - first] - top) / whole - (1.0 if k == best[n] else 0.0)
                if abs(share) > 1e-5:
                    for slot in range(rows.shape[1]):
                        gradient[rows[k, slot]] += share
        first = last
    return total


@kernel
def measure(ratings: Any, ends: Ints, best: Ints, which: Any, heat: float) -> Any:
    """(positions, mean -log p, share of best moves ranked first, among the first three, five) for softmax(r / heat)."""
    loss, first, used = 0.0, 0, 0
    tops = np.zeros(3)
    for n in range(ends.size):
        last = ends[n]
        if which[n]:
            mine = ratings[best[n]]
            top = ratings[first:last].max()
            loss += (top - mine) / heat + np.log(np.exp((ratings[first:last] - top) / heat).sum())
            better = 0.0
            for k in range(first, last):
                if ratings[k] > mine:
                    better += 1.0
                elif ratings[k] == mine and k != best[n]:
                    better += 0.5  # equals: half of them come first
            tops[0] += better < 1.0
            tops[1] += better < 3.0
            tops[2] += better < 5.0
            used += 1
        first = last
    return used, loss / used, tops[0] / used, tops[1] / used, tops[2] / used


def read(paths: list[str], positions: int) -> tuple[Any, ...]:
    games = []
    for path in paths:
        with lzma.open(path) as file:
            games.append(np.frombuffer(file.read(), np.uint16).astype(np.int64))
    plies = sum(g.size for g in games) // 3
    every = max(plies // positions, 1)
    room = positions * 40
    out, rivals = np.zeros((room, len(PARTS)), np.int16), np.zeros((room, RIVALS))
    ends, best, test = np.zeros(positions, np.int64), np.zeros(positions, np.int64), np.zeros(positions, np.bool_)
    used = rows = first = 0
    for path, data in zip(paths, games, strict=True):
        count, more, more_rows = gather(
            CHESS.start(), data, every, first, out[rows:], rivals[rows:], ends[used:], best[used:], test[used:]
        )
        ends[used : used + more] += rows
        best[used : used + more] += rows
        first, used, rows = first + count, used + more, rows + more_rows
        print(f"{path}: {used:,} positions, {rows:,} moves so far", file=sys.stderr)
    return out[:rows], rivals[:rows], ends[:used], best[:used], test[:used]


def fit(rows: Any, ends: Any, best: Any, which: Any, iterations: int) -> Any:
    used = which.sum()

    def cost(weights: Any) -> tuple[float, Any]:
        gradient = np.zeros(WEIGHTS)
        total = likelihood(rows, ends, best, which, weights, gradient)
        return (total + PENALTY * weights @ weights / 2) / used, (gradient + PENALTY * weights) / used

    def tell(weights: Any) -> None:
        nonlocal steps
        steps += 1
        if steps % 20 == 0:
            print(f"step {steps}: {cost(weights)[0]:.4f}", file=sys.stderr)

    steps = 0
    options = {"maxiter": iterations, "maxcor": 20, "ftol": 1e-7}
    return minimize(cost, np.zeros(WEIGHTS), jac=True, method="L-BFGS-B", callback=tell, options=options).x


def report(name: str, ratings: Any, ends: Any, best: Any, test: Any, heats: tuple[float, ...]) -> None:
    """The figures of a rating, at the temperature of least loss."""
    used, loss, *tops = min((measure(ratings, ends, best, test, heat) for heat in heats), key=lambda m: m[1])
    shares = "  ".join(f"{100 * t:5.1f} %" for t in tops)
    print(f"{name:34s} {loss:6.3f}  {shares}   ({used:,} positions)", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--positions", type=int, default=400_000)
    parser.add_argument("--iterations", type=int, default=200)
    asked = parser.parse_args()
    rows, rivals, ends, best, test = read(asked.paths, asked.positions)
    weights = fit(rows, ends, best, ~test, asked.iterations)
    np.save("/tmp/w/policy/weights.npy", weights)
    whole = np.clip(np.rint(HUNDREDTHS * weights), -LARGEST, LARGEST).astype(np.int64)
    heats = (20.0, 30.0, 45.0, 60.0, 80.0, 100.0, 130.0, 170.0, 220.0)
    print(f"{'held out':34s} -log p     first  among 3  among 5", file=sys.stderr)
    report("all moves alike", np.zeros(len(rows)), ends, best, test, (100.0,))
    report("evaluation after the move", rivals[:, 0].copy(), ends, best, test, heats)
    report("exchange", rivals[:, 1].copy(), ends, best, test, heats)
    ratings = whole[rows].sum(axis=1).astype(np.float64)
    report("these weights", ratings, ends, best, test, (100.0,))
    report("these weights, on the fitted games", ratings, ends, best, ~test, (100.0,))


if __name__ == "__main__":
    main()
