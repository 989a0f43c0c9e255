"""The search: descend, judge the leaf, back up; again and again."""

from typing import Any

import numpy as np

from plyout.games.contract import RULES
from plyout.kernel import Ints, atomic_load, atomic_swap, entry, floats, i64, inlined, ints, pointer
from plyout.playout.scratch import SCRATCH
from plyout.search.backup import add, back_up, back_up_amaf, back_up_proof, score_of, weight
from plyout.search.breadth import next_in_breadth
from plyout.search.expand import new_node, open_node, verdict
from plyout.search.graph import CLOSED, FULL, GRAPH, NO_ROOM, OPEN, ROOT, UNPROVEN, Graph
from plyout.parameters import DEPTH, OPEN_AT, RAVE, SOLVER, THREADS, TOP_BFS
from plyout.search.rules import JUDGE, RATE, SELECT

DEEPEST = 1024

# What a thread counts: iterations, leaves judged, the sum of the leaves' depths, the greatest depth, and how often a
# leaf was good, even or bad for the side to move at the root.
ITERATIONS, JUDGED, DEPTHS, DEEPEST_YET, WON, DREW, LOST, COUNTERS = range(8)


@inlined
def descend(
    g: Graph, state: Ints, nodes: Ints, edges: Ints, moves: Ints, ratings: Any, legal: Any, play: Any, outcome: Any,
    select: Any, rate: Any, parameters: Any, shared: bool,
) -> int:  # fmt: skip
    """Follow the rule from the root to a leaf, and add the leaf to the graph; return its depth.

    Leaves the leaf's position in `state` and the way there in `nodes` and `edges`; the last node is -1 where memory
    is full. A visit counts on the way down, so that other threads see it at once.
    """
    node = g.used[ROOT]
    depth = 0
    fresh = False
    while True:
        nodes[depth] = node
        add(g.node_visits, node, 1.0, shared)
        if g.proof[node] != UNPROVEN or depth >= parameters[DEPTH]:
            return depth
        if g.node_visits[node] > parameters[OPEN_AT] - 1.0 and atomic_load(g.state, node) == CLOSED:
            open_node(g, node, state, moves, ratings, legal, rate, parameters)
        if fresh or atomic_load(g.state, node) != OPEN:
            return depth
        edge = next_in_breadth(g) if depth == 0 and parameters[TOP_BFS] > 0.0 else -1
        if edge < 0:
            edge = select(g, node, parameters)
        edges[depth] = edge
        depth += 1
        add(g.visits, edge, 1.0, shared)
        play(state, np.int64(g.move[edge]))
        node = np.int64(atomic_load(g.child, edge))
        if node < 0:
            node = new_node(g, state, moves, legal, outcome)
            if node < 0:
                nodes[depth] = node
                return depth
            fresh = atomic_swap(g.child, edge, np.int32(-1), np.int32(node))
            if not fresh:
                node = np.int64(g.child[edge])  # another thread was faster


@entry(
    i64(GRAPH, ints, i64, i64, *RULES, pointer(SELECT), pointer(RATE), pointer(JUDGE), floats, ints, ints, ints, ints)
)  # fmt: skip
def iterate(
    g: Graph, root: Ints, iterations: int, room: int, legal: Any, play: Any, outcome: Any, select: Any, rate: Any,
    judge: Any, parameters: Any, rng: Ints, stop: Ints, counters: Ints, stamps: Ints,
) -> int:  # fmt: skip
    """Run so many iterations from the position `root`, fewer if `stop[0]` is set, the root gets proven or the graph
    wants room; return how many."""
    state = np.empty(root.size, np.int64)
    moves = np.empty(room, np.int64)
    ratings = np.empty(room, np.float64)
    nodes = np.empty(DEEPEST + 1, np.int64)
    edges = np.empty(DEEPEST + 1, np.int64)
    scratch = np.empty(SCRATCH, np.int64)
    shared = parameters[THREADS] > 1.0
    solver = parameters[SOLVER] > 0.0
    top = g.used[ROOT]
    for i in range(iterations):
        if atomic_load(stop, 0) or atomic_load(g.used, FULL) == NO_ROOM or (g.proof[top] != UNPROVEN and solver):
            return i
        for word in range(root.size):
            state[word] = root[word]
        depth = descend(g, state, nodes, edges, moves, ratings, legal, play, outcome, select, rate, parameters, shared)
        leaf = nodes[depth]
        proof = g.proof[leaf] if leaf >= 0 else verdict(outcome(state, legal(state, moves)))
        scratch[0] = 0
        if proof == UNPROVEN:
            score = judge(state, scratch, rng, parameters)
            counters[JUDGED] += 1
        else:
            score = score_of(proof)
            if solver and leaf >= 0:
                back_up_proof(g, nodes, depth)
        back_up(g, nodes, edges, depth, score, weight(score, counters[ITERATIONS] + 1, parameters), shared)
        if parameters[RAVE] > 0.0:
            back_up_amaf(g, nodes, edges, depth, score, scratch, stamps, counters[ITERATIONS] + 1, shared)
        counters[ITERATIONS] += 1
        counters[DEPTHS] += depth
        counters[DEEPEST_YET] = max(counters[DEEPEST_YET], depth)
        for_root = score if depth % 2 == 0 else 1.0 - score
        counters[WON if for_root > 0.5 else DREW if for_root == 0.5 else LOST] += 1
    return iterations
