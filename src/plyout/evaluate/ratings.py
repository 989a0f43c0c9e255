"""What each move promises at a glance: for progressive bias and widening, and for the priors of PUCT."""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.policy import crazyhouse_rating, policy_rating
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games import CHESS, CRAZYHOUSE, Game
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


def evaluation_of(game: Game) -> Any:
    """The rating by evaluation; `InputError` where there is none."""
    if game is not CHESS:
        raise InputError(f"the evaluation is for chess only: in {game.name} try the preset 'mcc'")
    return chess_rating


def policy_of(game: Game) -> Any:
    """The rating that knows what strong players would do; all moves promise the same in other games than chess."""
    return {CHESS.name: policy_rating, CRAZYHOUSE.name: crazyhouse_rating}.get(game.name, no_rating)
