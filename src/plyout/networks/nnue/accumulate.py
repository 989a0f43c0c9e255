"""The first layer: sums of the weights of all features, for each side's view of the board.

A feature is a piece on a square, where a side's own king stands. Adding up thirty rows of weights anew takes most of
the time of an evaluation, so a thread keeps the last sums for each side and each square of its king, with the pieces
they were made of, and changes them by the pieces that differ now. Integer sums wrap around and do not depend on the
order, so the result is the same whatever was evaluated before.
"""

import numpy as np

from plyout.games.chess.board import BLACK, WHITE, Board, K
from plyout.kernel import Ints, address_of, at, inlined, int16_at, int32_at, low, put
from plyout.networks.nnue.shape import BIASES, BUCKETS, MATERIAL, PIECE_SQUARES, SUMS, WEIGHTS

_KINDS = 2 * (K + 1)  # white pawns … kings, black pawns … kings

# An entry, of one side and one square of its king, in words of 64 bits: sums, material, pieces, and whose they are.
_SUMS = 0
_MATERIAL = _SUMS + SUMS // 4
_PIECES = _MATERIAL + BUCKETS // 2
_NETWORK = _PIECES + _KINDS
_ENTRY = -(-(_NETWORK + 1) // 8) * 8

_MOST_ROWS = 64  # pieces of a position; those of an entry are those of a position
_ADDED = 2 * 64 * _ENTRY
_REMOVED = _ADDED + _MOST_ROWS
ACCUMULATORS = _REMOVED + _MOST_ROWS
"""Words of room that a thread needs: zeros at first."""


@inlined
def entry_of(colour: int, king: int) -> int:
    """Where the sums of `colour` with its king on this square begin in the room, in words."""
    return (64 * colour + king) * _ENTRY


@inlined
def sums_address(room: Ints, entry: int) -> int:
    return address_of(room) + 8 * (entry + _SUMS)


@inlined
def material_address(room: Ints, entry: int) -> int:
    return address_of(room) + 8 * (entry + _MATERIAL)


@inlined
def _pieces(b: Board, kind: int) -> int:
    """All white pawns, knights … black kings, by a number from 0 to 11."""
    piece = kind if kind <= K else kind - K - 1
    men = (
        b.pawns if piece == 0 else b.knights if piece == 1 else b.bishops if piece == 2
        else b.rooks if piece == 3 else b.queens if piece == 4 else b.kings
    )  # fmt: skip
    return men & (b.white if kind <= K else b.black)


@inlined
def flip_of(colour: int, king: int) -> int:
    """What turns a square into the one that a side sees: Black from its own end, and the own king on files e to h."""
    return (56 if colour == BLACK else 0) ^ (7 if king & 7 < 4 else 0)


@inlined
def first_feature(colour: int, king: int) -> int:
    """The first feature of those with this king."""
    place = king ^ flip_of(colour, king)
    return (31 - 4 * (place >> 3) - (place & 3)) * PIECE_SQUARES  # arithmetic


@inlined
def _first_of_kind(colour: int, kind: int) -> int:
    """The first of the 64 features of a kind of pieces, as a side sees them: own and others' stand in turn."""
    piece, of = (kind, WHITE) if kind <= K else (kind - K - 1, BLACK)
    return 64 * (2 * piece + (1 if of != colour and piece != K else 0))


@inlined
def _list(places: int, first: int, flip: int, rows: Ints, begin: int, count: int) -> int:
    """Append the features of pieces on `places`; how many there are now."""
    while places:
        put(rows, begin + count, first + (low(places) ^ flip))
        places &= places - 1
        count += 1
    return count


@inlined
def _start(room: Ints, entry: int, network: int) -> None:
    """An empty board: the biases alone."""
    sums, biases = int16_at(sums_address(room, entry), SUMS), int16_at(network + BIASES, SUMS)
    material = int32_at(material_address(room, entry), BUCKETS)
    for j in range(SUMS):
        put(sums, j, at(biases, j))
    for j in range(BUCKETS):
        put(material, j, np.int32(0))
    for kind in range(_KINDS):
        put(room, entry + _PIECES + kind, 0)
    put(room, entry + _NETWORK, network)


@inlined
def _change(room: Ints, entry: int, network: int, added: int, removed: int) -> None:
    """Add the weights of the listed features, and take away those of the pieces that are gone."""
    sums, material = int16_at(sums_address(room, entry), SUMS), int32_at(material_address(room, entry), BUCKETS)
    weights, row = network + WEIGHTS, 2 * SUMS
    both = min(added, removed)
    for i in range(both):
        plus = int16_at(weights + row * at(room, _ADDED + i), SUMS)
        minus = int16_at(weights + row * at(room, _REMOVED + i), SUMS)
        for j in range(SUMS):
            put(sums, j, np.int16(at(sums, j) + at(plus, j) - at(minus, j)))
    for i in range(both, added):
        plus = int16_at(weights + row * at(room, _ADDED + i), SUMS)
        for j in range(SUMS):
            put(sums, j, np.int16(at(sums, j) + at(plus, j)))
    for i in range(both, removed):
        minus = int16_at(weights + row * at(room, _REMOVED + i), SUMS)
        for j in range(SUMS):
            put(sums, j, np.int16(at(sums, j) - at(minus, j)))
    for i in range(added):
        worth = int32_at(network + MATERIAL + 4 * BUCKETS * at(room, _ADDED + i), BUCKETS)
        for j in range(BUCKETS):
            put(material, j, np.int32(at(material, j) + at(worth, j)))
    for i in range(removed):
        worth = int32_at(network + MATERIAL + 4 * BUCKETS * at(room, _REMOVED + i), BUCKETS)
        for j in range(BUCKETS):
            put(material, j, np.int32(at(material, j) - at(worth, j)))


@inlined
def accumulate(b: Board, colour: int, network: int, room: Ints) -> int:
    """Bring the sums of a side up to date; the entry where they stand."""
    king = low(b.kings & (b.white if colour == WHITE else b.black))
    entry = entry_of(colour, king)
    if at(room, entry + _NETWORK) != network:
        _start(room, entry, network)
    flip, first = flip_of(colour, king), first_feature(colour, king)
    added = removed = 0
    for kind in range(_KINDS):
        before, now = at(room, entry + _PIECES + kind), _pieces(b, kind)
        if before != now:
            of_kind = first + _first_of_kind(colour, kind)
            added = _list(now & ~before, of_kind, flip, room, _ADDED, added)
            removed = _list(before & ~now, of_kind, flip, room, _REMOVED, removed)
            put(room, entry + _PIECES + kind, now)
    _change(room, entry, network, added, removed)
    return entry
