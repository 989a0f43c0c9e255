"""Whether a graph that came from elsewhere is one that a search can have made: nothing in it is trusted before."""

from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import Game, State
from plyout.games.contract import KEY, LEGAL, PLAY
from plyout.kernel import Ints, entry, i64, ints, tail
from plyout.kernel.pointers import address, caller
from plyout.search.graph import (
    DRAWN, EDGES, GRAPH, NODES, OPEN, PROVEN, ROOT, SURE, UNPROVEN, Graph, edges_from,
)  # fmt: skip
from plyout.search.workspace import DEEPEST

_FINE = -1
_FARTHEST_DRAW = DRAWN + DEEPEST
_UNSEEN, _ON_THE_WAY, _DONE = range(3)  # marks of nodes

_call_legal, _call_play = caller(LEGAL), caller(PLAY)


def check_graph(graph: Graph, game: Game, state: State) -> None:
    """An `InputError` if the numbers of a graph make no sense, or its moves are not those of `state` and what comes."""
    nodes, edges = graph.nodes[: int(graph.used[NODES])], graph.edges[: int(graph.used[EDGES])]
    if not 0 <= graph.used[ROOT] < len(nodes):
        raise InputError(f"its root is node {graph.used[ROOT]} of {len(nodes)}")
    for what, right in _properties(nodes, edges, graph.rave):
        wrong = np.flatnonzero(~right)
        if len(wrong):
            raise InputError(f"{what} of number {wrong[0]} is out of range")
    _check_blocks(nodes, len(edges))
    depth = DEEPEST + 2
    states, marks = np.zeros(depth * game.size, np.int64), np.zeros(len(nodes), np.int64)
    states[: game.size] = state
    way = np.zeros(2 * depth, np.int64)
    where = _wrong_node(
        graph, address(game.legal, LEGAL), address(game.play, PLAY), states, way, marks, np.zeros(game.room, np.int64)
    )
    if where != _FINE:
        raise InputError(
            f"node {where} has another position or other moves than the game has there, or leads to itself"
        )


def _properties(nodes: Any, edges: Any, rave: Any) -> list[tuple[str, Any]]:
    """(what, where it is right) of nodes and edges, one by one."""
    proofs = nodes["proof"]
    proven = (np.abs(proofs) > SURE) & (np.abs(proofs) <= PROVEN)
    checks = [
        ("the proof", proven | ((proofs >= UNPROVEN) & (proofs <= _FARTHEST_DRAW))),
        ("the state", (nodes["state"] >= 0) & (nodes["state"] <= OPEN)),
        ("the number of edges", nodes["children"] >= 0),
        ("the advised edge", (nodes["advised"] >= 0) & (nodes["advised"] <= nodes["children"])),
        ("the raw value", np.isfinite(nodes["raw_value"])),
        ("the child", (edges["child"] >= -1) & (edges["child"] < len(nodes))),
        ("the prior", np.isfinite(edges["prior"])),
        ("the move", edges["move"] >= 0),
    ]
    for records in (nodes, edges, rave):
        checks.append(("the visits", np.isfinite(records["visits"]) & (records["visits"] >= 0)))
        checks.append(("the value", np.isfinite(records["value"])))
    return checks


def _check_blocks(nodes: Any, edges: int) -> None:
    """The edges of a node lie together, among those that there are, and are no other node's."""
    parents = nodes[nodes["children"] > 0]
    first = np.sort(parents["first"].astype(np.int64))
    last = (parents["first"].astype(np.int64) + parents["children"])[np.argsort(parents["first"], kind="stable")]
    if len(first) and (first[0] < 0 or last.max() > edges or (last[:-1] > first[1:]).any()):
        raise InputError("the edges of its nodes are out of range, or are several nodes' at once")


@entry(i64(GRAPH, i64, i64, ints, ints, ints, ints))
def _wrong_node(g: Graph, legal: int, play: int, states: Ints, way: Ints, marks: Ints, moves: Ints) -> int:
    """A node whose key or moves are not its position's, or that is on the way to itself; -1 if there is none.

    Every node that the root leads to is met once, by one way to it. `states` has room for the positions of a way, the
    first of them the root's; `way` for its nodes and, behind each, the next edge to follow.
    """
    depth, deepest = 0, way.size // 2
    size = states.size // deepest
    way[0], way[1] = g.used[ROOT], -1
    while depth >= 0:
        node, e = int(way[2 * depth]), int(way[2 * depth + 1])
        state = tail(states, depth * size)
        first, last = edges_from(g, node)
        if e < 0:
            if g.nodes[node].key != state[KEY]:
                return node
            count = _call_legal(legal, state, moves) if first < last else 0
            for edge in range(first, last):
                known = False
                for i in range(count):
                    known = known or moves[i] == g.edges[edge].move
                if not known:
                    return node
            marks[node] = _ON_THE_WAY
            e = first
        if e >= last:
            marks[node] = _DONE
            depth -= 1
            continue
        way[2 * depth + 1] = e + 1
        child = np.int64(g.edges[e].child)
        if child < 0 or marks[child] == _DONE:
            continue
        if marks[child] == _ON_THE_WAY or depth + 1 == deepest:
            return node
        depth += 1
        after = tail(states, depth * size)
        for word in range(size):
            after[word] = state[word]
        _call_play(play, after, np.int64(g.edges[e].move))
        way[2 * depth], way[2 * depth + 1] = child, -1
    return _FINE
