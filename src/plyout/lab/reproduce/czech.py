"""Czech, Korus and Kersting 2021, graph search: strength by nodes and by time, each addition alone, memory.

Figures 3 to 5 are curves without printed numbers: what the text says of them is tested.
"""

from typing import Any

from plyout.lab.match.players import named
from plyout.lab.report.page import Cell, Table
from plyout.lab.reproduce.elo import gauntlet, number
from plyout.lab.reproduce.experiment import LEVEL, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.verdict import DIFFERS, UNDECIDED, Number, Row, claim
from plyout.lab.studies import sharing

NODES = {"few": (200, 800), "more": (1_000, 6_400), "many": (5_000, 51_200)}  # a move, at quick and at paper scale
TIMES = {"short": (10.0, 1_000.0), "long": (40.0, 5_000.0)}  # milliseconds, likewise
READ_OFF = 30.0  # how far an Elo difference given as "about" may well be off

ADDITIONS = {
    "MCGS": "mcgs",
    "ε-greedy": "mcts?explore=0.01",
    "checks": "mcts?explore_checks=0.01",
    "solver": "mcts?solver=1",
    "Q-value": "mcts?choose=q-value",
    "combined": "mcgs-combined",
}
GAINS = {"crazyhouse": {"MCGS": 110.0, "ε-greedy": 100.0, "combined": 310.0}, "chess": {"combined": 69.0}}


def _by_nodes(figure: str, variant: str) -> list[Tournament]:
    engines = [named("mcgs-combined", "MCGS"), named("mcts", "MCTS")]
    return [
        Tournament(f"czech-{figure}-{step}", engines, {**LEVEL, "games": games, "nodes": quick},
                   {"games": 200, "nodes": paper}, {"variant": variant})
        for (step, (quick, paper)), games in zip(NODES.items(), (40, 24, 12), strict=True)
    ]  # fmt: skip


def _say_by_nodes(found: dict[str, Any]) -> Findings:
    """All additions on a graph against the plain tree; the more nodes, the greater the gain."""
    elo = {name.rpartition("-")[2]: number(results.of("MCGS")) for name, results in found.items()}
    rows = [Row(f"{step} nodes", None, elo[step]) for step in elo]
    claims = [claim(f"MCGS is stronger at {step} nodes", elo[step], above=0) for step in elo]
    claims.append(claim("and gains from few nodes to many", elo["many"].less(elo["few"]), above=0))
    return Findings(rows, claims)


def _by_time() -> list[Tournament]:
    engines = [named("mcts-tt", "MCTS-TT"), named("mcgs", "MCGS"), named("mcgs-recompute", "recomputed")]
    return [
        Tournament(f"czech-fig5-{step}", engines, {**LEVEL, "games": 16, "movetime": quick},
                   {"games": 200, "movetime": paper}, {"variant": "crazyhouse", "kind": "gauntlet"})
        for step, (quick, paper) in TIMES.items()
    ]  # fmt: skip


def _say_by_time(found: dict[str, Any]) -> Findings:
    rows, claims = [], []
    for name, results in found.items():
        step = name.rpartition("-")[2]
        graph, recomputed = gauntlet(results, {}, READ_OFF)
        rows += [Row(f"{step} time: {row.what}", None, row.ours) for row in (graph, recomputed)]
        claims.append(claim(f"MCGS is stronger than a transposition table in a {step} time", graph.ours, above=0))
    return Findings(rows, claims)


def _additions(figure: str, variant: str) -> list[Tournament]:
    engines = ["mcts?name=MCTS", *(named(text, name) for name, text in ADDITIONS.items())]
    return [
        Tournament(f"czech-{figure}", engines, {**LEVEL, "games": 12, "movetime": 20},
                   {"games": 200, "movetime": 5_000}, {"variant": variant, "kind": "gauntlet"})
    ]  # fmt: skip


def _say_additions(found: dict[str, Any]) -> Findings:
    ((name, results),) = found.items()
    variant = "crazyhouse" if name == "czech-fig6" else "chess"
    rows = gauntlet(results, GAINS[variant], READ_OFF)
    claims = [claim(f"{row.what} is stronger than MCTS", row.ours, above=0) for row in rows]
    combined = {row.what: row.ours for row in rows}
    if combined["combined"] and combined["MCGS"]:
        claims.append(claim("combined gains more than MCGS", combined["combined"].less(combined["MCGS"]), above=0))
    return Findings(rows, claims)


def _memory(bench: Bench, simulations: int) -> dict[str, Any]:
    return {
        variant: [one.as_dict() for one in sharing.compare("mcgs", variant, fens, simulations, bench.seed)]
        for variant, fens in sharing.POSITIONS.items()
    }


def _say_memory(found: dict[str, Any]) -> Findings:
    answer = found["czech-memory"]
    lines: list[list[str | Cell]] = []
    rows = []
    for variant, positions in answer.items():
        saved = [100 * one["bytes_saved"] for one in positions]
        rows.append(Row(f"{variant}: memory saved, mean", Number(50.0, 30.0, 70.0), Number.mean(saved), none=0.0))
        for one in positions:
            cells = (f"{100 * one[key]:.1f} %" for key in ("bytes_saved", "evaluations_saved", "transpositions"))
            lines.append([one["fen"], *cells])
    head = ["position", "memory saved", "evaluations saved", "transpositions"]
    return Findings(rows, blocks=[Table(head, lines)], unit="%", digits=1)


_FEW = {UNDECIDED: "The gains are of tens of Elo in chess, and a dozen games measure to a hundred or two."}
EXPERIMENTS = (
    Experiment("czech-fig3", "Figure 3: graph against tree in crazyhouse, by nodes", _by_nodes("fig3", "crazyhouse"),
               _say_by_nodes, seconds=30, why=_FEW),
    Experiment("czech-fig4", "Figure 4: graph against tree in chess, by nodes", _by_nodes("fig4", "chess"),
               _say_by_nodes, seconds=40, why=_FEW),
    Experiment("czech-fig5", "Figure 5: graph against a transposition table in crazyhouse, by time", _by_time(),
               _say_by_time, seconds=80, why=_FEW),
    Experiment("czech-fig6", "Figure 6: each addition alone in crazyhouse", _additions("fig6", "crazyhouse"),
               _say_additions, seconds=75, why=_FEW),
    Experiment("czech-fig7", "Figure 7: each addition alone in chess", _additions("fig7", "chess"),
               _say_additions, seconds=110, why=_FEW),
    Experiment("czech-memory", "Memory that a graph saves",
               [Study("czech-memory", _memory, {"simulations": 30_000}, {"simulations": 400_000})],
               _say_memory, seconds=40,
               why={DIFFERS: "Ours meets fewer transpositions, and saves about as much memory as evaluations; the "
                    "paper tells neither its positions nor the size of its searches.",
                    UNDECIDED: "How much is saved depends on the position most of all, from a few percent with all "
                    "pieces on the board to most of it in an ending of pawns."}),
)  # fmt: skip
