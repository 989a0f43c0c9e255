"""What playouts know of traps: moves on the list end them (Topolewski 2019); and, of ours, a mate must be forced.

The list is an array: the player it belongs to, the chance that a listed move loses, in 2^20ths, and the moves.
"""

import math

import numpy as np

from plyout.games.chess.board import Board, load, make, store
from plyout.games.chess.moves import list_moves
from plyout.kernel import Ints, inlined, kernel, tail
from plyout.kernel.random import below
from plyout.playout.mates import allows_mate
from plyout.playout.scratch import A_BOARD, Scratch

CHANCES = 1 << 20  # the grain of a probability
_PLAYER, _CHANCE, _MOVES = range(3)


def trap_list(player: int, similarity: float, moves: tuple[int, ...]) -> Ints:
    """The moves that are traps for `player`, as playouts read them; empty where there are none."""
    return np.array([player, math.ceil(similarity * CHANCES), *moves] if moves else [], np.int64)


@inlined
def is_trapped(traps: Ints, player: int, move: int, rng: int) -> tuple[bool, int]:
    """(whether `move` of `player` ends the playout as lost, rng): by chance, if it is on the list."""
    if traps[_PLAYER] == player:
        for i in range(_MOVES, traps.size):
            if traps[i] == move:
                r, rng = below(rng, CHANCES)
                return r < traps[_CHANCE], rng
    return False, rng


@inlined
def remember(boards: Ints, b: Board) -> None:
    """Keep the last two positions of a playout: `b`, and the one before it."""
    for word in range(A_BOARD):
        boards[word + A_BOARD] = boards[word]
    store(boards, b)


@kernel
def escape(scratch: Scratch, back: int, plies: int, rng: int) -> tuple[bool, Board, int, int]:
    """(whether the side that is mated had a way out `back` plies ago, the position that leads to, plies, rng)

    Every move it had is searched two plies deep: does it allow a mate in one? One that does not is drawn by chance,
    and takes the place of the one played.
    """
    b = load(tail(scratch.boards, A_BOARD * (back - 1)))
    moves = scratch.moves
    count = list_moves(b, moves, scratch.sets) if plies >= back else 0
    while count > 0:
        r, rng = below(rng, count)
        move = moves[r]
        count -= 1
        moves[r] = moves[count]
        after = make(b, move)
        if not allows_mate(after, scratch.sets, scratch.more_sets):
            store(scratch.boards, b)
            plies -= back
            if plies < scratch.trace.size - 1:
                scratch.trace[1 + plies] = move
            return True, after, plies + 1, rng
    return False, b, plies, rng
