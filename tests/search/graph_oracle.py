"""Monte-Carlo graph search once more, in plain Python with objects, written from Czech et al.'s algorithms 1 to 3.

Values run from -1 to 1 and are means, as in the paper, not sums of scores as in the kernels; positions are
tic-tac-toe's, in which many orders of moves lead to the same one. The sign of the correction is turned about, as the
target demands.
"""

from dataclasses import dataclass, field
from math import exp, log, sqrt

import numpy as np

from plyout.parameters import values
from tests.search.mirror import State, legal, lost, play

USUAL = 0.08  # the standard deviation of scores for which `spread` changes nothing
WIN, DRAW, LOSS, UNKNOWN = "WIN", "DRAW", "LOSS", "UNKNOWN"


def evaluate(state, scratch, parameters):  # type: ignore[no-untyped-def]
    """A score that depends on the position in no simple way and is hardly ever the same."""
    return 0.05 + 0.9 * ((state[2] * 40503 + state[3] * 30011 + 12345) * 2654435761 // 512 % 65536) / 65536.0


def prior(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    for i in range(count):
        scores[i] = float((state[2] * 311 + state[3] * 517 + moves[i] * 3701) % 499)


@dataclass
class Edge:
    move: int
    p: float
    n: int = 0
    q: float = 0.0
    child: "Node | None" = None


@dataclass
class Node:
    state: State
    solved: str = UNKNOWN
    end_in_ply: int = 0
    n: int = 0
    v: float = 0.0
    received: list[float] = field(default_factory=list)  # the values of which `v` is the mean
    parents: int = 0
    edges: list[Edge] | None = None

    @property
    def variance(self) -> float:
        """Of scores between 0 and 1, as in the kernels."""
        return float(np.var(self.received)) / 4 if self.received else 0.0


@dataclass
class Oracle:
    start: State
    changes: dict[str, float]
    nodes: dict[tuple[State, int], Node] = field(default_factory=dict)
    evaluations: int = 0

    def __post_init__(self) -> None:
        self.p = values(self.changes)
        self.root = self.node(self.start, 0)

    def node(self, state: State, ply: int) -> Node:
        """The node of a position at a ply, which is made if need be."""
        key = (state, ply)
        if key not in self.nodes:
            node = self.nodes[key] = Node(state)
            if lost(state):
                node.solved = LOSS
            elif not legal(state):
                node.solved = DRAW
        return self.nodes[key]

    def run(self, simulations: int) -> None:
        for _ in range(simulations):
            if self.root.solved != UNKNOWN and self.p["solver"]:
                break
            self.simulate()

    def simulate(self) -> None:
        """Algorithm 1, then 2 and 3."""
        node, ply = self.root, 0
        trajectory: list[tuple[Node, Edge]] = []
        while node.edges is not None and node.solved == UNKNOWN:
            edge = self.select(node)
            trajectory.append((node, edge))
            ply += 1
            if edge.child is None:
                edge.child = self.node(play(node.state, edge.move), ply)
                edge.child.parents += 1
            node = edge.child
            if node.parents > 1 and node.solved == UNKNOWN:
                target = -node.v
                if edge.n == 0 or abs(edge.q - target) > self.p["q_epsilon"]:
                    self.back_up(trajectory, -self.corrected(edge, target))
                    return
        if node.solved == UNKNOWN:
            node.edges = self.expanded(node)
            value = 2.0 * evaluate(node.state, None, None) - 1.0
            self.evaluations += 1
        else:
            value = {WIN: 1.0, DRAW: 0.0, LOSS: -1.0}[node.solved]
            if self.p["solver"]:
                self.solve(trajectory)
        self.receive(node, value)
        self.back_up(trajectory, value)

    @staticmethod
    def receive(node: Node, value: float) -> None:
        node.n += 1
        node.v += (value - node.v) / node.n
        node.received.append(value)

    @staticmethod
    def corrected(edge: Edge, target: float) -> float:
        return max(-1.0, min(1.0, target + edge.n * (target - edge.q)))

    def back_up(self, trajectory: list[tuple[Node, Edge]], value: float) -> None:
        """Algorithm 2; `value` is the leaf's."""
        target: float | None = None
        for node, edge in reversed(trajectory):
            value = -value if target is None else self.corrected(edge, target)
            edge.n += 1
            edge.q += (value - edge.q) / edge.n
            self.receive(node, value)
            target = self.target_of(node) if node.parents > 1 else None

    @staticmethod
    def target_of(node: Node) -> float:
        """A solved node is worth what is proven of it, not its mean."""
        return {WIN: -1.0, DRAW: 0.0, LOSS: 1.0, UNKNOWN: -node.v}[node.solved]

    def solve(self, trajectory: list[tuple[Node, Edge]]) -> None:
        """Algorithm 3, with UNKNOWN_CHILDREN_COUNT counted afresh."""
        for node, _ in reversed(trajectory):
            children = [edge.child for edge in node.edges or []]
            losses = [c.end_in_ply for c in children if c and c.solved == LOSS]
            if losses:
                node.solved, node.end_in_ply = WIN, min(losses) + 1
                continue
            if any(c is None or c.solved == UNKNOWN for c in children):
                return
            known = [c for c in children if c]
            draws = [c.end_in_ply for c in known if c.solved == DRAW]
            if draws:
                node.solved, node.end_in_ply = DRAW, min(draws) + 1
            else:
                node.solved, node.end_in_ply = LOSS, max(c.end_in_ply for c in known) + 1

    def expanded(self, node: Node) -> list[Edge]:
        moves = legal(node.state)
        scores = [0.0] * len(moves)
        prior(node.state, moves, len(moves), scores, None)
        weights = [exp((s - max(scores)) / (100 * self.p["policy"])) for s in scores]
        edges = [Edge(m, w / sum(weights)) for m, w in zip(moves, weights, strict=True)]
        return sorted(edges, key=lambda e: -e.p)

    def select(self, node: Node) -> Edge:
        """Equations 3, 4 and 6; a child proven lost for the mover is pruned, an unvisited one counts as `fpu`."""
        assert node.edges is not None
        total = sum(edge.n for edge in node.edges)
        c = log((total + self.p["puct_base"] + 1) / self.p["puct_base"]) + self.p["puct_init"]
        deviation = sqrt((total * node.variance + 2 * USUAL**2) / (total + 2))
        c *= 1 + self.p["spread"] * (deviation / USUAL - 1)
        pruned = [e for e in node.edges if self.p["solver"] and e.n and e.child and e.child.solved == WIN]
        alive = [e for e in node.edges if e not in pruned]
        return max(
            alive or node.edges[:1],
            key=lambda e: (e.q if e.n else self.p["fpu"]) + c * e.p * sqrt(total) / (1 + e.n),
        )
