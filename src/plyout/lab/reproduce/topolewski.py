"""Topolewski 2019, trap-adaptive search: similarity and traps around Légal's position, speed, and the way out."""

import time
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.lab.report.page import Block, Cell, Table, Text
from plyout.lab.reproduce.experiment import Bench, Experiment, Findings, Study
from plyout.lab.reproduce.verdict import AGREES, DIFFERS, UNDECIDED, Number, Row, claim
from plyout.lab.studies.sharing import POSITIONS
from plyout.lab.traps import study as trap_study
from plyout.lab.traps.paper import TABLE_5_4, Features
from plyout.progress import Progress
from plyout.search.similarity import Settings

LEVEL = 3
ROUNDED = 0.02  # how far a mean similarity may be off: boards with or without castling, en passant and the like
SYSTEMS = {"MCC": "mcc-combined", "TA-MCC": "ta-mcc", "traps pruned alone": "ta-mcc-root"}
"""TA-MCC has TL-BFS and BL-BFS, as in the thesis (4.3.1), and is the one that the verdict is on; the last is shown
beside it, to tell what the list of traps does from what the two searches do."""
TRAP, WAY_OUT = chess.Move.from_uci("h5d1"), chess.Move.from_uci("c6e5")
ITERATIONS = 27_000  # where the thesis' log ends
_CHANGES: dict[str, Any] = {"tables": 0, "hash_mb": 64}


def _traps(bench: Bench, threshold: float) -> dict[str, Any]:
    pairs = trap_study.grandchildren(trap_study.LEGAL)
    done = trap_study.study(pairs, LEVEL, Settings(threshold=threshold), bench.quiet)
    return {"pairs": len(pairs), "persist": int(done.persists.sum()), "tables": trap_study.tables(done)}


_STUDY = Study("topolewski-study", _traps, {"threshold": 0.6}, {"threshold": 0.6})  # three experiments share it


def _say_speed_of_measures(found: dict[str, Any]) -> Findings:
    rows = found[_STUDY.name]["tables"]["5.1"]
    ours = {row["measure"]: row["microseconds"] for row in rows}
    lines: list[list[str | Cell]] = []
    for row in rows:
        paper = "out of memory" if row["paper"] is None else f"{row['paper']:,.1f}"
        lines.append([row["measure"], paper, f"{row['microseconds']:,.2f}"])
    claims = [
        claim(f"{slow} takes more than 10 times as long as {fast}", Number.about(ours[slow] / ours[fast]), above=10)
        for slow, fast in (("recursive-legal-actions", "legal-actions"), ("expandable-states", "legal-actions"))
    ]
    claims.append(
        claim(
            "pieces takes less time than legal-actions", Number.about(ours["pieces"] / ours["legal-actions"]), below=1
        )
    )
    return Findings((), claims, [Table(["µs a call", "paper", "ours"], lines)], "times", 2)


def _say_similarity(first: str, second: str) -> Any:
    """The two tables of persisting and of vanished traps: means as numbers, all features below."""

    def say(found: dict[str, Any]) -> Findings:
        answer = found[_STUDY.name]
        rows, lines, means = [], [], {}
        for table, state in ((first, "persist"), (second, "gone")):
            for row in answer["tables"][table]:
                mean = None if row["ours"] is None else Number.about(row["ours"]["avg"])
                means[row["measure"], state] = mean
                rows.append(Row(f"{row['measure']}, {state}", Number.about(row["paper"]["avg"], ROUNDED), mean))
                lines.append([f"{row['measure']}, {state}", *_features(row)])
        claims = []
        for measure in ("legal-actions", "recursive-legal-actions"):
            more, less = means[measure, "persist"], means[measure, "gone"]
            difference = more.less(less) if more and less else None
            claims.append(claim(f"{measure} is higher where a trap persists (by)", difference, above=0))
        head = ["ours (paper)", *(name.upper() for name in Features._fields)]
        note = f"{answer['pairs']:,} grandchildren of Légal's position; a trap persists in {answer['persist']:,}."
        blocks: list[Block] = [Text(note), Table(head, lines)]
        return Findings(rows, claims, blocks, "mean similarity", 3)

    return say


def _features(row: dict[str, Any]) -> list[str | Cell]:
    ours = row["ours"] or {}
    return [f"{format(ours[f], '.3f') if ours else '–'} ({row['paper'][f]:.3f})" for f in Features._fields]


def _speed(bench: Bench, rounds: int, nodes: int) -> dict[str, Any]:
    """Iterations a second of the three systems, one after the other in each round."""
    engines = {name: Engine(preset, seed=bench.seed, **_CHANGES) for name, preset in SYSTEMS.items()}
    fens = POSITIONS["chess"][:4]
    measured: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    with Progress("rounds", rounds, bench.quiet) as progress:
        for engine in engines.values():
            engine.prepare()
            engine.search(fens[0], Limits(nodes=100))
        for _ in range(rounds):
            for name, engine in engines.items():
                began, done = time.process_time(), 0  # a busy machine does not count
                for fen in fens:
                    engine.new_game()
                    done += engine.search(fen, Limits(nodes=nodes)).nodes
                measured[name].append(done / (time.process_time() - began))
            progress.step()
    return {"nodes_a_second": measured}


def _say_speed(found: dict[str, Any]) -> Findings:
    measured = found["topolewski-5.4"]["nodes_a_second"]
    lines: list[list[str | Cell]] = []
    for name in dict.fromkeys([*TABLE_5_4, *SYSTEMS]):
        ours = f"{sum(measured[name]) / len(measured[name]):,.0f}" if name in measured else "not built"
        lines.append([name, f"{TABLE_5_4[name]:,}" if name in TABLE_5_4 else "", ours])
    rows = []
    for name in list(SYSTEMS)[1:]:
        share = Number.mean([100 * rate / of for rate, of in zip(measured[name], measured["MCC"], strict=True)])
        paper = Number.about(100 * TABLE_5_4[name] / TABLE_5_4["MCC"], 5.0) if name in TABLE_5_4 else None
        rows.append(Row(f"{name}, % of MCC's speed", paper, share))
    claims = [claim("TA-MCC is at most a tenth slower than MCC", rows[0].ours, above=90.0)]
    return Findings(rows, claims, [Table(["nodes a second", "paper", "ours"], lines)], "%", 1)


def _way_out(bench: Bench, seeds: int) -> dict[str, Any]:
    """What the engine would play in Légal's position as it goes on, for several seeds."""
    steps = [1_000 * i for i in (1, 2, 4, 8, 16)] + [ITERATIONS]
    answers: dict[str, list[list[str]]] = {}
    with Progress("searches", len(SYSTEMS) * seeds, bench.quiet) as progress:
        for name in SYSTEMS:
            answers[name] = []
            for seed in range(seeds):
                engine = Engine(SYSTEMS[name], seed=bench.seed + seed, **_CHANGES)
                moves, done = [], 0
                for step in steps:
                    moves.append(str(engine.search(trap_study.LEGAL, Limits(nodes=step - done)).move))
                    done = step
                answers[name].append(moves)
                progress.step()
    return {"steps": steps, "moves": answers}


def _say_way_out(found: dict[str, Any]) -> Findings:
    answer = found["topolewski-fig5.12"]
    lines: list[list[str | Cell]] = []
    for name, searches in answer["moves"].items():
        for move in (TRAP.uci(), WAY_OUT.uci()):
            shares = [sum(s[i] == move for s in searches) / len(searches) for i in range(len(answer["steps"]))]
            lines.append([f"{name} plays {move}", *(f"{100 * share:.0f} %" for share in shares)])
    last = [moves[-1] for moves in answer["moves"]["TA-MCC"]]
    rows = [
        Row(f"TA-MCC plays {move.uci()} after {ITERATIONS:,} iterations, % of seeds", Number.about(paper, 25.0),
            Number.percent(last.count(move.uci()), len(last)))
        for move, paper in ((TRAP, 0.0), (WAY_OUT, 100.0))
    ]  # fmt: skip
    claims = [
        claim("the trap h5d1 is left by most", rows[0].ours, below=50.0),
        claim("and c6e5 played by most", rows[1].ours, above=50.0),
    ]
    head = ["after iterations", *(f"{step:,}" for step in answer["steps"])]
    return Findings(rows, claims, [Table(head, lines)], "%", 0)


_MATCHED = (
    "Where single means differ: the thesis does not count the two plies between the positions as depth, and its "
    "recursive measure may match one state to several."
)
EXPERIMENTS = (
    Experiment("topolewski-5.1", "Table 5.1: what the similarity measures cost", [_STUDY], _say_speed_of_measures,
               seconds=40, why={DIFFERS: "Ours compares successors by their hash keys, which costs little more than "
                                "making the moves."}),
    Experiment("topolewski-5.2", "Tables 5.2, 5.3: similarity where traps persist and where they are gone", [_STUDY],
               _say_similarity("5.2", "5.3"), seconds=1, aliases=("topolewski-5.3",), why={AGREES: _MATCHED}),
    Experiment("topolewski-5.4", "Table 5.4: speed of the trap-adaptive engine",
               [Study("topolewski-5.4", _speed, {"rounds": 5, "nodes": 5_000}, {"rounds": 20, "nodes": 100_000})],
               _say_speed, seconds=25,
               why={DIFFERS: "Our BL-BFS plays on where a mate was not forced, which makes playouts longer; the list "
                    "of traps alone, shown below, costs little."}),
    Experiment("topolewski-5.5", "Tables 5.5, 5.6: the same, scaled", [_STUDY], _say_similarity("5.5", "5.6"),
               seconds=1, aliases=("topolewski-5.6",), why={AGREES: _MATCHED}),
    Experiment("topolewski-fig5.12", "Figure 5.12: the way out of Légal's trap",
               [Study("topolewski-fig5.12", _way_out, {"seeds": 8}, {"seeds": 50})], _say_way_out, seconds=40,
               why={DIFFERS: "It lies with TL-BFS or BL-BFS as we built them: the list of traps without them, "
                    "shown below, leads to c6e5.",
                    UNDECIDED: "A few seeds only: each search is one yes or no."}),
)  # fmt: skip
