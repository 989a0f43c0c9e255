"""Arenz 2012, Monte Carlo Chess: its tournaments and its three studies of positions."""

from math import inf
from typing import Any

from plyout.lab.match.results import Results
from plyout.lab.report.page import Block, Cell, Table, Text
from plyout.lab.reproduce.elo import in_order, over_base, stronger
from plyout.lab.reproduce.experiment import QUICK, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.verdict import DIFFERS, UNDECIDED, Number, Row, claim
from plyout.lab.statistics.estimate import Z
from plyout.lab.statistics.ratings import Ratings, ratings
from plyout.lab.studies import positions as studies

BLITZ = {"tc": "300"}  # five minutes a side for the whole game
BASE = "MCC"

# Tables 1 and 3: Elo over the base and its error, from the best down. The base is ε = 1.
EVAL = {"EVAL 0.6": (153, 62), "EVAL 0.4": (151, 60), "EVAL 0.2": (110, 62), "EVAL 0.8": (26, 60), "EVAL 0": (5, 61)}
SEE = {"SEE 0.4": (332, 63), "SEE 0.6": (324, 61), "SEE 0.2": (326, 64), "SEE 0": (270, 63), "SEE 0.8": (260, 61)}
TABLES = {"GTB 4": (56, 55), "GTB 3": (13, 55)}  # Table 5
MAIN = {"Combined": (864, 186), "Decisive": (336, 77), "SEE": (229, 73), "Bias": (85, 72)}  # Table 8
POINTS = {"Combined": 99.0, "Decisive": 59.0, "SEE": 46.5, "Bias": 28.5, BASE: 17.0}  # Table 7, of 100

# Tables 2, 4, 6 and 9: likelihoods of superiority in percent over the players that follow in the list.
EVAL_LOS = [[51, 85, 99, 99, 99], [85, 99, 99, 99], [98, 99, 99], [70, 74], [55]]
SEE_LOS = [[57, 56, 93, 96, 99], [48, 90, 94, 99], [90, 94, 99], [60, 99], [99]]
TABLES_LOS = [[91, 95], [65]]
MAIN_LOS = [[99, 99, 99, 100], [98, 99, 99], [99, 99], [97]]


def _heavy(preset: str, kind: str) -> list[str]:
    epsilons = ("0.6", "0.4", "0.2", "0.8", "0")
    return [f"mcc?name={BASE}", *(f"{preset}?epsilon={e}&name={kind} {e}" for e in epsilons)]


def _superiority(rated: Ratings, order: list[str], paper: list[list[int]]) -> list[Block]:
    """Likelihoods of superiority, ours with the paper's in brackets, above the diagonal."""
    ours = rated.los()
    place = {name: i for i, name in enumerate(rated.players)}
    rows: list[list[str | Cell]] = []
    for i, name in enumerate(order[:-1]):
        row: list[str | Cell] = [name, *[""] * i]
        for j, other in enumerate(order[i + 1 :]):
            percent = float(ours[place[name], place[other]])
            row.append(Cell(f"{percent:.0f} ({paper[i][j]})", tint=0.016 * (percent - 50)))
        rows.append(row)
    return [
        Text("Likelihood of superiority in percent, the row's player over the column's; the paper's in brackets."),
        Table(["", *order[1:]], rows, dense=True),
    ]


def _eval(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-1"]
    claims = stronger(results, [(f"EVAL {e}", rest) for e in ("0.4", "0.6") for rest in (BASE, "EVAL 0")])
    blocks = _superiority(ratings(results.games), [*EVAL, BASE], EVAL_LOS)
    return Findings(over_base(results, BASE, EVAL), claims, blocks)


def _see(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-3"]
    claims = stronger(results, [(name, BASE) for name in SEE])
    blocks = _superiority(ratings(results.games), [*SEE, BASE], SEE_LOS)
    return Findings(over_base(results, BASE, SEE), claims, blocks)


def _gtb(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-5"]
    blocks = _superiority(ratings(results.games), [*TABLES, BASE], TABLES_LOS)
    return Findings(over_base(results, BASE, TABLES), blocks=blocks)


def _main(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-7"]
    rated = ratings(results.games)
    rows: list[list[str | Cell]] = []
    for name, points in POINTS.items():
        cells = [f"{points:g} %", f"{100 * results.of(name).score:.1f} %"]
        for other in POINTS:
            met = results.against(name, other) if other != name else None
            score = (
                "" if met is None or not met.games else f"{met.wins + met.draws / 2:g}–{met.losses + met.draws / 2:g}"
            )
            cells.append(score)
        rows.append([name, *cells])
    points_table = Table(["Table 7", "points, paper", "points, ours", *(f"v {name}" for name in POINTS)], rows)
    blocks = [points_table, *_superiority(rated, list(POINTS), MAIN_LOS)]
    return Findings(over_base(results, BASE, MAIN), in_order(results, list(POINTS)), blocks)


def _queen_ending(bench: Bench, playouts: int) -> dict[str, Any]:
    return studies.queen_ending(playouts, 0.0, bench.seed, bench.quiet)


def _say_queen(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig6"]
    paper, error = answer["paper"], answer["error_percent"]
    sampled = 100 * Z * (0.004988 * (1 - 0.004988) / paper["playouts"]) ** 0.5  # the paper's own sampling error
    rows = [
        Row("White wins, %", Number.about(paper["white_wins_percent"], sampled),
            Number.about(answer["white_wins_percent"], error)),
        Row("White's score, %", Number.about(paper["white_score_percent"], sampled / 2),
            Number.about(answer["white_score_percent"], error / 2)),
    ]  # fmt: skip
    ours = Number.about(answer["white_wins_percent"], error)
    return Findings(rows, [claim("less than 1 % of random games are won", ours, below=1.0)], unit="%", digits=3)


def _reti(bench: Bench, seconds: float) -> dict[str, Any]:
    return studies.reti(0, seconds, bench.seed, bench.quiet)


def _needed(run: dict[str, Any], limit: float) -> Number:
    """The seconds until an engine had found the move; if it has not, they are at least the limit."""
    after = run["found_after_s"]
    return Number(limit, limit, inf) if after is None else Number.about(after)


def _saved(plain: dict[str, Any], repeated: dict[str, Any], limit: float) -> Number:
    slow, fast = _needed(plain, limit), _needed(repeated, limit)
    return Number(slow.value - fast.value, slow.low - fast.high, slow.high - fast.low)


def _say_reti(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig7"]
    plain, repeated = answer["runs"]
    limit = answer["seconds"]
    rows: list[list[str | Cell]] = []
    for run in answer["runs"]:
        after = run["found_after_s"]
        when = f"not within {limit:g} s" if after is None else f"{after:.2f} s"
        rows.append([run["engine"], run["paper"], when, run["answer"], f"{run['nodes']:,}"])
    claims = [
        claim("repeated, 1.Kg6 is found within 10 s (seconds needed)", _needed(repeated, limit), below=10.0),
        claim("repeating finds it sooner (seconds saved)", _saved(plain, repeated, limit), above=0.0),
    ]
    head = ["Réti: 1.Kg6", "paper", "ours settled on it after", "answer", "iterations"]
    return Findings((), claims, [Table(head, rows)], unit="s", digits=2)


def _accuracy(bench: Bench, playouts: int) -> dict[str, Any]:
    return studies.accuracy(playouts, 0.0, bench.seed, bench.quiet)


def _say_accuracy(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig8"]
    rows = [
        Row(row["move"], Number.about(row["paper_percent"], 0.15),  # of 3 million iterations over some 25 moves
            Number.about(row["white_percent"], row["error_percent"]))
        for row in answer["rows"]
    ]  # fmt: skip
    claims = [claim(f"after {row.what} White has less than 51 %", row.ours, below=51.0) for row in rows]
    return Findings(rows, claims, unit="%", digits=2)


_HEAVY_WHY = {
    DIFFERS: "Perhaps the clock: greedy playouts cost iterations, of which a short move has few. That was not tested.",
}

EXPERIMENTS = (
    Experiment(
        "arenz-1", "Tables 1, 2: heavy playouts by the evaluation, by ε", aliases=("arenz-2",), seconds=120,
        parts=[Tournament("arenz-1", _heavy("mcc-hp-eval", "EVAL"),
                          {**QUICK, "games": 6, "movetime": 20}, {**BLITZ, "games": 20})],
        say=_eval, why=_HEAVY_WHY,
    ),
    Experiment(
        "arenz-3", "Tables 3, 4: heavy playouts by exchanges, by ε", aliases=("arenz-4",), seconds=90,
        parts=[Tournament("arenz-3", _heavy("mcc-hp-see", "SEE"),
                          {**QUICK, "games": 6, "movetime": 20}, {**BLITZ, "games": 20})],
        say=_see, why=_HEAVY_WHY,
    ),
    Experiment(
        "arenz-5", "Tables 5, 6: playouts that end at endgame tables", aliases=("arenz-6",), seconds=100,
        needs=("tables",),
        parts=[Tournament("arenz-5", [f"mcc?name={BASE}", "mcc-gtb4?name=GTB 4", "mcc-gtb3?name=GTB 3"],
                          {**QUICK, "games": 16, "movetime": 20}, {**BLITZ, "games": 50})],
        say=_gtb, why={UNDECIDED: "The paper's gain of 56 Elo is as large as its error, and ours has a wider one."},
    ),
    Experiment(
        "arenz-7", "Tables 7, 8, 9: the main experiment, all modifications", aliases=("arenz-8", "arenz-9"),
        needs=("tables",), seconds=360,
        parts=[Tournament("arenz-7", ["mcc-combined?name=Combined", "mcc-decisive?name=Decisive",
                                      "mcc-hp-see?name=SEE", "mcc-bias?name=Bias", f"mcc?name={BASE}"],
                          {**QUICK, "games": 24, "movetime": 30}, {**BLITZ, "games": 26})],
        say=_main,
        why={UNDECIDED: "Neighbours in the list are 100 to 150 Elo apart in the paper: a quick run can miss one step."},
    ),
    Experiment(
        "arenz-fig6", "Figure 6: king and queen against king by random play", seconds=10,
        parts=[Study("arenz-fig6", _queen_ending, {"playouts": 200_000}, {"playouts": 1_000_000})], say=_say_queen,
        why={DIFFERS: "The paper shows its position as a picture only: where the pieces stand decides the share."},
    ),
    Experiment(
        "arenz-fig7", "Figure 7: Réti's study, drawn playouts repeated", seconds=40,
        parts=[Study("arenz-fig7", _reti, {"seconds": 15.0}, {"seconds": 150.0})], say=_say_reti,
        why={DIFFERS: "One search each: how much it varies from seed to seed is not measured here.",
             UNDECIDED: "One of the two did not find the move within the time of this scale."},
    ),
    Experiment(
        "arenz-fig8", "Figures 8, 9: what random playouts think of a won position", seconds=30,
        aliases=("arenz-fig9",),
        parts=[Study("arenz-fig8", _accuracy, {"playouts": 100_000}, {"playouts": 3_000_000})], say=_say_accuracy,
        why={UNDECIDED: "Each move gets a few thousand playouts at this scale, and the differences are of a tenth of "
             "a percent."},
    ),
)  # fmt: skip
