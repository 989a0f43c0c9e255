"""The search graph of a result, for Python to read: arrays, walks, files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.variant
import numpy.typing as npt

from plyout.engine.history import History
from plyout.engine.tree_file import Saved, read_tree, write_tree
from plyout.games import Game, State
from plyout.games.chess.border import decode, to_board
from plyout.games.contract import KEY
from plyout.in_notebooks import InNotebooks
from plyout.knowledge.tables.probe import FAR
from plyout.parameters import Values
from plyout.search.choose import choose, mean, proof_of, robust
from plyout.search.graph import DRAWN, EDGES, NODES, ROOT, SURE, UNPROVEN, Graph, clear, new_graph
from plyout.search.proof.graft import distance

_NO_NODE = -1

Move = Any
"""A `chess.Move`; in games that are not chess, the number of a move."""


def proof_text(number: int) -> str | None:
    """What a proof says to the side it is about."""
    if number == UNPROVEN:
        return None
    return "draw" if abs(number) <= SURE else "win" if number > 0 else "loss"


def mate_in(number: int) -> int | None:
    """Moves to mate, negative for the side that is mated; None where there is none, or nobody knows how far it is."""
    if abs(number) <= SURE or distance(number) >= FAR:
        return None
    plies = distance(number)
    return (plies + 1) // 2 if number > 0 else -(plies // 2)


def end_in_ply(number: int) -> int | None:
    """Plies to the end that is proven, a mate or a draw; None where there is none, or nobody knows how far it is."""
    if abs(number) > SURE:
        return distance(number) if distance(number) < FAR else None
    return number - DRAWN if number >= DRAWN else None


class Visit(NamedTuple):
    """A node met by `Tree.walk`."""

    line: tuple[Move, ...]  # the moves that lead to it
    node: int
    visits: float
    value: float  # mean score of the side that moved last, who chose it
    proof: str | None  # for that side, too


class Tree(InNotebooks):
    """The search graph, read as NumPy arrays without copying; valid until the engine searches on.

    >>> import chess
    >>> from plyout import Engine, Limits
    >>> tree = Engine("mcc", hash_mb=4).search(chess.STARTING_FEN, Limits(nodes=500)).tree
    >>> int(tree.edges["visits"][:20].sum())
    499
    >>> [len(v.line) for v in tree.walk(depth=1)]
    [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    def __init__(
        self, graph: Graph, state: State, game: Game, preset: str, parameters: Values, chess960: bool = False
    ) -> None:
        self.graph, self.state, self.game = graph, state, game
        self.preset, self.parameters = preset, dict(parameters)
        self._chess = game.name in ("chess", "crazyhouse")
        self._chess960 = chess960 or (self._chess and to_board(state).chess960)
        self.history = History(((), ()), self.move_numbered)
        """how the search that made the tree went"""

    @property
    def root(self) -> int:
        return int(self.graph.used[ROOT])

    @property
    def nodes(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the nodes in use; see `plyout.search.graph` for what they mean."""
        nodes = self.graph.nodes[: int(self.graph.used[NODES])]
        return {name: nodes[name] for name in nodes.dtype.names}

    @property
    def edges(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the edges in use, and of their all-moves-as-first values where there are any."""
        count = int(self.graph.used[EDGES])
        edges, rave = self.graph.edges[:count], self.graph.rave[:count]
        return {name: edges[name] for name in edges.dtype.names} | {
            f"rave_{name}": rave[name] for name in rave.dtype.names
        }

    def board(self) -> chess.Board | None:
        """The position at the root, without the moves before it; None in games that are not chess."""
        if not self._chess:
            return None
        board = to_board(self.state, chess.variant.CrazyhouseBoard if self.game.name == "crazyhouse" else chess.Board)
        board.chess960 = self._chess960
        return board

    def children(self, node: int) -> range:
        """The edges of a node."""
        first = int(self.graph.nodes["first"][node])
        return range(first, first + int(self.graph.nodes["children"][node]))

    def move(self, edge: int) -> Move:
        return self.move_numbered(int(self.graph.edges["move"][edge]))

    def move_numbered(self, number: int) -> Move:
        return decode(number, self._chess960) if self._chess else number

    def walk(self, depth: int = 1000, visits: float = 1.0) -> Iterator[Visit]:
        """Every node down to `depth` with so many visits, parents before children, most visited first."""
        stack: list[tuple[int, tuple[Move, ...], int]] = [(self.root, (), -1)]
        while stack:
            node, line, edge = stack.pop()
            if edge < 0:
                value = float(self.graph.nodes["value"][node]) / max(1.0, float(self.graph.nodes["visits"][node]))
                proof = int(self.graph.nodes["proof"][node])
                turned = -proof if abs(proof) > SURE else proof
                yield Visit(line, node, float(self.graph.nodes["visits"][node]), 1.0 - value, proof_text(turned))
            else:
                known = proof_text(proof_of(self.graph, edge))
                yield Visit(line, node, float(self.graph.edges["visits"][edge]), mean(self.graph, edge), known)
            if len(line) < depth:
                for e in sorted(self.children(node), key=lambda e: self.graph.edges["visits"][e]):
                    if self.graph.edges["child"][e] >= 0 and self.graph.edges["visits"][e] >= visits:
                        stack.append((int(self.graph.edges["child"][e]), (*line, self.move(e)), e))

    def best_line(self) -> list[Move]:
        """The most visited moves from the root on, up to the first node that is met again: a file may hold anything."""
        line, node = [], self.root
        met = {_NO_NODE}
        while node not in met and (edge := choose(self.graph, node, robust, {})) is not None:
            met.add(node)
            line.append(self.move(edge))
            node = int(self.graph.edges["child"][edge])
        return line

    def top_moves(self, count: int = 5) -> list[tuple[Move, float, float]]:
        """(move, visits, value) of the most visited root moves."""
        edges = sorted(self.children(self.root), key=lambda e: -self.graph.edges["visits"][e])[:count]
        return [(self.move(e), float(self.graph.edges["visits"][e]), mean(self.graph, e)) for e in edges]

    def save(self, path: str | Path) -> None:
        """Write the tree, and the history of its search, to an ``.npz`` file."""
        saved = Saved(self.graph, self.state, self.game, self.preset, self.parameters)
        write_tree(path, saved, self.history.record)

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> "Tree":
        """Read a tree that `save` wrote, and check it whole; one of a game of your own needs that `game`."""
        saved, record = read_tree(path, game)
        tree = cls(*saved)
        if record is not None:
            tree.history = History(record, tree.move_numbered)
        return tree


def empty_tree(state: State, game: Game, preset: str, parameters: Values, chess960: bool) -> Tree:
    """The tree of a position that was not searched: a root that nothing is known about."""
    graph = new_graph(1, 1)
    clear(graph, int(state[KEY]))
    return Tree(graph, state, game, preset, parameters, chess960)
