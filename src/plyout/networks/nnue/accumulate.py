"""The first layer: sums of the weights of all features of a side's view (see `plyout.networks.view`)."""

import numpy as np

from plyout.games.chess.board import Board
from plyout.kernel import Ints, address_of, at, inlined, int16_at, int32_at, put
from plyout.networks.nnue.shape import BIASES, BUCKETS, MATERIAL, SUMS, WEIGHTS
from plyout.networks.view import ENTRIES, HEAD, MOST, changes, is_new, king_of

# An entry, of one side and one square of its king, in words of 64 bits: the head, sums, material.
_SUMS = HEAD
_MATERIAL = _SUMS + SUMS // 4
_ENTRY = -(-(_MATERIAL + BUCKETS // 2) // 8) * 8

_ADDED = ENTRIES * _ENTRY
_REMOVED = _ADDED + MOST
ACCUMULATORS = _REMOVED + MOST
"""Words of room that a thread needs: zeros at first."""


@inlined
def sums_address(room: Ints, entry: int) -> int:
    return address_of(room) + 8 * (entry + _SUMS)


@inlined
def material_address(room: Ints, entry: int) -> int:
    return address_of(room) + 8 * (entry + _MATERIAL)


@inlined
def _start(room: Ints, entry: int, network: int) -> None:
    """An empty board: the biases alone."""
    sums, biases = int16_at(sums_address(room, entry), SUMS), int16_at(network + BIASES, SUMS)
    material = int32_at(material_address(room, entry), BUCKETS)
    for j in range(SUMS):
        put(sums, j, at(biases, j))
    for j in range(BUCKETS):
        put(material, j, np.int32(0))


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
    king = king_of(b, colour)
    entry = (64 * colour + king) * _ENTRY
    if is_new(room, entry, network):
        _start(room, entry, network)
    added, removed = changes(b, colour, king, room, entry, _ADDED)
    _change(room, entry, network, added, removed)
    return entry
