"""Small networks as python-chess and NumPy compute them: what the kernels are compared with."""

from functools import cache
from typing import Any

import chess
import numpy as np

from plyout.networks.small.file import Network

ONE, BITS = 127, 12


def _levels(board: chess.Board, colour: bool) -> list[int]:
    """For each square 0, 1 where a piece of a side attacks it, 2 where a pawn does, 3 where several pieces do."""
    count, by_pawn = [0] * 64, 0
    for attacker in chess.scan_forward(board.occupied_co[colour]):
        attacks = board.attacks_mask(attacker)
        by_pawn |= attacks if board.pawns >> attacker & 1 else 0
        for square in chess.scan_forward(attacks):
            count[square] += 1
    return [2 if by_pawn >> square & 1 else 3 if count[square] > 1 else count[square] for square in range(64)]


def flip(board: chess.Board) -> int:
    king = board.king(board.turn)
    assert king is not None
    return (0 if board.turn else 56) ^ (7 if chess.square_file(king) > 3 else 0)


def features(board: chess.Board) -> list[int]:
    """What a network sees of a board."""
    by = {colour: _levels(board, colour) for colour in (True, False)}
    found = []
    for square, piece in board.piece_map().items():
        code = piece.piece_type - 1 + (0 if piece.color == board.turn else 6)
        code += 12 * by[not piece.color][square] + 48 * by[piece.color][square]
        found.append((square ^ flip(board)) * 192 + code)
    return found


def _turned(board: chess.Board, colour: bool) -> tuple[int, int]:
    """The square of a side's king, seen from its own end, and what turns squares so that it stands on files e to h."""
    king = board.king(colour)
    assert king is not None
    turn = (0 if colour else 56) ^ (7 if chess.square_file(king) < 4 else 0)
    return king ^ turn, turn


def view(board: chess.Board, colour: bool) -> list[int]:
    """What a side sees from where its king stands, by the definition of Stockfish's HalfKAv2_hm."""
    king, turn = _turned(board, colour)
    first = 704 * (31 - 4 * chess.square_rank(king) - (chess.square_file(king) - 4))
    found = []
    for square, piece in board.piece_map().items():
        kind = 10 if piece.piece_type == chess.KING else 2 * (piece.piece_type - 1) + (piece.color != colour)
        found.append(first + 64 * kind + (square ^ turn))
    return found


def trained_view(board: chess.Board, colour: bool) -> list[int]:
    """The same as training numbers it: the king on files a to d, and kings two kinds of pieces."""
    king, turn = _turned(board, colour)
    place = 4 * chess.square_rank(king) + 7 - chess.square_file(king)
    return [
        (64 * place + (square ^ turn ^ 7)) * 12 + piece.piece_type - 1 + (0 if piece.color == colour else 6)
        for square, piece in board.piece_map().items()
    ]


def wide_sums(network: Network, on: list[int]) -> Any:
    return network.arrays["biases"] + network.arrays["table"][on].sum(axis=0, dtype=np.int64)


def value(network: Network, board: chess.Board) -> int:
    """Centipawns for the side to move."""
    on, a = features(board), network.arrays
    bucket = (len(on) - 1) // 4
    views = [a["views"][view(board, side)].sum(axis=0, dtype=np.int64) for side in (board.turn, not board.turn)]
    activations = np.clip(wide_sums(network, on) + np.concatenate(views), 0, ONE)
    hidden = a["two"][bucket].astype(np.int64) @ activations**2 + a["two_biases"][bucket]
    hidden = np.maximum(hidden * round(2**32 * 2**BITS / (network.header["scale"] * ONE**2)) >> 32, 0)
    biases = a["three_biases"][bucket].astype(np.int64) << BITS
    hidden = np.maximum((a["three"][bucket].astype(np.int64) @ hidden + biases) >> BITS, 0)
    logit = int(a["out"][bucket, 0].astype(np.int64) @ hidden) + (int(a["out_biases"][bucket]) << BITS) >> BITS
    return logit * 260 >> BITS


def scores(network: Network, board: chess.Board, moves: list[chess.Move]) -> list[int]:
    """Of moves that are neither castling nor underpromotions, in hundredths of a nat."""
    squares = np.clip(wide_sums(network, features(board)), 0, ONE) ** 2
    danger, turn = [[0, 1, 2, 1][level] for level in _levels(board, not board.turn)], flip(board)
    pairs = _pairs()
    rows = [danger[m.to_square] * len(pairs) + pairs[m.from_square ^ turn, m.to_square ^ turn] for m in moves]
    sums = network.arrays["moves"][rows].astype(np.int64) @ squares + network.arrays["moves_biases"][rows]
    return [int(s) for s in sums * round(2**32 * 100 / (network.header["scale"] * ONE**2)) >> 32]


@cache
def _pairs() -> dict[tuple[int, int], int]:
    """Squares that a queen or a knight joins, numbered."""
    board, found = chess.Board(None), []
    for start in range(64):
        ends = chess.SquareSet()
        for piece in (chess.QUEEN, chess.KNIGHT):
            board.set_piece_at(start, chess.Piece(piece, True))
            ends |= board.attacks(start)
        board.remove_piece_at(start)
        found += [(start, to) for to in ends]
    return {pair: i for i, pair in enumerate(found)}


def made_by_chance(width: int = 256, seed: int = 1) -> tuple[dict[str, Any], dict[str, Any]]:
    """The float weights of a value and of a policy network, of the size that training finds."""
    rng = np.random.default_rng(seed)

    def layer(name: str, inputs: int, outputs: int, spread: float) -> dict[str, Any]:
        return {f"{name}_w": rng.normal(0, spread, (inputs, outputs)), f"{name}_b": rng.normal(0, 0.1, outputs)}

    wide = layer("wide", 64 * 192, width, 0.1)
    tail = layer("two", width, 128, 0.15) | layer("three", 16, 128, 0.3) | layer("out", 16, 8, 0.4)
    views = {"views_w": rng.normal(0, 0.1, (32 * 64 * 12, width // 2))}
    return wide | views | tail, wide | layer("moves", width, 3 * 1792, 0.15)


def float_value(weights: dict[str, Any], board: chess.Board) -> float:
    """The logit that the network of floats gives."""
    on = features(board)
    bucket = (len(on) - 1) // 4
    views = [weights["views_w"][trained_view(board, side)].sum(axis=0) for side in (board.turn, not board.turn)]
    x = np.clip(weights["wide_w"][on].sum(axis=0) + weights["wide_b"] + np.concatenate(views), 0, 1) ** 2
    for name in ("two", "three"):
        x = np.maximum((x @ weights[f"{name}_w"] + weights[f"{name}_b"]).reshape(8, 16)[bucket], 0)
    return float((x @ weights["out_w"] + weights["out_b"])[bucket])
