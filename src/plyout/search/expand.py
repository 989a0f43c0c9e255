"""Expansion: a position becomes a node, a node gets its children."""

from math import exp
from typing import Any

import numpy as np

from plyout.games.contract import KEY
from plyout.kernel import Ints, atomic_add, atomic_swap, inlined
from plyout.search.graph import (
    CLOSED, DRAWN, DRAWN_HERE, EDGES, FULL, NO_ROOM, NODES, NOT_JUDGED, OPEN, OPENING, PROVEN, ROOM, UNPROVEN, Graph,
    enter, find,
)  # fmt: skip
from plyout.knowledge.tables.probe import DRAW, is_win
from plyout.parameters import POLICY, SHARE, SHARE_JUDGEMENTS, SHARE_NODES, TREE, WIDEN_TO


@inlined
def verdict(score: float) -> int:
    """The proof that a finished game is: `score` is that of the side to move."""
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
def proof_at(state: Ints, moves: Ints, legal: Any, outcome: Any, known: Any, directory: Ints) -> int:
    """What is proven about a position by itself: the game is over, or tables know how it will end."""
    proof = verdict(outcome(state, legal(state, moves)))
    return proof_by_tables(known(state, directory)) if proof == UNPROVEN else proof


@inlined
def no_room(g: Graph) -> None:
    """Ask for memory, unless it is known that there is none."""
    if g.used[FULL] == ROOM:
        g.used[FULL] = NO_ROOM


@inlined
def new_child(
    g: Graph, parent: int, edge: int, state: Ints, moves: Ints, legal: Any, outcome: Any, known: Any, directory: Ints,
    parameters: Any,
) -> tuple[int, bool]:  # fmt: skip
    """(the node behind an edge that has none, whether it is new): the position's own, where nodes are shared and it
    has one; else a new one, with what is proven about it by itself; -1 if memory is full."""
    count = legal(state, moves)
    proof = verdict(outcome(state, count))
    share = parameters[SHARE]
    ply = np.int64(g.ply[parent]) + 1
    if share >= SHARE_NODES:
        if proof == DRAWN and count > 0:
            proof = DRAWN_HERE
        else:
            found = find(g, state[KEY], ply)
            if found >= 0:
                if atomic_swap(g.child, edge, np.int32(-1), np.int32(found)):
                    atomic_add(g.parents, found, np.int32(1))
                return np.int64(g.child[edge]), False
    if proof == UNPROVEN:
        proof = proof_by_tables(known(state, directory))
    node = _new_node(g, state[KEY], ply, proof)
    if node < 0:
        return node, False
    if not atomic_swap(g.child, edge, np.int32(-1), np.int32(node)):
        return np.int64(g.child[edge]), False  # another thread was faster
    if share != TREE and proof != DRAWN_HERE and (share >= SHARE_NODES or find(g, state[KEY], ply) < 0):
        enter(g, node)
    return node, True


@inlined
def _new_node(g: Graph, key: int, ply: int, proof: int) -> int:
    if g.used[NODES] >= g.key.size:
        no_room(g)
        return -1
    node: int = atomic_add(g.used, NODES, 1)
    if node >= g.key.size:  # another thread took the last one
        atomic_add(g.used, NODES, -1)
        no_room(g)
        return -1
    g.key[node] = key
    g.ply[node] = ply
    g.parents[node] = 1
    g.first[node] = 0
    g.children[node] = 0
    g.state[node] = CLOSED
    g.node_visits[node] = 0.0
    g.node_value[node] = 0.0
    g.proof[node] = proof
    g.judged[node] = NOT_JUDGED
    g.advised[node] = 0
    g.node_waiting[node] = 0
    return node


@inlined
def open_node(
    g: Graph, node: int, state: Ints, moves: Ints, ratings: Any, legal: Any, rate: Any, parameters: Any
) -> None:
    """Give `node` its edges, unless another thread is at it or memory is full."""
    if not atomic_swap(g.state, node, np.int32(CLOSED), np.int32(OPENING)):
        return
    twin = find(g, state[KEY], np.int64(g.ply[node])) if parameters[SHARE] == SHARE_JUDGEMENTS else -1
    if twin >= 0 and twin != node and g.state[twin] == OPEN:
        count = np.int64(g.children[twin])
        for i in range(count):
            moves[i] = g.move[g.first[twin] + i]
            ratings[i] = g.prior[g.first[twin] + i]
    else:
        count = legal(state, moves)
        for i in range(count):
            ratings[i] = 0.0
        rate(state, moves, count, ratings, parameters)
        if parameters[POLICY] > 0.0:
            softmax(ratings, count, 100.0 * parameters[POLICY])
        if parameters[POLICY] > 0.0 or parameters[WIDEN_TO] > 0.0:
            sort(moves, ratings, count)
    add_children(g, node, moves, ratings, count)


@inlined
def add_children(g: Graph, node: int, moves: Ints, ratings: Any, count: int) -> None:
    """Open a node that is OPENING, with these moves; close it again if memory is full."""
    first = atomic_add(g.used, EDGES, count)
    if first + count > g.move.size:
        atomic_add(g.used, EDGES, -count)
        no_room(g)
        atomic_swap(g.state, node, np.int32(OPENING), np.int32(CLOSED))
        return
    for i in range(count):
        e = first + i
        g.move[e] = moves[i]
        g.child[e] = -1
        g.visits[e] = 0.0
        g.value[e] = 0.0
        g.prior[e] = ratings[i]
        g.waiting[e] = 0
        if g.rave_visits.size > 1:
            g.rave_visits[e] = 0.0
            g.rave_value[e] = 0.0
    g.first[node] = first
    g.children[node] = count
    atomic_swap(g.state, node, np.int32(OPENING), np.int32(OPEN))


@inlined
def softmax(ratings: Any, count: int, temperature: float) -> None:
    """Ratings become probabilities."""
    greatest = -1e300
    for i in range(count):
        greatest = max(greatest, ratings[i])
    total = 0.0
    for i in range(count):
        ratings[i] = exp((ratings[i] - greatest) / temperature)
        total += ratings[i]
    for i in range(count):
        ratings[i] /= total


@inlined
def sort(moves: Ints, ratings: Any, count: int) -> None:
    """The best rated first; equals keep their order."""
    for i in range(1, count):
        move, rating = moves[i], ratings[i]
        j = i
        while j > 0 and ratings[j - 1] < rating:
            moves[j], ratings[j] = moves[j - 1], ratings[j - 1]
            j -= 1
        moves[j], ratings[j] = move, rating
