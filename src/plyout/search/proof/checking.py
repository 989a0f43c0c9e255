"""Mates by checks alone: a search so narrow that it sees farther than the graph, and proves what it sees.

A mate is told as one number, its plies | its first move << 8.
"""

from typing import Any

from plyout.games import CHESS, CRAZYHOUSE, Game
from plyout.games.chess.board import Board, in_check, load, make
from plyout.games.chess.moves import list_moves
from plyout.games.chess.rules import MOVES, ROOM
from plyout.games.crazyhouse import House, list_house, load_house, make_house
from plyout.kernel import Ints, at, kernel, tail
from plyout.playout.mates import mate_in_one
from plyout.search.proof.mate import FRAME

FARTHEST = 9  # plies, an odd number
LAST_SEARCH = 4096  # visits; so many positions take a few milliseconds, in which nobody can stop the search
BUFFER = 1 + (FARTHEST + 1) * FRAME
"""Words that a search needs."""


@kernel
def _mates(b: Board, plies: int, buffer: Ints, left: Ints) -> int:
    """The move with which the side to move mates within `plies`, an odd number, with nothing but checks; -1: none."""
    moves, replies = tail(buffer, plies * FRAME), tail(buffer, (plies - 1) * FRAME)
    left[0] -= 1
    if left[0] < 0:
        return -1
    move = mate_in_one(b, tail(moves, MOVES), tail(moves, ROOM))
    if move >= 0 or plies == 1:
        return move
    for i in range(list_moves(b, moves, tail(moves, MOVES))):
        after = make(b, at(moves, i))
        if in_check(after):
            forced = True
            for j in range(list_moves(after, replies, tail(replies, MOVES))):
                if _mates(make(after, at(replies, j)), plies - 2, buffer, left) < 0:
                    forced = False
                    break
            if forced:
                return at(moves, i)
    return -1


@kernel
def _house_mates(h: House, plies: int, buffer: Ints, left: Ints) -> int:
    """The same in crazyhouse."""
    moves, replies = tail(buffer, plies * FRAME), tail(buffer, (plies - 1) * FRAME)
    left[0] -= 1
    if left[0] < 0:
        return -1
    for i in range(list_house(h, moves, tail(moves, MOVES))):
        after = make_house(h, at(moves, i))
        if in_check(after.board):
            count = list_house(after, replies, tail(replies, MOVES))
            forced = count == 0 or plies > 1
            for j in range(count if forced else 0):
                if _house_mates(make_house(after, at(replies, j)), plies - 2, buffer, left) < 0:
                    forced = False
                    break
            if forced:
                return at(moves, i)
    return -1


@kernel
def chess_mate(state: Ints, plies: int, positions: int, buffer: Ints) -> int:
    """The shortest mate by checks alone, in `plies` at most; 0 if there is none, or `positions` run out before."""
    b = load(state)
    buffer[0] = positions
    for distance in range(1, min(plies, 99 - b.clock) + 1, 2):  # before the fifty-move rule ends the game
        move = _mates(b, distance, tail(buffer, 1), buffer)
        if move >= 0:
            return distance | move << 8
        if buffer[0] < 0:
            break
    return 0


@kernel
def crazyhouse_mate(state: Ints, plies: int, positions: int, buffer: Ints) -> int:
    """The same in crazyhouse."""
    h = load_house(state)
    buffer[0] = positions
    for distance in range(1, plies + 1, 2):
        move = _house_mates(h, distance, tail(buffer, 1), buffer)
        if move >= 0:
            return distance | move << 8
        if buffer[0] < 0:
            break
    return 0


@kernel
def no_mate(state: Ints, plies: int, positions: int, buffer: Ints) -> int:
    """A game without checks."""
    return 0


def mate_of(game: Game) -> Any:
    """The search for mates by checks in a game."""
    return chess_mate if game is CHESS else crazyhouse_mate if game is CRAZYHOUSE else no_mate
