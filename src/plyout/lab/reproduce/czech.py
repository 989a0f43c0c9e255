"""Czech, Korus and Kersting 2021, graph search: strength by evaluations and by time, each addition alone, memory.

Figures 3 to 5 are curves without printed numbers: what the text says of them is tested. Chess is played by our residual
network, at equal evaluations where the paper has equal evaluations; there is none for crazyhouse, where quiescence and
a linear policy stand in its place.
"""

from typing import Any

from plyout.lab.match.players import named
from plyout.lab.match.results import Results
from plyout.lab.report.page import Cell, Table, Text
from plyout.lab.reproduce.elo import gauntlet, number
from plyout.lab.reproduce.experiment import LEVEL, SHORT_LEVEL, Bench, Experiment, Findings, Scales, Study, Tournament
from plyout.lab.reproduce.verdict import Number, Quote, Row, claim
from plyout.lab.studies import sharing

ADDED = "solver=1&explore=0.01&explore_checks=0.01&choose=q-value"  # all additions but the graph
SYSTEMS = {  # the tree, the tree that copies evaluations, the graph, and the graph with all additions
    "crazyhouse": ("mcts", "mcts-tt", "mcgs", "mcgs-combined"),
    "chess": ("mcts-net", "mcts-tt-net", "mcgs-net", f"mcgs-net?{ADDED}"),
}
NEEDED = {"crazyhouse": (), "chess": ("onnxruntime",)}
NO_NETWORK = "There is no network for crazyhouse here: quiescence evaluates, and a linear policy gives the priors."
STEPS = ("few", "more", "many")

# Evaluations a move, and games, at each scale. The paper's axes end at about as many; its games are not told.
EVALUATIONS = {
    "crazyhouse": {"few": ((200, 40), (800, 200), (800, 200)), "more": ((1_000, 24), (6_400, 200), (6_400, 200)),
                   "many": ((5_000, 12), (51_200, 60), (51_200, 200))},
    "chess": {"few": ((25, 24), (100, 200), (800, 200)), "more": ((100, 12), (400, 100), (6_400, 200)),
              "many": ((400, 4), (1_600, 40), (51_200, 200))},
}  # fmt: skip
STOCKFISH = {  # the reference lines: the program with its nodes a move, and how many games are an evening's
    "crazyhouse": ("uci:fairy-stockfish?name=Stockfish&nodes=1000000", 6),
    "chess": ("uci:stockfish?name=Stockfish&nodes=10000", 20),
}
READ_OFF = 30.0  # how far an Elo difference given as "about" may well be off
GAINS = {"crazyhouse": {"MCGS": 110.0, "ε-greedy": 100.0, "combined": 310.0}, "chess": {"combined": 69.0}}

_EVALUATION = "Empirical Evaluation"
# fmt: off
SMALL = Quote("For a small amount of nodes, the benefit of using all MCGS with all enhancements over AlphaZero* is "
              "relatively small, but increases the longer the search is performed.", _EVALUATION)
ALL_TIMES = Quote("We observe that MCGS outperformed the transposition look-up table approach across all time controls",
                  _EVALUATION)
GAP = Quote("the Elo gap between the two algorithms slightly increases over time", _EVALUATION)
EACH = Quote("Each individual search modification appears to improve the performance, whereas using MCGS instead of a "
             "tree structure yields the greatest benefit.", _EVALUATION)
SURPASSED = Quote("MCGS-Combined, leads to ≈+310 Elo and greatly surpassed each variant individually", _EVALUATION)
MEMORY = Quote("we observe a memory reduction of 30 % to 70 % depending on the position and the resulting amount of "
               "transposition nodes", "Discussion")
# fmt: on


def _by_evaluations(variant: str, step: str) -> Scales:
    quick, evening, paper = ({"evaluations": count, "games": games} for count, games in EVALUATIONS[variant][step])
    return {**SHORT_LEVEL, **quick}, {**LEVEL, **evening}, paper


def _scaling(figure: str, variant: str) -> list[Tournament]:
    tree, _, _, combined = SYSTEMS[variant]
    engines = [named(combined, "MCGS"), named(tree, "MCTS")]
    return [
        Tournament(f"czech-{figure}-{step}", engines, _by_evaluations(variant, step), {"variant": variant})
        for step in STEPS
    ]


def _say_scaling(found: dict[str, Any]) -> Findings:
    """All additions on a graph against the plain tree; the longer the search, the greater the gain."""
    elo = {name.rpartition("-")[2]: number(results.of("MCGS")) for name, results in found.items()}
    rows = [Row(f"{step} evaluations", None, elo[step]) for step in STEPS]
    claims = [claim(SMALL, f"MCGS over MCTS, {step} evaluations", elo[step], above=0) for step in STEPS]
    claims.append(claim(SMALL, "gain from few evaluations to many", elo["many"].less(elo["few"]), above=0))
    note = [Text(NO_NETWORK)] if any("fig3" in name for name in found) else []
    return Findings(rows, claims, note)


def _line(figure: str, variant: str) -> list[Tournament]:
    tree, _, _, combined = SYSTEMS[variant]
    program, games = STOCKFISH[variant]
    engines = [program, named(combined, "MCGS"), named(tree, "MCTS")]
    common = {"variant": variant, "kind": "gauntlet"}
    parts = []
    for step in STEPS:
        quick, evening, paper = _by_evaluations(variant, step)
        fewer = ({**quick, "games": 2}, {**evening, "games": games}, paper)
        parts.append(Tournament(f"czech-{figure}-line-{step}", engines, fewer, common))
    return parts


def _say_line(found: dict[str, Any]) -> Findings:
    """The paper draws its line in a figure only: ours has no number beside it."""
    rows = []
    for name, results in found.items():
        step = name.rpartition("-")[2]
        rows += [Row(f"{row.what} over Stockfish, {step} evaluations", None, row.ours)
                 for row in gauntlet(results, {}, READ_OFF)]  # fmt: skip
    return Findings(rows)


def _by_time(variant: str) -> list[Tournament]:
    _, copying, graph, _ = SYSTEMS[variant]
    engines = [named(copying, "MCTS-TT"), named(graph, "MCGS")]
    if variant == "crazyhouse":
        engines.append(named("mcgs-recompute", "recomputed"))
    common = {"variant": variant, "kind": "gauntlet"}
    short, long = (10.0, 100.0, 1_000.0), (40.0, 400.0, 5_000.0)
    return [
        Tournament(f"czech-fig5-{variant}-{step}", engines,
                   ({**SHORT_LEVEL, "games": 16, "movetime": quick}, {**LEVEL, "games": games, "movetime": evening},
                    {"games": 200, "movetime": paper}), common)
        for step, (quick, evening, paper), games in (("short", short, 100), ("long", long, 40))
    ]  # fmt: skip


def _say_by_time(found: dict[str, Any]) -> Findings:
    rows, claims, graph = [], [], dict[str, Number]()
    for name, results in found.items():
        step = name.rpartition("-")[2]
        for row in gauntlet(results, {}, READ_OFF):
            rows.append(Row(f"{row.what}, {step} time", None, row.ours))
            if row.what == "MCGS" and row.ours:
                graph[step] = row.ours
                claims.append(claim(ALL_TIMES, f"MCGS over MCTS-TT, {step} time", row.ours, above=0))
    if len(graph) == 2:
        claims.append(claim(GAP, "gain from a short time to a long one", graph["long"].less(graph["short"]), above=0))
    crazyhouse = any("crazyhouse" in name for name in found)
    plainly = (
        NO_NETWORK if crazyhouse else "The paper has crazyhouse only; here it is chess, for which there is a network."
    )
    return Findings(rows, claims, [Text(plainly)])


def _additions(figure: str, variant: str) -> list[Tournament]:
    tree, _, graph, combined = SYSTEMS[variant]
    additions = {
        "MCGS": graph, "ε-greedy": f"{tree}?explore=0.01", "checks": f"{tree}?explore_checks=0.01",
        "solver": f"{tree}?solver=1", "Q-value": f"{tree}?choose=q-value", "combined": combined,
    }  # fmt: skip
    engines = [named(tree, "MCTS"), *(named(text, name) for name, text in additions.items())]
    games = 80 if variant == "crazyhouse" else 70
    return [
        Tournament(f"czech-{figure}", engines,
                   ({**SHORT_LEVEL, "games": 12, "movetime": 20}, {**LEVEL, "games": games, "movetime": 100},
                    {"games": 200, "movetime": 5_000}), {"variant": variant, "kind": "gauntlet"})
    ]  # fmt: skip


def _say_additions(found: dict[str, Any]) -> Findings:
    ((name, results),) = found.items()
    assert isinstance(results, Results)
    variant = "crazyhouse" if name == "czech-fig6" else "chess"
    rows = gauntlet(results, GAINS[variant], READ_OFF)
    elo = {row.what: row.ours for row in rows if row.ours is not None}
    alone = [what for what in elo if what != "combined"]
    claims = [claim(EACH, f"{what} over MCTS", elo[what], above=0) for what in alone]
    if "MCGS" in elo:
        graph = elo["MCGS"]
        claims += [claim(EACH, f"MCGS less {w}", graph.less(elo[w]), above=0) for w in alone if w != "MCGS"]
    if "combined" in elo and variant == "crazyhouse":
        claims += [claim(SURPASSED, f"combined less {w}", elo["combined"].less(elo[w]), above=0) for w in alone]
    return Findings(rows, claims, [Text(NO_NETWORK)] if variant == "crazyhouse" else [])


def _memory(bench: Bench, simulations: int) -> dict[str, Any]:
    return {
        variant: [one.as_dict() for one in sharing.compare("mcgs", variant, fens, simulations, bench.seed)]
        for variant, fens in sharing.POSITIONS.items()
    }


def _say_memory(found: dict[str, Any]) -> Findings:
    answer = found["czech-memory"]
    lines: list[list[str | Cell]] = []
    claims = []
    for variant, positions in answer.items():
        for i, one in enumerate(positions, 1):
            saved = Number.about(100 * one["bytes_saved"])
            claims.append(claim(MEMORY, f"{variant}, position {i}", saved, above=30.0, below=70.0))
            cells = (f"{100 * one[key]:.1f} %" for key in ("bytes_saved", "evaluations_saved", "transpositions"))
            lines.append([f"{variant}, {i}", one["fen"], *cells])
    head = ["position", "", "memory saved", "evaluations saved", "transpositions"]
    note = Text("The paper tells neither its positions nor the size of its searches.")
    return Findings((), claims, [Table(head, lines, left=2), note], unit="%", digits=1, counted="positions")


EXPERIMENTS = (
    Experiment("czech-fig3", "Figure 3: graph against tree in crazyhouse, by evaluations", f"{_EVALUATION}, Figure 3",
               _scaling("fig3", "crazyhouse"), _say_scaling, seconds=(30, 2300)),
    Experiment("czech-fig3-line", "Figure 3's line: Stockfish for crazyhouse at a million nodes a move",
               f"{_EVALUATION}, Figure 3", _line("fig3", "crazyhouse"), _say_line, seconds=(120, 1100),
               needs=("fairy-stockfish",)),
    Experiment("czech-fig4", "Figure 4: graph against tree in chess, by evaluations of a network",
               f"{_EVALUATION}, Figure 4", _scaling("fig4", "chess"), _say_scaling, seconds=(120, 2800),
               needs=NEEDED["chess"]),
    Experiment("czech-fig4-line", "Figure 4's line: Stockfish at 10,000 nodes a move", f"{_EVALUATION}, Figure 4",
               _line("fig4", "chess"), _say_line, seconds=(60, 1050), needs=(*NEEDED["chess"], "stockfish")),
    Experiment("czech-fig5", "Figure 5: graph against a transposition table in crazyhouse, by time",
               f"{_EVALUATION}, Figure 5", _by_time("crazyhouse"), _say_by_time, seconds=(80, 2100)),
    Experiment("czech-fig5-chess", "Figure 5 in chess: the same by a network", f"{_EVALUATION}, Figure 5",
               _by_time("chess"), _say_by_time, seconds=(60, 1300), needs=NEEDED["chess"]),
    Experiment("czech-fig6", "Figure 6: each addition alone in crazyhouse", f"{_EVALUATION}, Figure 6",
               _additions("fig6", "crazyhouse"), _say_additions, seconds=(75, 1950)),
    Experiment("czech-fig7", "Figure 7: each addition alone in chess, with a network", f"{_EVALUATION}, Figure 7",
               _additions("fig7", "chess"), _say_additions, seconds=(110, 2100), needs=NEEDED["chess"]),
    Experiment("czech-memory", "Memory that a graph saves", "Discussion",
               [Study("czech-memory", _memory,
                      ({"simulations": 30_000}, {"simulations": 200_000}, {"simulations": 400_000}))],
               _say_memory, seconds=(40, 240)),
)  # fmt: skip
