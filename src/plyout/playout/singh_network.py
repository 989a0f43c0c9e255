"""The leaf rule of Singh 2023 (section 3.3) as the paper has it: by Stockfish's network.

Even in the search of captures (section 3.4) every position is evaluated by the network. The paper's was that of an
older Stockfish, ours is Stockfish 15.1's.
"""

import numpy as np

from plyout.evaluate.quiescence import MAX_MOVES, MOVE, forcing
from plyout.evaluate.score import score
from plyout.games.chess.board import Board, load, make
from plyout.games.chess.moves import SETS_SIZE, find
from plyout.games.chess.rules import insufficient
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, borrowed, inlined, kernel
from plyout.networks.nnue.evaluate import PAWN, nnue, quotient
from plyout.parameters import Leaf
from plyout.playout.scratch import Scratch
from plyout.playout.singh import DEEPEST, MATE, material

_MOST = MATE * PAWN // 100  # in Stockfish's units
_MOST_POSITIONS = 2_000  # of one leaf's captures: where a dozen queens take each other, they would never end


@kernel
def _captures(b: Board, alpha: int, beta: int, ply: int, used: int, network: int, scratch: Scratch) -> int:
    """The value after captures, fail-hard, in Stockfish's units. Lists of moves go to `sets` from `used` on."""
    scratch = borrowed(scratch)
    sets, counters = scratch.sets, scratch.counters
    counters[0] += 1
    value = 0 if insufficient(b) else nnue(b, network, scratch.accumulators)
    if value >= beta:
        return beta
    alpha = max(alpha, value)
    if ply >= DEEPEST or used + MAX_MOVES > sets.size or counters[0] >= counters[1] or insufficient(b):
        return alpha
    n, _, steps, _ = find(b, sets)
    count = forcing(House(b, 0, 0), sets, n, steps, False, sets, used)
    for i in range(used, used + count):
        after = make(b, at(sets, i) & MOVE)
        value = -_captures(after, -beta, -alpha, ply + 1, used + count, network, scratch)
        if value >= beta:
            return beta
        alpha = max(alpha, value)
    return alpha


@inlined
def _value(b: Board, network: int, scratch: Scratch) -> int:
    """The evaluation; where the material is not even, after captures, which are never worse than to leave them."""
    if insufficient(b):
        return 0
    if material(b) == 0:
        return min(max(nnue(b, network, scratch.accumulators), -_MOST), _MOST)
    scratch.counters[1] = scratch.counters[0] + _MOST_POSITIONS
    word = np.int64  # no literals: a recursive kernel that was compiled for one cannot be loaded from the cache
    return _captures(b, word(-_MOST), word(_MOST), word(0), word(SETS_SIZE), network, scratch)


@kernel
def singh_network_evaluator(state: Ints, scratch: Scratch, p: Leaf) -> float:
    """As `plyout.playout.singh` does: the value becomes a score."""
    return score(quotient(_value(load(state), p.value_net, scratch) * 100, PAWN), p.squash)
