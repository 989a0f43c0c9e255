"""What a search answers: the move, why, and the whole tree behind it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.evaluate.scale import centipawns
from plyout.games import GAMES, Game, State
from plyout.games.chess.border import decode, to_board
from plyout.search.choose import choose, mean, proof_of, robust
from plyout.search.graph import (
    DRAWN, DRAWN_HERE, EDGE_FIELDS, EDGES, NODE_FIELDS, NODES, ROOT, SURE, UNPROVEN, Graph, new_graph,
)  # fmt: skip
from plyout.knowledge.tables.probe import FAR
from plyout.search.proof.certificate import Certificate, certificate
from plyout.search.proof.graft import complete, distance

Move = Any
"""A `chess.Move`; in games that are not chess, the number of a move."""


def proof_text(number: int) -> str | None:
    """What a proof says to the side it is about."""
    if number == UNPROVEN:
        return None
    return "draw" if number in (DRAWN, DRAWN_HERE) else "win" if number > 0 else "loss"


def mate_in(number: int) -> int | None:
    """Moves to mate, negative for the side that is mated; None where there is none, or nobody knows how far it is."""
    if abs(number) <= SURE or distance(number) >= FAR:
        return None
    plies = distance(number)
    return (plies + 1) // 2 if number > 0 else -(plies // 2)


def _wdl(value: float, drawn: float) -> tuple[int, int, int]:
    drawn = min(drawn, 2 * value, 2 * (1 - value))
    won, drew = round(1000 * (value - drawn / 2)), round(1000 * drawn)
    return won, drew, 1000 - won - drew


@dataclass(frozen=True)
class MoveStatistics:
    """What the search knows about one root move; values are the mover's."""

    move: Move
    visits: float
    value: float
    prior: float
    proof_number: int
    pv: list[Move]

    @property
    def proof(self) -> str | None:
        return proof_text(self.proof_number)

    @property
    def mate(self) -> int | None:
        return mate_in(self.proof_number)

    @property
    def known_value(self) -> float:
        """The value, or the result where that is proven."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}.get(self.proof or "", self.value)

    def as_dict(self) -> dict[str, Any]:
        visits = int(self.visits) if self.visits == int(self.visits) else self.visits
        return {
            "move": str(self.move), "visits": visits, "value": self.value, "prior": self.prior, "proof": self.proof,
            "mate": self.mate, "pv": [str(m) for m in self.pv],
        }  # fmt: skip


class Visit(NamedTuple):
    """A node met by `Tree.walk`."""

    line: tuple[Move, ...]  # the moves that lead to it
    node: int
    visits: float
    value: float  # mean score of the side that moved last, who chose it
    proof: str | None  # for that side, too


class Tree:
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
        self, graph: Graph, state: State, game: Game, preset: str, parameters: dict[str, float], chess960: bool = False
    ) -> None:
        self.graph, self.state, self.game, self.preset, self.parameters = graph, state, game, preset, parameters
        self._chess = game.name in ("chess", "crazyhouse")
        self._chess960 = chess960 or (self._chess and to_board(state).chess960)

    @property
    def root(self) -> int:
        return int(self.graph.used[ROOT])

    @property
    def nodes(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the nodes in use; see `plyout.search.graph` for what they mean."""
        return {name: getattr(self.graph, name)[: int(self.graph.used[NODES])] for name in NODE_FIELDS}

    @property
    def edges(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the edges in use."""
        return {name: getattr(self.graph, name)[: int(self.graph.used[EDGES])] for name in EDGE_FIELDS}

    def children(self, node: int) -> range:
        """The edges of a node."""
        first = int(self.graph.first[node])
        return range(first, first + int(self.graph.children[node]))

    def move(self, edge: int) -> Move:
        return self.move_numbered(int(self.graph.move[edge]))

    def move_numbered(self, number: int) -> Move:
        return decode(number, self._chess960) if self._chess else number

    def walk(self, depth: int = 1000, visits: float = 1.0) -> Iterator[Visit]:
        """Every node down to `depth` with so many visits, parents before children, most visited first."""
        stack: list[tuple[int, tuple[Move, ...], int]] = [(self.root, (), -1)]
        while stack:
            node, line, edge = stack.pop()
            if edge < 0:
                value = float(self.graph.node_value[node]) / max(1.0, float(self.graph.node_visits[node]))
                proof = int(self.graph.proof[node])
                turned = -proof if abs(proof) > SURE else proof
                yield Visit(line, node, float(self.graph.node_visits[node]), 1.0 - value, proof_text(turned))
            else:
                known = proof_text(proof_of(self.graph, edge))
                yield Visit(line, node, float(self.graph.visits[edge]), mean(self.graph, edge), known)
            if len(line) < depth:
                for e in sorted(self.children(node), key=lambda e: self.graph.visits[e]):
                    if self.graph.child[e] >= 0 and self.graph.visits[e] >= visits:
                        stack.append((int(self.graph.child[e]), (*line, self.move(e)), e))

    def best_line(self) -> list[Move]:
        """The most visited moves from the root on."""
        line, node = [], self.root
        while node >= 0 and (edge := choose(self.graph, node, robust, {})) is not None:
            line.append(self.move(edge))
            node = int(self.graph.child[edge])
        return line

    def top_moves(self, count: int = 5) -> list[tuple[Move, float, float]]:
        """(move, visits, value) of the most visited root moves."""
        edges = sorted(self.children(self.root), key=lambda e: -self.graph.visits[e])[:count]
        return [(self.move(e), float(self.graph.visits[e]), mean(self.graph, e)) for e in edges]

    def save(self, path: str | Path) -> None:
        """Write the tree to an ``.npz`` file."""
        about = {"game": self.game.name, "preset": self.preset, "parameters": self.parameters, "root": self.root}
        arrays: dict[str, Any] = {**self.nodes, **self.edges}
        with open(path, "wb") as file:
            np.savez_compressed(file, about=json.dumps(about), position=self.state, **arrays)

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> "Tree":
        """Read a tree that `save` wrote; one of a game of your own needs that `game`."""
        try:
            with np.load(path) as data:
                about = json.loads(str(data["about"]))
                graph = new_graph(len(data["key"]), len(data["move"]), rave=len(data["rave_visits"]) > 1)
                for name in (*NODE_FIELDS, *EDGE_FIELDS):
                    getattr(graph, name)[: len(data[name])] = data[name]
                graph.used[:3] = len(data["key"]), len(data["move"]), about["root"]
                if game is None and about["game"] not in GAMES:
                    raise InputError(f"{path} is a tree of {about['game']}: pass that game to read it")
                game = game or GAMES[about["game"]]
                return cls(graph, data["position"], game, about["preset"], about["parameters"])
        except InputError:
            raise
        except (OSError, ValueError, KeyError, EOFError, TypeError, BadZipFile) as error:
            raise InputError(f"{path} is not a saved tree: {error or 'it is empty'}") from None


@dataclass(frozen=True)
class Result:
    """The answer of a search; values are those of the side to move."""

    move: Move | None  # None where the game is over
    moves: list[MoveStatistics]  # the best first, then by visits
    proof_number: int
    mate_is_shortest: bool  # False where a proven mate was too long to look for all shorter ones
    drawn: float  # share of the leaves that were drawn
    nodes: int
    playouts: int
    depth: float  # mean depth of the leaves
    deepest: int
    seconds: float
    graph: dict[str, int]
    tbhits: int  # how often endgame tables knew a position
    restricted: bool  # only some of the legal moves were searched
    preset: str
    seed: int
    tree: Tree = field(repr=False, compare=False)
    book: bool = False  # the move comes from the opening book, and nothing was searched
    plies: int | None = None  # how deep alpha-beta has searched
    centipawns: int | None = None  # what it found, for the side to move

    @property
    def value(self) -> float:
        if self.proof_number != UNPROVEN:
            return 0.5 if self.proof_number in (DRAWN, DRAWN_HERE) else float(self.proof_number > 0)
        return self.moves[0].value if self.moves else 0.5

    @property
    def proof(self) -> str | None:
        return proof_text(self.proof_number)

    @property
    def mate(self) -> int | None:
        return mate_in(self.proof_number)

    @property
    def pv(self) -> list[Move]:
        return self.moves[0].pv if self.moves else []

    @property
    def ponder(self) -> Move | None:
        return self.pv[1] if len(self.pv) > 1 else None

    @property
    def nps(self) -> int:
        return round(self.nodes / max(self.seconds, 1e-9))

    @property
    def wdl(self) -> tuple[int, int, int]:
        """Won, drawn and lost per mille for the side to move: the value, with as many draws as the leaves had."""
        return _wdl(self.value, self.drawn)

    def wdl_of(self, move: MoveStatistics) -> tuple[int, int, int]:
        """The same for one root move."""
        return _wdl(move.known_value, float(move.proof == "draw") if move.proof else self.drawn)

    @property
    def score(self) -> dict[str, int]:
        """``{"mate": n}`` or ``{"cp": n}``."""
        if self.mate is not None:
            return {"mate": self.mate}
        return {"cp": centipawns(self.value) if self.centipawns is None else self.centipawns}

    def certificate(self) -> Certificate:
        """The proof as a tree of forced lines, which `plyout.search.proof.certificate.check_certificate` verifies."""
        if self.restricted and self.proof == "loss":
            raise InputError("there is no certificate: only some of the moves were searched")
        tree = self.tree
        complete(tree.graph, tree.root, tree.state, tree.game)
        return certificate(tree.graph, tree.root, to_board(tree.state))

    def as_dict(self, multipv: int | None = None) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        return {
            "bestmove": str(self.move) if self.move is not None else None,
            "ponder": str(self.ponder) if self.ponder is not None else None,
            "value": self.value,
            "score": self.score,
            "wdl": list(self.wdl),
            "proof": self.proof,
            "mate": self.mate,
            "mate_is_shortest": self.mate_is_shortest if self.mate is not None else None,
            "nodes": self.nodes,
            "playouts": self.playouts,
            "time_ms": round(1000 * self.seconds),
            "nps": self.nps,
            "depth": self.depth,
            "seldepth": self.deepest,
            "pv": [str(m) for m in self.pv],
            "moves": [m.as_dict() for m in self.moves[:multipv]],
            "graph": self.graph,
            "tbhits": self.tbhits,
            "preset": self.preset,
            "seed": self.seed,
            "book": self.book,
        }
