"""A move without a search, for when there can be none: better than to lose on time."""

from collections.abc import Sequence

import chess

_VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}


def sensible_move(board: chess.Board, moves: Sequence[chess.Move] | None = None) -> tuple[chess.Move | None, int]:
    """A move and what it gains, in centipawns: a mate, else what takes most and risks least; None if there is none."""
    found = max(moves or list(board.legal_moves), key=lambda move: _gain(board, move), default=None)
    return found, _gain(board, found) if found else 0


def _gain(board: chess.Board, move: chess.Move) -> int:
    taken = 0 if board.is_castling(move) else _value(board.piece_type_at(move.to_square))
    if board.is_en_passant(move):
        taken = _VALUES[chess.PAWN]
    promoted = _VALUES[move.promotion] - _VALUES[chess.PAWN] if move.promotion else 0
    after = board.copy(stack=False)
    after.push(move)
    if after.is_checkmate():
        return 100_000
    risk = 0
    for square in chess.scan_forward(after.occupied_co[board.turn]):
        attackers = after.attackers(after.turn, square)
        if attackers:
            least = min(_value(after.piece_type_at(s)) for s in attackers)
            value = _value(after.piece_type_at(square))
            defended = bool(after.attackers(board.turn, square))
            risk = max(risk, value - least if defended else value)
    return taken + promoted - risk


def _value(kind: chess.PieceType | None) -> int:
    return _VALUES[kind] if kind else 0
