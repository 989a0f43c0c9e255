"""Attack maps of a position: what each side attacks and defends, what hangs, from where a check could be given.

They are bitboards, computed once a position, so that a question about a move costs one `&`.
"""

from typing import NamedTuple

from plyout.games.chess.attacks import BETWEEN, KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import ENDS, FILE_A, FILE_H, WHITE, B, Board, N, P, Q, R, attackers, sides
from plyout.games.chess.sight import Attacks, attacks_of_side
from plyout.kernel import at, bswap, inlined, low, popcount, rotl, shr

NO_PIECE = 6  # the kind of piece where there is none


class Checks(NamedTuple):
    """The squares from which each kind of piece of the mover would give check."""

    pawn: int
    knight: int
    diagonal: int
    straight: int
    discoverers: int  # the mover's pieces that give a discovered check by leaving their line
    flights: int  # the flight squares of the enemy king


class Threats(NamedTuple):
    """The enemy's threats to the mover."""

    in_check: int  # 1 or 0
    hanging: int  # pieces that can be won at once
    worst: int  # the most valuable kind among them, or NO_PIECE
    parry: int  # squares where a block or capture ends the attack on one of the worst
    single_defender: int  # pieces that are attacked and have a single defender
    pinned: int  # pieces that are pinned to their king
    pinned_to_major: int  # pieces that shield a rook or queen from a slider


class Targets(NamedTuple):
    """What the mover may attack."""

    loose: int  # enemy pieces without a defender
    pinned: int  # enemy pieces that are pinned to their king
    discoverers: int  # the mover's pieces that discover an attack of a slider on a loose piece, a rook or a queen


class Pawns(NamedTuple):
    passed: int  # squares on which a pawn of the mover is passed
    attack_span: int  # squares that enemy pawns attack, or will as they advance
    push_attacks: int  # squares that enemy pawns attack after a single push
    own_files: int  # files with a pawn of the mover
    enemy_files: int
    own_passer: int  # the square of the mover's most advanced passed pawn, or -1
    enemy_passer: int  # of the enemy's


class AttackMaps(NamedTuple):
    """A position from the point of view of the side to move, the mover."""

    own: int
    enemies: int
    flip: int  # turns a square to White's point of view
    own_king: int  # its square
    enemy_king: int
    stage: int  # see `stage_of`
    balance: int  # material: 0 far behind … 2 even … 4 far ahead
    attacked: Attacks  # by the enemy
    defended: Attacks  # by the mover
    checks: Checks
    threats: Threats
    targets: Targets
    pawns: Pawns


@inlined
def pawn_attacks(pawns: int, turn: int) -> int:
    """The squares that `pawns` of the side `turn` attack; from the last rank they attack nothing."""
    pawns &= ~ENDS
    up = 8 if turn == WHITE else 56
    return rotl(pawns & ~FILE_A, up - 1) | rotl(pawns & ~FILE_H, up + 1)


@inlined
def by_lesser(side: Attacks, piece: int) -> int:
    """The squares attacked by pieces that are worth less than `piece`."""
    if piece == P:
        return 0
    if piece <= B:
        return side.by_pawn
    return side.by_minor if piece == R else side.by_rook


@inlined
def most_valuable(b: Board, pieces: int) -> int:
    """The kind of the most valuable of `pieces`, kings apart, or NO_PIECE."""
    if pieces & b.queens:
        return Q
    if pieces & b.rooks:
        return R
    if pieces & b.bishops:
        return B
    if pieces & b.knights:
        return N
    return P if pieces & b.pawns else NO_PIECE


@inlined
def bitboard_of(b: Board, piece: int) -> int:
    """All pieces of one kind, pawn to queen."""
    if piece == P:
        return b.pawns
    if piece <= B:
        return b.knights if piece == N else b.bishops
    return b.rooks if piece == R else b.queens


@inlined
def attacks(piece: int, square: int, turn: int, occupied: int) -> int:
    """The squares that a piece of the side `turn` attacks from `square`."""
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
def discoverers(b: Board, king: int, own: int, occupied: int) -> int:
    """The pieces `own` that give a discovered check to the enemy `king` by leaving the line of one of their sliders."""
    return _king_blockers(b, king, own, occupied ^ own, own)


@inlined
def pinned_pieces(b: Board, king: int, own: int, enemies: int) -> int:
    """The pieces `own` that a slider of the `enemies` pins to their `king`."""
    return _king_blockers(b, king, own, enemies, enemies)


@inlined
def _king_blockers(b: Board, king: int, pieces: int, others: int, side: int) -> int:
    """Those of `pieces` that alone, without any of the `others`, block the line of a slider of `side` to the `king`."""
    sliders = (
        rook_attacks(king, others) & (b.rooks | b.queens) | bishop_attacks(king, others) & (b.bishops | b.queens)
    ) & side
    found = 0
    while sliders:
        blockers = at(BETWEEN, king * 64 + low(sliders)) & pieces
        if blockers and not blockers & (blockers - 1):
            found |= blockers
        sliders &= sliders - 1
    return found


@inlined
def _front_span(pawns: int, turn: int) -> int:
    """The squares in front of `pawns` of the side `turn`, up to the last rank."""
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
def _hanging(b: Board, own: int, attacked: Attacks, defended: int) -> int:
    """Pieces that a lesser piece attacks, or that are attacked and not defended."""
    by_lesser = (b.knights | b.bishops) & attacked.by_pawn | b.rooks & attacked.by_minor | b.queens & attacked.by_rook
    return own & (by_lesser | attacked.once & ~defended) & ~b.kings


@inlined
def _parry(b: Board, pieces: int, enemies: int, occupied: int) -> int:
    """The square of the attacker of the rearmost of `pieces`, and those between; 0 if it has several attackers."""
    if not pieces:
        return 0
    square = _most_advanced(pieces, 1 - b.turn)
    found = attackers(b, square, enemies, occupied)
    if not found or found & (found - 1):
        return 0
    return found | at(BETWEEN, square * 64 + low(found))


@inlined
def _material(b: Board, pieces: int) -> int:
    """In pawns, by the usual values 1, 3, 5 and 9."""
    return (
        popcount(b.pawns & pieces)
        + 3 * popcount((b.knights | b.bishops) & pieces)
        + 5 * popcount(b.rooks & pieces)
        + 9 * popcount(b.queens & pieces)
    )


@inlined
def _balance(b: Board, own: int, enemies: int) -> int:
    ahead = _material(b, own) - _material(b, enemies)
    if ahead < 0:
        return 0 if ahead < -3 else 1
    return 2 if ahead == 0 else 3 if ahead <= 3 else 4


@inlined
def _most_advanced(pieces: int, turn: int) -> int:
    """The square of the piece that is farthest up the board for the side `turn`, or -1."""
    if not pieces:
        return -1
    return low(bswap(pieces)) ^ 56 if turn == WHITE else low(pieces)


@inlined
def _xray_blockers(b: Board, side: int, pieces: int, behind: int) -> int:
    """Those of `pieces` that alone block the line of a slider of `side` to a piece of `behind`."""
    occupied = b.white | b.black
    found = 0
    left = (b.bishops | b.queens) & side
    while left:
        square = low(left)
        targets = bishop_attacks(square, occupied)
        hidden = bishop_attacks(square, occupied ^ targets & pieces) & ~targets & behind
        while hidden:
            found |= at(BETWEEN, square * 64 + low(hidden)) & pieces
            hidden &= hidden - 1
        left &= left - 1
    left = (b.rooks | b.queens) & side
    while left:
        square = low(left)
        targets = rook_attacks(square, occupied)
        hidden = rook_attacks(square, occupied ^ targets & pieces) & ~targets & behind
        while hidden:
            found |= at(BETWEEN, square * 64 + low(hidden)) & pieces
            hidden &= hidden - 1
        left &= left - 1
    return found


@inlined
def _checks(b: Board, king: int, own: int, enemies: int, defended: int) -> Checks:
    occupied = own | enemies
    return Checks(
        at(PAWN, (1 - b.turn) * 64 + king),
        at(KNIGHT, king),
        bishop_attacks(king, occupied),
        rook_attacks(king, occupied),
        discoverers(b, king, own, occupied),
        at(KING, king) & ~enemies & ~defended,
    )


@inlined
def _threats(b: Board, king: int, own: int, enemies: int, attacked: Attacks, defended: Attacks) -> Threats:
    hanging = _hanging(b, own, attacked, defended.once)
    worst = most_valuable(b, hanging)
    return Threats(
        shr(attacked.once, king) & 1,
        hanging,
        worst,
        _parry(b, hanging & bitboard_of(b, worst), enemies, own | enemies),
        own & attacked.once & defended.once & ~defended.twice & ~b.kings,
        pinned_pieces(b, king, own, enemies),
        _xray_blockers(b, enemies, own, own & (b.queens | b.rooks)),
    )


@inlined
def _targets(b: Board, king: int, own: int, enemies: int, attacked: Attacks) -> Targets:
    loose = enemies & ~attacked.once & ~b.kings
    majors = enemies & (b.queens | b.rooks)
    return Targets(loose, pinned_pieces(b, king, enemies, own), _xray_blockers(b, own, own, majors | loose))


@inlined
def _pawns(b: Board, own: int, enemies: int) -> Pawns:
    own_pawns, enemy_pawns = b.pawns & own, b.pawns & enemies
    ahead = enemy_pawns | _front_span(enemy_pawns, 1 - b.turn)
    span = pawn_attacks(ahead, 1 - b.turn)
    own_ahead = own_pawns | _front_span(own_pawns, b.turn)
    pushed = rotl(enemy_pawns, 56 if b.turn == WHITE else 8) & ~(own | enemies)
    return Pawns(
        ~(span | ahead),
        span,
        pawn_attacks(pushed, 1 - b.turn),
        own_pawns | _front_span(own_pawns, 0) | _front_span(own_pawns, 1),
        enemy_pawns | _front_span(enemy_pawns, 0) | _front_span(enemy_pawns, 1),
        _most_advanced(own_pawns & ~(span | ahead), b.turn),
        _most_advanced(enemy_pawns & ~(own_ahead | pawn_attacks(own_ahead, b.turn)), 1 - b.turn),
    )


@inlined
def stage_of(b: Board, balance: int) -> int:
    """0 opening, 1 middlegame, and an endgame that is 2 behind, 3 even or 4 ahead in material."""
    left = 2 * popcount(b.knights | b.bishops) + 4 * popcount(b.rooks) + 8 * popcount(b.queens)
    if left >= 20:
        return 0 if left >= 40 else 1
    return 2 if balance < 2 else 3 if balance == 2 else 4


@inlined
def attack_maps(b: Board) -> AttackMaps:
    own, enemies = sides(b)
    own_king, enemy_king = low(b.kings & own), low(b.kings & enemies)
    attacked = attacks_of_side(b, enemies, 1 - b.turn, own | enemies)
    defended = attacks_of_side(b, own, b.turn, own | enemies)
    balance = _balance(b, own, enemies)
    return AttackMaps(
        own,
        enemies,
        56 * b.turn,
        own_king,
        enemy_king,
        stage_of(b, balance),
        balance,
        attacked,
        defended,
        _checks(b, enemy_king, own, enemies, defended.once),
        _threats(b, own_king, own, enemies, attacked, defended),
        _targets(b, enemy_king, own, enemies, attacked),
        _pawns(b, own, enemies),
    )
