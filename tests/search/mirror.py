"""The search once more, in plain Python with objects: tic-tac-toe, and leaves evaluated by a fixed formula.

Written from the papers' equations and not from the kernels, to compare every number of every node with theirs.
`evaluate` and `prior` are the mirror's, `RULES` the same for the engine, compiled once.
"""

from dataclasses import dataclass, field
from math import floor, log, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.kernel import kernel
from plyout.parameters import values
from plyout.search.graph import DRAWN, PROVEN, SURE, UNPROVEN, Graph

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)

State = tuple[int, int, int, int]  # the player to move, nothing, crosses, noughts: as the game has them


class Scratch(NamedTuple):
    """The part of an evaluator's scratch that the mirror's own uses."""

    trace: npt.NDArray[np.int64]


def evaluate(state, scratch, parameters):  # type: ignore[no-untyped-def]
    """A score that depends on the position in no simple way, and a made-up playout of three moves for RAVE."""
    number = (state[2] * 40503 + state[3] * 30011 + 12345) // 7
    if scratch.trace.size:
        scratch.trace[0] = 3
        scratch.trace[1] = number % 9
        scratch.trace[2] = number // 9 % 9
        scratch.trace[3] = number // 81 % 9
    return (number // 5 % 3) * 0.5


def prior(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    """Scores with ties."""
    for i in range(count):
        scores[i] = float((state[2] * 3 + state[3] * 5 + moves[i] * 37) % 23 * 10 - 100)


RULES: dict[str, Any] = {"evaluate": kernel(evaluate), "prior": kernel(prior)}


def lost(state: State) -> bool:
    return any(state[3 - state[0]] & line == line for line in LINES)


def legal(state: State) -> list[int]:
    return [] if lost(state) else [m for m in range(9) if not (state[2] | state[3]) >> m & 1]


def play(state: State, move: int) -> State:
    turn, _, crosses, noughts = state
    return (1, 0, crosses | 1 << move, noughts) if turn == 0 else (0, 0, crosses, noughts | 1 << move)


def verdict(state: State) -> int:
    if lost(state):
        return -PROVEN
    return UNPROVEN if legal(state) else DRAWN


def is_drawn(proof: int) -> bool:
    return DRAWN <= proof <= SURE


@dataclass
class Edge:
    move: int
    prior: float
    visits: float = 0.0
    value: float = 0.0
    rave_visits: float = 0.0
    rave_value: float = 0.0
    child: "Node | None" = None

    @property
    def proof(self) -> int:
        """What is proven about the child, for the side to move there."""
        return self.child.proof if self.child else UNPROVEN


@dataclass
class Node:
    proof: int
    visits: float = 0.0
    value: float = 0.0
    edges: list[Edge] | None = None


@dataclass
class Mirror:
    start: State
    changes: dict[str, float]
    root: Node = field(init=False)
    iterations: int = 0

    def __post_init__(self) -> None:
        self.root = Node(verdict(self.start))
        self.p = values(self.changes)
        self.floor = bool(self.p["solver"] and self.p["draw_floor"])

    def run(self, count: int) -> None:
        for _ in range(count):
            if self.root.proof and self.p["solver"]:
                return
            self.iterate()

    def iterate(self) -> None:
        self.iterations += 1
        state, node = self.start, self.root
        path: list[tuple[Node, Edge]] = []
        fresh = node.visits == 0
        while True:
            node.visits += 1
            if node.proof or len(path) >= self.p["depth"]:
                break
            if node.edges is None and node.visits > self.p["open_at"] - 1:
                node.edges = self.opened(state)
            if node.edges is None or fresh:
                break
            edge = self.selected(node)
            edge.visits += 1
            path.append((node, edge))
            state = play(state, edge.move)
            fresh = edge.child is None
            if edge.child is None:
                edge.child = Node(verdict(state))
            node = edge.child
        trace = np.zeros(4, np.int64)
        if node.proof:
            score = 0.5 if is_drawn(node.proof) else 1.0 if node.proof > 0 else 0.0
        else:
            score = evaluate(state, Scratch(trace), None)
        if node.proof and self.p["solver"]:
            self.prove(path)
        self.back_up(path, node, score)
        if self.p["rave"]:
            self.back_up_amaf(path, trace[1 : 1 + trace[0]].tolist(), score)

    def opened(self, state: State) -> list[Edge]:
        moves = legal(state)
        scores = [0.0] * len(moves)
        prior(state, moves, len(moves), scores, None)
        edges = [Edge(m, s) for m, s in zip(moves, scores, strict=True)]
        if self.p["widen_to"]:
            edges.sort(key=lambda e: -e.prior)  # stable
        return edges

    # -- selection: equations 1 to 4, and 2.2.4 --------------------------------------------------------------------

    def width(self, node: Node) -> int:
        assert node.edges is not None
        begin, after = self.p["widen_to"], self.p["widen_after"]
        if not begin or node.visits < after:
            return len(node.edges)
        grown = log(node.visits / max(after, 1.0)) / log(self.p["widen_base"])
        return min(floor(begin + grown), len(node.edges))

    def bound(self, node: Node, edge: Edge) -> float:
        if is_drawn(edge.proof) and self.p["solver"]:
            return 0.5
        mean = edge.value / edge.visits
        if self.p["rave"] and edge.rave_visits:
            beta = sqrt(self.p["rave"] / (3.0 * edge.visits + self.p["rave"]))
            mean = beta * edge.rave_value / edge.rave_visits + (1.0 - beta) * mean
        explore = self.p["c"] * sqrt(2.0 * log(node.visits) / edge.visits)
        return mean + explore + self.p["bias"] * edge.prior / edge.visits

    def selected(self, node: Node) -> Edge:
        assert node.edges is not None
        alive = [e for e in node.edges if not (e.proof > SURE and self.p["solver"])]
        if self.floor:
            alive = [e for e in alive if not is_drawn(e.proof)]
        taking_part = [e for e in node.edges[: self.width(node)] if e in alive] or alive[:1]
        for edge in taking_part:
            if edge.visits == 0:
                return edge
        return max(taking_part, key=lambda e: self.bound(node, e))  # the first of equals

    # -- backup -----------------------------------------------------------------------------------------------------

    def back_up(self, path: list[tuple[Node, Edge]], leaf: Node, score: float) -> None:
        weight = self.p["draw_weight"] if score == 0.5 else 1.0
        if self.p["later_period"]:
            weight *= 1 + self.iterations // self.p["later_period"]
        leaf.visits += weight - 1
        leaf.value += weight * score
        for node, edge in reversed(path):
            score = 1 - score
            edge.visits += weight - 1
            edge.value += weight * score
            if self.floor and any(is_drawn(e.proof) for e in node.edges or []):
                score = max(score, 0.5)  # for the node: whoever moves there can have the draw
            node.visits += weight - 1
            node.value += weight * score

    def back_up_amaf(self, path: list[tuple[Node, Edge]], trace: list[int], score: float) -> None:
        """Every edge whose move its side plays there or later gets the result once."""
        line = [edge.move for _, edge in path] + trace
        for depth, (node, _) in enumerate(path):
            own = score if (len(path) - depth) % 2 == 0 else 1 - score
            for edge in node.edges or []:
                if edge.move in line[depth::2]:
                    edge.rave_visits += 1
                    edge.rave_value += own

    def prove(self, path: list[tuple[Node, Edge]]) -> None:
        """One lost child wins, the soonest; else one drawn draws, the soonest; all children won lose, the latest."""
        for node, _ in reversed(path):
            proofs = [edge.proof for edge in node.edges or []]
            wins = [-p - 1 for p in proofs if p < -SURE]
            if wins:
                node.proof = max(wins)
            elif UNPROVEN in proofs:
                return
            else:
                draws = [p + 1 for p in proofs if is_drawn(p)]
                node.proof = min(draws) if draws else max(1 - p for p in proofs)


def compare(graph: Graph, index: int, node: Node, line: tuple[int, ...] = ()) -> int:
    """Assert that graph and mirror hold the same numbers from here on; return how many nodes they have."""
    ours: dict[str, Any] = {
        "visits": float(graph.nodes["visits"][index]),
        "value": float(graph.nodes["value"][index]),
        "proof": int(graph.nodes["proof"][index]),
        "children": int(graph.nodes["children"][index]),
    }
    theirs = {
        "visits": node.visits,
        "value": node.value,
        "proof": node.proof,
        "children": len(node.edges or []),
    }
    assert ours == theirs, f"after the moves {line} the search has {ours}, the mirror {theirs}"
    count = 1
    for i, edge in enumerate(node.edges or []):
        e = int(graph.nodes["first"][index]) + i
        numbers = [graph.edges["move"][e], graph.edges["prior"][e], graph.edges["visits"][e], graph.edges["value"][e]]
        expected: list[float] = [edge.move, edge.prior, edge.visits, edge.value]
        if graph.rave.size > 1:
            numbers += [graph.rave["visits"][e], graph.rave["value"][e]]
            expected += [edge.rave_visits, edge.rave_value]
        found = [float(n) for n in numbers]
        assert found == expected, f"move {edge.move} after {line}: the search has {found}, the mirror {expected}"
        child = int(graph.edges["child"][e])
        assert (child >= 0) == (edge.child is not None)
        if edge.child:
            count += compare(graph, child, edge.child, (*line, edge.move))
    return count
