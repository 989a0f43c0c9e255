"""The ladder of ideas: every part of every paper switched on alone over the same base, and all together.

Bases without networks are `mcc` (UCT with random playouts) and `mcts` (PUCT with a quiescence search at the leaves).
With networks, parts of the default preset are taken out of it one by one, and those of Czech et al. are put on `mcts`
with the default's networks. Each part meets its base at equal nodes, which asks whether it is any good, and at equal
time, which asks whether it pays.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from plyout.lab.match.players import named
from plyout.lab.match.results import Results
from plyout.lab.report.page import Block, Cell, Figure, Table, Text
from plyout.lab.report.plots import beside, signed
from plyout.lab.reproduce.elo import number
from plyout.lab.reproduce.experiment import DECIDED, LEVEL, SHORT, SHORT_LEVEL, Experiment, Findings, Tournament
from plyout.lab.reproduce.verdict import ENDLESS, Number

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

NODES = 400  # a move
TREE = "mcts?value_net=value&policy_net=policy&policy=1.68"
# The twelve that most depends on: what the default gains by, and what Czech et al. claim of each addition.
TAKEN_OUT = {
    "value network": "plyout?value_net=",
    "policy network": "plyout?policy_net=&policy=1",  # the linear policy at the temperature that was fitted to it
    "quiescence": "plyout?quiet_depth=0",
    "graph": "plyout?share=0",
    "solver": "plyout?solver=0",
    "spread of scores": "plyout?spread=0",
    "first-play reduction": "plyout?fpu_reduction=-1",
}
PUT_ON = {
    "graph": f"{TREE}&share=2",
    "terminal solver": f"{TREE}&solver=1",
    "ε-greedy exploration": f"{TREE}&explore=0.01",
    "check exploration": f"{TREE}&explore_checks=0.01",
    "Q-value choice": f"{TREE}&choose=q-value",
}
# The rest, with fewer games.
ALSO_TAKEN_OUT = {
    "both networks": "plyout?value_net=&policy_net=&policy=1",
    "mates by checks": "plyout?checks=0",
    "draws by repetition": "plyout?repetition=0",
    "endgame tables": "plyout?tables=0",
    "secure choice": "plyout?choose=robust",
}
ALSO_PUT_ON = {
    "evaluations copied": f"{TREE}&share=1",
    "graph, recomputed": f"{TREE}&share=3",
    "all of Czech et al.": f"{TREE}&share=2&solver=1&explore=0.01&explore_checks=0.01&choose=q-value",
}


def _gauntlets(
    group: str, base: str, parts: dict[str, str], nodes: int, openings: str = "built-in"
) -> list[Tournament]:
    """The parts against their base, at equal time and at equal nodes."""
    common = {"kind": "gauntlet", "book": openings}
    short, whole = (SHORT_LEVEL, LEVEL) if base == "mcts" else (SHORT, DECIDED)
    quick, evening = {**short, "games": 8}, {**whole, "games": 30}
    engines = [base, *(named(text, name) for name, text in parts.items())]
    return [
        Tournament(f"ladder-{group}-time", engines,
                   ({**quick, "movetime": 20}, {**evening, "movetime": 20}, {"games": 200, "movetime": 1000}), common),
        Tournament(f"ladder-{group}-nodes", engines,
                   ({**quick, "nodes": nodes}, {**evening, "nodes": nodes}, {"games": 200, "nodes": 20 * nodes}),
                   common),
    ]  # fmt: skip


def _with_networks(group: str, base: str, parts: dict[str, str], limit: str, games: int) -> Tournament:
    """The parts against their base by one of the two limits; so many games each are an evening's."""
    engines = [base, *(named(text, name) for name, text in parts.items())]
    amount, much = ("nodes", NODES) if limit == "nodes" else ("movetime", 20)
    scales = (
        {**SHORT_LEVEL, "games": 8, amount: much}, {**LEVEL, "games": games, amount: much},
        {"games": 400, amount: 20 * much},
    )  # fmt: skip
    return Tournament(f"ladder-networks-{group}-{limit}", engines, scales, {"kind": "gauntlet"})


class _Rung(NamedTuple):
    """What one part is worth over a base."""

    part: str
    over: str
    elo: dict[str, Number]  # by the limit, nodes or time


def _rungs(found: dict[str, Any]) -> list[_Rung]:
    """All parts, from the best down; of what is taken out of a base, the base's lead is what it is worth."""
    rungs: dict[tuple[str, str], _Rung] = {}
    for name, results in found.items():
        assert isinstance(results, Results)
        base, *others = results.players
        removed = "-out-" in name
        over = f"{base} without it" if removed else base
        for part in others:
            met = results.against(base, part) if removed else results.against(part, base)
            if met.games:
                rungs.setdefault((part, over), _Rung(part, over, {})).elo[name.rpartition("-")[2]] = number(met)
    return sorted(rungs.values(), key=lambda r: -next(iter(r.elo.values())).value)


def _blocks(rungs: Sequence[_Rung], limits: Sequence[str]) -> list[Block]:
    rows: list[list[str | Cell]] = []
    for rung in rungs:
        cells = [cell for limit in limits for cell in _cells(rung.elo.get(limit))]
        rows.append([rung.part, rung.over, *cells])
    head = ["part", "over", *(text for limit in limits for text in (f"Elo by {limit} (95 %)", "games"))]
    blocks: list[Block] = [Table(head, rows, left=2)]
    for limit in limits:
        shown = [(f"{r.part} / {r.over.partition(' ')[0]}", r.elo[limit]) for r in rungs if limit in r.elo]
        shown.sort(key=lambda row: -row[1].value)
        if shown:
            drawn = [(name, (n.value, n.low, n.high), None) for name, n in shown]
            blocks.append(Figure(beside(drawn), f"At equal {limit}: Elo over the base"))
    return blocks


def _cells(elo: Number | None) -> list[str]:
    if elo is None:
        return ["", ""]
    value, low, high = (_shown(end) for end in (elo.value, elo.low, elo.high))
    return [f"{value} ({low} to {high})", f"{elo.samples}"]


def _shown(elo: float) -> str:
    return signed(elo) if abs(elo) < ENDLESS else "∞" if elo > 0 else "−∞"


def _say(found: dict[str, Any]) -> Findings:
    return Findings(blocks=_blocks(_rungs(found), ("time", "nodes")))


def _say_with_networks(found: dict[str, Any]) -> Findings:
    note = Text(
        f"By nodes ({NODES} a move) the same games come out everywhere; by time they depend on the machine. 'With "
        "networks' is with those of plyout. What is taken out of plyout is not replaced, and nothing is tuned again."
    )
    rungs = _rungs(found)
    limits = [limit for limit in ("nodes", "time") if any(limit in rung.elo for rung in rungs)]
    return Findings(blocks=[note, *_blocks(rungs, limits)])


EXPERIMENTS = (
    Experiment(
        "ladder", "The ladder of ideas: every part alone over its base, at equal time and equal nodes", "in no paper",
        [*_gauntlets("mcc", "mcc", OVER_MCC, 400), *_gauntlets("book", "mcc", OVER_MCC_WITH_BOOK, 400, "start"),
         *_gauntlets("mcts", "mcts", OVER_MCTS, 1000)],
        _say, seconds=(560, 2600), needs=("tables",),
    ),
    Experiment(
        "ladder-networks", "The ladder with networks: twelve parts, out of plyout or on a tree",
        "in no paper",
        [_with_networks("out", "plyout", TAKEN_OUT, "nodes", 240),
         _with_networks("on", named(TREE, "mcts with networks"), PUT_ON, "nodes", 240)],
        _say_with_networks, seconds=(75, 2250), needs=("tables",),
    ),
    Experiment(
        "ladder-networks-more", "The ladder with networks: the other parts, and the twelve by time", "in no paper",
        [_with_networks("more-out", "plyout", ALSO_TAKEN_OUT, "nodes", 40),
         _with_networks("more-on", named(TREE, "mcts with networks"), ALSO_PUT_ON, "nodes", 40),
         _with_networks("more-out", "plyout", TAKEN_OUT, "time", 40),
         _with_networks("more-on", named(TREE, "mcts with networks"), PUT_ON, "time", 40)],
        _say_with_networks, seconds=(125, 750), needs=("tables",),
    ),
)  # fmt: skip
