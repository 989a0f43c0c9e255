"""What a graph saves against a tree: evaluations, memory, and how often it meets a position again."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import chess
import chess.variant

from plyout.engine import Engine, Limits
from plyout.games import GAMES
from plyout.progress import Progress

# Openings, a middlegame, and endings in which kings and rooks walk about: few transpositions to many.
POSITIONS = {
    "chess": (
        chess.STARTING_FEN,
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1",
        "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    ),
    "crazyhouse": (
        chess.variant.CrazyhouseBoard.starting_fen,
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R[] w KQkq - 2 3",
        "r2qkb1r/ppp1pppp/2n2n2/3p4/3P2b1/2N2N2/PPP1PPPP/R1BQKB1R[] w KQkq - 4 5",
        "r1b1k2r/ppp2ppp/2p5/4P3/4n3/8/PPP2PPP/R1BK1B1R[QNPqn] w kq - 0 11",
    ),
}


@dataclass(frozen=True)
class Sharing:
    """Tree and graph after as many simulations, in one position."""

    fen: str
    simulations: int
    tree_evaluations: int
    graph_evaluations: int
    tree_bytes: int
    graph_bytes: int
    transpositions: float  # share of the graph's links that led to a node which was there already

    @property
    def evaluations_saved(self) -> float:
        return 1 - self.graph_evaluations / max(1, self.tree_evaluations)

    @property
    def bytes_saved(self) -> float:
        return 1 - self.graph_bytes / max(1, self.tree_bytes)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"evaluations_saved": self.evaluations_saved, "bytes_saved": self.bytes_saved}


def compare(preset: str, variant: str, fens: Sequence[str], simulations: int, seed: int) -> Iterator[Sharing]:
    """Search each position as a tree and as a graph, with the same rules otherwise."""
    game = GAMES[variant]
    megabytes = max(64, simulations // 250)  # enough that nothing is pruned
    with Progress("positions", len(fens)) as progress:
        for fen in fens:
            tree, graph = (
                Engine(preset, game, share=share, seed=seed, hash_mb=megabytes).search(
                    game.parse(fen), Limits(nodes=simulations)
                )
                for share in (0, 2)
            )
            met_again = graph.graph["shared"]
            progress.step()
            yield Sharing(
                fen, simulations, tree.playouts, graph.playouts, tree.graph["bytes"], graph.graph["bytes"],
                met_again / max(1, met_again + graph.graph["nodes"] - 1),
            )  # fmt: skip
