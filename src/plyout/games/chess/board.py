"""The chess position as a tuple of bitboards, and the move that changes it.

At the border a position is a state vector (see `plyout.games.contract`); inside a
kernel it is loaded once into a `Board`, which lives in registers.
"""

from typing import NamedTuple

from plyout.games.chess.attacks import KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.move import (
    CASTLE, DOUBLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square,
)  # fmt: skip
from plyout.kernel import Ints, at, inlined, low, put, shr, signed

WHITE, BLACK = 0, 1
P, N, B, R, Q, K = range(6)

RANK_1, RANK_8 = signed(0xFF), signed(0xFF << 56)
ENDS = RANK_1 | RANK_8
FILE_A, FILE_H = signed(0x0101010101010101), signed(0x8080808080808080)
DARK = signed(0xAA55AA55AA55AA55)

# The words of a state. The first two are the contract's, the next ten and CLOCK are the fields of `Board`;
# NUMBER is the move number, PAST how many earlier positions may still repeat, POCKETS and PROMOTED are
# crazyhouse's and 0 in chess. From HISTORY on stand the keys of earlier positions, a ring by ply.
(
    TURN, KEY, PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS, WHITES, BLACKS, RIGHTS, EP, CLOCK,
    NUMBER, PAST, POCKETS, PROMOTED, HISTORY,
) = range(18)  # fmt: skip
POCKET_BITS = 5  # for each count in the pockets: piece p of colour c stands at bit 5 * (5 * c + p)
MEMORY = 128  # a power of two, and more plies than the fifty-move rule allows
SIZE = HISTORY + MEMORY


class Board(NamedTuple):
    """A position without its history."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    white: int  # all white pieces
    black: int  # all black pieces
    rights: int  # the rooks that may still castle
    ep: int  # the square behind a pawn that has just gone two steps and could be taken, or 0
    turn: int  # 0 white, 1 black
    clock: int  # plies since the last capture or pawn move


@inlined
def load(state: Ints) -> Board:
    return Board(
        state[PAWNS], state[KNIGHTS], state[BISHOPS], state[ROOKS], state[QUEENS], state[KINGS],
        state[WHITES], state[BLACKS], state[RIGHTS], state[EP], state[TURN], state[CLOCK],
    )  # fmt: skip


@inlined
def store(state: Ints, b: Board) -> None:
    put(state, PAWNS, b.pawns)
    put(state, KNIGHTS, b.knights)
    put(state, BISHOPS, b.bishops)
    put(state, ROOKS, b.rooks)
    put(state, QUEENS, b.queens)
    put(state, KINGS, b.kings)
    put(state, WHITES, b.white)
    put(state, BLACKS, b.black)
    put(state, RIGHTS, b.rights)
    put(state, EP, b.ep)
    put(state, TURN, b.turn)
    put(state, CLOCK, b.clock)


@inlined
def sides(b: Board) -> tuple[int, int]:
    """(the pieces of the side to move, the pieces of the other side)"""
    return (b.white, b.black) if b.turn == WHITE else (b.black, b.white)


@inlined
def attackers(b: Board, square: int, enemies: int, occupied: int) -> int:
    """The pieces among `enemies` of the side to move that attack `square`."""
    return (
        at(KNIGHT, square) & b.knights
        | at(KING, square) & b.kings
        | at(PAWN, b.turn * 64 + square) & b.pawns
        | bishop_attacks(square, occupied) & (b.bishops | b.queens)
        | rook_attacks(square, occupied) & (b.rooks | b.queens)
    ) & enemies


@inlined
def in_check(b: Board) -> bool:
    own, enemies = sides(b)
    return attackers(b, low(b.kings & own), enemies, own | enemies) != 0


@inlined
def castled(king: int, rook: int) -> tuple[int, int]:
    """Where king and rook stand after castling: files g and f, or c and d."""
    rank = king & 56
    return (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)


@inlined
def make(b: Board, move: int) -> Board:
    """The position after `move`, which must be legal."""
    start, to = from_square(move), to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    own, enemies = sides(b)
    target = 1 << to
    keep = ~(1 << start | target)
    clock = 0 if piece == P or enemies & target else b.clock + 1
    ep = 0
    rights = b.rights & keep
    arrived = target
    rook = 0
    if move & EN_PASSANT:
        keep &= ~(shr(target, 8) if b.turn == WHITE else target << 8)
    elif move & DOUBLE:
        # Kept only if a pawn stands ready to take, as in Polyglot's keys.
        middle = shr(start + to, 1)
        if at(PAWN, b.turn * 64 + middle) & b.pawns & enemies:
            ep = 1 << middle
    elif piece == K:
        rights &= ~(RANK_1 if b.turn == WHITE else RANK_8)
        if move & CASTLE:
            king_to, rook_to = castled(start, to)
            arrived, rook = 1 << king_to, 1 << rook_to
    land = promotion if promotion else piece
    own = own & keep | arrived | rook
    enemies &= keep
    return Board(
        b.pawns & keep | (arrived if land == P else 0),
        b.knights & keep | (arrived if land == N else 0),
        b.bishops & keep | (arrived if land == B else 0),
        b.rooks & keep | (arrived if land == R else rook),
        b.queens & keep | (arrived if land == Q else 0),
        b.kings & keep | (arrived if land == K else 0),
        own if b.turn == WHITE else enemies,
        enemies if b.turn == WHITE else own,
        rights,
        ep,
        1 - b.turn,
        clock,
    )
