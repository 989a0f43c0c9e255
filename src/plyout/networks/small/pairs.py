"""Pairs of squares: from one to the other a queen or a knight could go on an empty board. There are 1,792 of them."""

import numpy as np

PAIR_OF = np.full(4096, -1, np.int16)
"""By from · 64 + to; -1 where they are no pair, as the squares of castling in Chess960 may be."""


def _is_pair(start: int, to: int) -> bool:
    right, up = abs((to & 7) - (start & 7)), abs((to >> 3) - (start >> 3))
    return start != to and (right == 0 or up == 0 or right == up or {right, up} == {1, 2})


_FOUND = [64 * start + to for start in range(64) for to in range(64) if _is_pair(start, to)]
PAIRS = len(_FOUND)
PAIR_OF[_FOUND] = np.arange(PAIRS)
