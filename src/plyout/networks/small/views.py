"""What both sides see from where their kings stand: sums for the two halves of the value network's wide layer.

The sums are kept from position to position (see `plyout.networks.view`), in room that each thread has for it.
"""

from plyout.games.chess.board import Board
from plyout.kernel import Ints, address_of, inlined, put
from plyout.kernel.vectors import change
from plyout.networks.view import ENTRIES, HEAD, MOST, changes, is_new, king_of

_ADDED, _REMOVED, _ENTRIES = 0, MOST, 2 * MOST  # where the lists of features begin, and the entries


def room_for(width: int) -> int:
    """Words of room that a thread needs for a layer so wide, zeros at first."""
    return _ENTRIES + ENTRIES * (HEAD + width // 8)


@inlined
def side_sums(b: Board, colour: int, net: int, table: int, width: int, room: Ints) -> int:
    """Bring the sums of a side up to date; where they stand."""
    king = king_of(b, colour)
    entry = _ENTRIES + (64 * colour + king) * (HEAD + width // 8)  # four sums a word, of half of the layer
    sums = entry + HEAD
    if is_new(room, entry, net):
        for i in range(width // 8):
            put(room, sums + i, 0)
    added, removed = changes(b, colour, king, room, entry, _ADDED)
    here = address_of(room)
    change(here + 8 * sums, table, here + 8 * _ADDED, added, here + 8 * _REMOVED, removed, width // 2)
    return here + 8 * sums
