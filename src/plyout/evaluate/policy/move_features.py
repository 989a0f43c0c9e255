"""What there is to say about a move at a glance, as places in one table of weights.

A rating is the sum of a few weights, one from each part of the table; `features` tells which. A part is a product
of a few small numbers, such as (kind of move, victim, danger where the man stands, danger where it goes), and has
a weight for each combination.
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.exchange import exchange
from plyout.evaluate.material import VALUE
from plyout.evaluate.policy.attack_maps import Sight, Strikes, attacks, by_lesser, most_valuable
from plyout.games.chess.attacks import KING, LINE
from plyout.games.chess.board import B, K, N, P, Q, R, Board, castled, in_check, make
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.kernel import at, inlined, kernel, popcount, shr

STAGES, PIECES, KINDS, VICTIMS, DANGERS, CHECKS, WINS, OFFSETS = 5, 6, 8, 6, 4, 3, 22, 46
PARTS = {
    "start": STAGES * PIECES * 64,
    "target": STAGES * PIECES * 64,
    "danger": KINDS * VICTIMS * DANGERS * DANGERS,
    "exchange": CHECKS * KINDS * WINS,
    "threat": PIECES * 7 * 2 * DANGERS * 2,
    "rescue": 7 * 3 * 2 * 2 * 5 * 2,
    "desert": PIECES * 7,
    "place": STAGES * PIECES * 64,
    "flight": CHECKS * 6 * 2,
    "balance": 5 * PIECES * 4,
    "home": STAGES * PIECES * OFFSETS,
    "ties": PIECES * 64,
    "lines": PIECES * 16 * 16,
    "touch": STAGES * PIECES * 4 * 4,
    "runner": PIECES * OFFSETS,
    "quarry": PIECES * OFFSETS,
    "reach": STAGES * PIECES * 17,
    "kingward": STAGES * PIECES * OFFSETS,
    "evasion": 2 * PIECES * VICTIMS,
}
"""The parts of the table of weights and their sizes, in the order of `features`."""

_STARTS: list[int] = [0]
for _size in PARTS.values():
    _STARTS.append(_STARTS[-1] + _size)
(
    _START, _TARGET, _DANGER, _EXCHANGE, _THREAT, _RESCUE, _DESERT, _PLACE, _FLIGHT, _BALANCE, _HOME, _TIES, _LINES,
    _TOUCH, _RUNNER, _QUARRY, _REACH, _KINGWARD, _EVASION, WEIGHTS,
) = _STARTS  # fmt: skip

NOBODY = 5  # the victim of a quiet move
NO_CHECK, CHECK, DISCOVERED = range(3)
_STRUCK = 4 | 8  # of the bits of `_crossed`: by enemies
SAFE, TRADED, UNGUARDED, LESSER = range(4)  # not struck, struck and guarded, struck and not guarded, by a lesser man


class Man(NamedTuple):
    """The man that moves, where it stands now."""

    start: int
    piece: int
    strikes: int
    danger: int
    role: int  # among the men that hang: 0 none of them, 1 one, 2 one of the most valuable
    ties: int  # four bits: a pawn's step would strike it; it is pinned, screens, masks
    lines: int  # the sliders that strike its square, see `_crossed`
    place: int  # what `place` says of its square


@inlined
def _bit(men: int, square: int) -> int:
    return shr(men, square) & 1


@inlined
def danger(s: Strikes, piece: int, square: int, guarded: int) -> int:
    """How a piece would fare on a square that the enemy strikes as `s` says."""
    if not _bit(s.once, square):
        return SAFE
    if _bit(by_lesser(s, piece), square):
        return LESSER
    return UNGUARDED - _bit(guarded, square)


@inlined
def _crossed(s: Sight, square: int) -> int:
    """Four bits: the sliders of both sides that strike a square, along diagonals and straight."""
    return (
        _bit(s.guarded.diagonal, square)
        | _bit(s.guarded.straight, square) << 1
        | _bit(s.struck.diagonal, square) << 2
        | _bit(s.struck.straight, square) << 3
    )


@inlined
def _file(s: Sight, square: int) -> int:
    """0: a pawn of the mover stands on the file; 1: only enemy pawns; 2: none."""
    return 0 if _bit(s.pawns.own_files, square) else 2 - _bit(s.pawns.enemy_files, square)


@inlined
def _place_now(b: Board, s: Sight, piece: int, start: int, sees: int) -> int:
    """What matters to this kind of man about the square it leaves: shelter, outposts, open files."""
    if piece == P:
        return _bit(at(KING, s.home), start) << 3
    if piece <= B:
        return _bit(s.guarded.by_pawn, start) << 2 | _bit(s.pawns.span, start) << 3
    if piece < K:
        return _file(s, start) << 4 | (1 if sees & (b.rooks | b.queens) & s.own else 0)
    return s.plight.checked << 4


@inlined
def _place_then(b: Board, s: Sight, man: Man, to: int, sees: int) -> int:
    """The same of the square it goes to."""
    if man.piece == P:
        return (
            _bit(s.pawns.passed, to)
            | _bit(s.guarded.by_pawn, to) << 1
            | (4 if at(KING, to) & s.enemies & b.pawns else 0)
            | (16 if sees & s.enemies & b.pawns else 0)
            | (32 if at(KING, to) & b.pawns & s.own & 255 << (to & 56) else 0)
        )
    if man.piece <= B:
        return (
            _bit(s.guarded.by_pawn, to)
            | _bit(s.pawns.span, to) << 1
            | (16 if sees & s.own & b.pawns else 0)
            | (32 if sees & s.enemies & b.pawns else 0)
        )
    if man.piece < K:
        return _file(s, to) << 2 | (2 if sees & (b.rooks | b.queens) & s.own & ~(1 << man.start) else 0)
    return min(popcount(at(KING, to) & s.struck.once), 7) | _bit(s.pawns.passed, to) << 3


@inlined
def man_of(b: Board, s: Sight, move: int) -> Man:
    start, piece = from_square(move), piece_of(move)
    sees = attacks(piece, start, b.turn, s.own | s.enemies)
    role = _bit(s.plight.hanging, start)
    ties = (
        _bit(s.pawns.steps, start)
        | _bit(s.plight.pinned, start) << 1
        | _bit(s.plight.screens, start) << 2
        | _bit(s.targets.masks, start) << 3
    )
    return Man(
        start,
        piece,
        sees,
        danger(s.struck, piece, start, s.guarded.once),
        2 * role if piece == s.plight.worst else role,
        ties,
        _crossed(s, start),
        _place_now(b, s, piece, start, sees),
    )


@kernel
def _checks_after(b: Board, move: int) -> int:
    """Whether the other side is in check after `move`; apart, because it is seldom asked."""
    return CHECK if in_check(make(b, move)) else NO_CHECK


@inlined
def check(b: Board, s: Sight, move: int, piece: int, to: int) -> int:
    """Whether and how `move` gives check."""
    start = from_square(move)
    if promotion_of(move) or move & (CASTLE | EN_PASSANT):  # more than one man leaves or comes to a line
        return _checks_after(b, move)
    if _bit(s.checks.uncoverers, start) and not _bit(at(LINE, s.king * 64 + start), to):
        return DISCOVERED
    return _bit(check_squares(s, piece), to)


@inlined
def check_squares(s: Sight, piece: int) -> int:
    """Where a piece would give check."""
    if piece == P:
        return s.checks.pawn
    if piece == N:
        return s.checks.knight
    if piece == K:
        return 0
    return (s.checks.diagonal if piece != R else 0) | (s.checks.straight if piece != B else 0)


@inlined
def prizes(b: Board, s: Sight, piece: int) -> int:
    """The enemies that a piece would like to strike: those worth more, and those that nobody guards."""
    worth_more = 0
    if piece <= B:
        worth_more = b.rooks | b.queens
        if piece == P:
            worth_more |= b.knights | b.bishops
    elif piece == R:
        worth_more = b.queens
    return worth_more & s.enemies | s.targets.loose


def _offset(here: int, to: int) -> int:
    """Where `to` lies, seen from `here`: 5 files aside by 9 ranks up and down; what is farther off counts as 4."""
    aside, up = min(abs(here % 8 - to % 8), 4), to // 8 - here // 8
    return aside * 9 + min(max(up, -4), 4) + 4


_OFFSET = np.array([_offset(here, to) for here in range(64) for to in range(64)], np.int8)


@inlined
def offset(s: Sight, here: int, to: int) -> int:
    """`_offset` from the mover's point of view."""
    return at(_OFFSET, (here ^ s.flip) << 6 | to ^ s.flip)


@inlined
def _offset_of_pawn(s: Sight, pawn: int, to: int) -> int:
    return offset(s, pawn, to) if pawn >= 0 else OFFSETS - 1


@inlined
def win_of(b: Board, s: Sight, move: int, man: Man, victim: int, there: int) -> int:
    """The exchange value of `move`, which need not be computed where nobody can take back."""
    if there != SAFE or move & EN_PASSANT or promotion_of(move):
        return exchange(b, move)
    if man.lines & _STRUCK:  # by a slider, which may strike it still, farther along the line
        sliders = (b.bishops | b.rooks | b.queens) & s.enemies
        if at(LINE, man.start * 64 + (to_square(move))) & sliders:
            return exchange(b, move)
    return 0 if victim == NOBODY else at(VALUE, victim)


@inlined
def _rescue(s: Sight, man: Man, to: int, sees: int, win: int, checks: int) -> int:
    """What the move does for the mover's men that hang: moves one, ends the attack, guards one, wins more."""
    won = 0 if win < 0 else 1 if win == 0 else 2 if win < 250 else 3 if win < 450 else 4
    deed = (man.role * 2 + _bit(s.plight.relief, to)) * 2 + (1 if sees & s.plight.hanging else 0)
    return ((s.plight.worst * 12 + deed) * 5 + won) * 2 + (1 if checks else 0)


@inlined
def features(b: Board, s: Sight, man: Man, move: int) -> tuple[int, ...]:
    """The places of the weights of `move`, one in each part; `man` is `man_of` it."""
    piece, to = man.piece, to_square(move)
    promotion = promotion_of(move)
    landed = promotion if promotion else piece
    victim = NOBODY
    sees = 0
    if move & CASTLE:
        to, _ = castled(man.start, to)
    else:
        sees = attacks(landed, to, b.turn, (s.own | s.enemies) ^ 1 << man.start)
        if move & EN_PASSANT:
            victim = P
        elif _bit(s.enemies, to):
            victim = piece_at(b, to)
    kind = piece if not promotion else 6 if promotion == Q else 7
    guarded = s.guarded.once if piece == P and victim == NOBODY else s.guarded.twice  # once is the man itself
    there = danger(s.struck, landed, to, guarded)
    win = win_of(b, s, move, man, victim, there)
    checks = check(b, s, move, landed, to)
    news = sees & ~man.strikes
    prize = news & prizes(b, s, landed)
    sure = 1 if win >= 0 else 0
    group = s.stage * PIECES + piece
    flights = min(popcount(s.checks.flights & ~sees), 5)
    return (
        _START + group * 64 + (man.start ^ s.flip),
        _TARGET + group * 64 + (to ^ s.flip),
        _DANGER + ((kind * VICTIMS + victim) * DANGERS + man.danger) * DANGERS + there,
        _EXCHANGE + (checks * KINDS + kind) * WINS + min(max((win + 1050) // 100, 0), WINS - 1),
        _THREAT
        + (((piece * 7 + most_valuable(b, prize)) * 2 + (1 if prize & (prize - 1) else 0)) * DANGERS + there) * 2
        + sure,
        _RESCUE + _rescue(s, man, to, sees, win, checks),
        _DESERT + piece * 7 + most_valuable(b, man.strikes & s.plight.needy & ~sees),
        _PLACE + group * 64 + (man.place | _place_then(b, s, man, to, sees)),
        _FLIGHT + (checks * 6 + flights) * 2 + sure,
        _BALANCE
        + (s.balance * PIECES + piece) * 4
        + (0 if victim == NOBODY else 1 if win < 0 else 2 if win == 0 else 3),
        _HOME + group * OFFSETS + offset(s, s.home, to),
        _TIES + ((piece * 16 + man.ties) * 2 + _bit(s.pawns.steps, to)) * 2 + (1 if sees & s.targets.held else 0),
        _LINES + (piece * 16 + man.lines) * 16 + _crossed(s, to),
        _TOUCH
        + (group * 4 + min(popcount(news & s.enemies), 3)) * 4
        + min(popcount(news & s.own & ~s.guarded.once), 3),
        _RUNNER + piece * OFFSETS + _offset_of_pawn(s, s.pawns.runner, to),
        _QUARRY + piece * OFFSETS + _offset_of_pawn(s, s.pawns.quarry, to),
        _REACH + group * 17 + min(max(popcount(sees) - popcount(man.strikes), -8), 8) + 8,
        _KINGWARD + group * OFFSETS + offset(s, s.king, to),
        _EVASION + (s.plight.checked * PIECES + piece) * VICTIMS + victim,
    )
