"""A book in the search does what its equations say: compared number by number with a plain re-implementation."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.games import TICTACTOE
from plyout.games.contract import KEY
from plyout.search.graph import BOOK as BOOK_RECORDS
from plyout.search.graph import SURE
from tests.search.mirror import RULES, Edge, Mirror, Node, State, compare, is_drawn, play

# Positions as moves from the empty board, each with the moves that the book knows and their numbers.
BOOK: dict[tuple[int, ...], dict[int, float]] = {
    (): {4: 5.0, 0: 3.0, 8: 0.5},
    (4,): {0: 2.0},
    (4, 0): {8: 4.0, 1: 1.5},
    (0,): {4: 7.0, 8: 0.25},
    (1, 3, 5): {0: 2.0},
}


def arrived(moves: tuple[int, ...]) -> State:
    state: State = (0, 0, 0, 0)
    for move in moves:
        state = play(state, move)
    return state


def key_of(moves: tuple[int, ...]) -> int:
    state = TICTACTOE.start()
    for move in moves:
        state = TICTACTOE.after(state, move)
    return int(state[KEY])


@dataclass
class BookMirror(Mirror):
    """Singh's section 3.6, and the two ways of Baier and Winands."""

    book: dict[State, dict[int, float]] = field(default_factory=lambda: {arrived(m): b for m, b in BOOK.items()})
    rule: str = "uct"

    def opened(self, state: State) -> list[Edge]:
        edges = super().opened(state)
        known = self.book.get(state, {})
        for edge in edges:
            edge.number = known.get(edge.move, 0.0)  # type: ignore[attr-defined]
        return edges

    def bound(self, node: Node, edge: Edge) -> float:
        number, use = edge.number, self.p["book_use"]  # type: ignore[attr-defined]
        if is_drawn(edge.proof) and self.p["solver"]:
            return 0.5 if self.rule == "uct" else 0.0
        won = number * self.p["book_bonus"] if use == 4 else 0.0
        factor = number if use == 2 and number else 1.0
        if self.rule == "iec":
            mean = (edge.value - (edge.visits - edge.value) + won) / (1 + edge.visits + won)
            return mean + self.p["c"] * factor * sqrt((1 + node.visits) / (1 + edge.visits))
        plain = super().bound(node, edge) - edge.value / edge.visits
        if won:
            return (edge.value / edge.visits * edge.visits + won) / (edge.visits + won) + plain
        return edge.value / edge.visits + factor * plain

    def selected(self, node: Node) -> Edge:
        assert node.edges is not None
        known = [e for e in node.edges if e.number]  # type: ignore[attr-defined]
        alive = [e for e in known if not (e.proof > SURE and self.p["solver"])]
        if self.p["book_use"] == 3 and known:
            if alive:
                fresh = [e for e in alive if e.visits == 0]
                return fresh[0] if fresh else max(alive, key=lambda e: self.bound(node, e))
            return next(e for e in node.edges if not (e.proof > SURE and self.p["solver"]))
        return super().selected(node)


def searched(nodes: int, rule: str, changes: dict[str, Any]) -> None:
    engine = Engine("mcc", TICTACTOE, **RULES, hash_mb=8, select=rule, **changes)
    rows = sorted((key_of(moves), move, number) for moves, known in BOOK.items() for move, number in known.items())
    root = engine._searcher.root
    root.graph = root.graph._replace(book=np.array(rows, BOOK_RECORDS))
    result = engine.search("startpos", Limits(nodes=nodes))
    mirror = BookMirror((0, 0, 0, 0), changes, rule=rule)
    mirror.run(nodes)
    assert result.nodes == mirror.iterations
    assert compare(result.tree.graph, result.tree.root, mirror.root) > min(nodes, 100) / 2


@pytest.mark.parametrize("solver", [0, 1])
@pytest.mark.parametrize("use", ["best", "explore", "prune", "bias"])
@pytest.mark.parametrize("rule", ["uct", "iec"])
def test_every_number_of_the_tree_is_that_of_the_mirror(rule: str, use: str, solver: int) -> None:
    number = ("best", "weighted", "explore", "prune", "bias").index(use)
    for nodes in (3, 40, 700):
        searched(nodes, rule, {"book_use": number, "solver": solver, "c": 0.25, "book_bonus": 8})


def test_widening_does_not_hide_the_moves_that_the_book_allows() -> None:
    for nodes in (3, 40, 700):
        searched(nodes, "uct", {"book_use": 3, "widen_to": 1, "widen_base": 3})
