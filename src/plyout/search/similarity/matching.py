"""One-to-one matching of greatest weight.

The recursive measures pair the moves that two positions do not share. The loop printed in the thesis lets one move
serve many; its text, and symmetry, want each to serve once. The greatest total weight does not depend on which
position comes first, and with whole numbers not even in the last bit.
"""

import numpy as np

from plyout.kernel import Ints, kernel

UNIT = 1 << 30  # the weight of a whole match
_FAR = 1 << 60


@kernel
def greatest_matching(weights: Ints, rows: int, columns: int, chosen: Ints) -> int:
    """The greatest total weight of pairs (row, column) in which each row and each column stands at most once.

    `weights[row * columns + column]` is not negative. `chosen[column]` becomes the row paired with it, or -1. The
    Hungarian method with potentials: rows are brought in one by one along shortest augmenting paths.
    """
    for column in range(columns):
        chosen[column] = -1
    if rows > columns:  # each row needs a column of its own: turn the table over
        turned = np.empty(rows * columns, np.int64)
        for i in range(rows):
            for j in range(columns):
                turned[j * rows + i] = weights[i * columns + j]
        partner = np.empty(rows, np.int64)
        total = greatest_matching(turned, columns, rows, partner)
        for i in range(rows):
            if partner[i] >= 0:
                chosen[partner[i]] = i
        return total
    price_row, price_column = np.zeros(rows + 1, np.int64), np.zeros(columns + 1, np.int64)
    held_by, came_from = np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64)
    nearest, done = np.empty(columns + 1, np.int64), np.empty(columns + 1, np.int64)
    for row in range(1, rows + 1):
        held_by[0] = row
        column = 0
        for j in range(columns + 1):
            nearest[j] = _FAR
            done[j] = 0
        while held_by[column] != 0:
            done[column] = 1
            i, step, following = held_by[column], _FAR, 0
            for j in range(1, columns + 1):
                if done[j] == 0:
                    slack = -weights[(i - 1) * columns + j - 1] - price_row[i] - price_column[j]
                    if slack < nearest[j]:
                        nearest[j] = slack
                        came_from[j] = column
                    if nearest[j] < step:
                        step = nearest[j]
                        following = j
            for j in range(columns + 1):
                if done[j]:
                    price_row[held_by[j]] += step
                    price_column[j] -= step
                else:
                    nearest[j] -= step
            column = following
        while column != 0:
            held_by[column] = held_by[came_from[column]]
            column = came_from[column]
    total = 0
    for j in range(1, columns + 1):
        if held_by[j] and weights[(held_by[j] - 1) * columns + j - 1] > 0:
            chosen[j - 1] = held_by[j] - 1
            total += weights[(held_by[j] - 1) * columns + j - 1]
    return total
