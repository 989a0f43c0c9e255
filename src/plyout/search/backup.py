"""Backup: what a leaf was worth, told to every node and edge on the way to it."""

from typing import Any

import numpy as np

from plyout.kernel import Ints, atomic_add, inlined
from plyout.search.graph import DRAWN, PROVEN, SURE, UNPROVEN, Graph
from plyout.parameters import DRAW_WEIGHT, LATER_PERIOD

NO_NODE = -1  # the end of a path where memory was full; a path that stopped before node n ends with STOPPED - n
STOPPED = -2
AMAF_MOVES = 1 << 15  # start, target and piece of a move tell it apart well enough


@inlined
def add(a: Any, i: int, amount: float, shared: bool) -> None:
    """Add to a sum that other threads may be adding to, too."""
    if shared:
        atomic_add(a, i, amount)
    else:
        a[i] += amount


@inlined
def count(a: Any, i: int, amount: int, shared: bool) -> None:
    """`add`, for whole numbers."""
    if shared:
        atomic_add(a, i, np.int32(amount))
    else:
        a[i] += amount


@inlined
def score_of(proof: int) -> float:
    """What a proven node is worth to the side to move."""
    if proof > SURE:
        return 1.0
    return 0.0 if proof < -SURE else 0.5


@inlined
def weight(score: float, number: int, parameters: Any) -> float:
    """How often result `number` counts: draws perhaps less than once, later results perhaps more."""
    times = parameters[DRAW_WEIGHT] if score == 0.5 else 1.0
    if parameters[LATER_PERIOD] > 0.0:
        times *= 1.0 + number // parameters[LATER_PERIOD]
    return times


@inlined
def draw_in_hand(g: Graph, node: int) -> bool:
    """Whether the side to move could have a draw for certain."""
    for e in range(g.first[node], g.first[node] + g.children[node]):
        child = g.child[e]
        if child >= 0 and g.proof[child] == DRAWN:
            return True
    return False


@inlined
def settled(g: Graph, edge: int) -> float:
    """The visits of an edge whose results are in."""
    return float(g.visits[edge] - g.waiting[edge])


@inlined
def node_mean(g: Graph, node: int) -> float:
    """The mean score of the side to move at a node."""
    proof = g.proof[node]
    if proof != UNPROVEN:
        return score_of(proof)
    visits = g.node_visits[node] - g.node_waiting[node]
    return g.node_value[node] / visits if visits > 0.0 else 0.5


@inlined
def correction(g: Graph, edge: int, node: int) -> float:
    """The score that, counted once, takes the mean of an edge to what its end `node` is worth now.

    V* + N · (V* - Q), kept within a score's range (Czech et al., equations 7 to 10, whose sign is turned about here:
    as printed it would lead away from the target).
    """
    target = 1.0 - node_mean(g, node)
    visits = settled(g, edge)
    if visits <= 0.0:
        return target
    return float(min(max(target + (visits * target - g.value[edge]), 0.0), 1.0))


@inlined
def diverged(g: Graph, edge: int, node: int, epsilon: float) -> bool:
    """Whether an edge holds another value than the shared node at its end, which is better informed (algorithm 1).

    Values run from -1 to 1 in the paper, scores from 0 to 1 here.
    """
    visits = settled(g, edge)
    return visits <= 0.0 or 2.0 * abs(g.value[edge] / visits - (1.0 - node_mean(g, node))) > epsilon


@inlined
def back_up(
    g: Graph, nodes: Ints, edges: Ints, depth: int, score: float, times: float, correct: bool, floor: bool, apart: bool,
    shared: bool,
) -> None:  # fmt: skip
    """Add the leaf's `score` (for the side to move there) `times` along the path, turned about at every step.

    The visits were counted as one on the way down, so that other threads take the path for lost meanwhile. With
    `correct`, an edge to a shared node takes that node's value over (algorithm 2). With `floor`, a node where a draw is
    proven gets no less: whoever moves there can have it. The first node of a path `apart` is left as it is.
    """
    leaf = depth
    while True:
        node = nodes[depth]
        if node >= 0 and (depth > 0 or not apart):
            if floor and score < 0.5 and draw_in_hand(g, node):
                score = 0.5
            if times != 1.0:
                add(g.node_visits, node, times - 1.0, shared)
            add(g.node_value, node, times * score, shared)
            count(g.node_waiting, node, -1, shared)
        if depth == 0:
            break
        depth -= 1
        edge = edges[depth]
        if correct and depth + 1 < leaf and g.parents[node] > 1:
            score = correction(g, edge, node)
        else:
            score = 1.0 - score
        if times != 1.0:
            add(g.visits, edge, times - 1.0, shared)
        add(g.value, edge, times * score, shared)
        count(g.waiting, edge, -1, shared)


@inlined
def recompute(g: Graph, nodes: Ints, edges: Ints, depth: int, score: float, apart: bool, shared: bool) -> None:
    """Make every node on the path the mean of its own judgement and its children's values, by the edges' visits.

    KataGo's graph search keeps its values so: an edge has no value of its own, and what other ways have taught a
    child counts in full. `score` is the leaf's, for the side to move there; the first node of a path `apart` is left
    as it is.
    """
    leaf = nodes[depth]
    if leaf >= 0:
        add(g.node_value, leaf, score, shared)
        count(g.node_waiting, leaf, -1, shared)
    elif leaf == NO_NODE and depth > 0:
        add(g.value, edges[depth - 1], 1.0 - score, shared)
    while depth > 0:
        depth -= 1
        node = nodes[depth]
        count(g.waiting, edges[depth], -1, shared)
        if depth == 0 and apart:
            break
        count(g.node_waiting, node, -1, shared)
        total = g.judged[node] if g.judged[node] >= 0.0 else 0.0
        weight = 1.0 if g.judged[node] >= 0.0 else 0.0
        for e in range(g.first[node], g.first[node] + g.children[node]):
            visits = settled(g, e)
            if visits > 0.0:
                if g.child[e] >= 0:
                    g.value[e] = visits * (1.0 - node_mean(g, np.int64(g.child[e])))
                total += g.value[e]
                weight += visits
        g.node_value[node] = total / max(weight, 1.0) * (g.node_visits[node] - g.node_waiting[node])


@inlined
def prove(g: Graph, node: int) -> int:
    """What the children of `node` prove about it: the shortest win, else a draw, else the longest loss."""
    shortest_win, drawn, longest_loss = 0, False, -PROVEN - 1
    open_question = False
    for e in range(g.first[node], g.first[node] + g.children[node]):
        child = g.child[e]
        proof = g.proof[child] if child >= 0 else UNPROVEN
        if proof < -SURE:
            shortest_win = max(shortest_win, -proof - 1)
        elif proof > SURE:
            longest_loss = max(longest_loss, -proof + 1)
        elif proof == DRAWN:
            drawn = True
        else:
            open_question = True
    if shortest_win:
        return shortest_win
    if open_question or g.children[node] == 0:
        return UNPROVEN
    return DRAWN if drawn else longest_loss


@inlined
def back_up_proof(g: Graph, nodes: Ints, depth: int) -> None:
    """Carry the proof of the last node on the path as far up as it decides anything (Arenz, algorithm 4.1)."""
    while depth > 0:
        depth -= 1
        proof = prove(g, nodes[depth])
        if proof == UNPROVEN:
            break
        g.proof[nodes[depth]] = proof


@inlined
def back_up_amaf(
    g: Graph, nodes: Ints, edges: Ints, depth: int, score: float, trace: Ints, stamps: Ints, stamp: int, shared: bool
) -> None:
    """All moves as first: every edge whose move its side played later, in the tree or in the playout, gets the score.

    `trace[0]` is the number of moves of the playout, which follow it; `stamps` says in which iteration a side last
    played a move.
    """
    for i in range(trace[0]):
        stamps[(depth + i) % 2 * AMAF_MOVES + trace[i + 1] % AMAF_MOVES] = stamp
    while depth > 0:
        depth -= 1
        score = 1.0 - score
        side = depth % 2 * AMAF_MOVES
        stamps[side + g.move[edges[depth]] % AMAF_MOVES] = stamp
        node = nodes[depth]
        for e in range(g.first[node], g.first[node] + g.children[node]):
            if stamps[side + g.move[e] % AMAF_MOVES] == stamp:
                add(g.rave_visits, e, 1.0, shared)
                add(g.rave_value, e, score, shared)
