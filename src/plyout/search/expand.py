"""Expansion: a position becomes a node, a node gets its children."""

from typing import Any

import numpy as np

from plyout.games.contract import KEY
from plyout.kernel import Ints, atomic_add, atomic_swap, inlined
from plyout.search.graph import (
    CLOSED, DRAWN, EDGES, FULL, NO_ROOM, NODES, OPEN, OPENING, PROVEN, ROOM, UNPROVEN, Graph,
)  # fmt: skip
from plyout.knowledge.tables.probe import DRAW, is_win
from plyout.parameters import WIDEN_TO


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
def new_node(g: Graph, state: Ints, moves: Ints, legal: Any, outcome: Any, known: Any, directory: Ints) -> int:
    """A node for the position `state`, with what is proven about it by itself; -1 if memory is full."""
    if g.used[NODES] >= g.key.size:
        no_room(g)
        return -1
    node: int = atomic_add(g.used, NODES, 1)
    if node >= g.key.size:  # another thread took the last one
        atomic_add(g.used, NODES, -1)
        no_room(g)
        return -1
    g.key[node] = state[KEY]
    g.first[node] = 0
    g.children[node] = 0
    g.state[node] = CLOSED
    g.node_visits[node] = 0.0
    g.node_value[node] = 0.0
    g.proof[node] = proof_at(state, moves, legal, outcome, known, directory)
    return node


@inlined
def open_node(
    g: Graph, node: int, state: Ints, moves: Ints, ratings: Any, legal: Any, rate: Any, parameters: Any
) -> None:
    """Give `node` its edges, unless another thread is at it or memory is full."""
    if not atomic_swap(g.state, node, np.int32(CLOSED), np.int32(OPENING)):
        return
    count = legal(state, moves)
    first = atomic_add(g.used, EDGES, count)
    if first + count > g.move.size:
        atomic_add(g.used, EDGES, -count)
        no_room(g)
        atomic_swap(g.state, node, np.int32(OPENING), np.int32(CLOSED))
        return
    for i in range(count):
        ratings[i] = 0.0
    rate(state, moves, count, ratings, parameters)
    if parameters[WIDEN_TO] > 0.0:
        _sort(moves, ratings, count)
    for i in range(count):
        e = first + i
        g.move[e] = moves[i]
        g.child[e] = -1
        g.visits[e] = 0.0
        g.value[e] = 0.0
        g.prior[e] = ratings[i]
        if g.rave_visits.size > 1:
            g.rave_visits[e] = 0.0
            g.rave_value[e] = 0.0
    g.first[node] = first
    g.children[node] = count
    atomic_swap(g.state, node, np.int32(OPENING), np.int32(OPEN))


@inlined
def _sort(moves: Ints, ratings: Any, count: int) -> None:
    """The best rated first; equals keep their order."""
    for i in range(1, count):
        move, rating = moves[i], ratings[i]
        j = i
        while j > 0 and ratings[j - 1] < rating:
            moves[j], ratings[j] = moves[j - 1], ratings[j - 1]
            j -= 1
        moves[j], ratings[j] = move, rating
