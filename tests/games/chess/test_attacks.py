"""Attacks, from every square and with random pieces on the board, are those of python-chess."""

import random
from typing import Any

import chess
import numpy as np

from plyout.games.chess.attacks import BETWEEN, KING, KNIGHT, LINE, PAWN, bishop_attacks, rook_attacks
from plyout.kernel import kernel, signed


@kernel
def sliders(square: int, occupied: int, out: Any) -> None:
    out[0] = rook_attacks(square, occupied)
    out[1] = bishop_attacks(square, occupied)


def test_sliders_stop_at_the_first_piece() -> None:
    rng = random.Random(1)
    out = np.empty(2, np.int64)
    for square in chess.SQUARES:
        bit = chess.BB_SQUARES[square]
        # besides random crowds, single pieces on the edges and corners, where shifts leave the board
        crowds = [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(100)]
        for occupied in [0, 2**64 - 1, chess.BB_H8, chess.BB_A1, chess.BB_CORNERS, *crowds]:
            board = chess.Board(None)
            board.occupied = occupied | bit
            sliders(np.int64(square), np.int64(signed(occupied | bit)), out)
            for attacks, piece in zip(out.tolist(), ("rooks", "bishops"), strict=True):
                board.rooks, board.bishops = (bit, 0) if piece == "rooks" else (0, bit)
                assert attacks % 2**64 == board.attacks_mask(square), f"{piece} on {square}, occupied {occupied:#x}"


def test_leapers_attack_as_in_python_chess() -> None:
    for square in chess.SQUARES:
        for table, expected in (
            (KNIGHT, chess.BB_KNIGHT_ATTACKS),
            (KING, chess.BB_KING_ATTACKS),
            (PAWN[:64], chess.BB_PAWN_ATTACKS[chess.WHITE]),
            (PAWN[64:], chess.BB_PAWN_ATTACKS[chess.BLACK]),
        ):
            assert int(table[square]) % 2**64 == expected[square]


def test_lines_are_those_of_python_chess() -> None:
    for a in chess.SQUARES:
        for b in chess.SQUARES:
            if a != b:
                assert int(BETWEEN[a * 64 + b]) % 2**64 == chess.between(a, b)
                assert int(LINE[a * 64 + b]) % 2**64 == chess.ray(a, b)
