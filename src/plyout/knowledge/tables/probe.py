"""Probing the tables, from inside a playout or anywhere else.

A *code* is what a table says about a position: 0 it is drawn, else 1 + the plies to mate with best play. An even
number of plies is a loss for the side to move (mated already: code 1), an odd one is a win.

Kernels get the tables as a *directory*, a vector of int64: the most pieces of a position that is probed, a count of
the hits, the most pieces of the user's own tables and the address of the callback that probes those, and for each slot
the address in memory where its table begins, or 0.
"""

from typing import Any

import numpy as np

from plyout.games.chess.board import WHITE, Board, P, load, make
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import EN_PASSANT
from plyout.games.chess.moves import SETS_SIZE, count_moves, en_passant_takers
from plyout.kernel import Ints, address_of, at, byte_at, call_at, inlined, kernel, low, popcount, put, shr
from plyout.knowledge.tables.endings import DUELS, PAIRS, SINGLES, SLOTS
from plyout.knowledge.tables.index import placement_of

PIECES, HITS, OTHERS_PIECES, OTHERS, TABLES = range(5)  # the words of a directory
DIRECTORY = TABLES + SLOTS

UNKNOWN, DRAW, MATED = -1, 0, 1
IMPOSSIBLE = 255  # in a table: no legal position
FAR = 1 << 16  # codes from here on: won or lost for certain, the distance to mate unknown


def no_tables() -> Any:
    """A directory without tables."""
    return np.zeros(DIRECTORY, np.int64)


@inlined
def is_win(code: int) -> bool:
    return code > 0 and code & 1 == 0


@inlined
def is_loss(code: int) -> bool:
    return code & 1 == 1 and code > 0


@inlined
def rank(code: int) -> int:
    """Greater is better for the side to move: a short win, a long win, a draw, a long loss, a short loss."""
    if code <= 0:
        return 0
    return code - 1000 if code & 1 else 1000 - code


@inlined
def for_mover(code: int) -> int:
    """What a move is worth that leads to a position with this code: one ply more."""
    return code + 1 if code > 0 else code


@inlined
def locate(b: Board) -> tuple[int, int]:
    """(slot, entry) of a position of three or four pieces."""
    pieces = (b.white | b.black) & ~b.kings
    a = low(pieces)
    first, white_is_strong = piece_at(b, a), b.white & pieces & -pieces != 0
    second, other, second_is_black = -1, 0, 0
    pieces &= pieces - 1
    if pieces:
        other = low(pieces)
        second = piece_at(b, other)
        second_is_black = 1 if (b.white & pieces != 0) != white_is_strong else 0
        if second > first:
            first, second, a, other = second, first, other, a
            if second_is_black:
                white_is_strong = not white_is_strong
        if second_is_black and first == second and white_is_strong != (b.turn == WHITE):
            a, other = other, a
            white_is_strong = not white_is_strong  # an even ending is stored with White to move
    king, enemy = low(b.kings & b.white), low(b.kings & b.black)
    turn = b.turn
    if not white_is_strong:
        king, enemy, a, other, turn = enemy ^ 56, king ^ 56, a ^ 56, other ^ 56, 1 - turn
    placement = placement_of(first, second, second_is_black, king, enemy, a, other)
    if second < 0:
        return SINGLES + first, 2 * placement + turn
    slot = shr(first * (first + 1), 1) + second + (DUELS if second_is_black else PAIRS)
    return slot, placement if second_is_black and first == second else 2 * placement + turn


@inlined
def without_en_passant(b: Board, directory: Ints) -> int:
    """The code of a position as if nobody could take en passant."""
    if b.white | b.black == b.kings:
        return DRAW
    slot, entry = locate(b)
    address = at(directory, TABLES + slot)
    return byte_at(address + entry) if address else UNKNOWN


@kernel
def with_en_passant(b: Board, code: int, directory: Ints) -> int:
    """The code of a position where taking en passant is legal; without that it would be `code`."""
    best, captures = MATED, 0
    takers = en_passant_takers(b)
    while takers:
        after = make(b, low(takers) | low(b.ep) << 6 | P << 12 | EN_PASSANT)
        answer = without_en_passant(after, directory)
        if answer == UNKNOWN:
            return UNKNOWN
        if captures == 0 or rank(for_mover(answer)) > rank(best):
            best = for_mover(answer)
        captures += 1
        takers &= takers - 1
    if captures == 0 or code == UNKNOWN:
        return code
    if code == DRAW and is_loss(best) and count_moves(b, np.empty(SETS_SIZE, np.int64)) == captures:
        return best  # stalemate but for the capture, which must be played
    return best if rank(best) > rank(code) else code


@kernel
def probe(b: Board, directory: Ints) -> int:
    """What our own tables say about a position: its code, or UNKNOWN."""
    if b.rights or popcount(b.white | b.black) > directory[PIECES]:
        return UNKNOWN
    code = without_en_passant(b, directory)
    if b.ep:
        code = with_en_passant(b, code, directory)
    return code


@kernel
def probe_state(state: Ints, directory: Ints) -> int:
    """`probe`, for a state."""
    return probe(load(state), directory)


@inlined
def in_time(code: int, clock: int) -> bool:
    """Whether a mate comes before the fifty-move rule does; a draw is one in any case."""
    return clock + code - 1 <= 100


@kernel
def consult(state: Ints, directory: Ints) -> int:
    """What is known about a position of the game: a code, above FAR if the user's own tables gave it, or UNKNOWN.

    A mate that the fifty-move rule forestalls does not count: the position is then UNKNOWN.
    """
    b = load(state)
    code = probe(b, directory)
    if code != UNKNOWN and in_time(code, b.clock):
        put(directory, HITS, directory[HITS] + 1)
        return code
    if directory[OTHERS] and popcount(b.white | b.black) <= directory[OTHERS_PIECES] and not b.rights:
        code = call_at(directory[OTHERS], address_of(state))
        if code != UNKNOWN:
            put(directory, HITS, directory[HITS] + 1)
        return code
    return UNKNOWN


@kernel
def nothing(state: Ints, directory: Ints) -> int:
    """`consult`, for games without tables."""
    return UNKNOWN


@kernel
def playout_score(b: Board, directory: Ints) -> float:
    """White's score of a position just after a capture or pawn move in a playout; -1.0 if it is unknown."""
    code = probe(b, directory)
    if code == UNKNOWN:
        return -1.0
    put(directory, HITS, directory[HITS] + 1)
    if code == DRAW:
        return 0.5
    return 1.0 if is_win(code) == (b.turn == WHITE) else 0.0
