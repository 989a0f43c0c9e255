"""Xu 2024, AlphaOne: the fit of the evaluation, strength by depth, and mates in two."""

import random
from typing import Any

import numpy as np

from plyout.engine import Engine, Limits
from plyout.lab.fit import fit as fitting
from plyout.lab.match import rate
from plyout.lab.fit.labels import Labels
from plyout.lab.report.page import Block, Cell, Table, Text
from plyout.lab.puzzles.read import read_puzzles
from plyout.lab.puzzles.solve import PAPER_MATES, solve
from plyout.lab.reproduce.experiment import Bench, Experiment, Findings, Study
from plyout.lab.reproduce.verdict import DIFFERS, UNDECIDED, Number, Row, claim
from plyout.progress import Progress

PROGRAM = "stockfish"
MATES = "mate-in-2.epd"
ASKED_OF_ALPHAONE, SOLVED_BY_ALPHAONE = 20, 1
_RESAMPLED = 40  # times that the positions are drawn anew, for the intervals
_ANY_NODES = 10_000_000  # no limit for a search whose depth is given


def _fit(bench: Bench, count: int, limit: str) -> dict[str, Any]:
    """Fit once as the paper does, then to positions drawn with replacement: their spread gives the intervals."""
    folder = bench.out / "xu-1" / "labels"
    found = fitting.fit(count, bench.seed, PROGRAM, limit, False, folder, bench.concurrency, False, bench.quiet)
    del found["folder"]
    labels = Labels(folder, {name: found[name] for name in ("count", "seed", "engine", "limit", "quiet")})
    fens, scores = labels.positions(iter(()), count), labels.read()
    rows, targets = fitting.terms_of(fens), np.array([scores[i] for i in range(len(fens))], float)
    generator = np.random.default_rng(bench.seed)
    again = []
    for seed in range(_RESAMPLED):
        drawn = generator.integers(len(fens), size=len(fens))
        again.append(fitting.regress(rows[drawn], targets[drawn], seed, compare=False))
    return {"fit": _bare(found), "again": [_bare(one) for one in again]}


def _bare(answer: dict[str, Any]) -> dict[str, Any]:
    errors = {row["method"]: row["errors"] for row in answer["methods"]}
    return {"errors": errors, "weights": answer["weights"], "train": answer["train"], "test": answer["test"]}


def _between(value: float, again: list[float]) -> Number:
    low, high = np.percentile(again, [2.5, 97.5])
    return Number(value, min(float(low), value), max(float(high), value))


def _say_fit(found: dict[str, Any]) -> Findings:
    fit, again = found["xu-1"]["fit"], found["xu-1"]["again"]
    rows = []
    for method, name in (("tapered", "tapered"), ("linear", "all features")):
        for i, what in ((1, "MAE"), (3, "MSE")):
            paper = fitting.PAPER_ERRORS[method][i]
            ours = _between(fit["errors"][method][i], [a["errors"][method][i] for a in again])
            rows.append(Row(f"{what} on test, {name}", Number.about(paper, 0.1 * paper), ours))
    claims = []
    for term, paper in fitting.PAPER_WEIGHTS.items():
        ours = _between(fit["weights"][term], [a["weights"][term] for a in again])
        name = term.replace("_", " ")
        rows.append(Row(f"weight of {name}", Number.about(paper, 0.25 * abs(paper)), ours, none=0.0))
        sign = {"above": 0.0} if paper > 0 else {"below": 0.0}
        claims.append(claim(f"{name} counts {'for' if paper > 0 else 'against'} a side", ours, **sign))

    def gain(one: dict[str, Any]) -> float:
        return float(one["errors"]["tapered"][3] - one["errors"]["linear"][3])

    claims.append(claim("the features lower the MSE (by)", _between(gain(fit), [gain(a) for a in again]), above=0))
    return Findings(
        rows, claims, [Text(f"{fit['train']:,} positions to train, {fit['test']:,} to test.")], "", 3, drawn=False
    )


def _players() -> list[tuple[str, int]]:
    return [(preset, depth) for preset in rate.PAPER for depth in (1, 2, 3, 4)]


def _strength(bench: Bench, nodes: int) -> dict[str, Any]:
    """The binary search for each version and depth; the program's moves are limited by nodes, ours by depth."""
    answers = {}
    for preset, depth in _players():
        options = {
            "tc": None, "movetime": None, "nodes": nodes, "max_plies": 300, "concurrency": bench.concurrency,
            "out": bench.out / "xu-3" / f"{preset}-{depth}", "quiet": bench.quiet,
        }  # fmt: skip
        player = f"{preset}?depth={depth}&nodes={_ANY_NODES}"
        answers[f"{preset} {depth}"] = rate.binary_search(player, PROGRAM, options)
    return {"weakest": rate.levels_of(PROGRAM)[0], "players": answers}


def _rating(searched: dict[str, Any]) -> Number:
    """The most likely rating from all games of a search; a clean score has no bound on one side."""
    fields = ("level", "points", "games", "faults")
    found = rate.most_likely([rate.Score(**{f: r[f] for f in fields}) for r in searched["rounds"]])
    low = -np.inf if found.low is None else found.low
    high = np.inf if found.high is None else found.high
    middle = found.elo if found.elo is not None else (found.high if found.low is None else found.low)
    return Number(float(middle or 0.0), float(low), float(high))


def _say_strength(found: dict[str, Any]) -> Findings:
    answer = found["xu-3"]
    ours = {name: _rating(searched) for name, searched in answer["players"].items()}
    lines: list[list[str | Cell]] = []
    for preset, depth in _players():
        low, high = rate.PAPER[preset][depth]
        searched, rating = answer["players"][f"{preset} {depth}"], ours[f"{preset} {depth}"]
        likely = f"{rating.value:.0f} ({rating.low:.0f} to {rating.high:.0f})"
        lines.append(
            [f"{preset}, depth {depth}", f"{low} to {high}", f"{searched['low']} to {searched['high']}", likely]
        )
    claims = []
    for preset in rate.PAPER:
        for depth in (2, 3, 4):
            lead = ours[f"{preset} {depth}"].less(ours[f"{preset} {depth - 1}"])
            claims.append(claim(f"{preset} is stronger at depth {depth} than at {depth - 1}", lead, above=0))
    head = ["player", "paper's search", "our search", "most likely (95 %)"]
    note = f"Where the search asks for less than {answer['weakest']}, it plays {answer['weakest']}: nothing is weaker."
    return Findings((), claims, [Table(head, lines), Text(note)])


def _mates(bench: Bench, movetime: float) -> dict[str, Any]:
    """All puzzles by alpha-beta at each depth, and a sample of them by AlphaOne, as published and mended."""
    puzzles = read_puzzles(MATES)
    sample = random.Random(bench.seed).sample(puzzles, ASKED_OF_ALPHAONE)
    answer: dict[str, Any] = {"puzzles": len(puzzles), "depths": {}, "mcts": {}}
    with Progress("puzzles", 4 * len(puzzles) + 2 * len(sample), bench.quiet) as progress:
        for depth in PAPER_MATES:
            attempts = solve(Engine("alphabeta-v1"), puzzles, Limits(depth=depth), lambda _: progress.step())
            answer["depths"][str(depth)] = sum(a.solved for a in attempts)
        for preset in ("alphaone", "alphaone-fixed"):
            engine = Engine(preset, seed=bench.seed)
            attempts = solve(engine, sample, Limits(movetime=movetime), lambda _: progress.step())
            answer["mcts"][preset] = sum(a.solved for a in attempts)
    return answer


def _say_mates(found: dict[str, Any]) -> Findings:
    answer = found["xu-4"]
    many = answer["puzzles"]
    rows = [
        Row(f"alpha-beta, depth {depth}", Number.percent(round(percent * 2.19), 219),
            Number.percent(answer["depths"][str(depth)], many))
        for depth, percent in PAPER_MATES.items()
    ]  # fmt: skip
    theirs = Number.percent(SOLVED_BY_ALPHAONE, ASKED_OF_ALPHAONE)
    ours = {name: Number.percent(solved, ASKED_OF_ALPHAONE) for name, solved in answer["mcts"].items()}
    rows.append(Row("AlphaOne", theirs, ours["alphaone"]))
    rows.append(Row("AlphaOne, mended", None, ours["alphaone-fixed"]))
    claims = [
        claim("at depth 3 more than 95 % are solved", rows[2].ours, above=95.0),
        claim("at depth 2 fewer than half are", rows[1].ours, below=50.0),
        claim("AlphaOne solves fewer than half", ours["alphaone"], below=50.0),
    ]
    blocks: list[Block] = [
        Text(f"{many} puzzles of our own, each with a single solution; AlphaOne was given a sample.")
    ]
    return Findings(rows, claims, blocks, "% solved", 1)


EXPERIMENTS = (
    Experiment(
        "xu-1", "Tables 1, 2: the evaluation fitted to Stockfish's scores", aliases=("xu-2",), seconds=60,
        needs=("stockfish", "scikit-learn"), say=_say_fit,
        parts=[Study("xu-1", _fit, {"count": 4_000, "limit": "nodes 1000"},
                     {"count": 200_000, "limit": "depth 12"})],
        why={DIFFERS: "The paper's positions are not known; ours come from games of our own engine.",
             UNDECIDED: "A small weight needs more positions than this scale labels."},
    ),
    Experiment(
        "xu-3", "Table 3: Elo by depth against Stockfish of limited strength", seconds=100, needs=("stockfish",),
        parts=[Study("xu-3", _strength, {"nodes": 5_000}, {"nodes": 100_000})], say=_say_strength,
        why={UNDECIDED: "Thirty games rate a player to about 150 Elo either way, and Stockfish plays no weaker than "
             "its lowest level."},
    ),
    Experiment(
        "xu-4", "Table 4: mates in two, by depth, and by AlphaOne", seconds=60,
        parts=[Study("xu-4", _mates, {"movetime": 200.0}, {"movetime": 60_000.0})], say=_say_mates,
        why={DIFFERS: "The puzzles are ours, and not the paper's."},
    ),
)  # fmt: skip
