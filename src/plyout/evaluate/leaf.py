"""Judges that look instead of playing out: the evaluation after the captures, as a score from 0 to 1."""

from math import exp
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.evaluate.quiescence import EXCHANGES, POCKETS, settle
from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import load
from plyout.games.crazyhouse import House, load_house
from plyout.kernel import Ints, inlined, kernel, tail
from plyout.parameters import SQUASH
from plyout.playout.scratch import SETS

_DEPTH = 8  # plies of captures
_DELTA = 200


@inlined
def score(centipawns: float, parameters: Any) -> float:
    """Centipawns as a score: a logistic curve on which `squash` centipawns are worth 73 %."""
    return 1.0 / (1.0 + exp(-centipawns / parameters[SQUASH]))


@kernel
def chess_quiescence(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    h = House(load(state), np.int64(0), np.int64(0))
    return score(settle(h, EXCHANGES, _DELTA, _DEPTH, tail(scratch, SETS), tail(scratch, 1)), parameters)


@kernel
def crazyhouse_quiescence(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    h = load_house(state)
    return score(settle(h, EXCHANGES | POCKETS, _DELTA, _DEPTH, tail(scratch, SETS), tail(scratch, 1)), parameters)


def quiescence_of(game: Game) -> Any:
    """The judge that evaluates `game` when it is quiet."""
    if game is CHESS:
        return chess_quiescence
    if game is CRAZYHOUSE:
        return crazyhouse_quiescence
    raise InputError(f"the evaluation knows chess and crazyhouse, not {game.name}: take the judge 'playout'")
