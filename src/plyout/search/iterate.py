"""The search: descend, judge the leaf, back up; again and again."""

from typing import Any

import numpy as np

from plyout.games.contract import CHECK, KEY, RULES
from plyout.knowledge.tables.probe import HITS
from plyout.kernel import Ints, atomic_load, entry, floats, i64, inlined, ints, keep, lent, pointer, tail
from plyout.playout.scratch import DIRECTORY_AT, SCRATCH
from plyout.search.aids.advice import advise
from plyout.search.backup import (
    NO_NODE, STOPPED, add, back_up, back_up_amaf, back_up_proof, correction, count, diverged, recompute, score_of,
    weight,
)  # fmt: skip
from plyout.search.aids.breadth import next_in_breadth
from plyout.search.aids.checks import BUFFER, proven_by_checks
from plyout.search.expand import new_child, open_node, proof_at
from plyout.search.aids.exploration import branch
from plyout.search.graph import CLOSED, FULL, GRAPH, NO_ROOM, OPEN, ROOT, UNPROVEN, Graph, find
from plyout.search.select import PUCT, UCT, choose_by_puct, choose_by_uct
from plyout.parameters import (
    AHEAD, BLIND, CHECKS, DEPTH, DRAW_FLOOR, EXPAND_ALL, EXPLORE, EXPLORE_ALL, EXPLORE_CHECKS, OPEN_AT, Q_EPSILON, RAVE,
    RECOMPUTE, SHARE, SHARE_JUDGEMENTS, SHARE_NODES, SOLVER, THREADS, TOP_BFS,
)  # fmt: skip
from plyout.search.rules import JUDGE, KNOWN, LOOK, MATE, RATE, SELECT

DEEPEST = 1024

# What a thread counts: iterations, leaves judged, the sum of the leaves' depths, the greatest depth, how often a
# leaf was good, even or bad for the side to move at the root, how often a shared node was found, and how often endgame
# tables knew a position.
ITERATIONS, JUDGED, DEPTHS, DEEPEST_YET, WON, DREW, LOST, SHARINGS, TABLE_HITS, COUNTERS = range(10)


@inlined
def _visit(g: Graph, node: int, shared: bool) -> None:
    """Count a visit on the way down, so that other threads see it at once."""
    add(g.node_visits, node, 1.0, shared)
    count(g.node_waiting, node, 1, shared)


@inlined
def _follow(g: Graph, edge: int, shared: bool) -> None:
    add(g.visits, edge, 1.0, shared)
    count(g.waiting, edge, 1, shared)


@inlined
def _stops(g: Graph, edge: int, node: int, share: float, epsilon: float) -> bool:
    """Whether the shared node at the end of `edge` says enough already, without going on into it."""
    if g.parents[node] < 2 or g.proof[node] != UNPROVEN:
        return False
    if share == RECOMPUTE:
        return bool(g.node_visits[node] > g.visits[edge] - 1.0)
    return diverged(g, edge, node, epsilon)


@inlined
def copy(source: Ints, target: Ints) -> None:
    for word in range(source.size):
        target[word] = source[word]


@inlined
def cut(words: Ints, length: int) -> tuple[Ints, Ints]:
    """(the first so many words, the others), both borrowed."""
    return tail(words, 0)[:length], tail(words, length)


@inlined
def start_of(
    g: Graph, root: Ints, state: Ints, trial: Ints, rng: Ints, play: Any, check: Any, parameters: Any
) -> tuple[int, int]:
    """(node, edge or -1): where the next descent begins, and with what; its position is left in `state`."""
    copy(root, state)
    if parameters[EXPLORE] + parameters[EXPLORE_ALL] + parameters[EXPLORE_CHECKS] > 0.0:
        node, edge = branch(g, state, trial, rng, play, check, parameters)
        if edge >= 0:
            return node, edge
        copy(root, state)
    return g.used[ROOT], -1


@inlined
def _selected(g: Graph, node: int, rule: int, select: Any, parameters: Any) -> int:
    """The edge by the rule: our own are a part of the loop, others are called by pointer."""
    if rule == PUCT:
        return choose_by_puct(g, node, parameters)
    if rule == UCT:
        return choose_by_uct(g, node, parameters)
    return int(select(g, node, parameters))


@inlined
def descend(
    g: Graph, node: int, forced: int, state: Ints, nodes: Ints, edges: Ints, moves: Ints, ratings: Any, legal: Any,
    play: Any, outcome: Any, rule: int, select: Any, rate: Any, known: Any, directory: Ints, mate: Any,
    mate_buffer: Ints, look: Any, desk: Ints, seen: Ints, stop: Ints, parameters: Any, counters: Ints, shared: bool,
) -> int:  # fmt: skip
    """Follow the rule from `node` to a leaf, and add the leaf to the graph; return its depth.

    The first step is along the edge `forced`, unless it is -1. Leaves the leaf's position in `state` and the way there
    in `nodes` and `edges`; the last node is NO_NODE where memory is full, or STOPPED - n where the descent ends before
    the shared node n.
    """
    share = parameters[SHARE]
    checks = parameters[CHECKS] > 0.0 and parameters[SOLVER] > 0.0
    ahead = parameters[AHEAD] > 0.0
    depth = 0
    fresh = g.node_visits[node] == 0.0  # a node's first visit is to itself, the root's too
    beyond = parameters[EXPAND_ALL] > 0.0  # the leaf's child is judged, not the leaf
    opened = False
    while True:
        nodes[depth] = node
        if depth > 0 or forced < 0:  # where a disconnected trajectory begins, nothing is counted
            _visit(g, node, shared)
        if g.proof[node] != UNPROVEN or depth >= parameters[DEPTH] or (beyond and opened):
            return depth
        if g.node_visits[node] > parameters[OPEN_AT] - 1.0 and atomic_load(g.state, node) == CLOSED:
            open_node(g, node, state, moves, ratings, legal, rate, parameters)
            opened = True
        if (fresh and not beyond) or atomic_load(g.state, node) != OPEN:
            return depth
        if checks and proven_by_checks(g, node, state, mate, mate_buffer, parameters):
            return depth
        if ahead:
            advise(g, node, state, look, desk, seen, stop, parameters)
        edge = forced if depth == 0 else -1
        if depth == 0 and edge < 0 and parameters[TOP_BFS] > 0.0:
            edge = next_in_breadth(g)
        if edge < 0:
            edge = _selected(g, node, rule, select, parameters)
        edges[depth] = edge
        depth += 1
        _follow(g, edge, shared)
        play(state, np.int64(g.move[edge]))
        child = np.int64(atomic_load(g.child, edge))
        if child < 0:
            child, fresh = new_child(g, node, edge, state, moves, legal, outcome, known, directory, parameters)
            if child < 0:
                nodes[depth] = NO_NODE
                return depth
            if not fresh:
                counters[SHARINGS] += 1
        if share >= SHARE_NODES and not fresh and _stops(g, edge, child, share, parameters[Q_EPSILON]):
            nodes[depth] = STOPPED - child
            return depth
        node = child


@inlined
def judge_leaf(
    g: Graph, leaf: int, state: Ints, scratch: Ints, rng: Ints, judge: Any, parameters: Any, counters: Ints
) -> float:
    """What the judge says of the position, or has said of it before."""
    share = parameters[SHARE]
    if share == SHARE_JUDGEMENTS and leaf >= 0 and g.node_visits[leaf] == 1.0:
        twin = find(g, state[KEY], np.int64(g.ply[leaf]))
        if twin >= 0 and twin != leaf and g.judged[twin] >= 0.0:
            return float(g.judged[twin])
    score = judge(state, scratch, rng, parameters)
    counters[JUDGED] += 1
    if leaf >= 0:
        g.judged[leaf] = score
    return score  # type: ignore[no-any-return]


@entry(
    i64(
        GRAPH, ints, i64, i64, *RULES, pointer(CHECK), i64, pointer(SELECT), pointer(RATE), pointer(JUDGE),
        pointer(KNOWN), ints, pointer(MATE), pointer(LOOK), ints, ints, floats, ints, ints, ints, ints,
    )
)  # fmt: skip
def iterate(
    g: Graph, root: Ints, iterations: int, room: int, legal: Any, play: Any, outcome: Any, check: Any, rule: int,
    select: Any, rate: Any, judge: Any, known: Any, tables: Ints, mate: Any, look: Any, desk: Ints, seen: Ints,
    parameters: Any, rng: Ints, stop: Ints, counters: Ints, stamps: Ints,
) -> int:  # fmt: skip
    """Run so many iterations from the position `root`, fewer if `stop[0]` is set, the root gets proven or the graph
    wants room; return how many.

    `tables` is the directory of the endgame tables; a thread has its own copies, one for expansion, one for playouts.
    """
    words = np.empty(2 * root.size + room + 2 * (DEEPEST + 1) + SCRATCH + BUFFER + tables.size, np.int64)
    numbers = np.empty(room, np.float64)
    state, rest = cut(words, root.size)
    trial, rest = cut(rest, root.size)
    moves, rest = cut(rest, room)
    nodes, rest = cut(rest, DEEPEST + 1)
    edges, rest = cut(rest, DEEPEST + 1)
    scratch, rest = cut(rest, SCRATCH)
    mate_buffer, rest = cut(rest, BUFFER)
    directory, rest = cut(rest, tables.size)
    ratings = lent(numbers)
    g, root, parameters, rng, stop, counters = lent((g, root, parameters, rng, stop, counters))
    desk, seen = lent((desk, seen))
    copy(tables, directory)
    directory[HITS] = 0
    for word in range(tables.size):
        scratch[DIRECTORY_AT + word] = directory[word]
    shared = parameters[THREADS] > 1.0
    solver = parameters[SOLVER] > 0.0
    floor = solver and parameters[DRAW_FLOOR] > 0.0
    share = parameters[SHARE]
    top = g.used[ROOT]
    done = 0
    while done < iterations:
        if atomic_load(stop, 0) or atomic_load(g.used, FULL) == NO_ROOM or (g.proof[top] != UNPROVEN and solver):
            break
        done += 1
        start, forced = start_of(g, root, state, trial, rng, play, check, parameters)
        depth = descend(
            g, start, forced, state, nodes, edges, moves, ratings, legal, play, outcome, rule, select, rate, known,
            directory, mate, mate_buffer, look, desk, seen, stop, parameters, counters, shared,
        )  # fmt: skip
        leaf = nodes[depth]
        scratch[0] = 0
        if leaf <= STOPPED:
            score = 1.0 - correction(g, edges[depth - 1], STOPPED - leaf)
        else:
            proof = g.proof[leaf] if leaf >= 0 else proof_at(state, moves, legal, outcome, known, directory)
            if proof == UNPROVEN or parameters[BLIND] > 0.0:
                score = judge_leaf(g, leaf, state, scratch, rng, judge, parameters, counters)
            else:
                score = score_of(proof)
                if solver and leaf >= 0:
                    back_up_proof(g, nodes, depth)
        if share == RECOMPUTE:
            recompute(g, nodes, edges, depth, score, forced >= 0, shared)
        else:
            times = weight(score, counters[ITERATIONS] + 1, parameters)
            back_up(g, nodes, edges, depth, score, times, share == SHARE_NODES, floor, forced >= 0, shared)
        if parameters[RAVE] > 0.0:
            back_up_amaf(g, nodes, edges, depth, score, scratch, stamps, counters[ITERATIONS] + 1, shared)
        counters[ITERATIONS] += 1
        counters[DEPTHS] += depth
        counters[DEEPEST_YET] = max(counters[DEEPEST_YET], depth)
        if start == top:
            for_root = score if depth % 2 == 0 else 1.0 - score
            counters[WON if for_root > 0.5 else DREW if for_root == 0.5 else LOST] += 1
    counters[TABLE_HITS] += directory[HITS] + scratch[DIRECTORY_AT + HITS]
    keep(words)
    keep(numbers)
    return done
