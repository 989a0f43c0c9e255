"""Chess behind the game contract: legal, play, outcome; and perft."""

import numpy as np

from plyout.games.chess.board import (
    BLACKS, CLOCK, DARK, HISTORY, KEY, KINGS, MEMORY, NUMBER, PAST, PAWNS, TURN, WHITES, Board, in_check, load, make,
    store,
)  # fmt: skip
from plyout.games.chess.keys import key_change, repetition_key
from plyout.games.chess.moves import SETS_SIZE, count_moves, list_moves
from plyout.kernel import Ints, at, inlined, kernel, popcount, put, tail

MOVES = 1024  # no position has as many moves, in crazyhouse neither
ROOM = MOVES + SETS_SIZE  # a buffer for moves, and behind them the sets they are found as


@kernel
def legal(state: Ints, moves: Ints) -> int:
    return list_moves(load(state), moves, tail(moves, MOVES))


@inlined
def remember(state: Ints, before: Board, clock: int) -> None:
    """Put the position that a move leaves behind into the history; nothing before a capture or pawn move returns."""
    ply = 2 * state[NUMBER] + before.turn
    put(state, HISTORY + (ply & MEMORY - 1), repetition_key(before, state[KEY]))
    put(state, PAST, min(state[PAST] + 1, MEMORY - 1) if clock else 0)
    put(state, NUMBER, state[NUMBER] + before.turn)


@kernel
def play(state: Ints, move: int) -> None:
    before = load(state)
    after = make(before, move)
    remember(state, before, after.clock)
    put(state, KEY, state[KEY] ^ key_change(before, move, after))
    store(state, after)


@inlined
def occurrences(state: Ints, b: Board) -> int:
    """How often the present position has been on the board, this time included."""
    key = repetition_key(b, state[KEY])
    ply = 2 * state[NUMBER] + state[TURN]
    times = 1
    for back in range(4, state[PAST] + 1, 2):
        if at(state, HISTORY + (ply - back & MEMORY - 1)) == key:
            times += 1
    return times


@kernel
def repeats(state: Ints, plies: int) -> int:
    """1 if the position was on the board within the last so many plies, or twice before; else 0.

    Who could repeat once can do so again: a search that counts from its root takes the first return for a draw.
    """
    past = state[PAST]
    if past < 4:
        return 0
    key = repetition_key(load(state), state[KEY])
    ply = 2 * state[NUMBER] + state[TURN]
    times = 0
    for back in range(4, past + 1, 2):
        if at(state, HISTORY + (ply - back & MEMORY - 1)) == key:
            if back <= plies or times:
                return 1
            times += 1
    return 0


@inlined
def insufficient(b: Board) -> bool:
    """Nobody can ever mate: bare kings, a single minor piece, or bishops of one square colour only."""
    if b.pawns | b.rooks | b.queens:
        return False
    if b.knights:
        return popcount(b.white | b.black) <= 3
    return not b.bishops & DARK or not b.bishops & ~DARK


@kernel
def outcome(state: Ints, count: int) -> float:
    b = load(state)
    if count == 0:
        return 0.0 if in_check(b) else 0.5
    if state[CLOCK] >= 100 or insufficient(b) or occurrences(state, b) >= 3:
        return 0.5
    return -1.0


@kernel
def check(state: Ints) -> int:
    return 1 if in_check(load(state)) else 0


@kernel
def ply(state: Ints) -> int:
    """How many plies were played before this one, if the move number is right."""
    return int(2 * max(state[NUMBER] - 1, 0) + state[TURN])


@kernel
def pieces(state: Ints, counts: Ints) -> int:
    """Pawn to king, White's and then Black's."""
    for piece in range(PAWNS, KINGS + 1):
        put(counts, piece - PAWNS, popcount(state[piece] & state[WHITES]))
        put(counts, piece - PAWNS + 6, popcount(state[piece] & state[BLACKS]))
    return 12


@kernel
def _perft(b: Board, depth: int, buffer: Ints) -> int:
    """Leaves are counted, not made: only the sets of their moves are found."""
    moves = tail(buffer, depth * ROOM)
    sets = tail(moves, MOVES)
    if depth == 1:
        return count_moves(b, sets)
    total = 0
    for i in range(list_moves(b, moves, sets)):
        total += _perft(make(b, at(moves, i)), depth - 1, buffer)
    return total


@kernel
def perft(state: Ints, depth: int) -> int:
    if depth == 0:
        return 1
    return _perft(load(state), depth, np.empty((depth + 1) * ROOM, np.int64))
