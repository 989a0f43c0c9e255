"""Topolewski 2019, trap-adaptive search: similarity and traps around Légal's position, speed, and the way out."""

import time
from dataclasses import asdict, replace
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.lab.report.page import Block, Cell, Table, Text
from plyout.lab.reproduce.experiment import Bench, Experiment, Findings, Study
from plyout.lab.reproduce.verdict import DIFFERS, Number, Quote, Row, claim
from plyout.lab.studies.sharing import POSITIONS
from plyout.lab.traps import expected, suite
from plyout.lab.traps import study as trap_study
from plyout.lab.traps.paper import GROWTH, TABLE_5_1, TABLE_5_4, Features
from plyout.lab.traps.tabled import tabled
from plyout.progress import Progress
from plyout.search.similarity import MEASURES, Settings

LEVEL = 3
ROUNDED = 0.005  # a mean similarity of the same positions should agree to two digits
PRINTED = 0.00055  # three digits
TABLED = (
    "with equal weights and no ply between the positions depth and breadth, and with the mover's pieces alone pieces, "
    "give every number of the thesis to its last digit; its text and its source have both otherwise."
)
_RESULTS, _SCALED = "p. 75 ff.", "p. 83 ff."
# fmt: off
CONFORM = Quote("all methods conform to the four properties outlines in section 5.3", _RESULTS)
LONGER = Quote("which despite equivalent time complexity and similar implementation to Legal Actions has approximately "
               "180 times longer execution time", _RESULTS)
SECOND = Quote("the Game-Influential Pieces measure achieved the second best average execution time", _RESULTS)
HIGHER = Quote("the both means are lower and maintain the AVG1 > AVG0 property", _RESULTS)
OUTPERFORMED = Quote("the measure is outperformed by its basic implementation as indicated by the decrease in the mean "
                     "difference from ΔAVG ≈ 0.115 to ΔAVGREC ≈ 0.078", _RESULTS)
SATISFIED = Quote("in the case of the Legal Actions and Recursive Legal Actions the mean property of an efficient "
                  "similarity measure is satisfied", _SCALED)
MITIGATED = Quote('although the trap move "h5d1" was deemed favourable in the beginning, the agent mitigates the risk '
                  'by choosing the "c6e5" action', _RESULTS)
# fmt: on
SYSTEMS = {"MCC": "mcc-combined", "TA-MCC": "ta-mcc", "traps pruned alone": "ta-mcc-root"}
"""TA-MCC is as the thesis prints it, and the one that the verdict is on; the last, of ours, is shown beside it, to tell
what a list of traps does at the root."""
TRAP, WAY_OUT = chess.Move.from_uci("h5d1"), chess.Move.from_uci("c6e5")
BEGINNING, ITERATIONS = 4_000, 27_000  # in the thesis' log h5d1 leads by then; where it ends
PROPERTIES = ("aheuristic", "symmetric", "normalised", "accurate")
_CHANGES: dict[str, Any] = {"tables": 0, "hash_mb": 64}


def _traps(bench: Bench, threshold: float) -> dict[str, Any]:
    pairs = trap_study.grandchildren(trap_study.LEGAL)
    done = trap_study.study(pairs, LEVEL, Settings(threshold=threshold), bench.quiet)
    otherwise = trap_study.tables(replace(done, observed={**done.observed, **tabled(pairs)}))
    counts = {"pairs": len(pairs), "persist": int(done.persists.sum())}
    return counts | {"tables": trap_study.tables(done), "otherwise": otherwise}


_STUDY = Study("topolewski-study", _traps, ({"threshold": 0.6},) * 3)  # two experiments share it


def _unit_test(bench: Bench, threshold: float) -> dict[str, Any]:
    """Each measure on the hundred pairs; and whether those that lack symmetry have it where they match one to one."""
    rows, mended = {}, True
    with Progress("measures", len(MEASURES), bench.quiet) as progress:
        for measure in MEASURES:
            settings = Settings(threshold=threshold)
            found = asdict(suite.check(measure, settings)) | {"aheuristic": suite.aheuristic(measure)}
            rows[measure] = found | {"accurate": expected.accurate(measure, settings)}
            if not found["symmetric"]:
                mended &= suite.check(measure, Settings(threshold=threshold, one_to_one=True)).symmetric
            progress.step()
    return {"measures": rows, "symmetric_one_to_one": mended}


def _say_unit_test(found: dict[str, Any]) -> Findings:
    rows, lines, compared = found["topolewski-5.1"]["measures"], list[list[str | Cell]](), []
    ours = {measure: row["microseconds"] for measure, row in rows.items()}
    one, theirs = ours["legal-actions"], TABLE_5_1["legal-actions"]
    assert theirs is not None
    for measure, row in rows.items():
        printed = TABLE_5_1[measure]
        time_said = "out of memory" if printed is None else f"{printed:,.1f}"
        kept = [Cell("yes") if row[name] else Cell("no", tint=-0.35) for name in PROPERTIES]
        lines.append([measure, *kept, GROWTH[measure], time_said, f"{row['microseconds']:,.2f}"])
        ratio = None if printed is None else Number.about(printed / theirs, 0.25 * printed / theirs)
        compared.append(Row(f"{measure}, in legal-actions' time", ratio, Number.about(ours[measure] / one)))
    next_best = min(time for measure, time in ours.items() if measure not in ("constant", "pieces"))
    lacking = {name: Number.about(sum(not row[name] for row in rows.values())) for name in PROPERTIES}
    claims = [
        *(claim(CONFORM, f"measures not {name}", n, below=0.5, unit=f"of {len(rows)}") for name, n in lacking.items()),
        claim(
            LONGER, "expandable-states, in legal-actions' time", Number.about(ours["expandable-states"] / one), 162, 198
        ),
        claim(SECOND, "pieces, in the time of the next", Number.about(ours["pieces"] / next_best), below=1.0),
        claim(SECOND, "pieces, in the time of constant", Number.about(ours["pieces"] / ours["constant"]), above=1.0),
    ]
    head = ["on a hundred pairs", *PROPERTIES, "growth, paper", "µs a call, paper", "ours"]
    note = Text(
        "The thesis has yes in all four columns. Aheuristic: the measure works in tic-tac-toe, too. Accurate: by "
        "python-chess and sets every pair gets the same. The pairs are ours; a call of the thesis reads two FENs, too. "
        "Times as such depend on the machine; how they compare does less. 'Approximately' is within a tenth."
    )
    mended = found["topolewski-5.1"]["symmetric_one_to_one"] and lacking["symmetric"].value
    reason = "matched one to one, what lacks symmetry has it; of the times it is not known." if mended else ""
    return Findings(
        compared, claims, [Table(head, lines), note], "times", 2, drawn=False, counted="pairs", reason=reason
    )


Means = dict[tuple[str, str], Number | None]


def _raw_claims(means: Means) -> list[Row]:
    claims, gaps = [], []
    for measure in ("legal-actions", "recursive-legal-actions"):
        more, less = means[measure, "persist"], means[measure, "gone"]
        gaps.append(more.less(less) if more and less else None)
    claims.append(claim(HIGHER, "legal-actions: persist less gone", gaps[0], above=0))
    wider, narrower = gaps
    if wider and narrower:
        claims.append(claim(OUTPERFORMED, "that less the same of recursive", wider.less(narrower), above=0))
        claims.append(claim(OUTPERFORMED, "recursive-legal-actions: persist less gone", narrower, 0.073, 0.083))
    return claims


def _scaled_claims(means: Means) -> list[Row]:
    claims = []
    for measure in ("legal-actions", "recursive-legal-actions"):
        claims.append(claim(SATISFIED, f"{measure}, persist", means[measure, "persist"], 0.5, 1.0))
        claims.append(claim(SATISFIED, f"{measure}, gone", means[measure, "gone"], 0.0, 0.5))
    return claims


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
        claims = (_scaled_claims if first == "5.5" else _raw_claims)(means)
        head = ["ours (paper)", *(name.upper() for name in Features._fields)]
        note = (
            f"{answer['pairs']:,} grandchildren of Légal's position; {answer['persist']:,} have a trap again, of "
            "whatever move: one that allows a mate in two, which a mate in one beside it does not change."
        )
        blocks: list[Block] = [Text(note), Table(head, lines)]
        differ = {row.what for row in rows if row.verdict == DIFFERS}
        same = _as_tabled([*answer["otherwise"][first], *answer["otherwise"][second]])
        reason = TABLED if differ and all(what.partition(",")[0] in same for what in differ) else ""
        return Findings(rows, claims, blocks, "mean similarity", 3, counted="pairs", reason=reason)

    return say


def _as_tabled(rows: list[dict[str, Any]]) -> set[str]:
    """The measures whose features, in the other way, are the thesis' to its last digit."""
    wrong = {r["measure"] for r in rows if any(abs(r["ours"][f] - r["paper"][f]) > PRINTED for f in Features._fields)}
    return {row["measure"] for row in rows} - wrong


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
        paper = Number.about(100 * TABLE_5_4[name] / TABLE_5_4["MCC"], 2.0) if name in TABLE_5_4 else None
        rows.append(Row(f"{name}, % of MCC's speed", paper, share))
    return Findings(rows, (), [Table(["nodes a second", "paper", "ours"], lines)], "%", 1, counted="rounds")


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
    searches = answer["moves"]["TA-MCC"]
    claims = []
    for i, step in enumerate(answer["steps"]):
        wanted = (WAY_OUT if step == ITERATIONS else TRAP).uci()
        if step >= BEGINNING:
            found_it = Number.percent(sum(s[i] == wanted for s in searches), len(searches))
            claims.append(claim(MITIGATED, f"TA-MCC plays {wanted} after {step:,} iterations", found_it, above=50.0))
    head = ["after iterations", *(f"{step:,}" for step in answer["steps"])]
    note = Text("The thesis prints one log, in which h5d1 leads from 3,001 to 16,001 iterations; here most seeds must.")
    return Findings((), claims, [Table(head, lines), note], "%", 0, counted="seeds")


EXPERIMENTS = (
    Experiment("topolewski-5.1", "Table 5.1: what the similarity measures keep and cost", f"{_RESULTS}, Table 5.1",
               [Study("topolewski-5.1", _unit_test, ({"threshold": 0.6},) * 3)], _say_unit_test, seconds=(30, 30)),
    Experiment("topolewski-5.2", "Tables 5.2, 5.3: similarity where traps persist and where they are gone",
               f"{_RESULTS}, Tables 5.2 and 5.3", [_STUDY], _say_similarity("5.2", "5.3"), seconds=(20, 20),
               aliases=("topolewski-5.3",)),
    Experiment("topolewski-5.4", "Table 5.4: speed of the trap-adaptive engine", f"{_RESULTS}, Table 5.4",
               [Study("topolewski-5.4", _speed, ({"rounds": 5, "nodes": 5_000}, {"rounds": 20, "nodes": 20_000},
                                                 {"rounds": 20, "nodes": 100_000}))],
               _say_speed, seconds=(25, 200)),
    Experiment("topolewski-5.5", "Tables 5.5, 5.6: the same, scaled", f"{_SCALED}, Tables 5.5 and 5.6", [_STUDY],
               _say_similarity("5.5", "5.6"), seconds=(1, 1), aliases=("topolewski-5.6",)),
    Experiment("topolewski-fig5.12", "Figure 5.12: the way out of Légal's trap", f"{_RESULTS}, Figure 5.12",
               [Study("topolewski-fig5.12", _way_out, ({"seeds": 8}, {"seeds": 50}, {"seeds": 50}))], _say_way_out,
               seconds=(40, 260)),
)  # fmt: skip
