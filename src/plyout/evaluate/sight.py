"""What a position shows at a glance: who strikes what, what hangs, where a check could come from.

All of it is bitboards that are computed once a position, so that a question about a move is one `&`.
"""

from typing import NamedTuple

from plyout.games.chess.attacks import BETWEEN, KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import FILE_A, FILE_H, WHITE, B, Board, N, P, Q, R, attackers, sides
from plyout.kernel import at, inlined, low, popcount, rotl, shr

NOTHING = 6  # where a piece is asked for and there is none


class Strikes(NamedTuple):
    """The squares that one side strikes, own men included: it guards those."""

    once: int
    twice: int  # by two men or more
    by_pawn: int
    by_minor: int  # or by a pawn
    by_rook: int  # or by anything less


class Sight(NamedTuple):
    """A position as its mover sees it."""

    own: int
    enemies: int
    flip: int  # turns a square to White's point of view
    king: int  # the square of the enemy king
    struck: Strikes  # by the enemy
    guarded: Strikes  # by the mover
    pawn_checks: int  # where a pawn of the mover would give check, and so on
    knight_checks: int
    diagonal_checks: int
    straight_checks: int
    uncoverers: int  # the mover's men that give a discovered check by leaving their line
    checked: int  # 1 if the mover is in check
    hanging: int  # the mover's men that can be won at once
    worst: int  # the most valuable kind among them, or NOTHING
    relief: int  # squares where the attack on one of the worst could be ended: its attacker's and those between
    needy: int  # the mover's men that are struck and have one guard only
    loose: int  # enemies that nobody guards
    passed: int  # squares that no enemy pawn can stop or take a pawn on
    span: int  # squares that enemy pawns strike, or will if they walk on
    own_files: int  # files with a pawn of the mover
    enemy_files: int


@inlined
def pawn_strikes(pawns: int, turn: int) -> int:
    up = 8 if turn == WHITE else 56
    return rotl(pawns & ~FILE_A, up - 1) | rotl(pawns & ~FILE_H, up + 1)


@inlined
def strikes(b: Board, men: int, turn: int, occupied: int) -> Strikes:
    pawns = b.pawns & men
    up = 8 if turn == WHITE else 56
    west, east = rotl(pawns & ~FILE_A, up - 1), rotl(pawns & ~FILE_H, up + 1)
    by_pawn = west | east
    once, twice = by_pawn, west & east
    left = b.knights & men
    while left:
        seen = at(KNIGHT, low(left))
        twice |= once & seen
        once |= seen
        left &= left - 1
    left = b.bishops & men
    while left:
        seen = bishop_attacks(low(left), occupied)
        twice |= once & seen
        once |= seen
        left &= left - 1
    by_minor = once
    left = b.rooks & men
    while left:
        seen = rook_attacks(low(left), occupied)
        twice |= once & seen
        once |= seen
        left &= left - 1
    by_rook = once
    left = b.queens & men
    while left:
        seen = bishop_attacks(low(left), occupied) | rook_attacks(low(left), occupied)
        twice |= once & seen
        once |= seen
        left &= left - 1
    seen = at(KING, low(b.kings & men))
    return Strikes(once | seen, twice | once & seen, by_pawn, by_minor, by_rook)


@inlined
def by_lesser(s: Strikes, piece: int) -> int:
    """What is struck by a man that is worth less than `piece`."""
    if piece == P:
        return 0
    if piece <= B:
        return s.by_pawn
    return s.by_minor if piece == R else s.by_rook


@inlined
def most_valuable(b: Board, men: int) -> int:
    """The kind of the most valuable of `men`, kings apart, or NOTHING."""
    if men & b.queens:
        return Q
    if men & b.rooks:
        return R
    if men & b.bishops:
        return B
    if men & b.knights:
        return N
    return P if men & b.pawns else NOTHING


@inlined
def attacks(piece: int, square: int, turn: int, occupied: int) -> int:
    """Where a piece of the side `turn` strikes from `square`."""
    if piece == P:
        return at(PAWN, turn * 64 + square)
    if piece == N:
        return at(KNIGHT, square)
    if piece == B:
        return bishop_attacks(square, occupied)
    if piece == R:
        return rook_attacks(square, occupied)
    if piece == Q:
        return bishop_attacks(square, occupied) | rook_attacks(square, occupied)
    return at(KING, square)


@inlined
def uncoverers(b: Board, king: int, own: int, occupied: int) -> int:
    """The men of the side to move that stand alone between one of its sliders and the enemy king."""
    enemies = occupied ^ own
    sliders = (
        rook_attacks(king, enemies) & (b.rooks | b.queens) | bishop_attacks(king, enemies) & (b.bishops | b.queens)
    ) & own
    found = 0
    while sliders:
        shield = at(BETWEEN, king * 64 + low(sliders)) & own
        if shield and not shield & (shield - 1):
            found |= shield
        sliders &= sliders - 1
    return found


@inlined
def _ahead(pawns: int, turn: int) -> int:
    """The squares before `pawns` of the side `turn`, up to the end of the board."""
    if turn == WHITE:
        pawns = pawns << 8
        pawns |= pawns << 8
        pawns |= pawns << 16
        return pawns | pawns << 32
    pawns = shr(pawns, 8)
    pawns |= shr(pawns, 8)
    pawns |= shr(pawns, 16)
    return pawns | shr(pawns, 32)


@inlined
def _files(pawns: int) -> int:
    return pawns | _ahead(pawns, 0) | _ahead(pawns, 1)


@inlined
def _hanging(b: Board, own: int, struck: Strikes, guarded: int) -> int:
    """Men that a lesser man strikes, or that are struck and not guarded."""
    lesser = (b.knights | b.bishops) & struck.by_pawn | b.rooks & struck.by_minor | b.queens & struck.by_rook
    return own & (lesser | struck.once & ~guarded) & ~b.kings


@inlined
def _relief(b: Board, men: int, enemies: int, occupied: int) -> int:
    """The squares of the man that strikes the first of `men`, and those between; 0 if several do."""
    if not men:
        return 0
    square = low(men)
    found = attackers(b, square, enemies, occupied)
    if not found or found & (found - 1):
        return 0
    return found | at(BETWEEN, square * 64 + low(found))


@inlined
def look(b: Board) -> Sight:
    own, enemies = sides(b)
    occupied = own | enemies
    king = low(b.kings & enemies)
    struck = strikes(b, enemies, 1 - b.turn, occupied)
    guarded = strikes(b, own, b.turn, occupied)
    hanging = _hanging(b, own, struck, guarded.once)
    worst = most_valuable(b, hanging)
    own_pawns, enemy_pawns = b.pawns & own, b.pawns & enemies
    ahead = _ahead(enemy_pawns, 1 - b.turn)
    span = struck.by_pawn | pawn_strikes(ahead, 1 - b.turn)
    kind = b.pawns
    if worst != P:
        kind = b.queens if worst == Q else b.rooks if worst == R else b.bishops if worst == B else b.knights
    return Sight(
        own,
        enemies,
        0 if b.turn == WHITE else 56,
        king,
        struck,
        guarded,
        at(PAWN, (1 - b.turn) * 64 + king),
        at(KNIGHT, king),
        bishop_attacks(king, occupied),
        rook_attacks(king, occupied),
        uncoverers(b, king, own, occupied),
        1 if struck.once & b.kings & own else 0,
        hanging,
        worst,
        _relief(b, hanging & kind, enemies, occupied),
        own & struck.once & guarded.once & ~guarded.twice & ~b.kings,
        enemies & ~struck.once & ~b.kings,
        ~(span | ahead),
        span,
        _files(own_pawns),
        _files(enemy_pawns),
    )


@inlined
def phase(b: Board) -> int:
    """0 opening, 1 middlegame, 2 endgame: by the men that are left, a queen 8, a rook 4, a minor piece 2."""
    left = 2 * popcount(b.knights | b.bishops) + 4 * popcount(b.rooks) + 8 * popcount(b.queens)
    return 0 if left >= 40 else 1 if left >= 20 else 2
