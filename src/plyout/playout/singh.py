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
from plyout.kernel import Ints, at, inlined, kernel, popcount, tail
from plyout.playout.scratch import SETS

MATE = 10_000
_DEEPEST = 30  # plies of captures; the scratch ends before


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
        value = max(value, quiet_value(House(b, 0, 0), 0, 0, _DEEPEST, scratch, nodes))
    return min(max(value, -MATE), MATE)


@kernel
def _judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """The paper adds up raw centipawns; here they become a score, so that C is on one scale with the other presets'.

    Mates and draws that the rules see are scored by the search itself.
    """
    return score(centipawns(load(state), tail(scratch, SETS), tail(scratch, 1)), parameters)


def singh_judge_of(game: Game) -> Any:
    """The judge, for chess."""
    if game is not CHESS:
        raise InputError(f"this leaf rule is for chess only: in {game.name} take the judge 'playout'")
    return _judge
