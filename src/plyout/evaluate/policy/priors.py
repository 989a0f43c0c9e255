"""What each move promises at a glance: for progressive bias and widening, and for the priors of PUCT."""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.exchange import exchange
from plyout.evaluate.policy.linear import crazyhouse_prior, policy_prior
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import in_check, load, make, sides
from plyout.games.chess.move import EN_PASSANT, promotion_of, to_square
from plyout.games.contract import KEY
from plyout.kernel import Ints, kernel, shr
from plyout.kernel.random import GAMMA, mix
from plyout.parameters import SEED

_CHECK = 200.0  # centipawns that a check promises


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


@kernel
def random_rating(state: Ints, moves: Ints, count: int, ratings: Any, parameters: Any) -> None:
    """A number by chance for each move, the same whenever the position is met in a search of the same seed."""
    for i in range(count):
        ratings[i] = float(shr(mix(state[KEY] ^ mix(moves[i] + int(parameters[SEED]) * GAMMA)), 40))


@kernel
def promise_rating(state: Ints, moves: Ints, count: int, ratings: Any, parameters: Any) -> None:
    """What Xu orders moves by: captures, here by what exchanges win, checks, and gain in the tables."""
    b = load(state)
    _, enemies = sides(b)
    middlegame, endgame, phase = totals(b)
    now = taper(middlegame, endgame, phase)
    for i in range(count):
        move = moves[i]
        promise = float(exchange(b, move))
        if not (enemies & 1 << to_square(move) or move & EN_PASSANT or promotion_of(move)):
            more_mg, more_eg, more_phase = gain(b, move)
            promise += float(taper(middlegame + more_mg, endgame + more_eg, phase + more_phase) - now)
        ratings[i] = promise + (_CHECK if in_check(make(b, move)) else 0.0)


def _chess_only(game: Game, rating: Any) -> Any:
    if game is not CHESS:
        raise InputError(f"the evaluation is for chess only: in {game.name} try the preset 'mcc'")
    return rating


def evaluation_of(game: Game) -> Any:
    """The rating by evaluation; `InputError` where there is none."""
    return _chess_only(game, chess_rating)


def promise_of(game: Game) -> Any:
    """The rating by Xu's order of moves; `InputError` where there is none."""
    return _chess_only(game, promise_rating)


def policy_of(game: Game) -> Any:
    """The rating that knows what strong players would do; all moves promise the same in other games than chess."""
    return {CHESS.name: policy_prior, CRAZYHOUSE.name: crazyhouse_prior}.get(game.name, no_rating)
