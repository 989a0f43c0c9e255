"""``plyout fit``: the weights of the evaluation, by regression on what an engine says (Xu's AlphaOne, 4.4 and 5.1)."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from plyout.errors import InputError
from plyout.evaluate.features import HALVES, features
from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, QUIET_ROOM, quiet_value
from plyout.evaluate.tapered import evaluate
from plyout.evaluate.weighted import TERMS
from plyout.games import CHESS
from plyout.games.chess.board import HISTORY, in_check, load
from plyout.games.chess.border import to_board
from plyout.games.chess.moves import SETS_SIZE
from plyout.games.contract import KEY
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, kernel
from plyout.lab.fit.labels import Labelling, Labels
from plyout.lab.match.players import find_program
from plyout.lab.puzzles.own_games import own_games
from plyout.lab.report.terminal import terminal
from plyout.progress import Progress

CLIP = 1500
TRAIN = 0.75
A_GAME = 16  # positions taken from one game
_SMALL = 5_000  # positions for methods whose time grows with their square

PAPER_ERRORS = {
    "tapered": (224.507, 225.253, 140822.180, 142318.623),
    "linear": (224.671, 225.935, 130406.278, 131985.780),
}
PAPER_WEIGHTS = {
    "islands": -33.993, "doubled": -9.669, "tapered": 0.822, "pawn_shield": 1.461, "mobility": 4.237,
    "king_attack": 4.947, "passed": 108.254,
}  # fmt: skip

Floats = npt.NDArray[np.float64]


@kernel
def _terms(state: Ints, sets: Ints, out: Ints) -> None:
    """The tapered evaluation and the features of a position, for White."""
    b = load(state)
    sign = 1 - 2 * b.turn
    out[0] = sign * evaluate(b)
    mobility, attack, shield, passed, doubled, islands = features(b, sets)
    out[1], out[2], out[3] = sign * mobility, sign * attack, sign * shield
    out[4], out[5], out[6] = sign * passed, sign * doubled, sign * islands


@kernel
def _is_quiet(state: Ints, scratch: Ints, nodes: Ints) -> bool:
    """No check, and no capture that changes the evaluation."""
    b = load(state)
    if in_check(b):
        return False
    return quiet_value(House(b, 0, 0), EVASIONS | EXCHANGES, 0, 4, scratch, nodes) == evaluate(b)


def positions(seed: int, quiet_only: bool) -> Iterator[str]:
    """Positions of our own games, each but once, without end: A_GAME of a game, drawn after its random opening."""
    generator = np.random.default_rng(seed)
    scratch, nodes = np.empty(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    seen: set[int] = set()
    for game in own_games(seed):
        ours = game[8:-1]
        for i in sorted(generator.permutation(len(ours))[:A_GAME]):
            state = ours[i]
            if int(state[KEY]) in seen or CHESS.result(state) is not None:
                continue
            if quiet_only and not _is_quiet(state, scratch, nodes):
                continue
            seen.add(int(state[KEY]))
            yield to_board(state).fen()


def terms_of(fens: list[str]) -> Floats:
    """A row of terms for each position, in the order of TERMS."""
    sets, out = np.empty(SETS_SIZE, np.int64), np.zeros(len(TERMS), np.int64)
    rows = np.zeros((len(fens), len(TERMS)))
    with Progress("features", len(fens)) as progress:
        for row, fen in zip(rows, fens, strict=True):
            _terms(CHESS.parse(fen)[: HISTORY + 1], sets, out)
            row[:] = out
            progress.step()
    for name in HALVES:
        rows[:, TERMS.index(name)] /= 2
    return rows


def _errors(
    predict: Callable[[Floats], Floats], train: tuple[Floats, Floats], test: tuple[Floats, Floats]
) -> list[float]:
    """MAE on train and test, MSE on train and test, as in Table 1."""
    off = [predict(x) - y for x, y in (train, test)]
    return [float(np.mean(np.abs(d))) for d in off] + [float(np.mean(d * d)) for d in off]


def _methods(compare: bool, seed: int) -> dict[str, tuple[Any, int | None]]:
    """The regressions by name, each with the number of positions that it can bear."""
    try:
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.linear_model import LinearRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVR
    except ImportError:
        raise InputError("the regressions need scikit-learn: pip install 'plyout[lab]'") from None
    methods: dict[str, tuple[Any, int | None]] = {"linear": (LinearRegression(), None)}
    if compare:
        forest = RandomForestRegressor(n_estimators=30, min_samples_leaf=20, n_jobs=-1, random_state=seed)
        methods["random forest"] = (forest, None)
        methods["support vectors"] = (make_pipeline(StandardScaler(), SVR(C=1000.0, epsilon=50.0)), _SMALL)
    return methods


def regress(rows: Floats, scores: Floats, seed: int, compare: bool) -> dict[str, Any]:
    """Fit on three quarters, test on the rest."""
    methods = _methods(compare, seed)
    order = np.random.default_rng(seed).permutation(len(scores))
    cut = int(TRAIN * len(scores))
    scores = np.clip(scores, -CLIP, CLIP).astype(float)
    train, test = ((rows[part], scores[part]) for part in (order[:cut], order[cut:]))
    found = [{"method": "tapered", "errors": _errors(lambda x: x[:, 0], train, test), "positions": len(train[1])}]
    weights: dict[str, float] = {}
    intercept = 0.0
    for name, (model, most) in methods.items():
        began = time.perf_counter()
        model.fit(train[0][:most], train[1][:most])
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        errors = _errors(model.predict, train, test) if most is None else _errors(model.predict, test, test)
        rate = (len(scores) if most is None else 2 * len(test[1])) / (time.perf_counter() - began)
        if most is not None:
            errors[0] = errors[2] = float("nan")  # it has not seen the whole training set
        about = {"method": name, "errors": errors, "positions": min(most or cut, cut)}
        found.append(about | {"fit_s": seconds, "predictions_s": rate})
        if name == "linear":
            weights = {term: float(w) for term, w in zip(TERMS, model.coef_, strict=True)}
            intercept = float(model.intercept_)
    return {"methods": found, "weights": weights, "intercept": intercept, "train": cut, "test": len(scores) - cut}


def write_weights(path: Path, answer: dict[str, Any]) -> None:
    """The weights as a file that `plyout.evaluate.weighted.load_weights` reads."""
    many = f"{answer['train'] + answer['test']:,}"
    lines = [
        f"# Fitted by 'plyout fit' to {many} positions of its own games, a quarter of them kept for the test, that",
        f"# {answer['engine']} had scored (go {answer['limit']}); in centipawns, clipped to {CLIP}.",
        "[weights]",
        *(f"{term} = {weight:.3f}" for term, weight in answer["weights"].items()),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fit(
    labelling: Labelling, folder: Path, jobs: int = 0, compare: bool = False, silent: bool = False
) -> dict[str, Any]:
    """Make the positions, label them with `jobs` engines at once (0: one a core), regress; `compare` tries other
    methods, too. An interrupted run goes on where it was."""
    seed = labelling.seed
    _methods(compare=False, seed=seed)  # before the long work: is everything there?
    find_program(labelling.engine)
    labels = Labels(folder, labelling)
    fens = labels.positions(positions(seed, labelling.quiet))
    scores = labels.label(fens, jobs or os.cpu_count() or 1, silent)
    rows = terms_of(fens)
    answer = regress(rows, np.array([scores[i] for i in range(len(fens))], float), seed, compare)
    return answer | asdict(labelling) | {"folder": str(folder)}


def show(answer: dict[str, Any]) -> None:
    """Tables 1 and 2 of the paper, with ours beside."""
    console = terminal()
    grid = Table("method", "MAE train", "MAE test", "MSE train", "MSE test", "fit", "a second", title="Table 1")
    for row in answer["methods"]:
        cells = [f"{e:,.1f}" if e == e else "" for e in row["errors"]]
        speed = [f"{row['fit_s']:.2f} s", f"{row['predictions_s']:,.0f}"] if "fit_s" in row else ["", ""]
        few = "" if row["positions"] == answer["train"] else f" ({row['positions']:,} positions)"
        grid.add_row(row["method"] + few, *cells, *speed)
        if row["method"] in PAPER_ERRORS:
            grid.add_row("  paper", *(f"{e:,.1f}" for e in PAPER_ERRORS[row["method"]]), "", "", style="dim")
    console.print(grid)
    grid = Table("feature", "weight", "paper", title="Table 2")
    for term in sorted(answer["weights"], key=lambda t: PAPER_WEIGHTS[t]):
        grid.add_row(term.replace("_", " "), f"{answer['weights'][term]:.3f}", f"{PAPER_WEIGHTS[term]:.3f}")
    console.print(grid)
    about = f"{answer['train']:,} positions to train, {answer['test']:,} to test"
    console.print(
        f"{about}; scored by {answer['engine']}, go {answer['limit']}; White's constant {answer['intercept']:.1f}"
    )
