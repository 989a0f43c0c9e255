"""TA-MCC as printed: two nodes an iteration, nothing pruned at the root, and the thesis' log in Légal's position."""

from dataclasses import dataclass, field
from math import log, sqrt

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.games import CHESS, TICTACTOE
from plyout.games.chess.border import decode
from plyout.parameters import values
from plyout.presets import preset
from plyout.search.graph import NODES
from plyout.search.traps.hard import hard_traps
from tests.search import mirror
from tests.search.traps.test_traps import LEGAL

TRAP, WAY_OUT = chess.Move.from_uci("h5d1"), chess.Move.from_uci("c6e5")


@dataclass
class Node:
    """A node of the printed program, which knows its parent; `value` is that of the side that has moved there."""

    state: mirror.State
    parent: "Node | None" = None
    move: int = -1
    visits: float = 0.0
    value: float = 0.0
    children: list["Node"] = field(default_factory=list)

    def select(self) -> "Node":
        """Down to a node of which not every move was tried."""
        node = self
        while node.children and len(node.children) == len(mirror.legal(node.state)):
            total = node.visits + 1  # the present visit is counted on the way down here
            node = max(node.children, key=lambda c: c.value / c.visits + sqrt(2 * log(total) / c.visits))
        return node

    def expand(self) -> "Node":
        """One child more; a game that is over gets none."""
        moves = mirror.legal(self.state)
        if not moves:
            return self
        move = moves[len(self.children)]
        self.children.append(Node(mirror.play(self.state, move), self, move))
        return self.children[-1]

    def update(self) -> None:
        """Tell this node's evaluation to all above."""
        if mirror.legal(self.state):
            score = mirror.evaluate(self.state, mirror.Scratch(np.zeros(0, np.int64)), None)
        else:
            score = 0.0 if mirror.lost(self.state) else 0.5
        node: Node | None = self
        while node is not None:
            score = 1 - score
            node.visits += 1
            node.value += score
            node = node.parent


def printed(iterations: int) -> Node:
    root = Node((0, 0, 0, 0))
    for _ in range(iterations):
        root.select().expand().select().expand().update()
    return root


def searched(iterations: int, **changes: float) -> Tree:
    engine = Engine("mcc", TICTACTOE, **mirror.RULES, hash_mb=8, **changes)
    return engine.search("startpos", Limits(nodes=iterations)).tree


def compare(tree: Tree, node: int, wanted: Node) -> int:
    """Compare a node and all below it with the printed program's; how many there are."""
    edges = [e for e in tree.children(node) if tree.graph.edges["visits"][e] > 0]
    assert [int(tree.graph.edges["move"][e]) for e in edges] == [child.move for child in wanted.children]
    for edge, child in zip(edges, wanted.children, strict=True):
        assert (tree.graph.edges["visits"][edge], tree.graph.edges["value"][edge]) == (child.visits, child.value)
    below = (compare(tree, int(tree.graph.edges["child"][e]), c) for e, c in zip(edges, wanted.children, strict=True))
    return 1 + sum(below)


@pytest.mark.parametrize("iterations", [1, 10, 60, 500])
def test_two_nodes_an_iteration_make_the_tree_of_the_printed_program(iterations: int) -> None:
    tree = searched(iterations, expansions=2)
    assert compare(tree, tree.root, printed(iterations)) == int(tree.graph.used[NODES])


def test_an_iteration_adds_so_many_nodes() -> None:
    for count in (1, 2, 3):
        tree = searched(9, expansions=count)
        assert int(tree.graph.used[NODES]) == (9 if count == 1 else 1 + 9 * count), "one is the root's own visit"


def test_the_preset_is_what_is_printed() -> None:
    """The appendix: two steps, exchange playouts with ε = 0.4, decisive moves, solver, bias; Algorithm 6: level 1."""
    numbers = values(preset("ta-mcc").parameters)
    wanted = {
        "expansions": 2, "greedy": 2, "epsilon": 0.4, "decisive": 1, "solver": 1, "bias": 0.001, "c": 1, "open_at": 2,
        "trap_level": 1, "trap_playouts": 1, "trap_root": 0, "top_bfs": 0, "play_on": 0, "tables": 0,
    }  # fmt: skip
    assert {name: numbers[name] for name in wanted} == wanted
    assert preset("ta-mcc").rules["similarity"] == "legal-actions"


def test_nothing_is_pruned_at_the_root() -> None:
    board = chess.Board(LEGAL)
    result = Engine("ta-mcc", hash_mb=8, trap_level=3).search(board, Limits(nodes=100))
    assert {m.move for m in result.moves} == set(board.legal_moves)
    assert not result.restricted


def test_the_log_of_the_thesis_comes_out() -> None:
    """Figure 5.12: h5d1 is the move at first, and in the end, at 27,000 iterations, c6e5."""
    board, first, last = chess.Board(LEGAL), [], []
    for seed in range(1, 6):
        engine = Engine("ta-mcc", hash_mb=64, seed=seed)
        first.append(engine.search(board, Limits(nodes=1_000)).move)
        last.append(engine.search(board, Limits(nodes=26_000)).move)
    assert first.count(TRAP) >= 3, first
    assert last == [WAY_OUT] * 5


def test_a_list_of_level_3_in_playouts_leads_astray() -> None:
    """What Bg6 has for it is that no listed move can be played after it: no playout is lost by the list."""
    board = chess.Board(LEGAL)
    result = Engine("ta-mcc-level-3", hash_mb=64).search(board, Limits(nodes=8_000))
    assert result.move == chess.Move.from_uci("h5g6")
    listed = {decode(trap.move) for trap in hard_traps(CHESS.parse(LEGAL), 3)}
    board.push(result.move)
    board.push(chess.Move.null())
    assert not listed & set(board.legal_moves)
