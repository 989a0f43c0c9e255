"""What one side attacks, as bitboards: computed once a position, so that a question about a square costs one `&`."""

from typing import NamedTuple

from plyout.games.chess.attacks import KING, KNIGHT, bishop_attacks, rook_attacks
from plyout.games.chess.board import FILE_A, FILE_H, WHITE, Board
from plyout.kernel import at, inlined, low, rotl


class Attacks(NamedTuple):
    """The squares that one side attacks, its own pieces included: those it defends."""

    once: int
    twice: int  # by two pieces or more
    by_pawn: int
    by_minor: int  # or by a pawn
    by_rook: int  # or by anything less
    diagonal: int  # by a bishop or queen, along a diagonal
    straight: int


@inlined
def attacks_of_side(b: Board, side: int, turn: int, occupied: int) -> Attacks:
    """The attacks of the pieces `side`, whose colour is `turn`."""
    pawns = b.pawns & side
    up = 8 if turn == WHITE else 56
    west, east = rotl(pawns & ~FILE_A, up - 1), rotl(pawns & ~FILE_H, up + 1)
    by_pawn = west | east
    once, twice = by_pawn, west & east
    left = b.knights & side
    while left:
        targets = at(KNIGHT, low(left))
        twice |= once & targets
        once |= targets
        left &= left - 1
    diagonal = 0
    straight = 0
    left = b.bishops & side
    while left:
        targets = bishop_attacks(low(left), occupied)
        diagonal |= targets
        twice |= once & targets
        once |= targets
        left &= left - 1
    by_minor = once
    left = b.rooks & side
    while left:
        targets = rook_attacks(low(left), occupied)
        straight |= targets
        twice |= once & targets
        once |= targets
        left &= left - 1
    by_rook = once
    left = b.queens & side
    while left:
        across, along = bishop_attacks(low(left), occupied), rook_attacks(low(left), occupied)
        diagonal |= across
        straight |= along
        targets = across | along
        twice |= once & targets
        once |= targets
        left &= left - 1
    targets = at(KING, low(b.kings & side))
    return Attacks(once | targets, twice | once & targets, by_pawn, by_minor, by_rook, diagonal, straight)
