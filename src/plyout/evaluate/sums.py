"""The tapered sums of a position, carried from move to move instead of being added up anew.

They are those of the side to move: what its pieces are worth on their squares less the opponent's, in the middlegame
and in the endgame, and the phase, which mixes the two into the evaluation (see `plyout.evaluate.tapered`).
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.tapered import taper, totals
from plyout.games.chess.board import Board
from plyout.kernel import inlined


class Sums(NamedTuple):
    """What the tapered evaluation of a position is made of, for the side to move."""

    middlegame: int
    endgame: int
    phase: int


@inlined
def new_sums(middlegame: int, endgame: int, phase: int) -> Sums:
    """The sums as 64-bit numbers: to Numba a literal would be a type of its own."""
    return Sums(np.int64(middlegame), np.int64(endgame), np.int64(phase))


@inlined
def sums_of(b: Board) -> Sums:
    middlegame, endgame, phase = totals(b)
    return new_sums(middlegame, endgame, phase)


@inlined
def raised(sums: Sums, gain: tuple[int, int, int]) -> Sums:
    """The sums after a move, still those of its mover; `gain` is what the move adds to them."""
    return Sums(sums.middlegame + gain[0], sums.endgame + gain[1], sums.phase + gain[2])


@inlined
def for_opponent(sums: Sums) -> Sums:
    """The same position as the other side sees it."""
    return Sums(-sums.middlegame, -sums.endgame, sums.phase)


@inlined
def tapered(sums: Sums) -> int:
    """The evaluation in centipawns. It is rounded down, so the opponent's need not be its exact negative."""
    return taper(sums.middlegame, sums.endgame, sums.phase)
