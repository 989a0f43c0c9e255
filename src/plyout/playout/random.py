"""Uniformly random games: the plainest evaluation of a position.

A random game ends by mate, stalemate, insufficient material or the fifty-move
rule, and in other games by their own rules. It does not look for repetitions:
by chance alone they change next to nothing, and the fifty-move rule ends them.
In chess it also ends at the first position that endgame tables know.
Where no such rule does, a game of `LONGEST` plies is drawn.
"""

from typing import Any, NamedTuple

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, Game, State
from plyout.games.chess.board import WHITE, Board, load, make
from plyout.games.chess.moves import SETS_SIZE, draw
from plyout.games.chess.rules import insufficient
from plyout.games.contract import RULES, TURN
from plyout.games.crazyhouse import House, draw_house, load_house, make_house
from plyout.kernel import Ints, entry, i64, inlined, ints, keep, kernel, borrowed, popcount, void
from plyout.kernel.random import below, stream
from plyout.knowledge.tables.probe import DIRECTORY, PIECES, playout_score


LONGEST = 10_000


class Tally(NamedTuple):
    """How random games ended: for the first player, who is White in chess, drawn, for the second."""

    white: int
    draw: int
    black: int
    plies: int


@inlined
def by_tables(b: Board, directory: Ints) -> float:
    """White's score if the tables know the position, else -1.0; only a capture or pawn move can lead to news."""
    if b.clock == 0 and popcount(b.white | b.black) <= directory[PIECES]:
        return playout_score(b, directory)
    return -1.0


@inlined
def chess_playout(b: Board, sets: Ints, rng: int, directory: Ints) -> tuple[float, int, int]:
    """Play `b` out at random: (White's score, plies, rng)."""
    plies = 0
    while not insufficient(b):
        score = by_tables(b, directory)
        if score >= 0.0:
            return score, plies, rng
        move, checkers, rng = draw(b, sets, rng)
        if move < 0:
            if checkers:
                return (0.0 if b.turn == WHITE else 1.0), plies, rng
            return 0.5, plies, rng
        if b.clock >= 100:  # after the search for a move: mate on the hundredth ply is mate
            return 0.5, plies, rng
        b = make(b, move)
        plies += 1
    return 0.5, plies, rng


@inlined
def crazyhouse_playout(h: House, sets: Ints, rng: int, trace: Ints) -> tuple[float, int, int]:
    """Play `h` out at random: (White's score, plies, rng); the first moves go to `trace` as far as there is room."""
    plies = 0
    while plies < LONGEST:
        move, checkers, rng = draw_house(h, sets, rng)
        if move < 0:
            if checkers:
                return (0.0 if h.board.turn == WHITE else 1.0), plies, rng
            return 0.5, plies, rng
        if plies < trace.size - 1:
            trace[0] = plies + 1
            trace[1 + plies] = move
        h = make_house(h, move)
        plies += 1
    return 0.5, plies, rng


@inlined
def playout_by_rules(
    state: Ints, moves: Ints, rng: int, trace: Ints, legal: Any, play: Any, outcome: Any
) -> tuple[float, int, int]:
    """Play `state` of any game out at random, in its place: (the score of the side to move then, plies, rng).

    All moves are listed in `moves`, and one is drawn; the first go to `trace` as far as there is room.
    """
    plies = 0
    while True:
        count = legal(state, moves)
        score = outcome(state, count) if plies < LONGEST else 0.5
        if score >= 0.0:
            return score, plies, rng
        r, rng = below(rng, count)
        if plies < trace.size - 1:
            trace[0] = plies + 1
            trace[1 + plies] = moves[r]
        play(state, moves[r])
        plies += 1


@inlined
def _count(tally: Ints, score: float, plies: int) -> None:
    tally[0 if score == 1.0 else 1 if score == 0.5 else 2] += 1
    tally[3] += plies


@kernel
def _chess_games(state: Ints, seed: int, first: int, last: int, tally: Ints) -> None:
    room, no_tables = np.empty(SETS_SIZE, np.int64), np.zeros(DIRECTORY, np.int64)
    b, sets, tables = load(state), borrowed(room), borrowed(no_tables)
    for index in range(first, last):
        score, plies, _ = chess_playout(b, sets, stream(seed, index), tables)
        _count(tally, score, plies)
    keep((room, no_tables))


@kernel
def _crazyhouse_games(state: Ints, seed: int, first: int, last: int, tally: Ints) -> None:
    room, no_trace = np.empty(SETS_SIZE, np.int64), np.empty(0, np.int64)
    h, sets, trace = load_house(state), borrowed(room), borrowed(no_trace)
    for index in range(first, last):
        score, plies, _ = crazyhouse_playout(h, sets, stream(seed, index), trace)
        _count(tally, score, plies)
    keep((room, no_trace))


@entry(void(ints, ints, i64, *RULES, ints))
def _games(start: Ints, numbers: Ints, room: int, legal: Any, play: Any, outcome: Any, tally: Ints) -> None:
    """`numbers` are the seed, the first game and the one after the last."""
    seed, first, last = numbers[0], numbers[1], numbers[2]
    words, list_of_moves, no_trace = np.empty(start.size, np.int64), np.empty(room, np.int64), np.empty(0, np.int64)
    state, moves, trace = borrowed(words), borrowed(list_of_moves), borrowed(no_trace)
    for index in range(first, last):
        for word in range(start.size):
            state[word] = start[word]
        score, plies, _ = playout_by_rules(state, moves, stream(seed, index), trace, legal, play, outcome)
        _count(tally, score if state[TURN] == 0 else 1.0 - score, plies)
    keep((words, list_of_moves, no_trace))


def random_games(game: Game, state: State, seed: int, first: int, last: int) -> Tally:
    """Play games number `first` to `last` - 1 of `seed` from `state`, and count how they end.

    A game depends on its seed and number alone, so it is the same however the work is cut up.
    """
    if not -(2**63) <= seed < 2**63:
        raise InputError(f"a seed has 64 bits: it lies between -2^63 and 2^63 - 1, and {seed} does not")
    tally = np.zeros(4, np.int64)
    seed = np.int64(seed)
    if game is CHESS:
        _chess_games(state, seed, first, last, tally)
    elif game is CRAZYHOUSE:
        _crazyhouse_games(state, seed, first, last, tally)
    else:
        _games(state, np.array([seed, first, last]), game.room, *game.rules(), tally)
    return Tally(*(int(x) for x in tally))
