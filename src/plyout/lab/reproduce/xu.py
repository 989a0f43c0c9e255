"""Xu 2024, AlphaOne: the fit of the evaluation, strength by depth and by c, and mates in two."""

import hashlib
import random
from dataclasses import asdict
from typing import Any

import numpy as np

from plyout.engine import Engine, Limits
from plyout.lab.fit import fit as fitting
from plyout.lab.fit.labels import Labelling, Labels
from plyout.lab.match import rate
from plyout.lab.puzzles.read import Puzzle, read_puzzles
from plyout.lab.puzzles.solve import PAPER_MATES, Attempt, solve
from plyout.lab.report.page import Cell, Table, Text
from plyout.lab.reproduce.experiment import Bench, Experiment, Findings, Options, Study
from plyout.lab.reproduce.verdict import DIFFERS, Number, Quote, Row, claim
from plyout.progress import Progress

PROGRAM = "stockfish"
MATES = "mate-in-2.epd"
ASKED_OF_ALPHAONE, SOLVED_BY_ALPHAONE = 20, 1
FACTORS = range(1, 11)  # the exploration factor c of AlphaOne
THEIR_PUZZLES = (
    "the puzzles are ours. On the 221 of wtharvey.com from which the paper has its 219 (--puzzles), depths 1 to 4 "
    "solve 18, 33, 221 and 221."
)
LEVELS = (1350, 1600, 1850, 2100)  # of Stockfish, for games beyond those of the binary search

# fmt: off
IMPROVED = Quote("while MAE did not change greatly, MSE did improve", "section 5.1")
PENALTIES = Quote("Pawn Islands and Doubled Pawns receive negative penalty weights", "section 5.1")
REWARDS = Quote("the other features all receive positive reward weights", "section 5.1")
UNDERPERFORMED = Quote("the Version 2 engine actually underperformed the Version 1", "section 6")
NO_RIVAL = Quote("regardless of the exploration factor or static evaluation method, AlphaOne was never able to rival "
                 "even 100-ELO stockfish", "section 5.3")
# fmt: on
GREATLY = 5.0  # percent by which an error has changed greatly: our reading
_RESAMPLED = 40  # times that the positions are drawn anew, for the intervals
_ANY_NODES = 10_000_000  # no limit for a search whose depth is given


def _fit(bench: Bench, count: int, limit: str) -> dict[str, Any]:
    """Fit once as the paper does, then to positions drawn with replacement: their spread gives the intervals."""
    folder = bench.out / "xu-1" / "labels"
    labelling = Labelling(count, bench.seed, PROGRAM, limit)
    found = fitting.fit(labelling, folder, bench.concurrency, silent=bench.quiet)
    labels = Labels(folder, labelling)
    fens, scores = labels.positions(iter(())), labels.read()
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


def _between(value: float, again: list[float], positions: int) -> Number:
    low, high = np.percentile(again, [2.5, 97.5])
    return Number(value, min(float(low), value), max(float(high), value), positions)


def _say_fit(found: dict[str, Any]) -> Findings:
    fit, again = found["xu-1"]["fit"], found["xu-1"]["again"]
    many = fit["train"] + fit["test"]
    rows = []
    for method, name in (("tapered", "tapered"), ("linear", "all features")):
        for i, what in ((1, "MAE"), (3, "MSE")):
            paper = fitting.PAPER_ERRORS[method][i]
            ours = _between(fit["errors"][method][i], [a["errors"][method][i] for a in again], many)
            rows.append(Row(f"{what} on test, {name}", Number.about(paper, 0.1 * paper), ours))
    claims = []
    for term, paper in fitting.PAPER_WEIGHTS.items():
        ours = _between(fit["weights"][term], [a["weights"][term] for a in again], many)
        name = f"weight of {term.replace('_', ' ')}"
        rows.append(Row(name, Number.about(paper, 0.25 * abs(paper)), ours, none=0.0))
        positive = paper > 0
        claims.append(claim(REWARDS, name, ours, above=0) if positive else claim(PENALTIES, name, ours, below=0))

    def gain(one: dict[str, Any], error: int) -> float:
        """What the features take off an error on test, in percent."""
        before, after = one["errors"]["tapered"][error], one["errors"]["linear"][error]
        return float(100 * (before - after) / before)

    mae, mse = (_between(gain(fit, error), [gain(a, error) for a in again], many) for error in (1, 3))
    claims.append(claim(IMPROVED, "fall of the MAE on test", mae, -GREATLY, GREATLY, unit="%"))
    claims.append(claim(IMPROVED, "fall of the MSE on test", mse, above=0, unit="%"))
    counts = f"{fit['train']:,} positions to train, {fit['test']:,} to test."
    note = Text(f"{counts} That an error changes greatly by {GREATLY:g} % or more is our reading.")
    return Findings(rows, claims, [note], "", 3, drawn=False, counted="positions")


def _players() -> list[tuple[str, int]]:
    return [(preset, depth) for preset in rate.PAPER for depth in (1, 2, 3, 4)]


def _strength(bench: Bench, nodes: int, games: int) -> dict[str, Any]:
    """The binary search for each version and depth, with a program that plays its nearest level, and with one that is
    deaf; and so many games more at each of the levels.

    The program's moves are limited by nodes, ours by depth."""
    answers = {}
    for preset, depth in _players():
        player, options = f"{preset}?depth={depth}&nodes={_ANY_NODES}", _options(bench, f"xu-3/{preset}-{depth}", nodes)
        answers[f"{preset} {depth}"] = rate.binary_search(player, PROGRAM, options)
        deaf = rate.binary_search(player, PROGRAM, options | {"out": options["out"] / "deaf"}, deaf=True)
        answers[f"{preset} {depth}"]["deaf"] = [deaf["low"], deaf["high"]]
        if games:
            more = rate.estimate_rating(player, PROGRAM, LEVELS, games, options)
            answers[f"{preset} {depth}"]["more"] = more["scores"]
    return {"weakest": rate.levels_of(PROGRAM)[0], "players": answers}


def _options(bench: Bench, folder: str, nodes: int) -> dict[str, Any]:
    return {
        "tc": None, "movetime": None, "nodes": nodes, "max_plies": 300, "concurrency": bench.concurrency,
        "cluster": bench.cluster, "out": bench.out / folder, "quiet": bench.quiet,
    }  # fmt: skip


def _rating(scores: list[dict[str, Any]]) -> Number:
    """The most likely rating from all games; a clean score has no bound on one side."""
    fields = ("level", "points", "games", "faults")
    found = rate.most_likely([rate.Score(**{f: r[f] for f in fields}) for r in scores])
    low = -np.inf if found.low is None else found.low
    high = np.inf if found.high is None else found.high
    middle = found.elo if found.elo is not None else (found.high if found.low is None else found.low)
    return Number(float(middle or 0.0), float(low), float(high), sum(r["games"] for r in scores))


def _say_strength(found: dict[str, Any]) -> Findings:
    answer = found["xu-3"]
    players = answer["players"]
    ours = {name: _rating(one["rounds"] + one.get("more", [])) for name, one in players.items()}
    rows, lines, met = [], list[list[str | Cell]](), [0, 0]
    for preset, depth in _players():
        low, high = rate.PAPER[preset][depth]
        name, what = f"{preset} {depth}", f"{preset}, depth {depth}"
        rows.append(Row(what, Number((low + high) / 2, low, high), ours[name]))
        found_by = [players[name]["low"], players[name]["high"]], players[name].get("deaf", [])
        met = [m + (one == [low, high]) for m, one in zip(met, found_by, strict=True)]
        lines.append([what, f"{low} to {high}", *(" to ".join(map(str, one)) for one in found_by)])
    claims = []
    for depth in (3, 4):  # where the paper's intervals are not the same
        lead = ours[f"alphabeta-v1 {depth}"].less(ours[f"alphabeta-v2 {depth}"])
        claims.append(claim(UNDERPERFORMED, f"version 1 over version 2 at depth {depth}", lead, above=0))
    weakest = answer["weakest"]
    note = (
        f"Where the search asks for less than {weakest}, this Stockfish has no such level. It then plays {weakest}; or "
        "the last level that it has, as it does if it is set to one that it has not: such an option changes nothing."
    )
    table = Table(["the binary search", "paper", f"ours, {weakest} at least", "ours, the last level"], lines)
    reason = ""
    if met[1] > met[0]:
        reason = (
            f"in part the binary search. Of {len(lines)} intervals the paper's comes out {met[0]} times if Stockfish "
            f"plays {weakest} where less is asked, and {met[1]} times if it goes on with the last level that it has."
        )
    return Findings(rows, claims, [table, Text(note)], "rating", reason=reason)


def _rivals() -> dict[str, str]:
    """AlphaOne by exploration factor and evaluation, and as it should have been."""
    by_factor = {f"AlphaOne, c = {c}": f"alphaone?c={c}" for c in FACTORS}
    tapered = {f"AlphaOne, tapered evaluation, c = {c}": f"alphaone?weighted=0&c={c}" for c in (1, 10)}
    return by_factor | tapered | {"AlphaOne, mended": "alphaone-fixed"}


def _alphaone(bench: Bench, movetime: float, nodes: int) -> dict[str, Any]:
    """The first round of the binary search for each: six games against the weakest level that there is."""
    weakest = rate.levels_of(PROGRAM)[0]
    scores = {}
    for number, (name, text) in enumerate(_rivals().items()):
        player = f"{text}{'&' if '?' in text else '?'}movetime={movetime:g}"
        options = _options(bench, f"xu-5/{number}", nodes) | {"margin": 1000.0}
        scores[name] = asdict(rate.round_of(player, PROGRAM, weakest, options))
    return {"weakest": weakest, "scores": scores}


def _say_alphaone(found: dict[str, Any]) -> Findings:
    answer = found["xu-5"]
    weakest = answer["weakest"]
    ratings = {name: _rating([score]) for name, score in answer["scores"].items()}
    claims = [claim(NO_RIVAL, f"{n}, rating", r, below=100.0) for n, r in ratings.items() if n != "AlphaOne, mended"]
    lines: list[list[str | Cell]] = [[n, f"{s['points']:g} of {s['games']}"] for n, s in answer["scores"].items()]
    table = Table([f"against Stockfish at {weakest}", "points"], lines)
    note = (
        f"This Stockfish plays no weaker than {weakest}. To lose every game against that shows a rating well below it, "
        "but not one below 100."
    )
    return Findings((), claims, [table, Text(note)], "rating")


def _mates_of(bench: Bench) -> list[Puzzle]:
    return read_puzzles(bench.puzzles or MATES)


def _given(bench: Bench) -> Options:
    """The puzzles in words: no folder's name, and a checksum of what they are."""
    puzzles = _mates_of(bench)
    whole = "\n".join(f"{p.board.fen()} {p.asked}" for p in puzzles)
    source = "the user's" if bench.puzzles else MATES
    return {"puzzles": f"{source} ({len(puzzles)}, {hashlib.sha256(whole.encode()).hexdigest()[:12]})"}


def _mates(bench: Bench, movetime: float) -> dict[str, Any]:
    """All puzzles by alpha-beta at each depth, and a sample of them by AlphaOne, as published by c, and mended."""
    puzzles = _mates_of(bench)
    sample = random.Random(bench.seed).sample(puzzles, min(ASKED_OF_ALPHAONE, len(puzzles)))
    answer: dict[str, Any] = {"puzzles": len(puzzles), "sample": len(sample), "depths": {}, "mcts": {}}
    answer["own"] = bench.puzzles is None
    with Progress("puzzles", 4 * len(puzzles) + 11 * len(sample), bench.quiet) as progress:

        def tried(engine: Engine, of: list[Puzzle], limits: Limits) -> list[Attempt]:
            return solve(engine, of, limits, lambda _: progress.step())

        for depth in PAPER_MATES:
            attempts = tried(Engine("alphabeta-v1"), puzzles, Limits(depth=depth))
            answer["depths"][str(depth)] = sum(a.solved for a in attempts)
        engines: dict[str, tuple[str, dict[str, Any]]] = {}
        engines |= {f"AlphaOne, c = {c}": ("alphaone", {"c": c}) for c in FACTORS}
        engines["AlphaOne, mended"] = ("alphaone-fixed", {})
        for name, (preset, changes) in engines.items():
            attempts = tried(Engine(preset, seed=bench.seed, **changes), sample, Limits(movetime=movetime))
            answer["mcts"][name] = sum(a.solved for a in attempts)
    return answer


def _say_mates(found: dict[str, Any]) -> Findings:
    answer = found["xu-4"]
    many, asked = answer["puzzles"], answer["sample"]
    rows = []
    for depth, percent in PAPER_MATES.items():
        theirs = Number.percent(round(percent * 2.19), 219)
        rows.append(Row(f"alpha-beta, depth {depth}", theirs, Number.percent(answer["depths"][str(depth)], many)))
    for name, solved in answer["mcts"].items():
        paper = Number.percent(SOLVED_BY_ALPHAONE, ASKED_OF_ALPHAONE) if name != "AlphaOne, mended" else None
        rows.append(Row(name, paper, Number.percent(solved, asked)))
    differ = [row.what for row in rows if row.verdict == DIFFERS]
    reason = THEIR_PUZZLES if answer["own"] and all("alpha-beta" in what for what in differ) else ""
    whose = "of our own" if answer["own"] else "that the user gave"
    note = Text(f"Alpha-beta had all {many} puzzles {whose}, AlphaOne a sample of {asked}, as in the paper.")
    return Findings(rows, (), [note], "% solved", 1, counted="puzzles", reason=reason)


EXPERIMENTS = (
    Experiment(
        "xu-1", "Tables 1, 2: the evaluation fitted to Stockfish's scores", "section 5.1, Tables 1 and 2",
        [Study("xu-1", _fit, ({"count": 4_000, "limit": "nodes 1000"}, {"count": 60_000, "limit": "nodes 1000"},
                              {"count": 200_000, "limit": "depth 12"}))],
        _say_fit, aliases=("xu-2",), seconds=(60, 900), needs=("stockfish", "scikit-learn"),
    ),
    Experiment(
        "xu-3", "Table 3: Elo by depth against Stockfish of limited strength", "section 5.3, Table 3",
        [Study("xu-3", _strength, ({"nodes": 5_000, "games": 0}, {"nodes": 20_000, "games": 40},
                                   {"nodes": 100_000, "games": 100}))],
        _say_strength, seconds=(200, 1800), needs=("stockfish",),
    ),
    Experiment(
        "xu-4", "Table 4: mates in two, by depth, and by AlphaOne with c = 1 to 10", "section 5.4, Table 4",
        [Study("xu-4", _mates, ({"movetime": 200.0}, {"movetime": 2_000.0}, {"movetime": 60_000.0}), _given)],
        _say_mates, seconds=(120, 700),
    ),
    Experiment(
        "xu-5", "Section 5.3: AlphaOne with c = 1 to 10 against Stockfish of limited strength", "section 5.3",
        [Study("xu-5", _alphaone, ({"movetime": 20.0, "nodes": 5_000}, {"movetime": 500.0, "nodes": 20_000},
                                   {"movetime": 60_000.0, "nodes": 100_000}))],
        _say_alphaone, seconds=(60, 700), needs=("stockfish",),
    ),
)  # fmt: skip
