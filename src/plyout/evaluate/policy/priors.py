"""Prior rules: a score for each move by static knowledge, for progressive bias and widening and the priors of PUCT."""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.exchange import exchange
from plyout.evaluate.policy.learnt import learnt_prior
from plyout.evaluate.policy.linear import crazyhouse_prior
from plyout.evaluate.tapered import gain, taper, totals
from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import in_check, load, make, sides
from plyout.games.chess.move import EN_PASSANT, promotion_of, to_square
from plyout.games.contract import KEY
from plyout.kernel import Ints, kernel, shr
from plyout.kernel.random import GAMMA, mix
from plyout.parameters import Expansion

_CHECK = 200.0  # centipawns for a check


@kernel
def no_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """All moves are alike."""


@kernel
def evaluation_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """The tapered evaluation after each move, in centipawns for its mover."""
    b = load(state)
    middlegame, endgame, phase = totals(b)
    for i in range(count):
        more_mg, more_eg, more_phase = gain(b, moves[i])
        scores[i] = float(taper(middlegame + more_mg, endgame + more_eg, phase + more_phase))


@kernel
def random_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """A number by chance for each move, the same whenever the position is met in a search of the same seed."""
    for i in range(count):
        scores[i] = float(shr(mix(state[KEY] ^ mix(moves[i] + p.seed * GAMMA)), 40))


@kernel
def ordering_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """What Xu orders moves by: captures, here by what exchanges win, checks, and gain in the tables."""
    b = load(state)
    _, enemies = sides(b)
    middlegame, endgame, phase = totals(b)
    now = taper(middlegame, endgame, phase)
    for i in range(count):
        move = moves[i]
        value = float(exchange(b, move))
        if not (enemies & 1 << to_square(move) or move & EN_PASSANT or promotion_of(move)):
            more_mg, more_eg, more_phase = gain(b, move)
            value += float(taper(middlegame + more_mg, endgame + more_eg, phase + more_phase) - now)
        scores[i] = value + (_CHECK if in_check(make(b, move)) else 0.0)


def _chess_only(game: Game, rule: Any) -> Any:
    if game is not CHESS:
        raise InputError(f"the evaluation is for chess only: in {game.name} try the preset 'mcc'")
    return rule


def evaluation_of(game: Game) -> Any:
    """The prior by evaluation; `InputError` where there is none."""
    return _chess_only(game, evaluation_prior)


def ordering_of(game: Game) -> Any:
    """The prior by Xu's order of moves; `InputError` where there is none."""
    return _chess_only(game, ordering_prior)


def policy_of(game: Game) -> Any:
    """The prior that knows what strong players would do; all moves are alike in other games than chess."""
    return {CHESS.name: learnt_prior, CRAZYHOUSE.name: crazyhouse_prior}.get(game.name, no_prior)
