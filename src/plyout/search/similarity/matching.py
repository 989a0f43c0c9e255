"""One-to-one matching of greatest weight.

The recursive measures pair the moves that two positions do not share. The loop printed in the thesis lets one move
serve many; its text, and symmetry, want each to serve once. The greatest total weight does not depend on which
position comes first.
"""

from typing import NamedTuple

import numpy as np

from plyout.kernel import Ints, inlined, keep, kernel, borrowed

_FAR = 1 << 60


class _Assignment(NamedTuple):
    """What the Hungarian method keeps; rows and columns are counted from 1, and column 0 holds the row brought in."""

    price_row: Ints  # the potentials
    price_column: Ints
    row_of: Ints  # the row that a column is paired with; 0: none
    came_from: Ints  # the column before this one on the shortest path to it
    nearest: Ints  # the length of that path
    done: Ints


@kernel
def _transposed(weights: Ints, rows: int, columns: int) -> Ints:
    turned = np.empty(rows * columns, np.int64)
    for i in range(rows):
        for j in range(columns):
            turned[j * rows + i] = weights[i * columns + j]
    return turned


@inlined
def _step(a: _Assignment, column: int, weights: Ints, columns: int) -> int:
    """Go on from `column`, which is done with, to the column that is nearest now, and change the prices by the way."""
    a.done[column] = 1
    i, step, following = a.row_of[column], _FAR, 0
    for j in range(1, columns + 1):
        if a.done[j] == 0:
            slack = -weights[(i - 1) * columns + j - 1] - a.price_row[i] - a.price_column[j]
            if slack < a.nearest[j]:
                a.nearest[j] = slack
                a.came_from[j] = column
            if a.nearest[j] < step:
                step = a.nearest[j]
                following = j
    for j in range(columns + 1):
        if a.done[j]:
            a.price_row[a.row_of[j]] += step
            a.price_column[j] -= step
        else:
            a.nearest[j] -= step
    return following


@inlined
def _bring_in(a: _Assignment, row: int, weights: Ints, columns: int) -> None:
    """Pair one row more, along the shortest augmenting path."""
    a.row_of[0] = row
    for j in range(columns + 1):
        a.nearest[j] = _FAR
        a.done[j] = 0
    column = 0
    while a.row_of[column] != 0:
        column = _step(a, column, weights, columns)
    while column != 0:
        a.row_of[column] = a.row_of[a.came_from[column]]
        column = a.came_from[column]


@kernel
def greatest_matching(weights: Ints, rows: int, columns: int, chosen: Ints) -> int:
    """The greatest total weight of pairs (row, column) in which each row and each column stands at most once.

    `weights[row * columns + column]` is not negative. `chosen[column]` becomes the row paired with it, or -1. The
    Hungarian method with potentials: rows are brought in one by one along shortest augmenting paths.
    """
    for column in range(columns):
        chosen[column] = -1
    if rows > columns:  # each row needs a column of its own: turn the table over
        partner = np.empty(rows, np.int64)
        total = greatest_matching(_transposed(weights, rows, columns), columns, rows, partner)
        for i in range(rows):
            if partner[i] >= 0:
                chosen[partner[i]] = i
        return total
    arrays = _Assignment(
        np.zeros(rows + 1, np.int64), np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64),
        np.zeros(columns + 1, np.int64), np.empty(columns + 1, np.int64), np.empty(columns + 1, np.int64),
    )  # fmt: skip
    a, weights, chosen = borrowed(arrays), borrowed(weights), borrowed(chosen)
    for row in range(1, rows + 1):
        _bring_in(a, row, weights, columns)
    total = 0
    for j in range(1, columns + 1):
        if a.row_of[j] and weights[(a.row_of[j] - 1) * columns + j - 1] > 0:
            chosen[j - 1] = a.row_of[j] - 1
            total += weights[(a.row_of[j] - 1) * columns + j - 1]
    keep(arrays)
    return total
