"""Exhaustive search for forced mates in chess, by which the distances of proven mates are checked and shortened."""

import numpy as np

from plyout.games.chess.board import Board, in_check, load, make
from plyout.games.chess.moves import SETS_SIZE, list_moves
from plyout.games.chess.rules import MOVES, ROOM
from plyout.games.contract import State
from plyout.kernel import Ints, at, keep, kernel, borrowed, tail
from plyout.playout.mates import allows_mate

ATTACK, DEFEND = 1, 0
FORCED, NOT_FORCED, UNKNOWN = 1, 0, -1
FRAME = ROOM + SETS_SIZE


@kernel
def mates_within(b: Board, plies: int, attack: int, buffer: Ints, budget: Ints) -> int:
    """Whether the side to move forces mate within `plies` (attack), or cannot avoid being mated within them (defend):
    FORCED, NOT_FORCED, or UNKNOWN where the budget of positions, `budget[0]`, runs out.

    `buffer` has FRAME words for each ply, and as many for the leaf.
    """
    moves = tail(buffer, plies * FRAME)
    sets = tail(moves, MOVES)
    if plies == 1 and attack:
        return FORCED if allows_mate(b, sets, tail(moves, ROOM)) else NOT_FORCED
    budget[0] -= 1
    if budget[0] < 0:
        return UNKNOWN
    count = list_moves(b, moves, sets)
    if count == 0:
        return FORCED if not attack and in_check(b) else NOT_FORCED
    if plies == 0:
        return NOT_FORCED
    answer = NOT_FORCED if attack else FORCED
    for i in range(count):
        verdict = mates_within(make(b, at(moves, i)), plies - 1, 1 - attack, buffer, budget)
        if verdict == UNKNOWN:
            return UNKNOWN
        if attack and verdict == FORCED:
            return FORCED
        if not attack and verdict == NOT_FORCED:
            return NOT_FORCED
    return answer


@kernel
def _run(state: Ints, plies: int, attack: int, budget: Ints) -> int:
    buffer = np.empty((plies + 1) * FRAME, np.int64)
    verdict = mates_within(load(state), plies, attack, borrowed(buffer), borrowed(budget))
    keep(buffer)
    return verdict


ENDLESS = 1 << 60  # positions: as many as it takes


class Budget:
    """How many positions may still be searched."""

    def __init__(self, positions: int) -> None:
        self.left = np.array([positions], np.int64)


def forced(state: State, plies: int, attack: bool, budget: Budget) -> bool | None:
    """Whether the side to move can force mate within `plies`, or (not `attack`) cannot avoid being mated.

    None if the budget runs out. Repetition and the fifty-move rule are not considered.
    """
    verdict = int(_run(state, plies, ATTACK if attack else DEFEND, budget.left))
    return None if verdict == UNKNOWN else verdict == FORCED


def shortest_mate(state: State, plies: int, budget: Budget) -> int | None:
    """The least number of plies, up to `plies`, in which the side to move can force mate; 0 if it cannot, None if
    the budget runs out first.

    >>> from plyout.games import CHESS
    >>> shortest_mate(CHESS.parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), 3, Budget(1000))
    1
    """
    for distance in range(1, plies + 1, 2):
        answer = forced(state, distance, True, budget)
        if answer is None:
            return None
        if answer:
            return distance
    return 0
