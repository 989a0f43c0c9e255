"""What each move promises at a glance, for progressive bias and progressive widening."""

from typing import Any

from plyout.evaluate.tapered import gain, taper, totals
from plyout.games.chess.board import load
from plyout.kernel import Ints, kernel


@kernel
def no_rating(state: Ints, moves: Ints, count: int, ratings: Any, parameters: Any) -> None:
    """All moves promise the same."""


@kernel
def chess_rating(state: Ints, moves: Ints, count: int, ratings: Any, parameters: Any) -> None:
    """The tapered evaluation after each move, in centipawns for its mover."""
    b = load(state)
    middlegame, endgame, phase = totals(b)
    for i in range(count):
        more_mg, more_eg, more_phase = gain(b, moves[i])
        ratings[i] = float(taper(middlegame + more_mg, endgame + more_eg, phase + more_phase))
