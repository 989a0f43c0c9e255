"""Residual networks of one block and eight channels with weights by chance: they know nothing and are there at once."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import jax

from plyout.lab.train.export import write_onnx
from plyout.lab.train.replay import ENEMY, FLIP, KING, MIRROR, SWAPPED
from plyout.lab.train.teacher import Teacher

SHAPE = Teacher(blocks=1, channels=8)


def weights(seed: int = 1) -> tuple[Any, Any]:
    """(weights, averages), none of them as it is before training."""
    made, seen = SHAPE.new(jax.random.key(seed))
    chance = np.random.default_rng(seed)
    made = jax.tree.map(lambda w: w + 0.1 * chance.normal(size=w.shape).astype(np.float32), made)
    seen = jax.tree.map(lambda a: a + 0.3 * chance.random(a.shape).astype(np.float32), seen)
    return made, seen


def write_tiny(path: Path, seed: int = 1, boards: Any = None) -> Path:
    write_onnx(path, SHAPE, *weights(seed), {"games": 0}, boards)
    return path


def seen_board(board: Any) -> Any:
    """A python-chess board as training sees it."""
    squares = np.zeros(64, np.int8)
    for square, piece in board.piece_map().items():
        squares[square] = piece.piece_type + (0 if piece.color else ENEMY)
    if not board.turn:
        squares = SWAPPED[squares[FLIP]]
    return squares[MIRROR] if int(np.argmax(squares == KING)) & 7 > 3 else squares
