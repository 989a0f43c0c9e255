"""The ladder of ideas: every part of every paper switched on alone over the same base, and all together.

Two bases: `mcc` (UCT with random playouts) and `mcts` (PUCT with a quiescence search at the leaves). Each part meets
its base at equal time, which asks whether it pays, and at equal nodes, which asks whether it is any good.
"""

from typing import Any

from plyout.lab.match.players import named
from plyout.lab.match.results import Results
from plyout.lab.report.page import Block, Cell, Figure, Table
from plyout.lab.report.plots import beside, signed
from plyout.lab.reproduce.elo import number
from plyout.lab.reproduce.experiment import DECIDED, LEVEL, SHORT, SHORT_LEVEL, Experiment, Findings, Tournament
from plyout.lab.reproduce.verdict import Number

OVER_MCC = {
    "c 0.5": "mcc?c=0.5",
    "c 2": "mcc?c=2",
    "RAVE": "mcc-rave",
    "progressive bias": "mcc-bias",
    "progressive widening": "mcc-widening",
    "progressive unpruning": "mcc-unpruning",
    "EVAL playouts": "mcc-hp-eval",
    "SEE playouts": "mcc-hp-see",
    "mixed playouts": "mcc-mixed",
    "decisive moves": "mcc-decisive",
    "anti-decisive moves": "mcc-anti-decisive",
    "4-piece tables": "mcc-gtb4",
    "MC-Solver": "mcc-solver",
    "draws repeated": "mcc-draws",
    "draws weigh less": "mcc-draw-weight",
    "later results weigh more": "mcc-later",
    "TL-BFS as printed": "mcc?expansions=2",
    "TL-BFS as told": "mcc?top_bfs=16",
    "mates taken back": "mcc?play_on=1",
    "traps pruned": "mcc?trap_level=3",
    "all of Arenz": "mcc-combined",
    "all of Topolewski": "ta-mcc",
}
OVER_MCC_WITH_BOOK = {  # from the start position: a game that begins with an opening has left much of the book
    "book moves played": "mcc?book=own&book_use=weighted",
    "book moves favoured": "mcc?book=own&book_use=bias",
    "book moves alone": "mcc?book=own&book_use=prune",
}
OVER_MCTS = {
    "evaluations copied": "mcts-tt",
    "graph": "mcgs",
    "graph, recomputed": "mcgs-recompute",
    "terminal solver": "mcts?solver=1",
    "ε-greedy exploration": "mcts?explore=0.01",
    "check exploration": "mcts?explore_checks=0.01",
    "Q-value choice": "mcts?choose=q-value",
    "weighted evaluation": "mcts?weighted=1",
    "all of Czech et al.": "mcgs-combined",
    "plyout": "plyout",
}


def _engines(base: str, parts: dict[str, str]) -> list[str]:
    return [base, *(named(text, name) for name, text in parts.items())]


def _gauntlets(
    group: str, base: str, parts: dict[str, str], nodes: int, openings: str = "built-in"
) -> list[Tournament]:
    """The parts against their base, at equal time and at equal nodes."""
    common = {"kind": "gauntlet", "book": openings}
    short, whole = (SHORT_LEVEL, LEVEL) if base == "mcts" else (SHORT, DECIDED)
    quick, evening = {**short, "games": 8}, {**whole, "games": 30}
    engines = _engines(base, parts)
    return [
        Tournament(f"ladder-{group}-time", engines,
                   ({**quick, "movetime": 20}, {**evening, "movetime": 20}, {"games": 200, "movetime": 1000}), common),
        Tournament(f"ladder-{group}-nodes", engines,
                   ({**quick, "nodes": nodes}, {**evening, "nodes": nodes}, {"games": 200, "nodes": 20 * nodes}),
                   common),
    ]  # fmt: skip


def _elo(found: dict[str, Any], limit: str) -> dict[str, Number]:
    """Elo of every part over its base, by time or by nodes, from the best down."""
    rows = {}
    for name, results in found.items():
        if name.endswith(limit):
            assert isinstance(results, Results)
            base, *others = results.players
            for player in others:
                met = results.against(player, base)
                if met.games:
                    rows[player] = number(met)
    return dict(sorted(rows.items(), key=lambda row: -row[1].value))


def _base_of(name: str) -> str:
    return "mcts" if name in OVER_MCTS else "mcc"


def _say(found: dict[str, Any]) -> Findings:
    timed, counted = _elo(found, "time"), _elo(found, "nodes")
    rows: list[list[str | Cell]] = []
    for name, elo in timed.items():
        cells = [f"{signed(elo.value)}", _interval(elo)]
        other = counted.get(name)
        cells += ["", ""] if other is None else [f"{signed(other.value)}", _interval(other)]
        rows.append([name, _base_of(name), *cells])
    head = ["part", "over", "Elo at equal time", "95 %", "Elo at equal nodes", "95 %"]
    blocks: list[Block] = [Table(head, rows, left=2)]
    for title, elo_by_name in (("At equal time", timed), ("At equal nodes", counted)):
        if elo_by_name:
            blocks.append(Figure(beside(_marked(elo_by_name)), f"{title}: Elo over the base"))
    return Findings(blocks=blocks)


def _marked(elo: dict[str, Number]) -> list[tuple[str, tuple[float, float, float], None]]:
    return [(f"{name} / {_base_of(name)}", (n.value, n.low, n.high), None) for name, n in elo.items()]


def _interval(elo: Number) -> str:
    return f"{signed(elo.low)} to {signed(elo.high)}"


EXPERIMENTS = (
    Experiment(
        "ladder", "The ladder of ideas: every part alone over its base, at equal time and equal nodes", "in no paper",
        [*_gauntlets("mcc", "mcc", OVER_MCC, 400), *_gauntlets("book", "mcc", OVER_MCC_WITH_BOOK, 400, "start"),
         *_gauntlets("mcts", "mcts", OVER_MCTS, 1000)],
        _say, seconds=(560, 2600), needs=("tables",),
    ),
)  # fmt: skip
