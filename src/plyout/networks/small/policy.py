"""The small policy network: how likely each move is, computed in integers.

    features ─► width (int8) ─► clamp to 0 … 1, square ─► a product with the move's own vector

A move's vector is that of its pair of squares and the danger at its end: none, an enemy piece attacks there, or a pawn
does. Weights come as an image, as those of `plyout.networks.small.value`.
"""

from typing import Any

import numpy as np

from plyout.games.chess.board import Board, Q, castled
from plyout.games.chess.move import CASTLE, from_square, promotion_of, to_square
from plyout.kernel import Ints, address_of, at, inlined, keep, kernel, shr
from plyout.kernel.vectors import activate, squares_times, word_at
from plyout.networks.small.features import MOST, active
from plyout.networks.small.pairs import PAIR_OF, PAIRS

DANGERS = 3
WIDEST = 2048
_UNDERPROMOTION = 400  # hundredths of a nat less than a queen's
_NO_PAIR = -200  # for a king that castles farther than a queen could go

WIDTH, BIASES, TABLE, MOVES, MULTIPLIER, MOVE_BIASES = range(6)
"""Words of the image: the width, where the parts begin (in bytes), and what makes hundredths of a nat (times 2^32)."""


@inlined
def _score(net: int, activations: int, row: int) -> int:
    width = word_at(net, WIDTH)
    total = squares_times(activations, net + word_at(net, MOVES) + row * width, width)
    total += word_at(net + word_at(net, MOVE_BIASES), row)
    return total * word_at(net, MULTIPLIER) >> 32  # arithmetic


@kernel
def network_policy(b: Board, net: int, moves: Ints, count: int, scores: Any) -> None:
    """Write the score of each of the first `count` moves, in hundredths of a nat."""
    room = np.empty(MOST + WIDEST // 4, np.int64)
    rows, activations = address_of(room), address_of(room) + 8 * MOST
    features, flip, attacked = active(b, room)
    activate(activations, net + word_at(net, BIASES), net + word_at(net, TABLE), rows, features, word_at(net, WIDTH))
    for i in range(count):
        move = moves[i]
        start, to = from_square(move), to_square(move)
        if move & CASTLE:
            to, _ = castled(start, to)
        pair = at(PAIR_OF, (start ^ flip) * 64 + (to ^ flip))
        danger = (shr(attacked.once, to) & 1) + (shr(attacked.by_pawn, to) & 1)
        score = _score(net, activations, danger * PAIRS + pair) if pair >= 0 else _NO_PAIR
        if 0 < promotion_of(move) < Q:
            score -= _UNDERPROMOTION
        scores[i] = score
    keep(room)
