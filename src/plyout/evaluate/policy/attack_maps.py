"""What a position shows at a glance: who strikes what, what hangs, where a check could come from.

All of it is bitboards that are computed once a position, so that a question about a move is one `&`.
"""

from typing import NamedTuple

from plyout.games.chess.attacks import BETWEEN, KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import ENDS, FILE_A, FILE_H, WHITE, B, Board, N, P, Q, R, attackers, sides
from plyout.kernel import at, bswap, inlined, low, popcount, rotl, shr

NOTHING = 6  # where a piece is asked for and there is none


class Strikes(NamedTuple):
    """The squares that one side strikes, own men included: it guards those."""

    once: int
    twice: int  # by two men or more
    by_pawn: int
    by_minor: int  # or by a pawn
    by_rook: int  # or by anything less
    diagonal: int  # by a bishop or queen, along a diagonal
    straight: int


class Checks(NamedTuple):
    """Where each piece of the mover would give check."""

    pawn: int
    knight: int
    diagonal: int
    straight: int
    uncoverers: int  # the mover's men that give a discovered check by leaving their line
    flights: int  # squares that the enemy king could still go to


class Plight(NamedTuple):
    """What the mover has to care for."""

    checked: int  # 1 if the king is in check
    hanging: int  # men that can be won at once
    worst: int  # the most valuable kind among them, or NOTHING
    relief: int  # squares where the attack on one of the worst could be ended: its attacker's and those between
    needy: int  # men that are struck and have one guard only
    pinned: int  # men that shield their king from a slider
    screens: int  # men that hide a rook or queen from a slider


class Targets(NamedTuple):
    """What the mover may aim at."""

    loose: int  # enemies that nobody guards
    held: int  # enemies that shield their king
    masks: int  # the mover's men that hide a loose enemy, a rook or a queen from one of its own sliders


class Pawns(NamedTuple):
    passed: int  # squares on which no enemy pawn can stop or take a pawn of the mover any more
    span: int  # squares that enemy pawns strike, or will if they walk on
    steps: int  # squares that enemy pawns strike after one step
    own_files: int  # files with a pawn of the mover
    enemy_files: int
    runner: int  # the square of the mover's foremost passed pawn, or -1
    quarry: int  # of the enemy's


class Sight(NamedTuple):
    """A position as its mover sees it."""

    own: int
    enemies: int
    flip: int  # turns a square to White's point of view
    home: int  # the square of the mover's king
    king: int  # the square of the enemy king
    stage: int  # see `stage_of`
    balance: int  # material: 0 far behind … 2 even … 4 far ahead
    struck: Strikes  # by the enemy
    guarded: Strikes  # by the mover
    checks: Checks
    plight: Plight
    targets: Targets
    pawns: Pawns


@inlined
def pawn_strikes(pawns: int, turn: int) -> int:
    """Where pawns strike, or would: on the last rank they see nothing."""
    pawns &= ~ENDS
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
    diagonal = 0
    straight = 0
    left = b.bishops & men
    while left:
        seen = bishop_attacks(low(left), occupied)
        diagonal |= seen
        twice |= once & seen
        once |= seen
        left &= left - 1
    by_minor = once
    left = b.rooks & men
    while left:
        seen = rook_attacks(low(left), occupied)
        straight |= seen
        twice |= once & seen
        once |= seen
        left &= left - 1
    by_rook = once
    left = b.queens & men
    while left:
        across, along = bishop_attacks(low(left), occupied), rook_attacks(low(left), occupied)
        diagonal |= across
        straight |= along
        seen = across | along
        twice |= once & seen
        once |= seen
        left &= left - 1
    seen = at(KING, low(b.kings & men))
    return Strikes(once | seen, twice | once & seen, by_pawn, by_minor, by_rook, diagonal, straight)


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
def men_of(b: Board, piece: int) -> int:
    if piece == P:
        return b.pawns
    if piece <= B:
        return b.knights if piece == N else b.bishops
    return b.rooks if piece == R else b.queens


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
    return _alone_between(b, king, own, occupied ^ own, own)


@inlined
def shields(b: Board, king: int, own: int, enemies: int) -> int:
    """The men among `own` that stand alone between the square `king` and a slider of the `enemies`."""
    return _alone_between(b, king, own, enemies, enemies)


@inlined
def _alone_between(b: Board, king: int, men: int, others: int, side: int) -> int:
    """Those of `men` that stand alone between the square `king` and a slider of `side`, with none of the `others`."""
    sliders = (
        rook_attacks(king, others) & (b.rooks | b.queens) | bishop_attacks(king, others) & (b.bishops | b.queens)
    ) & side
    found = 0
    while sliders:
        shield = at(BETWEEN, king * 64 + low(sliders)) & men
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
def _hanging(b: Board, own: int, struck: Strikes, guarded: int) -> int:
    """Men that a lesser man strikes, or that are struck and not guarded."""
    lesser = (b.knights | b.bishops) & struck.by_pawn | b.rooks & struck.by_minor | b.queens & struck.by_rook
    return own & (lesser | struck.once & ~guarded) & ~b.kings


@inlined
def _relief(b: Board, men: int, enemies: int, occupied: int) -> int:
    """The squares of the man that strikes the hindmost of `men`, and those between; 0 if several do."""
    if not men:
        return 0
    square = _foremost(men, 1 - b.turn)
    found = attackers(b, square, enemies, occupied)
    if not found or found & (found - 1):
        return 0
    return found | at(BETWEEN, square * 64 + low(found))


@inlined
def _worth(b: Board, men: int) -> int:
    return (
        popcount(b.pawns & men)
        + 3 * popcount((b.knights | b.bishops) & men)
        + 5 * popcount(b.rooks & men)
        + 9 * popcount(b.queens & men)
    )


@inlined
def _balance(b: Board, own: int, enemies: int) -> int:
    ahead = _worth(b, own) - _worth(b, enemies)
    if ahead < 0:
        return 0 if ahead < -3 else 1
    return 2 if ahead == 0 else 3 if ahead <= 3 else 4


@inlined
def _foremost(men: int, turn: int) -> int:
    """The square of the man that is farthest up the board for the side `turn`, or -1."""
    if not men:
        return -1
    return low(bswap(men)) ^ 56 if turn == WHITE else low(men)


@inlined
def _between(b: Board, side: int, men: int, behind: int) -> int:
    """Those of `men` that stand alone between a slider of `side` and one of `behind`."""
    occupied = b.white | b.black
    found = 0
    left = (b.bishops | b.queens) & side
    while left:
        square = low(left)
        seen = bishop_attacks(square, occupied)
        hidden = bishop_attacks(square, occupied ^ seen & men) & ~seen & behind
        while hidden:
            found |= at(BETWEEN, square * 64 + low(hidden)) & men
            hidden &= hidden - 1
        left &= left - 1
    left = (b.rooks | b.queens) & side
    while left:
        square = low(left)
        seen = rook_attacks(square, occupied)
        hidden = rook_attacks(square, occupied ^ seen & men) & ~seen & behind
        while hidden:
            found |= at(BETWEEN, square * 64 + low(hidden)) & men
            hidden &= hidden - 1
        left &= left - 1
    return found


@inlined
def _checks(b: Board, king: int, own: int, enemies: int, guarded: int) -> Checks:
    occupied = own | enemies
    return Checks(
        at(PAWN, (1 - b.turn) * 64 + king),
        at(KNIGHT, king),
        bishop_attacks(king, occupied),
        rook_attacks(king, occupied),
        uncoverers(b, king, own, occupied),
        at(KING, king) & ~enemies & ~guarded,
    )


@inlined
def _plight(b: Board, home: int, own: int, enemies: int, struck: Strikes, guarded: Strikes) -> Plight:
    hanging = _hanging(b, own, struck, guarded.once)
    worst = most_valuable(b, hanging)
    return Plight(
        shr(struck.once, home) & 1,
        hanging,
        worst,
        _relief(b, hanging & men_of(b, worst), enemies, own | enemies),
        own & struck.once & guarded.once & ~guarded.twice & ~b.kings,
        shields(b, home, own, enemies),
        _between(b, enemies, own, own & (b.queens | b.rooks)),
    )


@inlined
def _targets(b: Board, king: int, own: int, enemies: int, struck: Strikes) -> Targets:
    loose = enemies & ~struck.once & ~b.kings
    heavy = enemies & (b.queens | b.rooks)
    return Targets(loose, shields(b, king, enemies, own), _between(b, own, own, heavy | loose))


@inlined
def _pawns(b: Board, own: int, enemies: int) -> Pawns:
    own_pawns, enemy_pawns = b.pawns & own, b.pawns & enemies
    ahead = enemy_pawns | _ahead(enemy_pawns, 1 - b.turn)
    span = pawn_strikes(ahead, 1 - b.turn)
    own_ahead = own_pawns | _ahead(own_pawns, b.turn)
    stepped = rotl(enemy_pawns, 56 if b.turn == WHITE else 8) & ~(own | enemies)
    return Pawns(
        ~(span | ahead),
        span,
        pawn_strikes(stepped, 1 - b.turn),
        own_pawns | _ahead(own_pawns, 0) | _ahead(own_pawns, 1),
        enemy_pawns | _ahead(enemy_pawns, 0) | _ahead(enemy_pawns, 1),
        _foremost(own_pawns & ~(span | ahead), b.turn),
        _foremost(enemy_pawns & ~(own_ahead | pawn_strikes(own_ahead, b.turn)), 1 - b.turn),
    )


@inlined
def stage_of(b: Board, balance: int) -> int:
    """0 opening, 1 middlegame, and an endgame that is 2 behind, 3 even or 4 ahead in material."""
    left = 2 * popcount(b.knights | b.bishops) + 4 * popcount(b.rooks) + 8 * popcount(b.queens)
    if left >= 20:
        return 0 if left >= 40 else 1
    return 2 if balance < 2 else 3 if balance == 2 else 4


@inlined
def look(b: Board) -> Sight:
    own, enemies = sides(b)
    home, king = low(b.kings & own), low(b.kings & enemies)
    struck = strikes(b, enemies, 1 - b.turn, own | enemies)
    guarded = strikes(b, own, b.turn, own | enemies)
    balance = _balance(b, own, enemies)
    return Sight(
        own,
        enemies,
        56 * b.turn,
        home,
        king,
        stage_of(b, balance),
        balance,
        struck,
        guarded,
        _checks(b, king, own, enemies, guarded.once),
        _plight(b, home, own, enemies, struck, guarded),
        _targets(b, king, own, enemies, struck),
        _pawns(b, own, enemies),
    )
