"""A network of random numbers in the form of Stockfish's, and its evaluation in plain NumPy, straight from the file.

The weights are small enough that the sums stay within what clipping leaves alone, and large enough that all count.
"""

import struct
from typing import Any

import chess
import numpy as np

FEATURES, SUMS = 64 * 11 * 64 // 2, 1024
VERSION, ARCHITECTURE, SUMS_HASH, STACK_HASH = 0x7AF32F20, 0x1C102EF2, 0x7F2344B8, 0x63336A4A
DESCRIPTION = b"random numbers"


def arrays(seed: int) -> list[Any]:
    """The numbers of a network in the order of the file."""
    chance = np.random.default_rng(seed)

    def numbers(bound: int, count: int, kind: str) -> Any:
        return chance.integers(-bound, bound, count, kind)

    found = [numbers(60, SUMS, "<i2"), numbers(25, SUMS * FEATURES, "<i2"), numbers(20_000, 8 * FEATURES, "<i4")]
    for _ in range(8):
        found += [
            numbers(4000, 16, "<i4"), numbers(20, 16 * SUMS, "i1"),
            numbers(4000, 32, "<i4"), numbers(100, 32 * 32, "i1"),
            numbers(4000, 1, "<i4"), numbers(127, 32, "i1"),
        ]  # fmt: skip
    return found


def file_of(numbers: list[Any]) -> bytes:
    parts = [struct.pack("<III", VERSION, ARCHITECTURE, len(DESCRIPTION)), DESCRIPTION, struct.pack("<I", SUMS_HASH)]
    parts += [a.tobytes() for a in numbers[:3]]
    for i in range(3, len(numbers), 6):
        parts += [struct.pack("<I", STACK_HASH), *(a.tobytes() for a in numbers[i : i + 6])]
    return b"".join(parts)


def features(board: chess.Board, colour: bool) -> list[int]:
    """The features of a position as a side sees it, by the definition of HalfKAv2_hm."""
    king = board.king(colour)
    assert king is not None

    def seen(square: int) -> int:
        square = square if colour else chess.square_mirror(square)
        return square if chess.square_file(king) >= 4 else square ^ 7

    rank, file = divmod(seen(king), 8)
    bucket = 8 * 4 - 1 - 4 * rank - (file - 4)
    found = []
    for square, piece in board.piece_map().items():
        place = 10 if piece.piece_type == chess.KING else 2 * (piece.piece_type - 1) + (piece.color != colour)
        found.append(704 * bucket + 64 * place + seen(square))
    return found


def value(board: chess.Board, numbers: list[Any]) -> int:
    """The evaluation for the side to move, in Stockfish's units."""
    biases, weights, material = numbers[0].astype(int), numbers[1].reshape(-1, SUMS), numbers[2].reshape(-1, 8)
    inputs, worth = [], []
    bucket = (len(board.piece_map()) - 1) // 4
    for colour in (board.turn, not board.turn):
        rows = features(board, colour)
        sums = np.clip(biases + weights[rows].sum(axis=0), 0, 127)
        inputs.append(sums[:512] * sums[512:] // 128)
        worth.append(int(material[rows, bucket].sum()))
    first_biases, first, second_biases, second, last_bias, last = (
        a.astype(int) for a in numbers[3 + 6 * bucket : 9 + 6 * bucket]
    )
    x = first_biases + first.reshape(16, SUMS) @ np.concatenate(inputs)
    squares, clipped = np.minimum(x[:15] ** 2 // 2**19, 127), np.clip(x[:15] // 64, 0, 127)
    y = second_biases + second.reshape(32, 32) @ np.concatenate([squares, clipped, [0, 0]])
    z = int(last_bias[0] + last @ np.clip(y // 64, 0, 127))
    positional = z + int(int(x[15]) * 600 * 16 / (127 * 64))
    return int((int((worth[0] - worth[1]) / 2) + positional) / 16)
