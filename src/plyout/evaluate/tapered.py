"""Tapered evaluation: piece-square tables for the middlegame and for the endgame, interpolated by the material left.

As in Xu's AlphaOne: each piece is worth ``phase / 26 · middlegame + (1 - phase / 26) · endgame`` of its square.
"""

import numpy as np

from plyout.evaluate.piece_square import ENDGAME, MIDDLEGAME
from plyout.games.chess.board import WHITE, Board, P, R, castled
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.kernel import at, inlined, low

PHASE_UNIT = 8  # a pawn counts an eighth, so phases are kept as eighths
PHASE = np.array([1, 8, 8, 16, 32, 0], np.int64)
WHOLE_PHASE = 26 * PHASE_UNIT
_MIDDLEGAME, _ENDGAME = np.array(MIDDLEGAME, np.int64), np.array(ENDGAME, np.int64)


@inlined
def taper(middlegame: int, endgame: int, phase: int) -> int:
    """One number from two; promotions can lift the phase above the whole."""
    phase = min(phase, WHOLE_PHASE)
    return (middlegame * phase + endgame * (WHOLE_PHASE - phase)) // WHOLE_PHASE


@inlined
def _sums(b: Board, pieces: int, flip: int) -> tuple[int, int, int]:
    """(middlegame, endgame, phase) of the `pieces` of one side; `flip` is 56 for Black, whose tables are mirrored."""
    middlegame = 0
    endgame = 0
    phase = 0
    while pieces:
        square = low(pieces)
        pieces &= pieces - 1
        piece = piece_at(b, square)
        i = piece * 64 + (square ^ flip)
        middlegame += at(_MIDDLEGAME, i)
        endgame += at(_ENDGAME, i)
        phase += at(PHASE, piece)
    return middlegame, endgame, phase


@inlined
def totals(b: Board) -> tuple[int, int, int]:
    """(middlegame, endgame, phase) of a position, for the side to move."""
    white_mg, white_eg, white_phase = _sums(b, b.white, 0)
    black_mg, black_eg, black_phase = _sums(b, b.black, 56)
    sign = 1 if b.turn == WHITE else -1
    return sign * (white_mg - black_mg), sign * (white_eg - black_eg), white_phase + black_phase


@inlined
def evaluate(b: Board) -> int:
    """Centipawns for the side to move."""
    middlegame, endgame, phase = totals(b)
    return taper(middlegame, endgame, phase)


@inlined
def gain(b: Board, move: int) -> tuple[int, int, int]:
    """What `move` adds to the (middlegame, endgame, phase) of its own side."""
    start, to = from_square(move), to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    flip = 0 if b.turn == WHITE else 56
    left = piece * 64 + (start ^ flip)
    middlegame, endgame, phase = -at(_MIDDLEGAME, left), -at(_ENDGAME, left), 0
    enemies = b.black if b.turn == WHITE else b.white
    if move & CASTLE:
        king_to, rook_to = castled(start, to)
        left, put_down = R * 64 + (to ^ flip), R * 64 + (rook_to ^ flip)
        middlegame += at(_MIDDLEGAME, put_down) - at(_MIDDLEGAME, left)
        endgame += at(_ENDGAME, put_down) - at(_ENDGAME, left)
        to = king_to
    elif enemies & 1 << to:
        taken = piece_at(b, to)
        i = taken * 64 + (to ^ 56 ^ flip)
        middlegame += at(_MIDDLEGAME, i)
        endgame += at(_ENDGAME, i)
        phase -= at(PHASE, taken)
    elif move & EN_PASSANT:
        i = P * 64 + ((to ^ 8) ^ 56 ^ flip)
        middlegame += at(_MIDDLEGAME, i)
        endgame += at(_ENDGAME, i)
        phase -= at(PHASE, P)
    landed = promotion if promotion else piece
    i = landed * 64 + (to ^ flip)
    phase += at(PHASE, landed) - at(PHASE, piece)
    return middlegame + at(_MIDDLEGAME, i), endgame + at(_ENDGAME, i), phase
