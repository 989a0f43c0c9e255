"""Labelled games without an engine: random moves, and the material on the board as the score."""

import lzma
import random
from pathlib import Path

import chess
import numpy as np

from plyout.lab.train.games import UNLABELLED, LabelledGame, game_bytes
from plyout.lab.train.label import word

_WORTH = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}


def material(board: chess.Board) -> int:
    """Centipawns for the side to move."""
    return sum(
        worth * (len(board.pieces(piece, board.turn)) - len(board.pieces(piece, not board.turn)))
        for piece, worth in _WORTH.items()
    )


def random_games(count: int, plies: int, seed: int = 1, opening: int = 2) -> list[LabelledGame]:
    """Games of captures where there are any, so that the material changes."""
    chance = random.Random(seed)
    games = []
    for _ in range(count):
        board, rows = chess.Board(), []
        while len(rows) < plies and not board.is_game_over():
            moves = list(board.generate_legal_captures()) or list(board.legal_moves)
            best = chance.choice(moves)
            move = best if chance.random() < 0.5 else chance.choice(list(board.legal_moves))
            labelled = len(rows) >= opening
            rows.append((word(move), word(best) if labelled else 0, material(board) if labelled else UNLABELLED))
            board.push(move)
        points = {"1-0": 1.0, "0-1": 0.0}.get(board.result(), 0.5)
        games.append(LabelledGame(points, np.array(rows).astype(np.uint16)))
    return games


def moves_of(game: LabelledGame) -> list[chess.Move]:
    return [move_of(int(played)) for played in game.plies[:, 0]]


def move_of(found: int) -> chess.Move:
    return chess.Move(found & 63, found >> 6 & 63, found >> 12 or None)


def write_games(folder: Path, games: list[LabelledGame]) -> Path:
    """A folder of labels with these games."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games-0.bin.xz").write_bytes(lzma.compress(b"".join(map(game_bytes, games))))
    return folder
