"""The measures of similarity of Topolewski 2019, section 3.4, over the kernels of any game.

Each is symmetric, to the last bit, and lies between 0 and 1. A recursive measure compares the moves that only one of
the two positions has by what they lead to, one ply deeper, and matches them one to one.
"""

from math import exp
from typing import Any

import numpy as np

from plyout.games.contract import KEY, LEGAL, PIECES, PLAY, PLY
from plyout.kernel import Ints, entry, floats, i64, inlined, ints, kernel, pointer, tail, void
from plyout.search.similarity.matching import UNIT, greatest_matching
from plyout.search.similarity.sets import common, common_distinct, jaccard, sort, sort_tagged, take_out_common

CONSTANT, DEPTH_BREADTH, PIECE_COUNTS, ACTIONS, RECURSIVE_ACTIONS, STATES, RECURSIVE_STATES = range(7)

# The numbers that the measures are tuned by, as kernels get them.
FACTOR, DEPTH_WEIGHT, BREADTH_WEIGHT, THRESHOLD, WHOLE, SETTINGS = range(6)
_KINDS = 64  # of pieces, at most


@inlined
def _closeness(a: float, b: float) -> float:
    """1 for equal numbers, 0 where one of them is 0."""
    return 1.0 - abs(a - b) / (a + b) if a + b > 0.0 else 1.0


@inlined
def _successors(state: Ints, moves: Ints, count: int, play: Any, child: Ints, keys: Ints) -> None:
    """The keys of the positions that the moves lead to."""
    for i in range(count):
        _follow(state, moves[i], play, child)
        keys[i] = child[KEY]


@inlined
def _follow(state: Ints, move: int, play: Any, child: Ints) -> None:
    for word in range(state.size):
        child[word] = state[word]
    play(child, move)


@inlined
def _pieces(a: Ints, b: Ints, pieces: Any, counts_a: Ints, counts_b: Ints) -> float:
    """Algorithm 10: the smaller counts over the greater ones."""
    kinds = pieces(a, counts_a)
    pieces(b, counts_b)
    least, most = 0, 0
    for kind in range(kinds):
        least += min(counts_a[kind], counts_b[kind])
        most += max(counts_a[kind], counts_b[kind])
    return least / most if most > 0 else 1.0


@kernel
def _leads_to(
    state: Ints, moves: Ints, count: int, by_states: bool, room: int, legal: Any, play: Any, firsts: Ints, own: Ints
) -> Ints:
    """What each of `moves` leads to: the sorted moves (or keys of the positions) that follow, in one array.

    `firsts[i]` to `firsts[i + 1]` are the places of move `i`, `own[i]` is the key of the position it leads to.
    """
    child, grandchild = np.empty(state.size, np.int64), np.empty(state.size, np.int64)
    replies = np.empty(room, np.int64)
    found = np.empty(64 * max(count, 1), np.int64)
    used = 0
    for i in range(count):
        _follow(state, moves[i], play, child)
        own[i] = child[KEY]
        firsts[i] = used
        number = legal(child, replies)
        while used + number > found.size:
            more = np.empty(2 * found.size, np.int64)
            more[:used] = found[:used]
            found = more
        if by_states:
            _successors(child, replies, number, play, grandchild, tail(found, used) if number else found)
        else:
            for j in range(number):
                found[used + j] = replies[j]
        if number:
            sort(tail(found, used), number)
        used += number
    firsts[count] = used
    return found


@kernel
def _match(
    a: Ints, b: Ints, moves_a: Ints, moves_b: Ints, left_a: int, left_b: int, by_states: bool, room: int,
    legal: Any, play: Any, settings: Any,
) -> float:  # fmt: skip
    """How much the moves that only one position has resemble each other: the best pairs' weight (Algorithm 14)."""
    firsts_a, firsts_b = np.empty(left_a + 1, np.int64), np.empty(left_b + 1, np.int64)
    own_a, own_b = np.empty(left_a, np.int64), np.empty(left_b, np.int64)
    after_a = _leads_to(a, moves_a, left_a, by_states, room, legal, play, firsts_a, own_a)
    after_b = _leads_to(b, moves_b, left_b, by_states, room, legal, play, firsts_b, own_b)
    weights = np.zeros(left_a * left_b, np.int64)
    found = False
    for i in range(left_a):
        for j in range(left_b):
            count_a, count_b = firsts_a[i + 1] - firsts_a[i], firsts_b[j + 1] - firsts_b[j]
            likeness = 1.0
            if own_a[i] != own_b[j]:
                shared = 0
                if count_a and count_b:
                    shared = common(tail(after_a, firsts_a[i]), count_a, tail(after_b, firsts_b[j]), count_b)
                likeness = jaccard(shared, count_a, count_b)
            if likeness > settings[THRESHOLD] or own_a[i] == own_b[j]:
                found = True
                weights[i * left_b + j] = UNIT if settings[WHOLE] > 0.0 else int(likeness * UNIT + 0.5)
    if not found:
        return 0.0
    return greatest_matching(weights, left_a, left_b, np.empty(left_b, np.int64)) / UNIT


@inlined
def _overlap(
    a: Ints, b: Ints, by_states: bool, recursive: bool, room: int, legal: Any, play: Any, settings: Any,
    moves_a: Ints, moves_b: Ints, keys_a: Ints, keys_b: Ints, child: Ints,
) -> float:  # fmt: skip
    """Algorithms 12, 13, 15 and 16: what the sets of moves, or of the positions they lead to, have in common."""
    count_a, count_b = legal(a, moves_a), legal(b, moves_b)
    if not by_states and not recursive:
        return jaccard(common_distinct(moves_a, count_a, moves_b, count_b), count_a, count_b)
    if by_states:
        _successors(a, moves_a, count_a, play, child, keys_a)
        _successors(b, moves_b, count_b, play, child, keys_b)
    else:
        keys_a[:count_a] = moves_a[:count_a]
        keys_b[:count_b] = moves_b[:count_b]
    if not recursive:
        sort(keys_a, count_a)
        sort(keys_b, count_b)
        return jaccard(common(keys_a, count_a, keys_b, count_b), count_a, count_b)
    sort_tagged(keys_a, moves_a, count_a)
    sort_tagged(keys_b, moves_b, count_b)
    left_a, left_b = take_out_common(keys_a, count_a, keys_b, count_b, moves_a, moves_b)
    shared = count_a - left_a
    if left_a == 0 or left_b == 0:
        return jaccard(shared, count_a, count_b)
    matched = _match(a, b, moves_a, moves_b, left_a, left_b, by_states, room, legal, play, settings)
    union = float(count_a + count_b - shared)
    if settings[WHOLE] > 0.0:  # as in Figure 3.5: two that match are one in the union, too
        union -= matched
    return float((shared + matched) / union)


_RULES = (pointer(LEGAL), pointer(PLAY), pointer(PLY), pointer(PIECES))


@entry(void(i64, ints, ints, i64, i64, i64, *_RULES, floats, floats))
def compare(
    measure: int, firsts: Ints, seconds: Ints, pairs: int, size: int, room: int, legal: Any, play: Any, ply: Any,
    pieces: Any, settings: Any, answers: Any,
) -> None:  # fmt: skip
    """The similarity of so many pairs of states, which stand one behind the other in `firsts` and `seconds`."""
    a, b, child = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    moves_a, moves_b = np.empty(room, np.int64), np.empty(room, np.int64)
    keys_a, keys_b = np.empty(max(room, _KINDS), np.int64), np.empty(max(room, _KINDS), np.int64)
    for pair in range(pairs):
        a[:] = firsts[pair * size : pair * size + size]
        b[:] = seconds[pair * size : pair * size + size]
        if measure == CONSTANT:
            answers[pair] = settings[FACTOR]
        elif measure == DEPTH_BREADTH:
            depth = _closeness(float(ply(a)), float(ply(b)))
            breadth = _closeness(float(legal(a, moves_a)), float(legal(b, moves_b)))
            weight, other = settings[DEPTH_WEIGHT], settings[BREADTH_WEIGHT]
            answers[pair] = (weight * depth + other * breadth) / (weight + other)
        elif measure == PIECE_COUNTS:
            answers[pair] = _pieces(a, b, pieces, keys_a, keys_b)
        else:
            by_states = measure in (STATES, RECURSIVE_STATES)
            recursive = measure in (RECURSIVE_ACTIONS, RECURSIVE_STATES)
            answers[pair] = _overlap(
                a, b, by_states, recursive, room, legal, play, settings, moves_a, moves_b, keys_a, keys_b, child
            )


@kernel
def statistical(moves_a: Ints, values_a: Any, moves_b: Ints, values_b: Any) -> float:
    """Algorithm 17: how little the values differ that two searches found for the moves that they share.

    The differences are summed and pass through a sigmoid that falls from 1, where there are none, to 0; the one
    printed rises with them. Positions that share no move have nothing in common. The lists are sorted by move.
    """
    i, j, shared, difference = 0, 0, 0, 0.0
    while i < moves_a.size and j < moves_b.size:
        if moves_a[i] == moves_b[j]:
            shared += 1
            difference += abs(values_a[i] - values_b[j])
        step_a, step_b = moves_a[i] <= moves_b[j], moves_b[j] <= moves_a[i]
        i += 1 if step_a else 0
        j += 1 if step_b else 0
    if shared == 0:
        return 1.0 if moves_a.size == 0 and moves_b.size == 0 else 0.0
    return 2.0 / (1.0 + exp(difference))
