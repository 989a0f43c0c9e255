"""Truncated playouts: a few random plies, perhaps none, and then the evaluation is the payoff (Xu, algorithm 3).

Payoffs reach the search as scores between 0 and 1, like all others: by a logistic function of the centipawns, or raw,
centipawns on a straight scale that `plyout.search.select.payoff_uct` reads back.
"""

from typing import Any

from plyout.errors import InputError
from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, INFINITE, POCKETS, Buffers, Options, quiesce, quiet_value
from plyout.evaluate.score import score
from plyout.evaluate.sums import sums_of
from plyout.evaluate.tapered import taper, totals
from plyout.evaluate.weighted import TERMS, weigh
from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import Board, load, make
from plyout.games.chess.moves import draw
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House, load_house
from plyout.kernel import Ints, inlined, kernel, tail
from plyout.parameters import (
    MAX_DEPTH, QUIET_DELTA, QUIET_DEPTH, QUIET_EVASIONS, QUIET_EXCHANGES, WEIGHTED, WEIGHTS_AT,
)  # fmt: skip
from plyout.playout.scratch import SETS

_NODES, _WEIGHTS = 1, 2  # places in the trace, which these judges leave empty


@inlined
def _random_plies(b: Board, scratch: Ints, rng: Ints, parameters: Any) -> Board:
    """The position after `max_depth` random moves, or where the game ends before."""
    state = rng[0]
    for _ in range(int(parameters[MAX_DEPTH])):
        if b.clock >= 100 or insufficient(b):
            break
        move, _, state = draw(b, tail(scratch, SETS), state)
        if move < 0:
            break
        b = make(b, move)
    rng[0] = state
    return b


@inlined
def _weights(scratch: Ints, parameters: Any) -> Ints:
    """The weights of the evaluation, none where the tapered one is wanted."""
    for i in range(len(TERMS)):
        scratch[_WEIGHTS + i] = int(parameters[WEIGHTS_AT + i])
    return tail(scratch, _WEIGHTS if parameters[WEIGHTED] > 0.0 else scratch.size)


@kernel
def evaluation_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """The static evaluation."""
    before = load(state)
    b = _random_plies(before, scratch, rng, parameters)
    middlegame, endgame, phase = totals(b)
    value = taper(middlegame, endgame, phase)
    if parameters[WEIGHTED] > 0.0:
        value = weigh(b, value, _weights(scratch, parameters), tail(scratch, SETS))
    return score(value if b.turn == before.turn else -value, parameters)


@inlined
def _switches(parameters: Any) -> int:
    evasions = EVASIONS if parameters[QUIET_EVASIONS] > 0.0 else 0
    return evasions | (EXCHANGES if parameters[QUIET_EXCHANGES] > 0.0 else 0)


@kernel
def quiescence_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """The evaluation after captures have been played out."""
    before = load(state)
    b = _random_plies(before, scratch, rng, parameters)
    options = Options(_switches(parameters), int(parameters[QUIET_DELTA]), int(parameters[QUIET_DEPTH]))
    buffers = Buffers(tail(scratch, SETS), tail(scratch, _NODES), _weights(scratch, parameters))
    value = quiesce(House(b, 0, 0), sums_of(b), -INFINITE, INFINITE, 0, options, buffers)
    return score(value if b.turn == before.turn else -value, parameters)


@kernel
def crazyhouse_quiescence_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """The same for crazyhouse, where men in the pockets count and an evasion may be a drop."""
    value = quiet_value(
        load_house(state), _switches(parameters) | POCKETS, int(parameters[QUIET_DELTA]), int(parameters[QUIET_DEPTH]),
        tail(scratch, SETS), tail(scratch, _NODES),
    )  # fmt: skip
    return score(value, parameters)


def evaluation_judge_of(game: Game) -> Any:
    """The judge by static evaluation; `InputError` where there is none."""
    if game is not CHESS:
        raise InputError(f"the evaluation is for chess only: in {game.name} try the preset 'mcc'")
    return evaluation_judge


def quiescence_judge_of(game: Game) -> Any:
    """The judge by quiescence; `InputError` where there is none."""
    if game is CHESS:
        return quiescence_judge
    if game is CRAZYHOUSE:
        return crazyhouse_quiescence_judge
    raise InputError(f"the evaluation is for chess and crazyhouse: in {game.name} try the preset 'mcc'")
