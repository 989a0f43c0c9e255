"""The leaf rule of Singh 2023 (section 3.3), with our evaluation in the place of the network."""

from math import exp, log
from typing import Any

import numpy as np

from plyout.evaluate.material import VALUE
from plyout.evaluate.quiescence import settle
from plyout.evaluate.tapered import evaluate
from plyout.games.chess.board import B, Board, N, P, Q, R, load, sides
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, kernel, popcount

MATE = 10_000
_DEEPEST = 30  # plies of captures; the scratch ends before
_SCALE = 400.0 / log(10.0)  # 400 centipawns are a factor of ten in the odds: `plyout.result.centipawns` reads them so


@inlined
def _lead(b: Board, men: int) -> int:
    own, enemies = sides(b)
    return popcount(men & own) - popcount(men & enemies)


@inlined
def material(b: Board) -> int:
    """The men of the side to move less those of the other, in centipawns."""
    return int(
        at(VALUE, P) * _lead(b, b.pawns)
        + at(VALUE, N) * _lead(b, b.knights)
        + at(VALUE, B) * _lead(b, b.bishops)
        + at(VALUE, R) * _lead(b, b.rooks)
        + at(VALUE, Q) * _lead(b, b.queens)
    )


@inlined
def centipawns(b: Board, scratch: Ints, nodes: Ints) -> int:
    """The evaluation; where the material is not even, the better of it and the captures played out."""
    if insufficient(b):
        return 0
    value = evaluate(b)
    if material(b) != 0:
        value = max(value, settle(House(b, 0, 0), 0, 0, _DEEPEST, scratch, nodes))
    return min(max(value, -MATE), MATE)


@kernel
def singh_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """The leaf's centipawns as a score.

    The paper adds up raw centipawns. A score between 0 and 1 keeps C on one scale with the other presets, and a mate
    the best there is. Mates and draws that the rules see are scored by the search itself.
    """
    nodes = np.zeros(1, np.int64)
    value = centipawns(load(state), scratch, nodes)
    scratch[0] = 0  # there was no playout
    return 1.0 / (1.0 + exp(-value / _SCALE))
