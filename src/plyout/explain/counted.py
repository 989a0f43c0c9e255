"""What is true of a method: exchanges on one square, pieces counted along a line."""

from collections.abc import Iterator

import chess
import numpy as np

from plyout.engine.shown import line_san
from plyout.evaluate.exchange import exchanges
from plyout.evaluate.material import VALUE
from plyout.explain.certain import side
from plyout.explain.statement import METHOD, Statement
from plyout.explain.subject import Candidate
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import encode

_LETTERS = ".PNBRQK"


def worths(board: chess.Board, state: State, moves: list[chess.Move]) -> list[int]:
    """What moves win in centipawns by exchanges on their squares."""
    won = np.zeros(len(moves), np.int64)
    exchanges(state, np.array([encode(board, move) for move in moves], np.int64), won)
    return [int(worth) for worth in won]


def takes(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move changes the material."""
    return board.is_capture(move) or move.promotion is not None


def by_exchange(c: Candidate, replies: bool = True) -> Iterator[Statement]:
    """What the move wins or loses on its square, and with `replies` what the best capture in reply wins elsewhere."""
    tree = c.result.tree
    if tree.game is not CHESS:
        return  # in crazyhouse a capture is worth more than the piece, and a drop may defend
    (worth,) = worths(c.board, tree.state, [c.move])
    if takes(c.board, c.move) or worth < 0:
        square = chess.square_name(c.move.to_square)
        yield c.state("exchange", METHOD, square=square, centipawns=worth)
    captures = [m for m in c.after.legal_moves if takes(c.after, m) and m.to_square != c.move.to_square]
    if captures and replies:
        won, reply = max(zip(worths(c.after, c.place.state, captures), captures, strict=True), key=lambda pair: pair[0])
        if won > 0:
            yield c.state(
                "answer", METHOD, reply=c.after.san(reply), uci=reply.uci(), centipawns=won,
                square=chess.square_name(reply.to_square),
            )  # fmt: skip


def material(board: chess.Board, side: chess.Color) -> int:
    """The pieces of `side` less those of the other, in centipawns."""
    counted = 0
    for piece in board.piece_map().values():
        if piece.piece_type != chess.KING:
            counted += int(VALUE[piece.piece_type - 1]) * (1 if piece.color == side else -1)
    return counted


def is_quiet(board: chess.Board) -> bool:
    """Whether the side to move is not in check, and no capture wins anything by exchanges."""
    moves = [move for move in board.legal_moves if takes(board, move)]
    return not board.is_check() and (not moves or max(worths(board, state_of(board), moves)) <= 0)


def _quiet_part(board: chess.Board, line: list[chess.Move]) -> list[chess.Move]:
    """A line up to the last quiet position: in the middle of an exchange there is nothing to count."""
    board, longest = board.copy(stack=False), 0
    for played, move in enumerate(line, 1):
        board.push(move)
        if is_quiet(board):
            longest = played
    return line[:longest]


def winning_replies(c: Candidate) -> list[chess.Move]:
    """Captures in reply that win by exchanges: what a sacrifice offers."""
    if c.result.tree.game is not CHESS:
        return []
    moves = [move for move in c.after.legal_moves if takes(c.after, move)]
    worth = worths(c.after, c.place.state, moves) if moves else []
    return [move for move, won in zip(moves, worth, strict=True) if won > 0]


def by_material(c: Candidate, line: list[chess.Move]) -> Iterator[Statement]:
    """The pieces that are taken in a line that begins with the move, up to its last quiet position."""
    if c.result.tree.game is not CHESS:
        return
    line = _quiet_part(c.board, line)
    board, taken = c.board.copy(), {chess.WHITE: "", chess.BLACK: ""}
    promoted = {chess.WHITE: "", chess.BLACK: ""}
    for move in line:
        if board.is_capture(move):
            taken[board.turn] += (
                "P" if board.is_en_passant(move) else _LETTERS[board.piece_type_at(move.to_square) or 0]
            )
        if move.promotion:
            promoted[board.turn] += _LETTERS[move.promotion]
        board.push(move)
    mover, other = c.board.turn, not c.board.turn
    if taken[mover] or taken[other] or promoted[mover] or promoted[other]:
        gain = material(board, mover) - material(c.board, mover)
        yield c.state(
            "material", METHOD, line=[m.uci() for m in line], shown=line_san(c.board, line), mover=side(mover),
            other=side(other), taken=taken[mover], lost=taken[other], promoted=promoted[mover],
            promoted_there=promoted[other], centipawns=gain, to_move=side(board.turn),
        )  # fmt: skip
