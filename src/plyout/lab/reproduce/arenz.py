"""Arenz 2012, Monte Carlo Chess: its tournaments and its three studies of positions."""

from math import inf
from typing import Any

from plyout.lab.match.results import Results
from plyout.lab.report.page import Block, Cell, Table, Text
from plyout.lab.reproduce.elo import lead, over_base, share, stronger
from plyout.lab.reproduce.experiment import DECIDED, SHORT, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.verdict import Number, Quote, Row, claim
from plyout.lab.statistics.estimate import Z
from plyout.lab.statistics.ratings import Ratings, ratings
from plyout.lab.studies import positions as studies

BLITZ = {"tc": "300"}  # five minutes a side for the whole game
BASE = "MCC"
EPSILONS = ("0.6", "0.4", "0.2", "0.8", "0")

# Tables 1 and 3: Elo over the base and its error, from the best down. The base is ε = 1.
EVAL = {"EVAL 0.6": (153, 62), "EVAL 0.4": (151, 60), "EVAL 0.2": (110, 62), "EVAL 0.8": (26, 60), "EVAL 0": (5, 61)}
SEE = {"SEE 0.4": (332, 63), "SEE 0.6": (324, 61), "SEE 0.2": (326, 64), "SEE 0": (270, 63), "SEE 0.8": (260, 61)}
TABLES = {"GTB 4": (56, 55), "GTB 3": (13, 55)}  # Table 5
MAIN = {"Combined": (864, 186), "Decisive": (336, 77), "SEE": (229, 73), "Bias": (85, 72)}  # Table 8
POINTS = {"Combined": 99.0, "Decisive": 59.0, "SEE": 46.5, "Bias": 28.5, BASE: 17.0}  # Table 7, of 100

# fmt: off
EQUAL = Quote("The best performance could be reached by using the random strategy and the greedy strategy with about "
              "equal probability.", "p. 26")
EXTREME = Quote("For ε = 0.4 and ε = 0.6 the modification is with a probability of 99% superior to the extreme cases "
                "of ε = 0 or ε = 1.", "pp. 26, 27")
ALL_BETTER = Quote("All tested values for ε could significantly improve upon the performance of the base "
                   "implementation - even the deterministic variation.", "p. 27")
LARGER = Quote("The performance gains by using the Static Exchange Evaluator turn out to be larger than the gains "
               "reached by using the heuristic evaluation function.", "p. 27")
FOUR_PIECES = Quote("MCC_GTB4pc is with a probability of about 95% superior to the base implementation", "p. 27")
BEST_ALONE = Quote("The best performance of a single modification was shown by MCC_DecisiveMoves which even performed "
                   "better than MCC_HPSEE,0.4.", "p. 28")
FOURTH = Quote("MCC_progressiveBias did also improve upon the unmodified UCT player MCC and was ranked fourth.",
               "p. 28")
NO_CHANCE = Quote("our final version, MCC_Combined, still does not stand a chance against Minimax based competitors",
                  "p. 29")
TWO_MINUTES = Quote("required in several tests always about two minutes to find 1.Kg6", "p. 23")
TEN_SECONDS = Quote("this modification was able to find 1.Kg6 within 10 seconds - much faster than MCC_Combined3pc",
                    "p. 23")
FOR_BLACK = Quote("the random simulation strategy favors Black in all positions beside the one reached after 4.g4",
                  "p. 25")
# fmt: on
NO_CHANCE_PERCENT = 10.0  # who scores so much has a chance: our reading
ABOUT = (90.0, 150.0)  # seconds that are "about two minutes": likewise

# Tables 2, 4, 6 and 9: likelihoods of superiority in percent over the players that follow in the list.
EVAL_LOS = [[51, 85, 99, 99, 99], [85, 99, 99, 99], [98, 99, 99], [70, 74], [55]]
SEE_LOS = [[57, 56, 93, 96, 99], [48, 90, 94, 99], [90, 94, 99], [60, 99], [99]]
TABLES_LOS = [[91, 95], [65]]
MAIN_LOS = [[99, 99, 99, 100], [98, 99, 99], [99, 99], [97]]


HEAVY = ({**SHORT, "games": 6, "movetime": 20}, {**DECIDED, "games": 30, "movetime": 50}, {**BLITZ, "games": 20})


def _heavy(preset: str, kind: str) -> list[str]:
    return [f"mcc?name={BASE}", *(f"{preset}?epsilon={e}&name={kind} {e}" for e in EPSILONS)]


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
    middle, others = ("EVAL 0.4", "EVAL 0.6"), ("EVAL 0.2", "EVAL 0.8")
    claims = stronger(EQUAL, results, [(one, other) for one in middle for other in others])
    claims += stronger(EXTREME, results, [(one, other) for one in middle for other in ("EVAL 0", BASE)])
    blocks = _superiority(ratings(results.games), [*EVAL, BASE], EVAL_LOS)
    return Findings(over_base(results, BASE, EVAL), claims, blocks)


def _see(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-3"]
    claims = stronger(ALL_BETTER, results, [(name, BASE) for name in SEE])
    blocks = _superiority(ratings(results.games), [*SEE, BASE], SEE_LOS)
    return Findings(over_base(results, BASE, SEE), claims, blocks)


def _gains(found: dict[str, Any]) -> Findings:
    by_eval, by_see = (ratings(found[name].games) for name in ("arenz-1", "arenz-3"))
    claims = []
    for epsilon in EPSILONS:
        more = lead(by_see, f"SEE {epsilon}", BASE).less(lead(by_eval, f"EVAL {epsilon}", BASE))
        claims.append(claim(LARGER, f"gain of SEE {epsilon} less that of EVAL {epsilon}", more, above=0))
    return Findings((), claims)


def _gtb(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-5"]
    blocks = _superiority(ratings(results.games), [*TABLES, BASE], TABLES_LOS)
    return Findings(over_base(results, BASE, TABLES), stronger(FOUR_PIECES, results, [("GTB 4", BASE)]), blocks)


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
    combined = results.of("Combined")
    won = Number.percent(combined.wins, combined.games)
    numbers = over_base(results, BASE, MAIN)
    numbers.append(Row("games that Combined won", Number.percent(99, 100), won, unit="%"))
    claims = stronger(BEST_ALONE, results, [("Decisive", "SEE"), ("Decisive", "Bias")])
    claims += stronger(FOURTH, results, [("Bias", BASE), ("SEE", "Bias")])
    return Findings(numbers, claims, [points_table, *_superiority(rated, list(POINTS), MAIN_LOS)])


def _minimax(found: dict[str, Any]) -> Findings:
    results: Results = found["arenz-minimax"]
    combined, *others = results.players
    scores = {other: share(results, combined, other) for other in others if results.against(combined, other).games}
    claims = [claim(NO_CHANCE, f"Combined's score against {o}", s, below=NO_CHANCE_PERCENT) for o, s in scores.items()]
    note = f"That a score below {NO_CHANCE_PERCENT:g} % is no chance is our reading; the thesis prints no games."
    return Findings((), claims, [Text(note)], unit="%", digits=1)


def _queen_ending(bench: Bench, playouts: int, placements: int) -> dict[str, Any]:
    answer = studies.queen_ending(playouts, 0.0, bench.seed, bench.quiet)
    return answer | {"elsewhere": studies.placements(placements, playouts // 10, bench.seed)}


def _say_queen(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig6"]
    paper, error, many = answer["paper"], answer["error_percent"], answer["playouts"]
    sampled = 100 * Z * (0.004988 * (1 - 0.004988) / paper["playouts"]) ** 0.5  # the paper's own sampling error
    theirs = paper["white_wins_percent"]
    rows = [
        Row("White wins, %", Number.about(theirs, sampled), Number.about(answer["white_wins_percent"], error, many)),
        Row("White's score, %", Number.about(paper["white_score_percent"], sampled / 2),
            Number.about(answer["white_score_percent"], error / 2, many)),
    ]  # fmt: skip
    low, high = min(answer["elsewhere"]), max(answer["elsewhere"])
    reason = (
        f"with the pieces on {len(answer['elsewhere'])} other sets of squares White wins {low:.2f} to {high:.2f} %, "
        "and the thesis shows its position only as a picture."
    )
    elsewhere = low < theirs < high
    reason = reason if elsewhere else ""
    return Findings(rows, unit="%", digits=3, drawn=False, counted="playouts", reason=reason)


def _reti(bench: Bench, seconds: float, seeds: int) -> dict[str, Any]:
    return {"seeds": [studies.reti(0, seconds, bench.seed + i, bench.quiet) for i in range(seeds)], "limit": seconds}


def _needed(searches: list[dict[str, Any]], limit: float) -> Number:
    """The seconds until 1.Kg6 was found, on average; where a search did not find it they are at least the limit."""
    after = [search["found_after_s"] for search in searches]
    if None not in after:
        return Number.mean(after)
    least = sum(limit if one is None else one for one in after) / len(after)
    return Number(least, least, inf, len(after))


def _say_reti(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig7"]
    limit = answer["limit"]
    plain, repeated = ([one["runs"][i] for one in answer["seeds"]] for i in (0, 1))
    lines: list[list[str | Cell]] = []
    for i, (without, within) in enumerate(zip(plain, repeated, strict=True)):
        for run in (without, within):
            after = run["found_after_s"]
            when = f"not within {limit:g} s" if after is None else f"{after:.2f} s"
            lines.append([f"{i + 1}", run["engine"], run["paper"], when, run["answer"], f"{run['nodes']:,}"])
    slow, fast = _needed(plain, limit), _needed(repeated, limit)
    saved = Number(slow.value - fast.value, slow.low - fast.high, slow.high - fast.low, slow.samples)
    claims = [
        claim(TWO_MINUTES, "seconds without repeating", slow, *ABOUT),
        claim(TEN_SECONDS, "seconds with repeating", fast, below=10.0),
        claim(TEN_SECONDS, "seconds that repeating saves", saved, above=0.0),
    ]
    head = ["search", "Réti: 1.Kg6", "paper", "ours settled on it after", "answer", "iterations"]
    longer = f"Searches longer than {limit:g} s would decide."
    return Findings(
        (), claims, [Table(head, lines, left=2)], unit="s", digits=2, counted="searches", else_decides=longer
    )


def _accuracy(bench: Bench, playouts: int) -> dict[str, Any]:
    return studies.accuracy(playouts, 0.0, bench.seed, bench.quiet)


def _say_accuracy(found: dict[str, Any]) -> Findings:
    answer = found["arenz-fig8"]
    rows = [
        Row(row["move"], Number.about(row["paper_percent"], 0.15),  # of 3 million iterations over some 25 moves
            Number.about(row["white_percent"], row["error_percent"], row["visits"]))
        for row in answer["rows"]
    ]  # fmt: skip
    claims = []
    for row in rows:
        low, high = (50.0, inf) if row.what == "g4" else (-inf, 50.0)
        claims.append(claim(FOR_BLACK, f"White's score after {row.what}", row.ours, low, high))
    return Findings(rows, claims, unit="%", digits=2, counted="playouts of the move")


_EVAL = Tournament("arenz-1", _heavy("mcc-hp-eval", "EVAL"), HEAVY)
_SEE = Tournament("arenz-3", _heavy("mcc-hp-see", "SEE"), HEAVY)
EXPERIMENTS = (
    Experiment(
        "arenz-1", "Tables 1, 2: heavy playouts by the evaluation, by ε", "p. 26, Tables 1 and 2", [_EVAL], _eval,
        aliases=("arenz-2",), seconds=(120, 1900),
    ),
    Experiment(
        "arenz-3", "Tables 3, 4: heavy playouts by exchanges, by ε", "p. 27, Tables 3 and 4", [_SEE], _see,
        aliases=("arenz-4",), seconds=(90, 1900),
    ),
    Experiment(
        "arenz-gains", "Tables 1, 3: exchanges gain more than the evaluation (the games of both)", "pp. 26, 27",
        [_EVAL, _SEE], _gains, seconds=(1, 1),  # after the two above
    ),
    Experiment(
        "arenz-5", "Tables 5, 6: playouts that end at endgame tables", "p. 28, Tables 5 and 6",
        [Tournament("arenz-5", [f"mcc?name={BASE}", "mcc-gtb4?name=GTB 4", "mcc-gtb3?name=GTB 3"],
                    ({**SHORT, "games": 16, "movetime": 20}, {**DECIDED, "games": 160, "movetime": 50},
                     {**BLITZ, "games": 50}))],
        _gtb, aliases=("arenz-6",), seconds=(100, 2050), needs=("tables",),
    ),
    Experiment(
        "arenz-7", "Tables 7, 8, 9: the main experiment, all modifications", "pp. 28, 29, Tables 7 to 9",
        [Tournament("arenz-7", ["mcc-combined?name=Combined", "mcc-decisive?name=Decisive", "mcc-hp-see?name=SEE",
                                "mcc-bias?name=Bias", f"mcc?name={BASE}"],
                    ({**SHORT, "games": 24, "movetime": 30}, {**DECIDED, "games": 50, "movetime": 50},
                     {**BLITZ, "games": 26}))],
        _main, aliases=("arenz-8", "arenz-9"), needs=("tables",), seconds=(360, 1400),
    ),
    Experiment(
        "arenz-minimax", "Section 5.3: Combined against engines by minimax", "p. 29",
        [Tournament("arenz-minimax",
                    ["mcc-combined?name=Combined", "uci:toga2?OwnBook=false&name=Toga",
                     "uci:glaurung?OwnBook=false&Threads=1&name=Glaurung",
                     "uci:gnuchess --uci?OwnBook=false&name=GNU Chess"],
                    ({**DECIDED, "games": 2, "movetime": 50}, {**DECIDED, "games": 40, "movetime": 100},
                     {**BLITZ, "games": 20}), {"kind": "gauntlet"})],
        _minimax, seconds=(30, 500), needs=("tables", "minimax engines"),
    ),
    Experiment(
        "arenz-fig6", "Figure 6: king and queen against king by random play", "p. 22, Figure 6",
        [Study("arenz-fig6", _queen_ending,
               ({"playouts": 1_000_000, "placements": 50},) * 3)],
        _say_queen, seconds=(20, 20),
    ),
    Experiment(
        "arenz-fig7", "Figure 7: Réti's study, drawn playouts repeated", "p. 23, Figure 7",
        [Study("arenz-fig7", _reti, ({"seconds": 15.0, "seeds": 2}, {"seconds": 150.0, "seeds": 4},
                                     {"seconds": 300.0, "seeds": 10}))],
        _say_reti, seconds=(70, 1200),
    ),
    Experiment(
        "arenz-fig8", "Figures 8, 9: what random playouts think of a won position", "pp. 24, 25, Figures 8 and 9",
        [Study("arenz-fig8", _accuracy, ({"playouts": 100_000}, {"playouts": 3_000_000}, {"playouts": 3_000_000}))],
        _say_accuracy, seconds=(30, 500), aliases=("arenz-fig9",),
    ),
)  # fmt: skip
