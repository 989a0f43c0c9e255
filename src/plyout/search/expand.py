"""Expansion: a position becomes a node, a node gets its children."""

from math import exp
from typing import Any

import numpy as np

from plyout.games.contract import KEY
from plyout.kernel import Ints, atomic_add, atomic_swap, inlined, record_at
from plyout.knowledge.tables.probe import DRAW, is_win
from plyout.parameters import SHARE_EVALUATIONS, SHARE_NODES, Expansion
from plyout.search.graph import (
    CLOSED, DRAWN, DRAWN_HERE, EDGES, FULL, NO_ROOM, NO_VALUE, NODES, OPEN, OPENING, PROVEN, ROOM, UNPROVEN, Graph,
    enter, find, has_rave,
)  # fmt: skip
from plyout.search.rules import Rules, legal_moves, outcome, probe, score_moves
from plyout.search.workspace import Workspace


@inlined
def proof_by_rules(score: float) -> int:
    """The proof that a finished game is; `score` is that of the side to move, negative while the game goes on."""
    if score < 0.0:
        return UNPROVEN
    if score == 0.5:
        return DRAWN
    return PROVEN if score > 0.5 else -PROVEN


@inlined
def proof_by_tables(code: int) -> int:
    """The proof that the code of a position in endgame tables is."""
    if code < 0:
        return UNPROVEN
    if code == DRAW:
        return DRAWN
    return PROVEN - code + 1 if is_win(code) else code - 1 - PROVEN


@inlined
def proof_at(state: Ints, rules: Rules, work: Workspace) -> int:
    """What is proven about a position by itself: the game is over, or tables know how it will end."""
    proof = proof_by_rules(outcome(rules, state, legal_moves(rules, state, work.moves)))
    return proof_by_tables(probe(rules, state, work.scratch.directory)) if proof == UNPROVEN else proof


@inlined
def ask_for_room(g: Graph) -> None:
    """Ask for memory, unless it is known that there is none."""
    if g.used[FULL] == ROOM:
        g.used[FULL] = NO_ROOM


@inlined
def new_child(
    g: Graph, parent: int, edge: int, state: Ints, rules: Rules, work: Workspace, p: Expansion
) -> tuple[int, bool]:
    """(the node behind an edge that has none, whether it is new): the position's own, where nodes are shared and it
    has one; else a new one, with what is proven about it by itself; -1 if memory is full."""
    count = legal_moves(rules, state, work.moves)
    proof = proof_by_rules(outcome(rules, state, count))
    ply = np.int64(g.nodes[parent].ply) + 1
    e = record_at(g.edges, edge)
    if p.share >= SHARE_NODES:
        if proof == DRAWN and count > 0:
            proof = DRAWN_HERE
        else:
            found = find(g, state[KEY], ply)
            if found >= 0:
                if atomic_swap(e, "child", np.int32(-1), np.int32(found)):
                    atomic_add(record_at(g.nodes, found), "parents", np.int32(1))
                return np.int64(e.child), False
    if proof == UNPROVEN:
        proof = proof_by_tables(probe(rules, state, work.scratch.directory))
    node = _new_node(g, state[KEY], ply, proof)
    if node < 0:
        return node, False
    if not atomic_swap(e, "child", np.int32(-1), np.int32(node)):
        return np.int64(e.child), False  # another thread was faster
    if p.share >= SHARE_NODES:
        if proof != DRAWN_HERE:
            enter(g, node)
    elif p.share == SHARE_EVALUATIONS and proof == UNPROVEN and find(g, state[KEY], ply) < 0:
        enter(g, node)  # a game that is over has no evaluation to copy
    return node, True


@inlined
def _new_node(g: Graph, key: int, ply: int, proof: int) -> int:
    if g.used[NODES] >= g.nodes.size:
        ask_for_room(g)
        return -1
    node: int = atomic_add(g.used, NODES, 1)
    if node >= g.nodes.size:  # another thread took the last one
        atomic_add(g.used, NODES, -1)
        ask_for_room(g)
        return -1
    n = record_at(g.nodes, node)
    n.key = key
    n.ply = ply
    n.parents = 1
    n.first = 0
    n.children = 0
    n.state = CLOSED
    n.visits = 0.0
    n.value = 0.0
    n.variance = 0.0
    n.proof = proof
    n.raw_value = NO_VALUE
    n.advised = 0
    n.in_flight = 0
    return node


@inlined
def open_node(g: Graph, node: int, state: Ints, rules: Rules, work: Workspace, p: Expansion) -> None:
    """Give `node` its edges, unless another thread is at it or memory is full."""
    n = record_at(g.nodes, node)
    if not atomic_swap(n, "state", np.int32(CLOSED), np.int32(OPENING)):
        return
    moves, scores = work.moves, work.scores
    twin = find(g, state[KEY], np.int64(n.ply)) if p.share == SHARE_EVALUATIONS else -1
    if twin >= 0 and twin != node and g.nodes[twin].state == OPEN:
        count = np.int64(g.nodes[twin].children)
        for i in range(count):
            moves[i] = g.edges[g.nodes[twin].first + i].move
            scores[i] = g.edges[g.nodes[twin].first + i].prior
    else:
        count = legal_moves(rules, state, moves)
        for i in range(count):
            scores[i] = 0.0
        score_moves(rules, state, moves, count, scores, p)
        if p.policy > 0.0:
            softmax(scores, count, 100.0 * p.policy)
        if p.policy > 0.0 or p.widen_to > 0.0:
            sort(moves, scores, count)
    add_children(g, node, moves, scores, count)


@inlined
def add_children(g: Graph, node: int, moves: Ints, priors: Any, count: int) -> None:
    """Open a node that is OPENING, with these moves; close it again if memory is full."""
    first = atomic_add(g.used, EDGES, count)
    n = record_at(g.nodes, node)
    if first + count > g.edges.size:
        atomic_add(g.used, EDGES, -count)
        ask_for_room(g)
        atomic_swap(n, "state", np.int32(OPENING), np.int32(CLOSED))
        return
    for i in range(count):
        e = record_at(g.edges, first + i)
        e.move = moves[i]
        e.child = -1
        e.visits = 0.0
        e.value = 0.0
        e.prior = priors[i]
        e.in_flight = 0
        e.pruned = 0
        if has_rave(g):
            r = record_at(g.rave, first + i)
            r.visits = 0.0
            r.value = 0.0
    n.first = first
    n.children = count
    atomic_swap(n, "state", np.int32(OPENING), np.int32(OPEN))


@inlined
def softmax(scores: Any, count: int, temperature: float) -> None:
    """Scores become probabilities."""
    greatest = -1e300
    for i in range(count):
        greatest = max(greatest, scores[i])
    total = 0.0
    for i in range(count):
        scores[i] = exp((scores[i] - greatest) / temperature)
        total += scores[i]
    for i in range(count):
        scores[i] /= total


@inlined
def sort(moves: Ints, scores: Any, count: int) -> None:
    """The greatest score first; equals keep their order."""
    for i in range(1, count):
        move, score = moves[i], scores[i]
        j = i
        while j > 0 and scores[j - 1] < score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score
