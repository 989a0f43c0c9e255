"""Playouts as evaluators, in the form in which the search calls them (see `plyout.search.rules.EVALUATE`)."""

from typing import Any

import numpy as np

from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import WHITE, load
from plyout.games.contract import TURN
from plyout.games.crazyhouse import load_house
from plyout.kernel import Ints, inlined, kernel
from plyout.parameters import RANDOM, Leaf
from plyout.playout.heavy import heavy_playout
from plyout.playout.random import chess_playout, crazyhouse_playout, playout_by_rules
from plyout.playout.scratch import Scratch


@inlined
def _is_plain(scratch: Scratch, p: Leaf) -> bool:
    """Whether a playout needs no knowledge, and nobody wants to know its moves."""
    knows = p.greedy != RANDOM or p.decisive or p.anti_decisive or p.play_on
    return not knows and scratch.trace.size == 0 and scratch.traps.size == 0


@kernel
def chess_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """Play the position out, again where it ends drawn and `draw_repeats` says so."""
    b = load(state)
    rng = scratch.rng[0]
    plain = _is_plain(scratch, p)
    score = 0.5
    for _ in range(p.draw_repeats):
        if plain:
            score, _, rng = chess_playout(b, scratch.sets, rng, scratch.directory)
        else:
            score, rng = heavy_playout(b, scratch, rng, p)
        if score != 0.5:
            break
    scratch.rng[0] = rng
    return score if b.turn == WHITE else 1.0 - score


@kernel
def crazyhouse_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    h = load_house(state)
    score, _, scratch.rng[0] = crazyhouse_playout(h, scratch.sets, scratch.rng[0], scratch.trace)
    return score if h.board.turn == WHITE else 1.0 - score


def playout_of(game: Game) -> Any:
    """The evaluator that plays `game` out; for a game that brings its own rules it is made of them."""
    if game is CHESS:
        return chess_evaluator
    if game is CRAZYHOUSE:
        return crazyhouse_evaluator
    return _evaluator_from_rules(game)


def _evaluator_from_rules(game: Game) -> Any:
    legal, play, outcome, room = game.legal, game.play, game.outcome, game.room

    @kernel
    def evaluate(state: Ints, scratch: Scratch, p: Leaf) -> float:
        moves = np.empty(room, np.int64)
        turn = state[TURN]
        score, _, scratch.rng[0] = playout_by_rules(state, moves, scratch.rng[0], scratch.trace, legal, play, outcome)
        return score if state[TURN] == turn else 1.0 - score

    return evaluate
