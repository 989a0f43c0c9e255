"""A search as messages: the drawn part of its tree, its root moves, its history."""

from dataclasses import dataclass
from typing import Any

import chess
import numpy as np

from plyout.engine.events import Event
from plyout.engine.history import History
from plyout.engine.result import Result
from plyout.engine.tree import mate_in, proof_text
from plyout.games.chess.border import decode
from plyout.search.choose import edges_of, proofs_of
from plyout.search.graph import SURE, Graph
from plyout.search.proof.graft import distance
from plyout.search.top import NONE, top_of

DRAWN_NODES = 600
_TRAP = 7  # plies: a move that allows a mate within so many, where others do not (Topolewski)
_LONGEST_LINE = 24
NO_PROOF, WON, DRAWN, LOST = range(4)  # codes of proofs, for the side that moves to the node


@dataclass(frozen=True)
class Drawing:
    """The most visited part of a tree, as columns; copied, since the search goes on."""

    parents: Any
    moves: Any
    visits: Any
    values: Any  # for the side that moves to the node
    priors: Any
    proofs: Any
    shown: Any  # the entry that shows the same node, or NONE
    traps: Any

    def message(self, chess960: bool) -> dict[str, Any]:
        """As the page gets it; values and priors per mille."""
        return {
            "parent": self.parents.tolist(),
            "move": ["", *(decode(move, chess960).uci() for move in self.moves[1:].tolist())],
            "visits": np.round(self.visits, 1).tolist(),
            "value": np.round(1000 * self.values).astype(int).tolist(),
            "prior": np.round(1000 * np.clip(self.priors, -1e6, 1e6)).astype(int).tolist(),
            "proof": [_code(p) for p in self.proofs.tolist()],
            "plies": [distance(p) if abs(p) > SURE else 0 for p in self.proofs.tolist()],
            "shared": {str(i): int(self.shown[i]) for i in np.flatnonzero(self.shown != NONE)},
            "traps": np.flatnonzero(self.traps).tolist(),
        }


def drawing_of(graph: Graph, root: int, count: int = DRAWN_NODES) -> Drawing:
    """The drawing of what is below `root`."""
    top = top_of(graph, root, count)
    edges = top.edges[1:]
    visits, sums = graph.edges["visits"][edges], graph.edges["value"][edges]
    root_visits = float(graph.nodes["visits"][root])
    root_value = 1.0 - float(graph.nodes["value"][root]) / root_visits if root_visits else 0.5
    root_proof = int(graph.nodes["proof"][root])
    proofs = np.concatenate(([-root_proof if abs(root_proof) > SURE else root_proof], proofs_of(graph, edges)))
    mates = (proofs < -SURE) & (_plies(proofs) <= _TRAP)
    parent_lost = proofs[top.parents] > SURE  # the side that moved there has won: whatever moves from there is lost
    parent_lost[0] = True
    return Drawing(
        parents=top.parents,
        moves=np.concatenate(([0], graph.edges["move"][edges])),
        visits=np.concatenate(([root_visits], visits)),
        values=np.concatenate(([root_value], sums / np.maximum(visits, 1e-9))),
        priors=np.concatenate(([0.0], graph.edges["prior"][edges])),
        proofs=proofs,
        shown=top.shown,
        traps=mates & ~parent_lost,
    )


def _plies(proofs: Any) -> Any:
    """How far the ends of proven nodes are."""
    return np.array([distance(p) if abs(p) > SURE else 0 for p in proofs.tolist()])


def _code(proof: int) -> int:
    return {None: NO_PROOF, "win": WON, "draw": DRAWN, "loss": LOST}[proof_text(proof)]


def node_at(graph: Graph, node: int, line: list[str], chess960: bool) -> tuple[int, list[str]]:
    """The node that some moves lead to from `node`, as far as the graph has them; and these moves."""
    found = list[str]()
    for text in line:
        children = {decode(int(graph.edges["move"][e]), chess960).uci(): e for e in edges_of(graph, node).tolist()}
        child = int(graph.edges["child"][children[text]]) if text in children else NONE
        if child < 0:
            break
        node = child
        found.append(text)
    return node, found


class Names:
    """SAN of root moves and lines of one position, remembered while it is searched."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self._san: dict[chess.Move, str] = {}
        self._lines: dict[tuple[chess.Move, ...], list[str]] = {}

    def san(self, move: chess.Move) -> str:
        if move not in self._san:
            self._san[move] = self.board.san(move) if self.board.is_legal(move) else move.uci()
        return self._san[move]

    def line(self, moves: list[chess.Move]) -> list[str]:
        key = tuple(moves[:_LONGEST_LINE])
        if key not in self._lines:
            if len(self._lines) > 200:
                self._lines.clear()
            board, texts = self.board.copy(stack=False), []
            for move in key:
                if not board.is_legal(move):
                    break
                texts.append(board.san(move))
                board.push(move)
            self._lines[key] = texts
        return self._lines[key]


def numbers_of(result: Result, names: Names) -> dict[str, Any]:
    """What a result says, but for its tree and history."""
    return {
        "best": names.san(result.move) if result.move is not None else None,
        "nodes": result.nodes, "seconds": round(result.seconds, 3), "nps": result.nps,
        "value": result.value, "score": result.score, "wdl": list(result.wdl), "proof": result.proof,
        "mate": result.mate, "depth": round(result.depth, 1), "deepest": result.deepest, "plies": result.plies,
        "size": result.graph["nodes"], "bytes": result.graph["bytes"], "shared": result.graph.get("shared", 0),
        "tbhits": result.tbhits, "book": result.book,
        "moves": [
            [m.move.uci(), names.san(m.move), m.visits, m.value, m.prior, _code(m.proof_number), m.mate,
             " ".join(names.line(m.pv)) if len(m.pv) > 1 else ""]
            for m in result.moves
        ],
    }  # fmt: skip


def columns_of(history: History, names: Names) -> list[list[str]]:
    """The root moves of a history: UCI and SAN."""
    return [[move.uci(), names.san(move)] for move in history.moves]


def snapshots_of(history: History, since: int) -> list[dict[str, Any]]:
    """The snapshots from number `since` on."""
    record = history.record
    return [
        {
            "n": int(record.n[k]), "seconds": round(float(record.seconds[k]), 4), "leader": int(history.leaders[k]),
            "visits": np.round(record.visits[k], 1).tolist(), "values": np.round(record.values[k], 4).tolist(),
            "proofs": [_code(p) for p in record.proofs[k].tolist()],
        }
        for k in range(since, len(history))
    ]  # fmt: skip


def event_message(event: Event, names: Names) -> dict[str, Any]:
    """An event with moves as the page shows them; a refutation is a reply, written after the move."""
    other = None
    if event.other is not None:
        if event.kind == "refutation":
            line = names.line([event.move, event.other])
            other = line[1] if len(line) > 1 else event.other.uci()
        else:
            other = names.san(event.other)
    return {
        "kind": event.kind, "snapshot": event.snapshot, "n": event.n, "move": names.san(event.move), "other": other,
        "uci": event.move.uci(), "before": event.before, "after": event.after, "proof": _code(event.proof),
        "mate": mate_in(event.proof),
    }  # fmt: skip
