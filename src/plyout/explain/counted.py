"""What is true of a method: exchanges on one square, pieces counted along a line."""

from collections.abc import Iterator

import chess
import numpy as np

from plyout.evaluate.exchange import exchanges
from plyout.explain.certain import side
from plyout.explain.statement import METHOD, Statement
from plyout.explain.subject import Candidate, shown
from plyout.games import CHESS, State
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


def by_exchange(c: Candidate) -> Iterator[Statement]:
    """What the move wins or loses on its square, and what the best capture in reply wins elsewhere."""
    tree = c.result.tree
    if tree.game is not CHESS:
        return  # in crazyhouse a capture is worth more than the piece, and a drop may defend
    (worth,) = worths(c.board, tree.state, [c.move])
    if takes(c.board, c.move) or worth < 0:
        square = chess.square_name(c.move.to_square)
        yield c.state("exchange", METHOD, square=square, centipawns=worth)
    replies = [m for m in c.after.legal_moves if takes(c.after, m) and m.to_square != c.move.to_square]
    if replies:
        won, reply = max(zip(worths(c.after, c.place.state, replies), replies, strict=True), key=lambda pair: pair[0])
        if won > 0:
            yield c.state(
                "answer", METHOD, reply=c.after.san(reply), uci=reply.uci(), centipawns=won,
                square=chess.square_name(reply.to_square),
            )  # fmt: skip


def by_material(c: Candidate, line: list[chess.Move]) -> Iterator[Statement]:
    """The pieces that are taken in a line that begins with the move."""
    board, taken = c.board.copy(), {chess.WHITE: "", chess.BLACK: ""}
    promoted = {chess.WHITE: "", chess.BLACK: ""}
    for move in line:
        if board.is_capture(move):
            taken[board.turn] += "P" if board.is_en_passant(move) else _LETTERS[board.piece_type_at(move.to_square) or 0]
        if move.promotion:
            promoted[board.turn] += _LETTERS[move.promotion]
        board.push(move)
    mover, other = c.board.turn, not c.board.turn
    if taken[mover] or taken[other] or promoted[mover] or promoted[other]:
        yield c.state(
            "material", METHOD, line=[m.uci() for m in line], shown=shown(c.board, line), mover=side(mover),
            other=side(other), taken=taken[mover], lost=taken[other], promoted=promoted[mover],
            promoted_there=promoted[other],
        )  # fmt: skip
