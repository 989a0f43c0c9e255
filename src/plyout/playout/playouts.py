"""Judges: playouts in the form that the search calls (see `plyout.search.rules.JUDGE`)."""

from typing import Any

import numpy as np

from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import WHITE, load
from plyout.games.crazyhouse import load_house
from plyout.games.contract import TURN
from plyout.kernel import Ints, kernel, tail
from plyout.parameters import ANTI_DECISIVE, BOTTOM_BFS, DECISIVE, DRAW_REPEATS, GREEDY, RAVE
from plyout.playout.heavy import heavy_playout
from plyout.playout.random import chess_playout, crazyhouse_playout, playout_by_rules
from plyout.playout.scratch import DIRECTORY_AT, SETS
from plyout.playout.traps import lists_traps


@kernel
def chess_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    """Play the position out, again where it ends drawn and `draw_repeats` says so."""
    b = load(state)
    r = rng[0]
    plain = (
        parameters[GREEDY] == 0.0
        and parameters[DECISIVE] == 0.0
        and parameters[ANTI_DECISIVE] == 0.0
        and parameters[RAVE] == 0.0
        and parameters[BOTTOM_BFS] == 0.0
        and not lists_traps(parameters)
    )
    score = 0.5
    for _ in range(int(parameters[DRAW_REPEATS])):
        if plain:
            score, _, r = chess_playout(b, tail(scratch, SETS), r, tail(scratch, DIRECTORY_AT))
        else:
            score, r = heavy_playout(b, scratch, r, parameters)
        if score != 0.5:
            break
    rng[0] = r
    return score if b.turn == WHITE else 1.0 - score


@kernel
def crazyhouse_judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
    h = load_house(state)
    score, _, rng[0] = crazyhouse_playout(h, tail(scratch, SETS), rng[0], scratch)
    return score if h.board.turn == WHITE else 1.0 - score


def judge_of(game: Game) -> Any:
    """The judge that plays `game` out; for a game that brings its own rules it is made of them."""
    if game is CHESS:
        return chess_judge
    if game is CRAZYHOUSE:
        return crazyhouse_judge
    return _judge_from_rules(game)


def _judge_from_rules(game: Game) -> Any:
    legal, play, outcome, room = game.legal, game.play, game.outcome, game.room

    @kernel
    def judge(state: Ints, scratch: Ints, rng: Ints, parameters: Any) -> float:
        moves = np.empty(room, np.int64)
        turn = state[TURN]
        score, _, rng[0] = playout_by_rules(state, moves, rng[0], scratch, legal, play, outcome)
        return score if state[TURN] == turn else 1.0 - score

    return judge
