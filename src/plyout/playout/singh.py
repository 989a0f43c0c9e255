"""The leaf rule of Singh 2023 (section 3.3), with our evaluation in the place of the network."""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.material import VALUE
from plyout.evaluate.quiescence import quiet_value
from plyout.evaluate.score import score
from plyout.evaluate.tapered import evaluate
from plyout.games import CHESS, Game
from plyout.games.chess.board import B, Board, N, P, Q, R, load, sides
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, kernel, popcount
from plyout.parameters import Leaf
from plyout.playout.scratch import Scratch

MATE = 10_000
DEEPEST = 30  # plies of captures; the scratch ends before


@inlined
def _lead(b: Board, pieces: int) -> int:
    own, enemies = sides(b)
    return popcount(pieces & own) - popcount(pieces & enemies)


@inlined
def material(b: Board) -> int:
    """The material of the side to move less that of the other, in centipawns."""
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
        value = max(value, quiet_value(House(b, 0, 0), 0, 0, DEEPEST, scratch, nodes))
    return min(max(value, -MATE), MATE)


@kernel
def _evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """The paper adds up raw centipawns; here they become a score, so that C is on one scale with the other presets'.

    Mates and draws that the rules see are scored by the search itself.
    """
    return score(centipawns(load(state), scratch.sets, scratch.counters), p.squash)


def singh_evaluator_of(game: Game) -> Any:
    """The evaluator, for chess."""
    if game is not CHESS:
        raise InputError(f"this leaf rule is for chess only: in {game.name} take the evaluator 'playout'")
    return _evaluator
