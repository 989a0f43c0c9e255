"""Backup: what a leaf was worth, told to every node and edge on the way to it."""

from typing import Any

from plyout.kernel import Ints, atomic_add, inlined
from plyout.search.graph import DRAWN, PROVEN, SURE, UNPROVEN, Graph
from plyout.parameters import DRAW_WEIGHT, LATER_PERIOD

AMAF_MOVES = 1 << 15  # start, target and piece of a move tell it apart well enough


@inlined
def add(a: Any, i: int, amount: float, shared: bool) -> None:
    """Add to a sum that other threads may be adding to, too."""
    if shared:
        atomic_add(a, i, amount)
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
def back_up(
    g: Graph, nodes: Ints, edges: Ints, depth: int, score: float, times: float, floor: bool, shared: bool
) -> None:  # fmt: skip
    """Add the leaf's `score` (for the side to move there) `times` along the path, turned about at every step.

    The visits were counted as one on the way down, so that other threads take the path for lost meanwhile. With
    `floor`, a node where a draw is proven gets no less: whoever moves there can have it.
    """
    while True:
        if nodes[depth] >= 0:
            if floor and score < 0.5 and draw_in_hand(g, nodes[depth]):
                score = 0.5
            if times != 1.0:
                add(g.node_visits, nodes[depth], times - 1.0, shared)
            add(g.node_value, nodes[depth], times * score, shared)
        if depth == 0:
            break
        depth -= 1
        score = 1.0 - score
        if times != 1.0:
            add(g.visits, edges[depth], times - 1.0, shared)
        add(g.value, edges[depth], times * score, shared)


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
