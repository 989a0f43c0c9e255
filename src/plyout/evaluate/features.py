"""The terms of Xu's AlphaOne beside the tapered evaluation: mobility, king attack, pawn shield, pawn structure.

Each kernel gives one side's count; a feature is the difference between the sides. Pawn shields are counted in halves
so that all are whole numbers.
"""

from plyout.games.chess.attacks import KING, KNIGHT, bishop_attacks, rook_attacks
from plyout.games.chess.board import FILE_A, FILE_H, WHITE, Board
from plyout.games.chess.moves import count_moves
from plyout.kernel import Ints, at, inlined, low, popcount, rotl, shr

FEATURES = ("mobility", "king_attack", "pawn_shield", "passed", "doubled", "islands")
"""In the order of `features`; behind the tapered evaluation they make the vector that weights belong to."""
HALVES = ("pawn_shield",)
"""The features that are counted in halves."""

_RANK = 255


@inlined
def pieces_of(b: Board, colour: int) -> int:
    return b.white if colour == WHITE else b.black


@inlined
def mobility(b: Board, colour: int, sets: Ints) -> int:
    """The number of legal moves, or of those that there would be were it this side's turn."""
    ep = b.ep if colour == b.turn else 0
    return count_moves(
        Board(
            b.pawns, b.knights, b.bishops, b.rooks, b.queens, b.kings, b.white, b.black, b.rights, ep, colour, b.clock
        ),
        sets,
    )  # fmt: skip


@inlined
def _row(king: int, ranks: int, colour: int) -> int:
    """The three squares so many ranks in front of the king; fewer at the edge."""
    bit = 1 << king
    row = bit | shr(bit & ~FILE_A, 1) | (bit & ~FILE_H) << 1
    return row << 8 * ranks if colour == WHITE else shr(row, 8 * ranks)


@inlined
def king_zone(b: Board, colour: int) -> int:
    """The squares next to the king of this side, and the three squares two ranks in front of it."""
    king = low(b.kings & pieces_of(b, colour))
    return at(KING, king) | _row(king, 2, colour)


@inlined
def king_attack(b: Board, colour: int) -> int:
    """Two for each knight or bishop that attacks the other king's zone, three for a rook, five for a queen."""
    own, occupied, zone = pieces_of(b, colour), b.white | b.black, king_zone(b, 1 - colour)
    points = 0
    pieces = own & (b.knights | b.bishops | b.rooks | b.queens)
    while pieces:
        square, bit = low(pieces), pieces & -pieces
        pieces ^= bit
        if bit & b.knights:
            points += 2 if at(KNIGHT, square) & zone else 0
        elif bit & b.bishops:
            points += 2 if bishop_attacks(square, occupied) & zone else 0
        elif bit & b.rooks:
            points += 3 if rook_attacks(square, occupied) & zone else 0
        elif (bishop_attacks(square, occupied) | rook_attacks(square, occupied)) & zone:
            points += 5
    return points


@inlined
def pawn_shield(b: Board, colour: int) -> int:
    """In halves: two for each own pawn directly in front of the king, to the left or right too, one a rank further."""
    own = pieces_of(b, colour)
    king, pawns = low(b.kings & own), b.pawns & own
    return 2 * popcount(_row(king, 1, colour) & pawns) + popcount(_row(king, 2, colour) & pawns)


@inlined
def _below(pawns: int) -> int:
    """All squares on lower ranks than one of the `pawns`, on its own or an adjacent file."""
    pawns |= shr(pawns & ~FILE_A, 1) | (pawns & ~FILE_H) << 1
    pawns = shr(pawns, 8)
    pawns |= shr(pawns, 8)
    pawns |= shr(pawns, 16)
    return pawns | shr(pawns, 32)


@inlined
def _above(pawns: int) -> int:
    """The same on higher ranks."""
    pawns |= shr(pawns & ~FILE_A, 1) | (pawns & ~FILE_H) << 1
    pawns <<= 8
    pawns |= pawns << 8
    pawns |= pawns << 16
    return pawns | pawns << 32


@inlined
def passed(b: Board, colour: int) -> int:
    """Pawns with no enemy pawn ahead of them, on their own or an adjacent file."""
    own = b.pawns & pieces_of(b, colour)
    other = b.pawns & pieces_of(b, 1 - colour)
    return popcount(own & ~(_below(other) if colour == WHITE else _above(other)))


@inlined
def doubled(b: Board, colour: int) -> int:
    """Pairs of pawns on one file."""
    pawns = b.pawns & pieces_of(b, colour)
    pairs = 0
    for file in range(8):
        count = popcount(shr(pawns, file) & FILE_A)
        pairs += shr(count * (count - 1), 1)
    return pairs


@inlined
def islands(b: Board, colour: int) -> int:
    """Groups of pawns on neighbouring files."""
    files = b.pawns & pieces_of(b, colour)
    files |= rotl(files, 32)
    files |= rotl(files, 16)
    files = (files | rotl(files, 8)) & _RANK
    return popcount(files & ~(files << 1))


@inlined
def features(b: Board, sets: Ints) -> tuple[int, int, int, int, int, int]:
    """All of them, for the side to move: what it has more than the other."""
    me, you = b.turn, 1 - b.turn
    return (
        mobility(b, me, sets) - mobility(b, you, sets),
        king_attack(b, me) - king_attack(b, you),
        pawn_shield(b, me) - pawn_shield(b, you),
        passed(b, me) - passed(b, you),
        doubled(b, me) - doubled(b, you),
        islands(b, me) - islands(b, you),
    )
