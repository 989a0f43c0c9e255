"""The small value network: a position's worth in centipawns, computed in integers.

    features ─► width (int8) ─► clamp to 0 … 1, square ─► 16 ─► relu ─► 16 ─► relu ─► logit
    views ──────────┘

One half of the wide layer gets, beside the features, what the side to move sees from where its king stands, the other
half what the other side sees (see `plyout.networks.small.views`). The layers behind it are those of a *bucket*: one set
for every four pieces on the board. Weights come as an *image*, one array of words, of which kernels get the address
(`plyout.networks.small.image` makes it).
"""

import numpy as np

from plyout.games.chess.board import Board
from plyout.kernel import address_of, inlined, int64_at, keep, kernel
from plyout.kernel.vectors import activate, add, squares_times, word_at
from plyout.networks.small.features import MOST, active
from plyout.networks.small.views import side_sums

HIDDEN, BUCKETS = 16, 8
BITS = 12
"""behind the point, in the hidden layers"""
CENTIPAWNS = 260
"""to a factor of e in the odds: 599 to a factor of ten"""
WIDEST = 2048

WIDTH, BIASES, TABLE, TWO, MULTIPLIER, SMALL, VIEWS, ROOM = range(8)
"""Words of the image: the width, where the parts begin (in bytes), what brings the second layer to BITS (times 2^32),
and how many words of room a thread needs, where sums are kept from position to position.
SMALL has, for each bucket and as words: two's biases, three's weights and biases, out's weights and bias."""
PER_BUCKET = HIDDEN + HIDDEN * HIDDEN + HIDDEN + HIDDEN + 1


@inlined
def _small_layers(net: int, bucket: int, hidden: int) -> int:
    """The logit, with BITS behind the point, from the first hidden layer, whose words stand at `hidden`."""
    weights = net + word_at(net, SMALL) + 8 * PER_BUCKET * bucket
    biases = weights + 8 * (HIDDEN + HIDDEN * HIDDEN)
    out = biases + 8 * HIDDEN
    logit = word_at(out, HIDDEN) << BITS
    for k in range(HIDDEN):
        total = word_at(biases, k) << BITS
        for j in range(HIDDEN):
            total += word_at(hidden, j) * word_at(weights, HIDDEN + HIDDEN * k + j)
        logit += max(total >> BITS, 0) * word_at(out, k)  # arithmetic
    return logit >> BITS  # arithmetic


@inlined
def _begin(b: Board, net: int, width: int, kept: int, sums: int) -> None:
    """Write what the wide layer's sums begin with: biases, and what both sides see."""
    room, views = int64_at(kept, word_at(net, ROOM)), net + word_at(net, VIEWS)
    own = side_sums(b, b.turn, net, views, width, room)
    other = side_sums(b, 1 - b.turn, net, views, width, room)
    biases = net + word_at(net, BIASES)
    add(sums, biases, own, width // 2)
    add(sums + width, biases + width, other, width // 2)  # so many bytes are half of them


@kernel
def network_value(b: Board, net: int, kept: int) -> int:
    """Centipawns for the side to move, by the network whose image stands at `net`; the thread's room stands
    at `kept`."""
    room = np.empty(MOST + HIDDEN + WIDEST // 4, np.int64)
    rows, hidden = address_of(room), address_of(room) + 8 * MOST
    activations = hidden + 8 * HIDDEN
    count, _, _ = active(b, room)
    width = word_at(net, WIDTH)
    _begin(b, net, width, kept, activations)
    activate(activations, activations, net + word_at(net, TABLE), rows, count, width)
    bucket = (count - 1) >> 2  # arithmetic
    two = net + word_at(net, TWO) + bucket * HIDDEN * width
    biases = net + word_at(net, SMALL) + 8 * PER_BUCKET * bucket
    for k in range(HIDDEN):
        total = squares_times(activations, two + k * width, width) + word_at(biases, k)
        room[MOST + k] = max(total * word_at(net, MULTIPLIER) >> 32, 0)  # arithmetic
    logit = _small_layers(net, bucket, hidden)
    keep(room)
    return logit * CENTIPAWNS >> BITS  # arithmetic
