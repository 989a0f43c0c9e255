"""A side's view of a board: a feature is a piece on a square, where the side's own king stands, as in Stockfish's
network (`plyout.networks.nnue.shape`).

The first layer of a network adds up rows of weights, one for each feature. Adding up thirty rows anew takes most of the
time of an evaluation, so a thread keeps the last sums for each side and each square of its king, with the pieces they
were made of, and changes them by the pieces that differ now. Integer sums wrap around and do not depend on the order,
so the result is the same whatever was evaluated before.

Such an *entry* begins with HEAD words; the sums stand behind them, as the network has them.
"""

from plyout.games.chess.board import BLACK, WHITE, Board, K
from plyout.kernel import Ints, at, inlined, low, put
from plyout.networks.nnue.shape import PIECE_SQUARES

_KINDS = 2 * (K + 1)  # white pawns … kings, black pawns … kings
_NETWORK = _KINDS  # words of the head: pieces by kind, and whose sums follow
HEAD = 16

ENTRIES = 2 * 64
MOST = 64
"""pieces that may differ"""


@inlined
def king_of(b: Board, colour: int) -> int:
    return low(b.kings & (b.white if colour == WHITE else b.black))


@inlined
def is_new(room: Ints, entry: int, network: int) -> bool:
    """Whether an entry is not this network's; then it is from now on, and an empty board."""
    if at(room, entry + _NETWORK) == network:
        return False
    for kind in range(_KINDS):
        put(room, entry + kind, 0)
    put(room, entry + _NETWORK, network)
    return True


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
def _flip(colour: int, king: int) -> int:
    """What turns a square into the one that a side sees: Black from its own end, and the own king on files e to h."""
    return (56 if colour == BLACK else 0) ^ (7 if king & 7 < 4 else 0)


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
def changes(b: Board, colour: int, king: int, room: Ints, entry: int, lists: int) -> tuple[int, int]:
    """Write the features that are on now and were not when the entry was made, MOST words behind them those that were
    and are not; how many these are. From now on the entry is that of this board."""
    flip = _flip(colour, king)
    place = king ^ flip
    first = (31 - 4 * (place >> 3) - (place & 3)) * PIECE_SQUARES  # arithmetic
    added = removed = 0
    for kind in range(_KINDS):
        before, now = at(room, entry + kind), _pieces(b, kind)
        if before != now:
            of_kind = first + _first_of_kind(colour, kind)
            added = _list(now & ~before, of_kind, flip, room, lists, added)
            removed = _list(before & ~now, of_kind, flip, room, lists + MOST, removed)
            put(room, entry + kind, now)
    return added, removed
