"""Fit how games end that a search has scored so: the numbers of `plyout.engine.outcomes`.

usage: python tools/fit_outcomes.py FOLDER [--games 600]

Presets play themselves, one for each kind of score, and the games are kept in FOLDER: the same command goes on where it
was. Every position that the mover has scored, and not proven, says what that score was worth: the game's end. The
likelihood of all of them has its maximum where threshold and spread are printed; an interval of 95 % comes from drawing
whole games anew: the positions of one game are no independent witnesses. Below it, what was foretold and what came.
"""

import argparse
import io
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn
import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]

from plyout.engine.outcomes import Model, material
from plyout.games import state_of
from plyout.lab.match.match import match
from plyout.lab.match.store import Store

PLAYED = {  # what scores are made of: the preset that plays, and the nodes of a move
    "network": ("plyout?", 5000),
    "quiescence": ("plyout?value_net=&policy_net=&", 5000),
    "alphabeta": ("alphabeta?", 20_000),
    "singh": ("singh-mcts?", 400),
}
FEWEST_PLIES = 4  # behind the opening: what is scored there is the book's
DRAWS = 200  # resamples for the interval


class Scored(NamedTuple):
    """Positions, each with the number of its game, its score and material, and how it ended: 1, 0.5 or 0."""

    game: np.ndarray
    centipawns: np.ndarray
    material: np.ndarray
    points: np.ndarray


def scored(folder: Path) -> Scored:
    rows = []
    with Store.read(folder) as store:
        for number, record in enumerate(store.games()):
            game = chess.pgn.read_game(io.StringIO(record.pgn))
            if game is None or record.reason in ("crash", "time", "stall", "illegal"):
                continue
            points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[record.result]
            for node in list(game.mainline())[FEWEST_PLIES:]:
                score, board = node.eval(), node.parent.board()
                if score is not None and not score.is_mate():
                    cp = score.pov(board.turn).score()
                    rows.append((number, cp, material(state_of(board)), points if board.turn else 1 - points))
    return Scored(*np.array(rows).T)


def unlikelihood(numbers: np.ndarray, about: Scored) -> float:
    threshold = numbers[0] + numbers[1] * about.material
    spread = np.maximum(numbers[2] + numbers[3] * about.material, 1.0)
    won = 1 / (1 + np.exp((threshold - about.centipawns) / spread))
    lost = 1 / (1 + np.exp((threshold + about.centipawns) / spread))
    chance = np.where(about.points == 1, won, np.where(about.points == 0, lost, 1 - won - lost))
    return float(-np.mean(np.log(np.maximum(chance, 1e-9))))


def fitted(about: Scored, start: np.ndarray) -> np.ndarray:
    found = minimize(unlikelihood, start, args=(about,), method="Nelder-Mead", options={"maxiter": 4000, "xatol": 0.1})
    return np.asarray(found.x)


def interval(about: Scored, best: np.ndarray) -> np.ndarray:
    """Low and high end for each number."""
    generator = np.random.default_rng(1)
    order = np.argsort(about.game, kind="stable")
    by_game = np.split(order, np.flatnonzero(np.diff(about.game[order])) + 1)
    found = []
    for _ in range(DRAWS):
        drawn = np.concatenate([by_game[i] for i in generator.integers(len(by_game), size=len(by_game))])
        found.append(fitted(Scored(*(column[drawn[::8]] for column in about)), best))
    return np.asarray(np.percentile(found, (2.5, 97.5), axis=0))


def show(kind: str, about: Scored) -> None:
    best = fitted(about, np.array([150.0, 50.0, 80.0, 20.0]))
    low, high = interval(about, best)
    model = Model((best[0], best[1]), (best[2], best[3]))
    games, positions = len(np.unique(about.game)), len(about.game)
    print(f'    "{kind}": Model(({best[0]:.0f}, {best[1]:.0f}), ({best[2]:.0f}, {best[3]:.0f})),')
    print(
        f"# {games} games, {positions} positions; 95 %:",
        *(f"{a:.0f} to {b:.0f}" for a, b in zip(low, high, strict=True)),
        sep=" · ",
    )
    print("#    score  positions   foretold: won drawn lost   came: won drawn lost")
    edges = [-10_000, -400, -200, -100, -50, -20, 20, 50, 100, 200, 400, 10_000]
    for start, end in pairwise(edges):
        among = (about.centipawns > start) & (about.centipawns <= end)
        if among.sum() < 50:
            continue
        pairs = zip(about.centipawns[among], about.material[among], strict=True)
        said = np.mean([model.outcomes(cp, left) for cp, left in pairs], axis=0)
        came = [1000 * float(np.mean(about.points[among] == points)) for points in (1, 0.5, 0)]
        numbers = "".join(f"{n:6.0f}" for n in said) + "     " + "".join(f"{n:6.0f}" for n in came)
        print(f"# {np.mean(about.centipawns[among]):8.0f} {among.sum():10d}      {numbers}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=600, help="of each preset")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=list(PLAYED), help="one kind of score")
    asked = parser.parse_args()
    for kind, (preset, nodes) in PLAYED.items():
        if asked.only in (None, kind):
            both = f"{preset}name=one", f"{preset}seed=2&name=two"
            match(*both, games=asked.games, nodes=nodes, out=asked.folder / kind, concurrency=asked.jobs)
            show(kind, scored(asked.folder / kind))


if __name__ == "__main__":
    main()
