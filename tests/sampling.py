"""Chess positions by chance: from random games, and set up at random where rare things are to happen often."""

import random
from collections.abc import Iterator

import chess

from tests.positions import KIWIPETE, START

STARTS = (
    START,
    KIWIPETE,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/1P4P1/8/2pp4/4PP2/8/1p4p1/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
)


def start(rng: random.Random) -> chess.Board:
    """A position to begin a game at; every third is one of Chess960."""
    if rng.random() < 1 / 3:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board(rng.choice(STARTS))


def is_rare(board: chess.Board, move: chess.Move) -> bool:
    return bool(move.promotion) or board.is_castling(move) or board.is_en_passant(move)


def positions(count: int, seed: int, every: int = 1) -> Iterator[chess.Board]:
    """So many unfinished positions, each `every`-th of random games in which rare moves are often played.

    The board goes on: copy what is to be kept.
    """
    rng = random.Random(seed)
    board, longest = start(rng), 40
    plies = 0
    while count > 0:
        moves = list(board.legal_moves)
        if not moves or len(board.move_stack) > longest or board.is_insufficient_material():
            board, longest = start(rng), rng.choice((20, 40, 120))
            continue
        plies += 1
        if plies % every == 0:
            count -= 1
            yield board
        rare = [move for move in moves if is_rare(board, move)]
        pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        board.push(rng.choice(rng.choice((rare, pawns, moves)) or moves))


def set_up(count: int, seed: int, pieces: str = "QRRBNPPP") -> Iterator[chess.Board]:
    """So many legal positions with two kings and a few of `pieces`, most of them the mover's, placed at random.

    The other king stands at the edge and half of the pawns one step before promotion: many are mates in one.
    """
    rng = random.Random(seed)
    while count > 0:
        board = chess.Board(None)
        board.turn = rng.random() < 0.5
        squares = rng.sample(chess.SQUARES, 12)
        edge = rng.choice(list(chess.SquareSet(chess.BB_BACKRANKS | chess.BB_FILE_A | chess.BB_FILE_H)))
        board.set_piece_at(edge, chess.Piece(chess.KING, not board.turn))
        if board.piece_at(square := squares.pop()) is None:
            board.set_piece_at(square, chess.Piece(chess.KING, board.turn))
        for symbol in rng.sample(pieces, rng.randint(2, min(len(pieces), 6))):
            piece = chess.Piece(chess.Piece.from_symbol(symbol).piece_type, board.turn == (rng.random() < 0.7))
            square = squares.pop()
            if piece.piece_type == chess.PAWN and rng.random() < 0.5:
                square = chess.square(chess.square_file(square), 6 if piece.color else 1)
            if board.piece_at(square) is None:
                board.set_piece_at(square, piece)
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield board
