"""The transposition table: what was found out about positions that may be reached again by another order of moves.

An entry is two words of one flat array, which all threads share without locks:

    word 0    key of the position, XOR word 1
    word 1    move (24 bits) | value + 2^16 (17 bits) << 24 | depth (8 bits) << 41 | bound (2 bits) << 49

Where two threads have written at once, the words do not belong together, their XOR is not the key, and there is no
entry (Hyatt and Mann 2002).
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.quiescence import MATE_SCORE
from plyout.kernel import Ints, at, inlined, put, shr

EXACT, LOWER, UPPER = 1, 2, 3
"""Kinds of bound: the value itself; the position is worth at least this (the search failed high), or at most."""

MATE_LIKE = MATE_SCORE - 1000
"""Values beyond this are mates, and their distance counts."""

_ZERO = 1 << 16
_VALUE = (1 << 17) - 1
_MOVE = (1 << 24) - 1


class Entry(NamedTuple):
    """What the table knows about a position."""

    move: int  # the best one, or the one that refuted; 0: none
    value: int  # centipawns for the side to move
    depth: int  # plies that were searched
    bound: int  # kind of bound that the value is; 0: there is no entry


@inlined
def no_entry() -> Entry:
    zero = np.int64(0)
    return Entry(zero, zero, zero, zero)


@inlined
def _slot(table: Ints, key: int) -> int:
    return 2 * (shr(key, 1) % shr(table.size, 1))


@inlined
def store(table: Ints, key: int, ply: int, entry: Entry) -> None:
    """Write an entry, unless a deeper one of this position is there.

    The search counts mates from the root; the table, which is read at other distances, from the position.
    """
    slot = _slot(table, key)
    if at(table, slot) ^ at(table, slot + 1) == key and shr(at(table, slot + 1), 41) & 255 > entry.depth:
        return
    value = entry.value
    if value > MATE_LIKE:
        value += ply
    elif value < -MATE_LIKE:
        value -= ply
    data = entry.move | value + _ZERO << 24 | entry.depth << 41 | entry.bound << 49
    put(table, slot, key ^ data)
    put(table, slot + 1, data)


@inlined
def probe(table: Ints, key: int, ply: int) -> Entry:
    """The entry of a position at `ply`; its bound is 0 where there is none."""
    slot = _slot(table, key)
    data = at(table, slot + 1)
    if at(table, slot) ^ data != key:
        return no_entry()
    value = (shr(data, 24) & _VALUE) - _ZERO
    if value > MATE_LIKE:
        value -= ply
    elif value < -MATE_LIKE:
        value += ply
    return Entry(data & _MOVE, value, shr(data, 41) & 255, shr(data, 49) & 3)


@inlined
def decides(entry: Entry, alpha: int, beta: int, depth: int) -> bool:
    """Whether an entry answers a search of `depth` plies with this window: its value may be returned as it is."""
    if entry.depth < depth:
        return False
    return (
        entry.bound == EXACT
        or (entry.bound == LOWER and entry.value >= beta)
        or (entry.bound == UPPER and entry.value <= alpha)
    )


@inlined
def bound_of(value: int, alpha: int, beta: int) -> int:
    """What a fail-soft search with this window has found out: see `plyout.search.alphabeta.search.negamax`."""
    return LOWER if value >= beta else EXACT if value > alpha else UPPER
