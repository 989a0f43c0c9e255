"""The measures of similarity of Topolewski 2019, section 3.4, over the kernels of any game.

Each lies between 0 and 1, and is symmetric, to the last bit, but for the recursive ones as they are printed. These
compare the moves that only one of the two positions has by what they lead to, one ply deeper.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from plyout.games.contract import KEY, LEGAL, PIECES, PLAY, PLY
from plyout.kernel import Ints, entry, f64, floats, i64, inlined, ints, keep, kernel, borrowed, pointer, tail, void
from plyout.search.similarity.matching import greatest_matching
from plyout.search.similarity.sets import common, common_distinct, jaccard, sort, sort_tagged, take_out_common

CONSTANT, DEPTH_BREADTH, PIECE_COUNTS, ACTIONS, RECURSIVE_ACTIONS, STATES, RECURSIVE_STATES = range(7)

_MAX_KINDS = 64  # of pieces


class Rules(NamedTuple):
    """What the measures need to know of a game, and what the recursive ones are tuned by."""

    legal: Any
    play: Any
    room: int  # words for a list of moves
    threshold: float  # positions at most this alike do not match
    one_to_one: bool  # a position matches one other at most


class Side(NamedTuple):
    """One of the two positions that are compared, with room for its moves and what they are compared by."""

    state: Ints
    moves: Ints
    keys: Ints


class Followers(NamedTuple):
    """What each move of a list leads to: the moves (or keys of the positions) one ply deeper, sorted."""

    first: Ints  # those of move i begin at `first[i]` and end before `first[i + 1]`
    found: Ints
    keys: Ints  # of the positions that the moves lead to


@inlined
def _closeness(a: float, b: float) -> float:
    """1 for equal numbers, 0 where one of them is 0."""
    return 1.0 - abs(a - b) / (a + b) if a + b > 0.0 else 1.0


@inlined
def _follow(state: Ints, move: int, play: Any, child: Ints) -> None:
    for word in range(state.size):
        child[word] = state[word]
    play(child, move)


@inlined
def _successors(state: Ints, moves: Ints, count: int, play: Any, child: Ints, keys: Ints) -> None:
    """The keys of the positions that the moves lead to."""
    for i in range(count):
        _follow(state, moves[i], play, child)
        keys[i] = child[KEY]


@kernel
def _grown(found: Ints, used: int, wanted: int) -> Ints:
    """The array, or a larger one with the same `used` words, that has room for `wanted` more."""
    while used + wanted > found.size:
        more = np.empty(2 * found.size, np.int64)
        more[:used] = found[:used]
        found = more
    return found


@kernel
def _followers(state: Ints, moves: Ints, count: int, by_states: bool, rules: Rules) -> Followers:
    """What `count` moves of a position lead to."""
    child, grandchild = np.empty(state.size, np.int64), np.empty(state.size, np.int64)
    replies = np.empty(rules.room, np.int64)
    first, keys = np.empty(count + 1, np.int64), np.empty(count, np.int64)
    found = np.empty(64 * max(count, 1), np.int64)
    used = 0
    for i in range(count):
        _follow(state, moves[i], rules.play, child)
        keys[i] = child[KEY]
        first[i] = used
        number = rules.legal(child, replies)
        found = _grown(found, used, number)
        if by_states:
            _successors(child, replies, number, rules.play, grandchild, tail(found, used) if number else found)
        else:
            for j in range(number):
                found[used + j] = replies[j]
        if number:
            sort(tail(found, used), number)
        used += number
    first[count] = used
    return Followers(first, found, keys)


@inlined
def _likeness(a: Followers, i: int, b: Followers, j: int) -> float:
    """How alike the position after the move `i` of one side and that after `j` of the other are, seen one ply deep."""
    if a.keys[i] == b.keys[j]:
        return 1.0
    count_a, count_b = a.first[i + 1] - a.first[i], b.first[j + 1] - b.first[j]
    shared = 0
    if count_a and count_b:
        shared = common(tail(a.found, a.first[i]), count_a, tail(b.found, b.first[j]), count_b)
    return jaccard(shared, count_a, count_b)


@kernel
def _match(a: Side, b: Side, left_a: int, left_b: int, by_states: bool, rules: Rules) -> int:
    """How many of the moves that only the second position has resemble one that only the first has (the appendix); or
    how many pairs that resemble each other there are at the most, where each move stands in one."""
    owned_a = _followers(a.state, a.moves, left_a, by_states, rules)
    owned_b = _followers(b.state, b.moves, left_b, by_states, rules)
    after_a, after_b = borrowed(owned_a), borrowed(owned_b)
    weights = np.zeros(left_a * left_b, np.int64)
    matched = 0
    for j in range(left_b):
        found = 0
        for i in range(left_a):
            if _likeness(after_a, i, after_b, j) > rules.threshold or after_a.keys[i] == after_b.keys[j]:
                weights[i * left_b + j] = found = 1
        matched += found
    keep((owned_a, owned_b))
    if not rules.one_to_one or matched == 0:
        return matched
    return greatest_matching(weights, left_a, left_b, np.empty(left_b, np.int64))


@kernel
def _overlap(a: Side, b: Side, child: Ints, measure: int, rules: Rules) -> float:
    """Algorithms 12, 13, 15 and 16: what the sets of moves, or of the positions they lead to, have in common."""
    by_states = measure in (STATES, RECURSIVE_STATES)
    recursive = measure in (RECURSIVE_ACTIONS, RECURSIVE_STATES)
    count_a, count_b = rules.legal(a.state, a.moves), rules.legal(b.state, b.moves)
    if not by_states and not recursive:
        return jaccard(common_distinct(a.moves, count_a, b.moves, count_b), count_a, count_b)
    if by_states:
        _successors(a.state, a.moves, count_a, rules.play, child, a.keys)
        _successors(b.state, b.moves, count_b, rules.play, child, b.keys)
    else:
        a.keys[:count_a] = a.moves[:count_a]
        b.keys[:count_b] = b.moves[:count_b]
    if not recursive:
        sort(a.keys, count_a)
        sort(b.keys, count_b)
        return jaccard(common(a.keys, count_a, b.keys, count_b), count_a, count_b)
    sort_tagged(a.keys, a.moves, count_a)
    sort_tagged(b.keys, b.moves, count_b)
    left_a, left_b = take_out_common(a.keys, count_a, b.keys, count_b, a.moves, b.moves)
    shared = count_a - left_a
    if left_a == 0 or left_b == 0:
        return jaccard(shared, count_a, count_b)
    matched = _match(a, b, left_a, left_b, by_states, rules)
    union = count_a + count_b - shared
    if rules.one_to_one:
        union -= matched
    return float((shared + matched) / union)


# -- the comparisons: of so many pairs of states, which stand one behind the other in `firsts` and `seconds` ----------


@kernel
def _part(states: Ints, index: int, pairs: int) -> Ints:
    """The state with this number among those of so many pairs."""
    size = states.size // pairs
    return states[index * size : index * size + size]


@entry(void(ints, ints, i64, pointer(LEGAL), pointer(PLY), f64, f64, floats))
def compare_shapes(
    firsts: Ints, seconds: Ints, room: int, legal: Any, ply: Any, depth_weight: float, breadth_weight: float,
    answers: Any,
) -> None:  # fmt: skip
    """By the plies that were played (depth) and the number of legal moves (breadth)."""
    moves = np.empty(room, np.int64)
    for pair in range(answers.size):
        a, b = _part(firsts, pair, answers.size), _part(seconds, pair, answers.size)
        depth = _closeness(float(ply(a)), float(ply(b)))
        breadth = _closeness(float(legal(a, moves)), float(legal(b, moves)))
        answers[pair] = (depth_weight * depth + breadth_weight * breadth) / (depth_weight + breadth_weight)


@entry(void(ints, ints, pointer(PIECES), floats))
def compare_pieces(firsts: Ints, seconds: Ints, pieces: Any, answers: Any) -> None:
    """Algorithm 10: the smaller counts of each kind of piece over the greater ones."""
    counts_a, counts_b = np.empty(_MAX_KINDS, np.int64), np.empty(_MAX_KINDS, np.int64)
    for pair in range(answers.size):
        kinds = pieces(_part(firsts, pair, answers.size), counts_a)
        pieces(_part(seconds, pair, answers.size), counts_b)
        least, most = 0, 0
        for kind in range(kinds):
            least += min(counts_a[kind], counts_b[kind])
            most += max(counts_a[kind], counts_b[kind])
        answers[pair] = least / most if most > 0 else 1.0


@entry(void(i64, ints, ints, i64, pointer(LEGAL), pointer(PLAY), floats, floats))
def compare_moves(
    measure: int, firsts: Ints, seconds: Ints, room: int, legal: Any, play: Any, tuning: Any, answers: Any
) -> None:
    """The measures by legal moves, or by the positions they lead to; `tuning` is (threshold, one_to_one)."""
    rules = Rules(legal, play, room, tuning[0], tuning[1] > 0.0)
    moves_a, moves_b = np.empty(room, np.int64), np.empty(room, np.int64)
    keys_a, keys_b = np.empty(room, np.int64), np.empty(room, np.int64)
    child = np.empty(firsts.size // max(answers.size, 1), np.int64)
    for pair in range(answers.size):
        a = borrowed(Side(_part(firsts, pair, answers.size), moves_a, keys_a))
        b = borrowed(Side(_part(seconds, pair, answers.size), moves_b, keys_b))
        answers[pair] = _overlap(a, b, child, measure, rules)
    keep((moves_a, moves_b, keys_a, keys_b))


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
