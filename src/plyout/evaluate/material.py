"""What the pieces are worth in centipawns."""

import numpy as np

VALUE = np.array([100, 320, 330, 500, 950, 20_000], np.int64)
"""Pawn, knight, bishop, rook, queen, king."""
