"""Fit the piece-square tables of `plyout.evaluate.tapered` to games whose positions an engine has scored.

usage: python tools/fit_tables.py GAMES.bin.xz … > src/plyout/evaluate/piece_square.py

A file holds games, little endian: u16 number of plies, u8 White's points × 2, u8 0, then for each ply u16 move
played, u16 best move, i16 score of the side to move in centipawns (32767: none). A move is from | to << 6 |
promotion << 12, promotions 2 (knight) to 5 (queen). All games begin at the start position.

Each quiet position (no check, best move no capture) gives one equation: the tapered sum of the tables is the
score, clipped. The least-squares solution is found from the normal equations; squares that a piece seldom
stands on are held to the mean of that piece.
"""

import lzma
import sys

import numpy as np

from plyout.evaluate.tapered import PHASE, WHOLE_PHASE
from plyout.games import CHESS
from plyout.games.chess.board import Board, in_check, load, sides
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import CASTLE, from_square, promotion_of, to_square
from plyout.games.chess.rules import ROOM, legal, play
from plyout.kernel import Ints, kernel

FEATURES = 2 * 6 * 64
CLIP = 800
RIDGE = 2000.0  # as many positions as pull a square to its piece's mean


@kernel
def code_of(move: int) -> int:
    """The move as the files write it."""
    start, to, promotion = from_square(move), to_square(move), promotion_of(move)
    if move & CASTLE:
        to = (start & 56) + (6 if to > start else 2)
    return start | to << 6 | (promotion + 1 << 12 if promotion else 0)


@kernel
def add_equation(b: Board, value: int, matrix: np.ndarray, vector: np.ndarray, index: Ints, weight: np.ndarray) -> None:
    """Add to the normal equations that the tapered sum of `b` should be `value`, for White."""
    phase = 0
    n = 0
    for square in range(64):
        piece = piece_at(b, square)
        if piece < 6:
            phase += PHASE[piece]
            white = b.white & 1 << square
            index[n] = piece * 64 + (square if white else square ^ 56)
            weight[n] = 1.0 if white else -1.0
            n += 1
    middle = min(phase, WHOLE_PHASE) / WHOLE_PHASE
    for k in range(n):
        index[n + k] = 384 + index[k]
        weight[n + k] = weight[k] * (1.0 - middle)
        weight[k] *= middle
    for k in range(2 * n):
        vector[index[k]] += weight[k] * value
        for m in range(2 * n):
            matrix[index[k], index[m]] += weight[k] * weight[m]


@kernel
def gather(start: Ints, data: Ints, matrix: np.ndarray, vector: np.ndarray) -> int:
    """Add every quiet position of the games in `data` (16-bit words) to the normal equations; how many there were."""
    state = np.empty(start.size, np.int64)
    moves = np.empty(ROOM, np.int64)
    index = np.empty(64, np.int64)
    weight = np.empty(64, np.float64)
    used = 0
    i = 0
    while i < data.size:
        plies = data[i]
        i += 2
        for word in range(start.size):
            state[word] = start[word]
        for _ in range(plies):
            played, best, score = data[i], data[i + 1], data[i + 2]
            i += 3
            if score >= 32768:
                score -= 65536
            b = load(state)
            _, enemies = sides(b)
            if score != 32767 and not in_check(b) and not enemies & 1 << to_square(best):
                value = min(max(score, -CLIP), CLIP) * (1 if b.turn == 0 else -1)
                add_equation(b, value, matrix, vector, index, weight)
                used += 1
            found = False
            for k in range(legal(state, moves)):
                if code_of(moves[k]) == played and not found:
                    play(state, moves[k])
                    found = True
            if not found:
                raise ValueError("a game holds an illegal move")
    return used


def main(paths: list[str]) -> None:
    matrix, vector = np.zeros((FEATURES, FEATURES)), np.zeros(FEATURES)
    used = 0
    for path in paths:
        with lzma.open(path) as file:
            data = np.frombuffer(file.read(), np.uint16).astype(np.int64)
        used += gather(CHESS.start(), data, matrix, vector)
        print(f"{path}: {used:,} quiet positions so far", file=sys.stderr)
    free = np.linalg.solve(matrix + np.eye(FEATURES), vector)
    counts = np.diag(matrix).reshape(12, 64)
    means = (free.reshape(12, 64) * counts).sum(axis=1) / counts.sum(axis=1)
    pull = RIDGE * np.repeat(means, 64)
    fitted = np.linalg.solve(matrix + RIDGE * np.eye(FEATURES), vector + pull)
    tables = np.rint(fitted).astype(int).reshape(2, 6, 64)
    print(f'"""Fitted by tools/fit_tables.py to {used:,} quiet positions that Stockfish 15.1 scored."""\n')
    for name, table in zip(("MIDDLEGAME", "ENDGAME"), tables, strict=True):
        print(f"{name} = (")
        for piece, squares in zip(("pawn", "knight", "bishop", "rook", "queen", "king"), table, strict=True):
            print(f"    # {piece}, a1 to h1 first")
            for rank in range(8):
                print("    " + " ".join(f"{v}," for v in squares[8 * rank : 8 * rank + 8]))
        print(")  # fmt: skip\n")


if __name__ == "__main__":
    main(sys.argv[1:])
