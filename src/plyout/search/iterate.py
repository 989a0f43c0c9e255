"""One iteration: descend, evaluate the leaf, back up; again and again."""

from typing import Any

import numpy as np

from plyout.games.contract import KEY
from plyout.kernel import Ints, add_to, atomic_load, borrowed, entry, i64, inlined, ints, record_at
from plyout.parameters import RECOMPUTE, SHARE_EVALUATIONS, SHARE_NODES, Loop, Parameters
from plyout.search.aids.advice import advise
from plyout.search.aids.checks import proven_by_checks
from plyout.search.aids.exploration import branch
from plyout.search.backup import (
    AT_NODE, BEFORE_SHARED, MEMORY_FULL, NO_NODE, REPEATED, End, Path, back_up, back_up_amaf, back_up_proof, correction,
    diverged, leaf_of, score_of,
)  # fmt: skip
from plyout.search.expand import new_child, open_node, proof_at
from plyout.search.graph import CLOSED, FULL, GRAPH, NO_ROOM, OPEN, ROOT, UNPROVEN, Graph, find
from plyout.search.rules import PARAMETERS, PUCT, RULES, UCT, Rules, evaluate, play, repeats, select_by_rule
from plyout.search.select import choose_by_puct, choose_by_uct
from plyout.search.workspace import (
    DEEPEST_YET, DEPTHS, DREW, EVALUATED, ITERATIONS, LOST, SHARINGS, WON, WORKSPACE, Way, Workspace,
)  # fmt: skip

NOT_KNOWN = -1.0  # in the place of a score

# What a node is to the descent that arrives at it. A node's first visit is to itself, so it is then the leaf. Where all
# children of a leaf are added at once (`expand_all`), the descent goes one step further, and the child is evaluated.
# Where an iteration adds several nodes (`expansions`), the last of them is the leaf, and the others are on the way.
FIRST_VISIT, LATER_VISIT, BELOW_LEAF, ON_THE_WAY = range(4)


@entry(i64(GRAPH, ints, i64, RULES, WORKSPACE, PARAMETERS))
def iterate(g: Graph, root: Ints, iterations: int, rules: Rules, work: Workspace, p: Parameters) -> int:
    """Run so many iterations from the position `root`, fewer if the search is to stop; return how many."""
    g, root, work = borrowed((g, root, work))
    done = 0
    while done < iterations and goes_on(g, work.stop, p.loop):
        done += 1
        end = descend(g, root, work.way, rules, work, p)
        path = Path(work.way.nodes, work.way.edges, end.depth, end.kind, end.disconnected)
        score = known_score(g, path, work.way.state, rules, work, p)
        if score == NOT_KNOWN:
            score = evaluate_leaf(g, leaf_of(path), rules, work, p)
        finish(g, path, score, work, p.loop)
    return done


@inlined
def goes_on(g: Graph, stop: Ints, p: Loop) -> bool:
    """Whether nobody wants to stop, there is room, and the root is not proven."""
    if atomic_load(stop, 0) or atomic_load(g.used, FULL) == NO_ROOM:
        return False
    return not p.solver or g.nodes[g.used[ROOT]].proof == UNPROVEN


# -- descend --------------------------------------------------------------------------------------------------------


@inlined
def descend(g: Graph, root: Ints, way: Way, rules: Rules, work: Workspace, p: Parameters) -> End:
    """Follow the rule from the root to a leaf, and add the leaf to the graph; its position is left in `way.state`.

    Visits are counted on the way down, so that other descents see them at once as lost: the virtual loss.
    """
    node, forced = _start(g, root, way.state, rules, work, p)
    disconnected, shared = forced >= 0, p.loop.threads > 1
    to_add, arrival, depth = p.loop.expansions, LATER_VISIT, 0
    if g.nodes[node].visits == 0.0:
        arrival = FIRST_VISIT if to_add == 1 else ON_THE_WAY
    while True:
        way.nodes[depth] = node
        if depth > 0 or not disconnected:
            _visit(record_at(g.nodes, node), shared)
        if g.nodes[node].proof != UNPROVEN or depth >= p.loop.depth or arrival == BELOW_LEAF:
            return End(AT_NODE, depth, disconnected)
        expanded = _expand_in_time(g, node, arrival == ON_THE_WAY, way.state, rules, work, p)
        first_visit = arrival == FIRST_VISIT and not p.loop.expand_all
        if first_visit or atomic_load(record_at(g.nodes, node), "state") != OPEN:
            return End(AT_NODE, depth, disconnected)
        if _aided(g, node, way.state, rules, work, p):
            return End(AT_NODE, depth, disconnected)
        edge = forced if depth == 0 and disconnected else _select(g, node, rules, p)
        way.edges[depth] = edge
        depth += 1
        _visit(record_at(g.edges, edge), shared)
        play(rules, way.state, np.int64(g.edges[edge].move))
        if p.loop.repetition and repeats(rules, way.state, depth):
            way.nodes[depth] = NO_NODE
            return End(REPEATED, depth, disconnected)
        child = np.int64(atomic_load(record_at(g.edges, edge), "child"))
        arrival = LATER_VISIT
        if child < 0:
            child, is_new = new_child(g, node, edge, way.state, rules, work, p.expansion)
            if child < 0:
                way.nodes[depth] = NO_NODE
                return End(MEMORY_FULL, depth, disconnected)
            if is_new:
                to_add -= 1
                arrival = FIRST_VISIT if to_add == 0 else ON_THE_WAY
            else:
                work.counters[SHARINGS] += 1
        if arrival == LATER_VISIT and p.loop.share >= SHARE_NODES and _says_enough(g, edge, child, p.loop):
            way.nodes[depth] = NO_NODE
            return End(BEFORE_SHARED, depth, disconnected)
        if expanded and p.loop.expand_all:
            arrival = BELOW_LEAF
        node = child


@inlined
def _start(g: Graph, root: Ints, state: Ints, rules: Rules, work: Workspace, p: Parameters) -> tuple[int, int]:
    """(node, edge or -1): where the descent begins, and with what; its position is left in `state`."""
    copy(root, state)
    if p.loop.explore + p.loop.explore_all + p.loop.explore_checks > 0.0:
        node, edge = branch(g, state, rules, work, p.loop)
        if edge >= 0:
            return node, edge
        copy(root, state)
    return g.used[ROOT], -1


@inlined
def _visit(record: Any, shared: bool) -> None:
    """Count a visit of a node or edge, whose result is still to come."""
    add_to(record, "visits", 1.0, shared)
    add_to(record, "in_flight", 1, shared)


@inlined
def copy(source: Ints, target: Ints) -> None:
    for word in range(source.size):
        target[word] = source[word]


@inlined
def _expand_in_time(
    g: Graph, node: int, at_once: bool, state: Ints, rules: Rules, work: Workspace, p: Parameters
) -> bool:
    """Give a node its children when it has visits enough, or at once; whether that was now."""
    n = record_at(g.nodes, node)
    if (at_once or n.visits > p.loop.open_at - 1.0) and atomic_load(n, "state") == CLOSED:
        open_node(g, node, state, rules, work, p.expansion)
        return True
    return False


@inlined
def _aided(g: Graph, node: int, state: Ints, rules: Rules, work: Workspace, p: Parameters) -> bool:
    """Let the aids look at a node, when it is time; whether they have proven it."""
    if p.loop.checks > 0 and p.loop.solver and proven_by_checks(g, node, state, rules, work, p.loop):
        return True
    if p.loop.ahead > 0.0:
        advise(g, node, state, rules, work, p.loop)
    return False


@inlined
def _select(g: Graph, node: int, rules: Rules, p: Parameters) -> int:
    """The edge by the rule: our own are a part of the loop, others are called by address."""
    if rules.selection == PUCT:
        return choose_by_puct(g, node, p.selection)
    if rules.selection == UCT:
        return choose_by_uct(g, node, p.selection)
    return select_by_rule(rules, g, node, p.selection)


@inlined
def _says_enough(g: Graph, edge: int, child: int, p: Loop) -> bool:
    """Whether the node at the end of `edge` is shared and says enough already, without going on into it."""
    n = record_at(g.nodes, child)
    if n.parents < 2 or n.proof != UNPROVEN:
        return False
    if p.share == RECOMPUTE:
        return bool(n.visits > g.edges[edge].visits - 1.0)
    return diverged(g, edge, child, p.q_epsilon)


# -- evaluate -------------------------------------------------------------------------------------------------------


@inlined
def known_score(g: Graph, path: Path, state: Ints, rules: Rules, work: Workspace, p: Parameters) -> float:
    """What the end of a path is worth to the side to move, where that is known without an evaluation: the game is over,
    the result is proven, or the path ends before a shared node. Else NOT_KNOWN."""
    if work.scratch.trace.size:
        work.scratch.trace[0] = 0
    if path.end == BEFORE_SHARED:
        edge = path.edges[path.depth - 1]
        return 1.0 - correction(g, edge, np.int64(g.edges[edge].child))
    if path.end == REPEATED:
        return 0.5
    if p.loop.blind:
        return NOT_KNOWN
    leaf = leaf_of(path)
    proof = np.int64(g.nodes[leaf].proof) if leaf >= 0 else proof_at(state, rules, work)
    if proof == UNPROVEN:
        return NOT_KNOWN
    if p.loop.solver and leaf >= 0:
        back_up_proof(g, path)
    return score_of(proof)


@inlined
def evaluate_leaf(g: Graph, leaf: int, rules: Rules, work: Workspace, p: Parameters) -> float:
    """What the evaluator says of the position, or has said of it before."""
    state = work.way.state
    if p.loop.share == SHARE_EVALUATIONS and leaf >= 0 and g.nodes[leaf].visits == 1.0:
        twin = find(g, state[KEY], np.int64(g.nodes[leaf].ply))
        if twin >= 0 and twin != leaf and g.nodes[twin].raw_value >= 0.0:
            return float(g.nodes[twin].raw_value)
    score = evaluate(rules, state, work.scratch, p.leaf)
    work.counters[EVALUATED] += 1
    if leaf >= 0:
        g.nodes[leaf].raw_value = score
    return score


# -- back up --------------------------------------------------------------------------------------------------------


@inlined
def finish(g: Graph, path: Path, score: float, work: Workspace, p: Loop) -> None:
    """Back the leaf's score up, and count."""
    counters = work.counters
    number = counters[ITERATIONS] + 1
    back_up(g, path, score, number, p)
    if p.rave > 0.0:
        back_up_amaf(g, path, score, work.scratch.trace, work.stamps, number, p.threads > 1)
    counters[ITERATIONS] = number
    counters[DEPTHS] += path.depth
    counters[DEEPEST_YET] = max(counters[DEEPEST_YET], path.depth)
    if path.nodes[0] == g.used[ROOT]:
        for_root = score if path.depth % 2 == 0 else 1.0 - score
        counters[WON if for_root > 0.5 else DREW if for_root == 0.5 else LOST] += 1
