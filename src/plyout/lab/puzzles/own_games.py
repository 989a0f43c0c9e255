"""Games that Plyout plays against itself in no time, where positions are wanted in thousands: to fit, to mine.

A few random moves, then the move that quiescence likes best, give or take some centipawns, and now and then another
random one. A game depends on its seed and number alone.
"""

from collections.abc import Iterator

import numpy as np

from plyout.evaluate.quiescence import EVASIONS, EXCHANGES, QUIET_ROOM, quiet_value
from plyout.games import CHESS, State
from plyout.games.chess.board import load, make
from plyout.games.chess.moves import SETS_SIZE, list_moves
from plyout.games.chess.rules import MOVES, insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, kernel
from plyout.kernel.random import below, stream

LONGEST = 300  # plies
_OPENING = 8  # random plies, or one more or less: games begin with either side to move
_RANDOM_EACH = 12  # one move in so many is random
_NOISE = 40  # centipawns


@kernel
def _play(start: Ints, seed: int, index: int, game: Ints) -> int:
    """Write the moves of game number `index` to `game`; return how many there are."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    scratch, nodes = np.empty(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    rng = stream(seed, index)
    b = load(start)
    opening, rng = below(rng, 3)
    for ply in range(game.size):
        count = list_moves(b, moves, sets)
        if count == 0 or b.clock >= 100 or insufficient(b):
            return ply
        chance, rng = below(rng, _RANDOM_EACH)
        pick, rng = below(rng, count)
        if ply >= _OPENING - 1 + opening and chance:
            best = -1_000_000
            for i in range(count):
                extra, rng = below(rng, _NOISE)
                after = House(make(b, at(moves, i)), 0, 0)
                value = extra - quiet_value(after, EVASIONS | EXCHANGES, 0, 4, scratch, nodes)
                if value > best:
                    best, pick = value, i
        game[ply] = moves[pick]
        b = make(b, moves[pick])
    return int(game.size)


def own_game(seed: int, index: int) -> list[State]:
    """The positions of game number `index` of `seed`, the last included."""
    moves = np.empty(LONGEST, np.int64)
    state = CHESS.start()
    count = int(_play(state, np.int64(seed), np.int64(index), moves))
    states = [state]
    for move in moves[:count]:
        states.append(CHESS.after(states[-1], int(move)))
    return states


def own_games(seed: int) -> Iterator[list[State]]:
    """The games of a seed, without end."""
    index = 0
    while True:
        yield own_game(seed, index)
        index += 1
