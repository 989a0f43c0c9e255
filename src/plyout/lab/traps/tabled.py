"""Two measures as the tables of Topolewski 2019 turn out to have them, which is not as its text and its source do."""

from collections import Counter
from collections.abc import Sequence

import chess
import numpy as np

from plyout.games import CHESS
from plyout.games.chess.border import to_board
from plyout.lab.traps.study import Pair, Values
from plyout.search.similarity import Settings, similarities


def tabled(pairs: Sequence[Pair]) -> dict[str, Values]:
    """Depth and breadth with equal weights, as if no ply lay between the positions; and pieces of the mover alone."""
    firsts, seconds = (np.concatenate([getattr(p, name) for p in pairs]) for name in ("first", "second"))
    breadth = similarities(CHESS, firsts, seconds, "depth-breadth", Settings(depth_weight=0, breadth_weight=1))
    pieces = np.array([_own_pieces(to_board(p.first), to_board(p.second)) for p in pairs])
    return {"depth-breadth": (1 + breadth) / 2, "pieces": pieces}


def _own_pieces(before: chess.Board, now: chess.Board) -> float:
    old, new = (Counter(p.piece_type for p in b.piece_map().values() if p.color == before.turn) for b in (before, now))
    return (old & new).total() / (old | new).total()
