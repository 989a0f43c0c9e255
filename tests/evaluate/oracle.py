"""What the evaluators must say, in plain Python on python-chess boards."""

from collections.abc import Iterable
from fractions import Fraction
from math import floor

import chess

from plyout.evaluate.piece_square import ENDGAME, MIDDLEGAME

PHASE = {
    chess.PAWN: Fraction(1, 8),
    chess.KNIGHT: Fraction(1),
    chess.BISHOP: Fraction(1),
    chess.ROOK: Fraction(2),
    chess.QUEEN: Fraction(4),
    chess.KING: Fraction(0),
}
VALUE = {None: 0, 1: 100, 2: 320, 3: 330, 4: 500, 5: 950, 6: 20_000}

Totals = tuple[int, int, Fraction]


def totals(board: chess.Board, side: chess.Color) -> Totals:
    """(middlegame, endgame, phase) of a position, for `side`."""
    middlegame, endgame, phase = 0, 0, Fraction(0)
    for square, piece in board.piece_map().items():
        seen = square if piece.color else chess.square_mirror(square)
        sign = 1 if piece.color == side else -1
        middlegame += sign * MIDDLEGAME[(piece.piece_type - 1) * 64 + seen]
        endgame += sign * ENDGAME[(piece.piece_type - 1) * 64 + seen]
        phase += PHASE[piece.piece_type]
    return middlegame, endgame, phase


def tapered(board: chess.Board, side: chess.Color) -> int:
    """Centipawns for `side`, rounded down."""
    middlegame, endgame, phase = totals(board, side)
    share = min(phase / 26, Fraction(1))
    return floor(share * middlegame + (1 - share) * endgame)


def tapered_after(board: chess.Board, move: chess.Move) -> int:
    """Centipawns for the mover after `move`."""
    mover = board.turn
    board.push(move)
    worth = tapered(board, mover)
    board.pop()
    return worth


# --- exchanges -------------------------------------------------------------------------------------------------------


def takers(board: chess.Board, side: chess.Color, square: chess.Square, occupied: int) -> list[chess.Square]:
    """The pieces of `side` that can capture on `square`, least valuable first; pins are ignored."""
    pieces = [s for s in board.attackers(side, square, chess.SquareSet(occupied)) if occupied >> s & 1]
    return sorted(pieces, key=lambda s: (board.piece_type_at(s), s))


def replies(board: chess.Board, side: chess.Color, square: chess.Square, occupied: int) -> list[chess.Square]:
    """The pieces that `side` may capture with: a king only where no recapture is possible."""
    pieces = takers(board, side, square, occupied)
    if takers(board, not side, square, occupied):
        pieces = [s for s in pieces if board.piece_type_at(s) != chess.KING]
    return pieces


def swap(
    board: chess.Board, side: chess.Color, square: chess.Square, occupied: int, at_risk: int, all_orders: bool
) -> int:
    """What `side` wins by capturing on `square`, or 0 if it stops; by its least valuable piece, or the best order."""
    pieces: Iterable[chess.Square] = replies(board, side, square, occupied)
    best = 0
    for taker in pieces if all_orders else list(pieces)[:1]:
        own = VALUE[board.piece_type_at(taker)]
        best = max(best, at_risk - swap(board, not side, square, occupied ^ 1 << taker, own, all_orders))
    return best


def exchange(board: chess.Board, move: chess.Move, all_orders: bool = False) -> int:
    """What the mover wins by `move` and by the exchanges on its target; castling exchanges nothing."""
    if board.is_castling(move):
        return 0
    occupied = board.occupied & ~(1 << move.from_square) | 1 << move.to_square
    won = VALUE[board.piece_type_at(move.to_square)]
    if board.is_en_passant(move):
        won = VALUE[chess.PAWN]
        occupied &= ~(1 << chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)))
    lands_as = board.piece_type_at(move.from_square)
    if move.promotion:
        won += VALUE[move.promotion] - VALUE[chess.PAWN]
        lands_as = move.promotion
    return won - swap(board, not board.turn, move.to_square, occupied, VALUE[lands_as], all_orders)
