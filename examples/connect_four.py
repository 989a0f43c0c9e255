"""A game of one's own: Connect Four as three kernels, played at machine speed.

Columns are 7 bits tall, six for stones and one kept empty, so that a line of four is four equal steps of bits.
Run it: ``python examples/connect_four.py``.
"""

import numpy as np

from plyout.games.contract import Game
from plyout.kernel import Ints, inlined, kernel, shr
from plyout.kernel.random import mix
from plyout.playout.random import random_games

TURN, KEY, FIRST, SECOND, SIZE = range(5)
STEPS = np.array([1, 7, 6, 8], np.int64)  # up, right, and the two diagonals


@inlined
def four(stones: int) -> bool:
    for step in STEPS:
        pairs = stones & shr(stones, step)
        if pairs & shr(pairs, 2 * step):
            return True
    return False


@kernel
def legal(state: Ints, moves: Ints) -> int:
    if four(state[FIRST + 1 - state[TURN]]):
        return 0
    count = 0
    for column in range(7):
        if not (state[FIRST] | state[SECOND]) & 1 << 7 * column + 5:
            moves[count] = column
            count += 1
    return count


@kernel
def play(state: Ints, column: int) -> None:
    stones = state[FIRST] | state[SECOND]
    state[FIRST + state[TURN]] |= (stones + (1 << 7 * column)) & ~stones  # the lowest free cell
    state[TURN] ^= 1
    state[KEY] = mix(state[FIRST]) ^ mix(~state[SECOND])


@kernel
def outcome(state: Ints, count: int) -> float:
    if four(state[FIRST + 1 - state[TURN]]):
        return 0.0
    return -1.0 if count else 0.5


CONNECT_FOUR = Game("connect four", SIZE, 7, legal, play, outcome, lambda: np.zeros(SIZE, np.int64))

if __name__ == "__main__":
    start = CONNECT_FOUR.start()
    print("perft 8:", f"{CONNECT_FOUR.perft(start, 8):,}")  # as published
    print("100,000 random games:", random_games(CONNECT_FOUR, start, 1, 0, 100_000))
