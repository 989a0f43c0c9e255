"""Backup: what a leaf was worth, told to every node and edge on the way to it."""

from typing import Any, NamedTuple

import numpy as np

from plyout.kernel import Ints, add_to, inlined, record_at
from plyout.parameters import RECOMPUTE, SHARE_NODES, Loop
from plyout.search.graph import DRAWN, PROVEN, SURE, UNPROVEN, Graph, edges_from, is_drawn

AMAF_MOVES = 1 << 15  # start, target and piece of a move tell it apart well enough

# How a descent ends: at a node; at a position that has no node, because memory is full; before a shared node, whose
# value says enough; or at a position that was on the board before. In the last three cases the path's last node is
# NO_NODE.
AT_NODE, MEMORY_FULL, BEFORE_SHARED, REPEATED = range(4)
NO_NODE = -1


class End(NamedTuple):
    """How and where a descent has ended."""

    kind: int  # AT_NODE, MEMORY_FULL, BEFORE_SHARED or REPEATED
    depth: int
    disconnected: bool  # it was a disconnected trajectory: its first node learns nothing


class Path(NamedTuple):
    """The way of one descent."""

    nodes: Ints  # nodes[0 … depth]
    edges: Ints  # edges[0 … depth - 1] lead from each to the next
    depth: int
    end: int
    disconnected: bool


@inlined
def leaf_of(path: Path) -> int:
    """The node where a path ends, or NO_NODE."""
    return int(path.nodes[path.depth])


@inlined
def score_of(proof: int) -> float:
    """What a proven node is worth to the side to move."""
    if proof > SURE:
        return 1.0
    return 0.0 if proof < -SURE else 0.5


@inlined
def weight_of(score: float, number: int, p: Loop) -> float:
    """How often result `number` counts: draws perhaps less than once, later results perhaps more."""
    times = p.draw_weight if score == 0.5 else 1.0
    if p.later_period > 0.0:
        times *= 1.0 + number // p.later_period
    return times


@inlined
def has_proven_draw(g: Graph, node: int) -> bool:
    """Whether a move of the side to move is a proven draw."""
    first, last = edges_from(g, node)
    for e in range(first, last):
        child = g.edges[e].child
        if child >= 0 and is_drawn(g.nodes[child].proof):
            return True
    return False


@inlined
def completed_visits(g: Graph, edge: int) -> float:
    """The visits of an edge whose results are in."""
    return float(g.edges[edge].visits - g.edges[edge].in_flight)


@inlined
def node_mean(g: Graph, node: int) -> float:
    """The mean score of the side to move at a node."""
    n = record_at(g.nodes, node)
    if n.proof != UNPROVEN:
        return score_of(n.proof)
    visits = n.visits - n.in_flight
    return n.value / visits if visits > 0.0 else 0.5


@inlined
def correction(g: Graph, edge: int, node: int) -> float:
    """The score that, counted once, takes the mean of an edge to what its end `node` is worth now.

    V* + N · (V* - Q), kept within a score's range (Czech et al., equations 7 to 10, whose sign is turned about here:
    as printed it would lead away from the target).
    """
    target = 1.0 - node_mean(g, node)
    visits = completed_visits(g, edge)
    if visits <= 0.0:
        return target
    return float(min(max(target + (visits * target - g.edges[edge].value), 0.0), 1.0))


@inlined
def diverged(g: Graph, edge: int, node: int, epsilon: float) -> bool:
    """Whether an edge holds another value than the shared node at its end, which is better informed (algorithm 1).

    Values run from -1 to 1 in the paper, scores from 0 to 1 here.
    """
    visits = completed_visits(g, edge)
    return visits <= 0.0 or 2.0 * abs(g.edges[edge].value / visits - (1.0 - node_mean(g, node))) > epsilon


@inlined
def back_up(g: Graph, path: Path, score: float, number: int, p: Loop) -> None:
    """Tell the leaf's `score`, that of the side to move there, to the whole path; it is result `number`."""
    if p.share == RECOMPUTE:
        _recompute(g, path, score, p)
    else:
        _add_along(g, path, score, weight_of(score, number, p), p)


@inlined
def _add_along(g: Graph, path: Path, score: float, times: float, p: Loop) -> None:
    """Add the score `times` along the path, turned about at every step.

    The visits were counted as one on the way down, so that other threads take the path for lost meanwhile. In a graph,
    an edge to a shared node takes that node's value over (algorithm 2). With `draw_floor`, a node where a draw is
    proven gets no less: whoever moves there can have it.
    """
    correct, floor, shared = p.share == SHARE_NODES, p.solver and p.draw_floor, p.threads > 1
    depth = path.depth
    while True:
        node = path.nodes[depth]
        if node >= 0 and (depth > 0 or not path.disconnected):
            if floor and score < 0.5 and has_proven_draw(g, node):
                score = 0.5
            if p.spread > 0.0:
                _vary(record_at(g.nodes, node), score)
            _receive(record_at(g.nodes, node), score, times, shared)
        if depth == 0:
            break
        depth -= 1
        edge = path.edges[depth]
        if correct and depth + 1 < path.depth and g.nodes[node].parents > 1:
            score = correction(g, edge, node)
        else:
            score = 1.0 - score
        _receive(record_at(g.edges, edge), score, times, shared)


@inlined
def _vary(n: Any, score: float) -> None:
    """Count one more score in the variance of a node, before its value does. Where threads race, one may be missed."""
    others = n.visits - n.in_flight
    if others > 0.0:
        off = score - n.value / others
        n.variance += np.float32((off * off * others / (others + 1.0) - n.variance) / (others + 1.0))


@inlined
def _receive(record: Any, score: float, times: float, shared: bool) -> None:
    """Add a result to a node or edge, whose visit was counted as one on the way down."""
    if times != 1.0:
        add_to(record, "visits", times - 1.0, shared)
    add_to(record, "value", times * score, shared)
    add_to(record, "in_flight", -1, shared)


@inlined
def _recompute(g: Graph, path: Path, score: float, p: Loop) -> None:
    """Make every node on the path the mean of its raw value and its children's values, by the edges' visits.

    KataGo's graph search keeps its values so: an edge has no value of its own, and what other ways have taught a
    child counts in full.
    """
    shared = p.threads > 1
    depth = path.depth
    if path.end == AT_NODE:
        add_to(record_at(g.nodes, path.nodes[depth]), "value", score, shared)
        add_to(record_at(g.nodes, path.nodes[depth]), "in_flight", -1, shared)
    elif path.end != BEFORE_SHARED and depth > 0:
        add_to(record_at(g.edges, path.edges[depth - 1]), "value", 1.0 - score, shared)
    while depth > 0:
        depth -= 1
        score = 1.0 - score
        add_to(record_at(g.edges, path.edges[depth]), "in_flight", -1, shared)
        if depth > 0 or not path.disconnected:
            if p.spread > 0.0:
                _vary(record_at(g.nodes, path.nodes[depth]), score)
            add_to(record_at(g.nodes, path.nodes[depth]), "in_flight", -1, shared)
            _recompute_node(g, path.nodes[depth])


@inlined
def _recompute_node(g: Graph, node: int) -> None:
    raw = g.nodes[node].raw_value
    total, weight = (raw, 1.0) if raw >= 0.0 else (0.0, 0.0)
    first, last = edges_from(g, node)
    for e in range(first, last):
        visits = completed_visits(g, e)
        if visits > 0.0:
            if g.edges[e].child >= 0:
                g.edges[e].value = visits * (1.0 - node_mean(g, np.int64(g.edges[e].child)))
            total += g.edges[e].value
            weight += visits
    g.nodes[node].value = total / max(weight, 1.0) * (g.nodes[node].visits - g.nodes[node].in_flight)


@inlined
def prove(g: Graph, node: int) -> int:
    """What the children of `node` prove about it: the shortest win, else the shortest draw, else the longest loss
    (Czech et al., algorithm 3)."""
    shortest_win, shortest_draw, longest_loss = 0, SURE, -PROVEN - 1
    open_question = False
    first, last = edges_from(g, node)
    for e in range(first, last):
        child = g.edges[e].child
        proof = g.nodes[child].proof if child >= 0 else UNPROVEN
        if proof < -SURE:
            shortest_win = max(shortest_win, -proof - 1)
        elif proof > SURE:
            longest_loss = max(longest_loss, -proof + 1)
        elif proof >= DRAWN:
            shortest_draw = min(shortest_draw, proof + 1)
        else:
            open_question = True
    if shortest_win:
        return shortest_win
    if open_question or first == last:
        return UNPROVEN
    return shortest_draw if shortest_draw < SURE else longest_loss


@inlined
def back_up_proof(g: Graph, path: Path) -> None:
    """Carry the proof of the last node on the path as far up as it decides anything (Arenz, algorithm 4.1)."""
    depth = path.depth
    while depth > 0:
        depth -= 1
        proof = prove(g, path.nodes[depth])
        if proof == UNPROVEN:
            break
        g.nodes[path.nodes[depth]].proof = proof


@inlined
def back_up_amaf(g: Graph, path: Path, score: float, trace: Ints, stamps: Ints, stamp: int, shared: bool) -> None:
    """All moves as first: every edge whose move its side played later, in the tree or in the playout, gets the score.

    `trace[0]` is the number of moves of the playout, which follow it; `stamps` says in which iteration a side last
    played a move, and this one is number `stamp`.
    """
    depth = path.depth
    for i in range(trace[0]):
        stamps[(depth + i) % 2 * AMAF_MOVES + trace[i + 1] % AMAF_MOVES] = stamp
    while depth > 0:
        depth -= 1
        score = 1.0 - score
        side = depth % 2 * AMAF_MOVES
        stamps[side + g.edges[path.edges[depth]].move % AMAF_MOVES] = stamp
        first, last = edges_from(g, path.nodes[depth])
        for e in range(first, last):
            if stamps[side + g.edges[e].move % AMAF_MOVES] == stamp:
                add_to(record_at(g.rave, e), "visits", 1.0, shared)
                add_to(record_at(g.rave, e), "value", score, shared)
