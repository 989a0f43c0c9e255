"""Making room in a graph: nodes that nothing leads to are dropped, and where that is not enough, the least visited
nodes give up their children."""

from math import log2

import numpy as np

from plyout.kernel import Ints, borrowed, inlined, kernel
from plyout.search.graph import (
    CLOSED, DRAWN_HERE, EDGES, FULL, FULL_FOR_GOOD, NODES, ROOM, ROOT, UNPROVEN, Graph, edges_from, enter, has_rave,
)  # fmt: skip

# Marks of the edges that stay, in a field that is 0 while nobody searches.
_STAYS, _FIRST_STAYS = -1, 1


def move_root(graph: Graph, root: int) -> None:
    """Make `root` the root and free the memory of everything that it does not lead to."""
    place = np.empty(int(graph.used[NODES]), np.int32)
    displaced = np.empty_like(place)
    _reach(graph, root, place, displaced)
    _move_edges(graph, place, displaced)
    _move_nodes(graph, place)
    graph.used[ROOT] = place[root]
    graph.used[FULL] = ROOM
    if graph.table.size > 1:
        _fill_table(graph)


@kernel
def _reach(g: Graph, root: int, place: Ints, stack: Ints) -> None:
    """Number the nodes that can be reached from `root`, in their present order; the others get -1.

    `place` and `stack` are as long as the nodes in use. Edges that stay are marked. The first edge of a node then holds
    the node's number in the place of its child, which is found in `stack`, under that number, meanwhile.
    """
    g, place, stack = borrowed((g, place, stack))
    for i in range(place.size):
        place[i] = 0
    place[root] = 1
    stack[0] = root
    height = 1
    while height > 0:
        height -= 1
        first, last = edges_from(g, np.int64(stack[height]))
        for e in range(first, last):
            g.edges[e].in_flight = _STAYS
            child = g.edges[e].child
            if child >= 0 and not place[child]:
                place[child] = 1
                stack[height] = child
                height += 1
    kept = 0
    for node in range(place.size):
        if not place[node]:
            place[node] = -1
            continue
        place[node] = kept
        kept += 1
        if g.nodes[node].children:
            edge = g.edges[g.nodes[node].first]
            edge.in_flight = _FIRST_STAYS
            stack[node] = edge.child
            edge.child = node


@kernel
def _move_edges(g: Graph, place: Ints, displaced: Ints) -> None:
    """Move the edges that stay to the front; `displaced` are the children that `_reach` has put aside."""
    g, place, displaced = borrowed((g, place, displaced))
    kept = 0
    for e in range(g.used[EDGES]):
        mark, child = g.edges[e].in_flight, np.int64(g.edges[e].child)
        if mark == 0:
            continue
        if mark == _FIRST_STAYS:
            g.nodes[child].first = kept
            child = np.int64(displaced[child])
        g.edges[kept] = g.edges[e]
        g.edges[kept].in_flight = 0
        g.edges[kept].child = place[child] if child >= 0 else -1
        if has_rave(g):
            g.rave[kept] = g.rave[e]
        kept += 1
    g.used[EDGES] = kept


@kernel
def _move_nodes(g: Graph, place: Ints) -> None:
    """Move the nodes that stay to the front, and count their parents anew."""
    g, place = borrowed((g, place))
    kept = 0
    for node in range(place.size):
        if place[node] >= 0:
            g.nodes[kept] = g.nodes[node]
            g.nodes[kept].parents = 0
            kept += 1
    g.used[NODES] = kept
    for e in range(g.used[EDGES]):
        if g.edges[e].child >= 0:
            g.nodes[g.edges[e].child].parents += 1


@kernel
def _fill_table(g: Graph) -> None:
    """Enter all nodes anew."""
    g = borrowed(g)
    for i in range(g.table.size):
        g.table[i] = 0
    for node in range(g.used[NODES]):
        if g.nodes[node].proof != DRAWN_HERE:
            enter(g, node)


def prune(graph: Graph) -> None:
    """Make room: close the least visited open nodes that are not proven, until half of what ran out is free.

    A closed node keeps its visits and value, and gets children again when it is visited again. Somebody may want to
    stop meanwhile, so there are only two passes: one to see what closing nodes would free, one to close them.
    """
    root, for_nodes = int(graph.used[ROOT]), bool(graph.used[NODES] >= graph.nodes.size)
    room = np.zeros(_CLASSES, np.int64)
    _room_by_class(graph, for_nodes, room)
    wanted = int(graph.used[NODES] if for_nodes else graph.used[EDGES]) // 2
    _close_up_to(graph, int(np.searchsorted(np.cumsum(room), wanted)))
    move_root(graph, root)
    hardly = graph.used[NODES] > 0.9 * graph.nodes.size or graph.used[EDGES] > 0.9 * graph.edges.size
    graph.used[FULL] = FULL_FOR_GOOD if hardly else ROOM


_CLASSES = 256  # of nodes by their visits: each number up to 8 has its own, then eight to a doubling


@inlined
def _class(visits: float) -> int:
    return int(visits) if visits < 8.0 else min(int(8.0 * log2(visits)) - 16, _CLASSES - 1)


@inlined
def _may_close(g: Graph, node: int) -> bool:
    return bool(g.nodes[node].children and g.nodes[node].proof == UNPROVEN and node != g.used[ROOT])


@kernel
def _room_by_class(g: Graph, for_nodes: bool, room: Ints) -> None:
    """How many edges, or nodes below them, the nodes of each class would free."""
    g = borrowed(g)
    for node in range(g.used[NODES]):
        if _may_close(g, node):
            first, last = edges_from(g, node)
            freed = last - first
            if for_nodes:
                freed = 0
                for e in range(first, last):
                    freed += g.edges[e].child >= 0
            room[_class(g.nodes[node].visits)] += freed


@kernel
def _close_up_to(g: Graph, greatest: int) -> None:
    """Close the nodes of the classes up to `greatest`."""
    g = borrowed(g)
    for node in range(g.used[NODES]):
        if _may_close(g, node) and _class(g.nodes[node].visits) <= greatest:
            g.nodes[node].state = CLOSED
            g.nodes[node].children = 0
            g.nodes[node].advised = 0
