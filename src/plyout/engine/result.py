"""What a search answers: the move, why, and the whole tree behind it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plyout.engine.history import History
from plyout.engine.outcomes import Model, Outcomes, material, of_value
from plyout.engine.shown import result_text
from plyout.engine.tree import Move, Tree, end_in_ply, mate_in, proof_text
from plyout.errors import InputError
from plyout.evaluate.scale import centipawns
from plyout.games.chess.border import to_board
from plyout.in_notebooks import InNotebooks
from plyout.search.graph import DRAWN, PROVEN, UNPROVEN
from plyout.search.proof.certificate import Certificate, certificate
from plyout.search.proof.graft import complete

if TYPE_CHECKING:
    from plyout.explain import Explanation


class _Proven:
    """What has a proof, as a number; see `plyout.search.graph`."""

    proof_number: int

    @property
    def proof(self) -> str | None:
        return proof_text(self.proof_number)

    @property
    def mate(self) -> int | None:
        return mate_in(self.proof_number)

    @property
    def end_in_ply(self) -> int | None:
        """Plies to the end that is proven, a mate or a draw, if they are known."""
        return end_in_ply(self.proof_number)


@dataclass(frozen=True)
class MoveStatistics(_Proven):
    """What the search knows about one root move; values are the mover's."""

    move: Move
    visits: float
    value: float
    prior: float
    proof_number: int
    pv: list[Move]

    @property
    def known_value(self) -> float:
        """The value, or the result where that is proven."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}.get(self.proof or "", self.value)

    def as_dict(self) -> dict[str, Any]:
        visits = int(self.visits) if self.visits == int(self.visits) else self.visits
        return {
            "move": str(self.move), "visits": visits, "value": self.value, "prior": self.prior, "proof": self.proof,
            "mate": self.mate, "end_in_ply": self.end_in_ply, "pv": [str(m) for m in self.pv],
        }  # fmt: skip


@dataclass(frozen=True)
class Result(_Proven, InNotebooks):
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
    model: Model | None = field(default=None, repr=False)  # what such scores were worth in games
    no_mate_in: int | None = None  # a mate in so many moves was asked for, and all lines show that there is none

    @property
    def value(self) -> float:
        if self.proof is not None:
            return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.proof]
        return self.moves[0].value if self.moves else 0.5

    @property
    def history(self) -> History:
        """How the search came to this: snapshots and events."""
        return self.tree.history

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
    def wdl(self) -> Outcomes:
        """Won, drawn and lost per mille for the side to move; see `plyout.engine.outcomes`."""
        return self._wdl(self.proof, self.value, self.score.get("cp", 0))

    def wdl_of(self, move: MoveStatistics) -> Outcomes:
        """The same for one root move."""
        best = self.moves and move is self.moves[0]
        cp = self.centipawns if best and self.centipawns is not None else centipawns(move.known_value)
        return self._wdl(move.proof, move.value, cp)

    def _wdl(self, proof: str | None, value: float, cp: int) -> Outcomes:
        if proof is not None:
            return {"win": (1000, 0, 0), "draw": (0, 1000, 0), "loss": (0, 0, 1000)}[proof]
        if self.model is None:
            return of_value(value, self.drawn)
        return self.model.outcomes(cp, material(self.tree.state))

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

    def explain(self, why_not: Iterable[Move | str] = (), **options: Any) -> "Explanation":
        """Why this move, and why not others, those that are named among them: see `plyout.explain.explain`."""
        from plyout.explain import explain

        return explain(self, why_not, **options)

    def __str__(self) -> str:
        return result_text(self)

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
            "end_in_ply": self.end_in_ply,
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


def without_search(tree: Tree, ended: float | None, known: MoveStatistics | None = None) -> Result:
    """The result where nothing is searched: the game has `ended` with that score of the side to move, or the move is
    `known` from an opening book."""
    proof = UNPROVEN if ended is None else DRAWN if ended == 0.5 else PROVEN if ended > 0.5 else -PROVEN
    tree.graph.nodes["proof"][tree.root] = proof
    return Result(
        move=known.move if known else None,
        moves=[known] if known else [],
        proof_number=proof,
        mate_is_shortest=True,
        drawn=0.0,
        nodes=0,
        playouts=0,
        depth=0.0,
        deepest=0,
        seconds=0.0,
        graph={"nodes": 1, "edges": 0, "bytes": 0, "shared": 0},
        tbhits=0,
        restricted=False,
        preset=tree.preset,
        seed=int(tree.parameters["seed"]),
        tree=tree,
        book=known is not None,
    )
