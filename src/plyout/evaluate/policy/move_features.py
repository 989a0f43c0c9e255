"""The features of a move, as indices into one table of weights.

The score of a move is the sum of one weight from each part of the table; `features` tells which. A part is a product
of a few small numbers, such as (kind of move, victim, danger where the piece stands, danger where it goes), and has
a weight for each combination.
"""

from typing import NamedTuple

import numpy as np

from plyout.evaluate.exchange import exchange
from plyout.evaluate.material import VALUE
from plyout.evaluate.policy.attack_maps import AttackMaps, attacks, by_lesser, most_valuable
from plyout.games.chess.attacks import KING, LINE
from plyout.games.chess.board import B, K, N, P, Q, R, Board, castled, in_check, make
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.chess.sight import Attacks
from plyout.kernel import at, inlined, kernel, popcount, shr

STAGES, PIECES, KINDS, VICTIMS, DANGERS, CHECKS, EXCHANGES, OFFSETS = 5, 6, 8, 6, 4, 3, 22, 46
PARTS = {
    "from_square": STAGES * PIECES * 64,
    "to_square": STAGES * PIECES * 64,
    "danger": KINDS * VICTIMS * DANGERS * DANGERS,
    "exchange": CHECKS * KINDS * EXCHANGES,
    "threat": PIECES * 7 * 2 * DANGERS * 2,
    "rescue": 7 * 3 * 2 * 2 * 5 * 2,
    "abandon": PIECES * 7,
    "structure": STAGES * PIECES * 64,
    "flight": CHECKS * 6 * 2,
    "material": 5 * PIECES * 4,
    "own_king": STAGES * PIECES * OFFSETS,
    "pins": PIECES * 64,
    "lines": PIECES * 16 * 16,
    "new_attacks": STAGES * PIECES * 4 * 4,
    "own_passer": PIECES * OFFSETS,
    "enemy_passer": PIECES * OFFSETS,
    "mobility": STAGES * PIECES * 17,
    "enemy_king": STAGES * PIECES * OFFSETS,
    "evasion": 2 * PIECES * VICTIMS,
}
"""The parts of the table of weights and their sizes, in the order of `features`."""

_STARTS: list[int] = [0]
for _size in PARTS.values():
    _STARTS.append(_STARTS[-1] + _size)
(
    _FROM_SQUARE, _TO_SQUARE, _DANGER, _EXCHANGE, _THREAT, _RESCUE, _ABANDON, _STRUCTURE, _FLIGHT, _MATERIAL,
    _OWN_KING, _PINS, _LINES, _NEW_ATTACKS, _OWN_PASSER, _ENEMY_PASSER, _MOBILITY, _ENEMY_KING, _EVASION, WEIGHTS,
) = _STARTS  # fmt: skip

NO_VICTIM = 5  # the victim of a quiet move
NO_CHECK, CHECK, DISCOVERED_CHECK = range(3)
_BY_ENEMY = 4 | 8  # of the bits of `_lines`
SAFE, DEFENDED, UNDEFENDED, BY_LESSER = range(4)  # not attacked; attacked and defended, or not; by a lesser piece


class MovingPiece(NamedTuple):
    """The piece that moves, where it stands now."""

    square: int
    piece: int
    attacks: int
    danger: int
    hangs: int  # 0 no, 1 yes, 2 it is one of the most valuable that do
    pins: int  # four bits: a pawn push would attack it; pinned to the king, to a major; it would discover an attack
    lines: int  # the sliders that attack its square, see `_lines`
    structure: int  # what `_structure_from` says of its square


@inlined
def _bit(bitboard: int, square: int) -> int:
    return shr(bitboard, square) & 1


@inlined
def danger(attacked: Attacks, piece: int, square: int, defended: int) -> int:
    """The danger to a piece on a square, where the enemy attacks what is `attacked`: SAFE … BY_LESSER."""
    if not _bit(attacked.once, square):
        return SAFE
    if _bit(by_lesser(attacked, piece), square):
        return BY_LESSER
    return DEFENDED if _bit(defended, square) else UNDEFENDED


@inlined
def _lines(maps: AttackMaps, square: int) -> int:
    """Four bits: whether sliders of the mover, and of the enemy, attack a square diagonally and straight."""
    return (
        _bit(maps.defended.diagonal, square)
        | _bit(maps.defended.straight, square) << 1
        | _bit(maps.attacked.diagonal, square) << 2
        | _bit(maps.attacked.straight, square) << 3
    )


@inlined
def _file(maps: AttackMaps, square: int) -> int:
    """0: a pawn of the mover stands on the file; 1: only enemy pawns; 2: none."""
    return 0 if _bit(maps.pawns.own_files, square) else 2 - _bit(maps.pawns.enemy_files, square)


@inlined
def _structure_from(b: Board, maps: AttackMaps, piece: int, start: int, targets: int) -> int:
    """What matters to this kind of piece about the square it leaves: king shelter, outposts, open files."""
    if piece == P:
        return _bit(at(KING, maps.own_king), start) << 3
    if piece <= B:
        return _bit(maps.defended.by_pawn, start) << 2 | _bit(maps.pawns.attack_span, start) << 3
    if piece < K:
        return _file(maps, start) << 4 | (1 if targets & (b.rooks | b.queens) & maps.own else 0)
    return maps.threats.in_check << 4


@inlined
def _structure_to(b: Board, maps: AttackMaps, moving: MovingPiece, to: int, targets: int) -> int:
    """The same about the square it goes to, from where it attacks `targets`."""
    if moving.piece == P:
        return (
            _bit(maps.pawns.passed, to)
            | _bit(maps.defended.by_pawn, to) << 1
            | (4 if at(KING, to) & maps.enemies & b.pawns else 0)
            | (16 if targets & maps.enemies & b.pawns else 0)
            | (32 if at(KING, to) & b.pawns & maps.own & 255 << (to & 56) else 0)
        )
    if moving.piece <= B:
        return (
            _bit(maps.defended.by_pawn, to)
            | _bit(maps.pawns.attack_span, to) << 1
            | (16 if targets & maps.own & b.pawns else 0)
            | (32 if targets & maps.enemies & b.pawns else 0)
        )
    if moving.piece < K:
        return _file(maps, to) << 2 | (2 if targets & (b.rooks | b.queens) & maps.own & ~(1 << moving.square) else 0)
    return min(popcount(at(KING, to) & maps.attacked.once), 7) | _bit(maps.pawns.passed, to) << 3


@inlined
def moving_piece(b: Board, maps: AttackMaps, move: int) -> MovingPiece:
    """The piece that `move` moves: computed once for all moves of a piece."""
    start, piece = from_square(move), piece_of(move)
    targets = attacks(piece, start, b.turn, maps.own | maps.enemies)
    hangs = _bit(maps.threats.hanging, start)
    pins = (
        _bit(maps.pawns.push_attacks, start)
        | _bit(maps.threats.pinned, start) << 1
        | _bit(maps.threats.pinned_to_major, start) << 2
        | _bit(maps.targets.discoverers, start) << 3
    )
    return MovingPiece(
        start,
        piece,
        targets,
        danger(maps.attacked, piece, start, maps.defended.once),
        2 * hangs if piece == maps.threats.worst else hangs,
        pins,
        _lines(maps, start),
        _structure_from(b, maps, piece, start, targets),
    )


@kernel
def _gives_check_when_made(b: Board, move: int) -> int:
    """Whether the other side is in check after `move`; a function of its own, not inlined, because it is rare."""
    return CHECK if in_check(make(b, move)) else NO_CHECK


@inlined
def gives_check(b: Board, maps: AttackMaps, move: int, piece: int, to: int) -> int:
    """NO_CHECK, CHECK or DISCOVERED_CHECK; `piece` is what arrives on the square `to`."""
    start = from_square(move)
    if promotion_of(move) or move & (CASTLE | EN_PASSANT):  # more than one piece leaves or enters a line
        return _gives_check_when_made(b, move)
    if _bit(maps.checks.discoverers, start) and not _bit(at(LINE, maps.enemy_king * 64 + start), to):
        return DISCOVERED_CHECK
    return _bit(check_squares(maps, piece), to)


@inlined
def check_squares(maps: AttackMaps, piece: int) -> int:
    """The squares from which a piece would give check."""
    if piece == P:
        return maps.checks.pawn
    if piece == N:
        return maps.checks.knight
    if piece == K:
        return 0
    return (maps.checks.diagonal if piece != R else 0) | (maps.checks.straight if piece != B else 0)


@inlined
def worth_attacking(b: Board, maps: AttackMaps, piece: int) -> int:
    """The enemies that are worth more than `piece` or have no defender."""
    worth_more = 0
    if piece <= B:
        worth_more = b.rooks | b.queens
        if piece == P:
            worth_more |= b.knights | b.bishops
    elif piece == R:
        worth_more = b.queens
    return worth_more & maps.enemies | maps.targets.loose


def _offset(here: int, to: int) -> int:
    """Where `to` lies relative to `here`: 5 files aside by 9 ranks up and down; farther off counts as 4 away."""
    aside, up = min(abs(here % 8 - to % 8), 4), to // 8 - here // 8
    return aside * 9 + min(max(up, -4), 4) + 4


_OFFSET = np.array([_offset(here, to) for here in range(64) for to in range(64)], np.int8)


@inlined
def offset(maps: AttackMaps, here: int, to: int) -> int:
    """`_offset` from the mover's point of view."""
    return at(_OFFSET, (here ^ maps.flip) << 6 | to ^ maps.flip)


@inlined
def _offset_of_pawn(maps: AttackMaps, pawn: int, to: int) -> int:
    return offset(maps, pawn, to) if pawn >= 0 else OFFSETS - 1


@inlined
def exchange_value(b: Board, maps: AttackMaps, move: int, moving: MovingPiece, victim: int, danger_there: int) -> int:
    """The static exchange value of `move`, which need not be computed where no recapture is possible."""
    if danger_there != SAFE or move & EN_PASSANT or promotion_of(move):
        return exchange(b, move)
    if moving.lines & _BY_ENEMY:  # the slider may still attack it, farther along the line
        sliders = (b.bishops | b.rooks | b.queens) & maps.enemies
        if at(LINE, moving.square * 64 + to_square(move)) & sliders:
            return exchange(b, move)
    return 0 if victim == NO_VICTIM else at(VALUE, victim)


@inlined
def _rescue(maps: AttackMaps, moving: MovingPiece, to: int, targets: int, won: int, checks: int) -> int:
    """What the move does for the mover's hanging pieces: moves one, ends the attack, defends one, wins more."""
    gain = 0 if won < 0 else 1 if won == 0 else 2 if won < 250 else 3 if won < 450 else 4
    deed = (moving.hangs * 2 + _bit(maps.threats.parry, to)) * 2 + (1 if targets & maps.threats.hanging else 0)
    return ((maps.threats.worst * 12 + deed) * 5 + gain) * 2 + (1 if checks else 0)


@inlined
def features(b: Board, maps: AttackMaps, moving: MovingPiece, move: int) -> tuple[int, ...]:
    """The indices of the weights of `move`, one in each part; `moving` is its `moving_piece`."""
    piece, to = moving.piece, to_square(move)
    promotion = promotion_of(move)
    landed = promotion if promotion else piece
    victim = NO_VICTIM
    targets = 0
    if move & CASTLE:
        to, _ = castled(moving.square, to)
    else:
        targets = attacks(landed, to, b.turn, (maps.own | maps.enemies) ^ 1 << moving.square)
        if move & EN_PASSANT:
            victim = P
        elif _bit(maps.enemies, to):
            victim = piece_at(b, to)
    kind = piece if not promotion else 6 if promotion == Q else 7
    # The moving piece itself attacks the square, unless it is a pawn that is pushed.
    defended = maps.defended.once if piece == P and victim == NO_VICTIM else maps.defended.twice
    danger_there = danger(maps.attacked, landed, to, defended)
    won = exchange_value(b, maps, move, moving, victim, danger_there)
    checks = gives_check(b, maps, move, landed, to)
    new_targets = targets & ~moving.attacks
    threatened = new_targets & worth_attacking(b, maps, landed)
    sound = 1 if won >= 0 else 0
    group = maps.stage * PIECES + piece
    flights = min(popcount(maps.checks.flights & ~targets), 5)
    return (
        _FROM_SQUARE + group * 64 + (moving.square ^ maps.flip),
        _TO_SQUARE + group * 64 + (to ^ maps.flip),
        _DANGER + ((kind * VICTIMS + victim) * DANGERS + moving.danger) * DANGERS + danger_there,
        _EXCHANGE + (checks * KINDS + kind) * EXCHANGES + min(max((won + 1050) // 100, 0), EXCHANGES - 1),
        _THREAT
        + (
            ((piece * 7 + most_valuable(b, threatened)) * 2 + (1 if threatened & (threatened - 1) else 0)) * DANGERS
            + danger_there
        )
        * 2
        + sound,
        _RESCUE + _rescue(maps, moving, to, targets, won, checks),
        _ABANDON + piece * 7 + most_valuable(b, moving.attacks & maps.threats.single_defender & ~targets),
        _STRUCTURE + group * 64 + (moving.structure | _structure_to(b, maps, moving, to, targets)),
        _FLIGHT + (checks * 6 + flights) * 2 + sound,
        _MATERIAL
        + (maps.balance * PIECES + piece) * 4
        + (0 if victim == NO_VICTIM else 1 if won < 0 else 2 if won == 0 else 3),
        _OWN_KING + group * OFFSETS + offset(maps, maps.own_king, to),
        _PINS
        + ((piece * 16 + moving.pins) * 2 + _bit(maps.pawns.push_attacks, to)) * 2
        + (1 if targets & maps.targets.pinned else 0),
        _LINES + (piece * 16 + moving.lines) * 16 + _lines(maps, to),
        _NEW_ATTACKS
        + (group * 4 + min(popcount(new_targets & maps.enemies), 3)) * 4
        + min(popcount(new_targets & maps.own & ~maps.defended.once), 3),
        _OWN_PASSER + piece * OFFSETS + _offset_of_pawn(maps, maps.pawns.own_passer, to),
        _ENEMY_PASSER + piece * OFFSETS + _offset_of_pawn(maps, maps.pawns.enemy_passer, to),
        _MOBILITY + group * 17 + min(max(popcount(targets) - popcount(moving.attacks), -8), 8) + 8,
        _ENEMY_KING + group * OFFSETS + offset(maps, maps.enemy_king, to),
        _EVASION + (maps.threats.in_check * PIECES + piece) * VICTIMS + victim,
    )
