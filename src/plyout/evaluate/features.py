"""What there is to say about a move at a glance, as places in one table of weights.

A rating is the sum of a few weights, one from each part of the table; `features` tells which. A part is the
product of a few small numbers, such as (piece, danger where it stands, danger where it goes), and has a weight
for each combination.
"""

from typing import NamedTuple

from plyout.evaluate.exchange import exchange
from plyout.evaluate.sight import NOTHING, Sight, Strikes, attacks, by_lesser, most_valuable
from plyout.games.chess.attacks import KING, LINE
from plyout.games.chess.board import CASTLE, EN_PASSANT, Board, B, K, N, P, Q, R, castled, in_check, make
from plyout.games.chess.keys import piece_at
from plyout.kernel import at, inlined, low, popcount, shr

PHASES, KINDS, VICTIMS, DANGERS, CHECKS, WINS = 3, 8, 6, 4, 3, 22
PARTS = {
    "start": PHASES * 6 * 64,
    "target": PHASES * 6 * 64,
    "danger": KINDS * VICTIMS * DANGERS * DANGERS,
    "exchange": CHECKS * KINDS * WINS,
    "threat": 6 * 7 * 2 * 2,
    "rescue": 7 * 3 * 2 * 2 * 2,
    "desert": 6 * 7,
    "reach": PHASES * 6 * 17,
    "siege": 6 * 4 * 4,
    "kingward": 6 * 8 * 16,
    "place": PHASES * 6 * 16,
    "evasion": 2 * 6 * 2,
}
"""The parts of the table of weights and their sizes, in the order of `features`."""

_STARTS: list[int] = [0]
for _size in PARTS.values():
    _STARTS.append(_STARTS[-1] + _size)
(
    _START, _TARGET, _DANGER, _EXCHANGE, _THREAT, _RESCUE, _DESERT, _REACH, _SIEGE, _KINGWARD, _PLACE, _EVASION, WEIGHTS,
) = _STARTS  # fmt: skip

NO_CHECK, CHECK, DISCOVERED = range(3)
SAFE, TRADED, UNGUARDED, LESSER = range(4)  # dangers: not struck, struck but guarded …, struck by a lesser man


class Man(NamedTuple):
    """The man that moves, where it stands now."""

    start: int
    piece: int
    strikes: int
    danger: int
    besieges: int  # squares around the enemy king that it strikes


@inlined
def danger(s: Strikes, piece: int, square: int, guarded: int) -> int:
    """How a piece would fare on a square that the enemy strikes as `s` says."""
    bit = 1 << square
    if not s.once & bit:
        return SAFE
    if by_lesser(s, piece) & bit:
        return LESSER
    return TRADED if guarded & bit else UNGUARDED


@inlined
def man_of(b: Board, s: Sight, move: int) -> Man:
    start, piece = move & 63, shr(move, 12) & 7
    seen = attacks(piece, start, b.turn, s.own | s.enemies)
    return Man(
        start, piece, seen, danger(s.struck, piece, start, s.guarded.once), popcount(seen & at(KING, s.king))
    )  # fmt: skip


@inlined
def check(b: Board, s: Sight, move: int, landed: int, to: int) -> int:
    """Whether and how `move` gives check."""
    start = move & 63
    if shr(move, 15) & 7 or move & (CASTLE | EN_PASSANT):  # more than one man leaves or comes to a line
        return CHECK if in_check(make(b, move)) else NO_CHECK
    if s.uncoverers & 1 << start and not at(LINE, s.king * 64 + start) & 1 << to:
        return DISCOVERED
    squares = 0
    if landed == P:
        squares = s.pawn_checks
    elif landed == N:
        squares = s.knight_checks
    elif landed == B:
        squares = s.diagonal_checks
    elif landed == R:
        squares = s.straight_checks
    elif landed == Q:
        squares = s.diagonal_checks | s.straight_checks
    return CHECK if squares & 1 << to else NO_CHECK


@inlined
def prizes(b: Board, s: Sight, piece: int) -> int:
    """The enemies that a piece would like to strike: those worth more, and those that nobody guards."""
    worth_more = 0
    if piece == P:
        worth_more = b.knights | b.bishops | b.rooks | b.queens
    elif piece <= B:
        worth_more = b.rooks | b.queens
    elif piece == R:
        worth_more = b.queens
    return worth_more & s.enemies | s.loose


@inlined
def _file(s: Sight, square: int) -> int:
    """0: a pawn of the mover stands on the file; 1: only enemy pawns; 2: none."""
    bit = 1 << square
    return 0 if s.own_files & bit else 1 if s.enemy_files & bit else 2


@inlined
def place(b: Board, s: Sight, man: Man, to: int) -> int:
    """Four bits that matter to this kind of man: files to rooks, outposts to minor pieces …"""
    start, bit = 1 << man.start, 1 << to
    if man.piece == P:
        near_king = at(KING, low(b.kings & s.own)) & start
        return (
            (1 if s.passed & bit else 0)
            | (2 if s.guarded.by_pawn & bit else 0)
            | (4 if at(KING, to) & s.enemies & b.pawns else 0)
            | (8 if near_king else 0)
        )
    if man.piece <= B:
        return (
            (1 if s.guarded.by_pawn & bit else 0)
            | (2 if s.span & bit else 0)
            | (4 if s.guarded.by_pawn & start else 0)
            | (8 if s.span & start else 0)
        )
    if man.piece < K:
        return _file(s, man.start) * 4 + _file(s, to)
    return min(popcount(at(KING, to) & s.struck.once), 7) + (8 if s.passed & bit & ~s.own else 0)


@inlined
def rescue(s: Sight, start: int, to: int, sees: int, is_capture: bool) -> int:
    """What the move does for the mover's men that hang."""
    role = 0
    if s.hanging & 1 << start:
        role = 1
    return (
        ((s.worst * 3 + role) * 2 + (1 if s.relief & 1 << to else 0)) * 2 + (1 if sees & s.hanging else 0)
    ) * 2 + (1 if is_capture else 0)


@inlined
def features(b: Board, s: Sight, phase: int, man: Man, move: int) -> tuple[int, ...]:
    """The places of the weights of `move`, one in each part; `man` is `man_of` it."""
    start, piece, to = man.start, man.piece, shr(move, 6) & 63
    promotion = shr(move, 15) & 7
    landed = promotion if promotion else piece
    occupied = s.own | s.enemies
    victim = 5
    sees = 0
    if move & CASTLE:
        to, _ = castled(start, to)
    else:
        sees = attacks(landed, to, b.turn, occupied ^ 1 << start)
        if move & EN_PASSANT:
            victim = P
        elif s.enemies & 1 << to:
            victim = piece_at(b, to)
    kind = piece if not promotion else 6 if promotion == Q else 7
    pushes = piece == P and victim == 5
    there = danger(s.struck, landed, to, s.guarded.once if pushes else s.guarded.twice)
    win = 0
    if victim < 5 or promotion or there or man.danger:
        win = exchange(b, move)
    checks = check(b, s, move, landed, to)
    new = sees & ~man.strikes & prizes(b, s, landed)
    left = man.strikes & s.needy & ~sees
    own_side = phase * 6 + piece
    besieges = popcount(sees & at(KING, s.king))
    reach = min(max(popcount(sees) - popcount(man.strikes), -8), 8) + 8
    seen_to, seen_king = to ^ s.flip, s.king ^ s.flip
    across = abs((to & 7) - (s.king & 7))
    up = shr(seen_king, 3) - shr(seen_to, 3) + 8
    return (
        _START + own_side * 64 + (start ^ s.flip),
        _TARGET + own_side * 64 + seen_to,
        _DANGER + ((kind * VICTIMS + victim) * DANGERS + man.danger) * DANGERS + there,
        _EXCHANGE + (checks * KINDS + kind) * WINS + min(max((win + 1050) // 100, 0), WINS - 1),
        _THREAT
        + ((piece * 7 + most_valuable(b, new)) * 2 + (1 if new & (new - 1) else 0)) * 2
        + (1 if win >= 0 else 0),
        _RESCUE + rescue(s, start, to, sees, victim < 5),
        _DESERT + piece * 7 + most_valuable(b, left),
        _REACH + own_side * 17 + reach,
        _SIEGE + (piece * 4 + min(man.besieges, 3)) * 4 + min(besieges, 3),
        _KINGWARD + (piece * 8 + across) * 16 + up,
        _PLACE + own_side * 16 + place(b, s, man, to),
        _EVASION + (s.checked * 6 + piece) * 2 + (1 if victim < 5 else 0),
    )
