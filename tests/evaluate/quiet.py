"""Quiescence, slow and obvious, on python-chess boards: no window unless delta pruning asks for one."""

from fractions import Fraction
from math import floor

import chess
import chess.variant

from plyout.evaluate.pockets import POCKET_ENDGAME, POCKET_MIDDLEGAME
from plyout.evaluate.quiescence import INFINITE, MATE_SCORE
from plyout.games.chess.border import encode
from tests.evaluate import oracle


def house_tapered(board: chess.Board) -> int:
    """The tapered evaluation for the side to move, pockets counted."""
    middlegame, endgame, phase = oracle.totals(board, board.turn)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for colour in chess.COLORS:
            sign = 1 if colour == board.turn else -1
            for piece in range(5):
                count = board.pockets[colour].count(piece + 1)
                middlegame += sign * count * int(POCKET_MIDDLEGAME[piece])
                endgame += sign * count * int(POCKET_ENDGAME[piece])
                phase += count * oracle.PHASE[piece + 1]
    share = min(phase / 26, Fraction(1))
    return floor(share * middlegame + (1 - share) * endgame)


def rank(board: chess.Board, move: chess.Move) -> tuple[int, int, int]:
    """Sorts the best victim first, then the cheapest attacker; the rest as the search happens to do it."""
    victim = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square) or 0
    if board.is_castling(move) or move.drop:
        victim = 0
    attacker = board.piece_type_at(move.from_square) if victim else chess.KING
    worth = 8 * victim + 6 - (attacker or 0) + (32 if move.promotion == chess.QUEEN else 0)
    return -worth, -encode(board, move), 0


def quiesce(
    board: chess.Board, depth: int, evasions: bool, exchanges: bool, delta: int = 0, ply: int = 0,
    alpha: int = -INFINITE, beta: int = INFINITE,
) -> int:  # fmt: skip
    """What `plyout.evaluate.quiescence.quiesce` should say. Without delta pruning the window is never used."""
    house = isinstance(board, chess.variant.CrazyhouseBoard)
    if not house and board.is_insufficient_material():
        return 0
    best = house_tapered(board)
    if ply >= depth:
        return best
    check = board.is_check() and evasions
    if check:
        best = ply - MATE_SCORE
    elif delta and best >= beta:
        return best
    alpha = max(alpha, best)
    for move in sorted(board.legal_moves, key=lambda m: rank(board, m)):
        if not check:
            forcing = move.promotion == chess.QUEEN or (board.is_capture(move) and not move.promotion)
            if move.drop or not forcing:
                continue
            if exchanges and oracle.exchange(board, move) < 0:
                continue
        board.push(move)
        if delta and not check and after_for_mover(board) + delta <= alpha:
            board.pop()
            continue
        value = -quiesce(board, depth, evasions, exchanges, delta, ply + 1, -beta, -alpha)
        board.pop()
        best = max(best, value)
        if delta:
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def after_for_mover(board: chess.Board) -> int:
    """The evaluation for the side that has just moved, rounded down for that side."""
    board.turn = not board.turn
    worth = house_tapered(board)
    board.turn = not board.turn
    return worth
