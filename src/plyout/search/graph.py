"""The search graph as plain arrays.

    node n ──  key  first  children  state  node_visits  node_value  proof
                      │      │
                      ▼      ▼
    edges first … first + children - 1 ──  move  child  visits  value  prior  (rave_visits  rave_value)
                                                   │
                                                   ▼ another node, or -1

A value is a sum of scores (0 lost, ½ drawn, 1 won): on a node for the side to move there, on an edge for the
side that moves along it. Visits are float64 because a result may weigh more or less than one. A tree is a graph
in which no two edges share a child.

Memory is set aside when the graph is made and never grows. When nodes or edges run out, the least visited nodes give
up their children (`thin`), and the search grows on where it matters.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.kernel import INTERPRETED, Ints, kernel

CLOSED, OPENING, OPEN = 0, 1, 2

# A proof, for the side to move: a win or loss in `d` plies is ±(PROVEN - d), as in Arenz' equation 5.
UNPROVEN, DRAWN, PROVEN = 0, 1, 1 << 20
SURE = PROVEN // 2  # above it a proof is a win, below its negative a loss

NODES, EDGES, ROOT, FULL = range(4)  # the numbers in `used`
ROOM, NO_ROOM, FULL_FOR_GOOD = 0, 1, 2  # what `used[FULL]` says: room, or some wanted, or none to be had by thinning


class Graph(NamedTuple):
    key: npt.NDArray[np.int64]  # the position's key
    first: npt.NDArray[np.int32]  # first edge
    children: npt.NDArray[np.int32]  # number of edges
    state: npt.NDArray[np.int32]  # CLOSED, OPENING or OPEN
    node_visits: npt.NDArray[np.float64]
    node_value: npt.NDArray[np.float64]
    proof: npt.NDArray[np.int32]
    move: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    visits: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    prior: npt.NDArray[np.float32]
    rave_visits: npt.NDArray[np.float64]  # of length 1 where RAVE is not used
    rave_value: npt.NDArray[np.float64]
    used: npt.NDArray[np.int64]  # nodes in use, edges in use, the root, whether memory is full


NODE_FIELDS = ("key", "first", "children", "state", "node_visits", "node_value", "proof")
EDGE_FIELDS = ("move", "child", "visits", "value", "prior", "rave_visits", "rave_value")
_BYTES_A_NODE, _BYTES_AN_EDGE, _BYTES_OF_RAVE = 40, 28, 16
_TIDYING = 4  # bytes more a node and an edge, while `keep_only` works
_ASIDE = 0.94  # what the search needs beside its graph, results and buffers, comes out of the same allowance


def capacity(megabytes: float, edges_a_node: float, rave: bool) -> tuple[int, int]:
    """(nodes, edges) that fit into so much memory, with what tidying up needs beside them."""
    bytes_an_edge = _BYTES_AN_EDGE + (_BYTES_OF_RAVE if rave else 0) + _TIDYING
    nodes = int(megabytes * 1e6 * _ASIDE / (_BYTES_A_NODE + _TIDYING + edges_a_node * bytes_an_edge))
    limit = 2**31 - 1
    nodes = min(nodes, int(limit / edges_a_node))
    return nodes, int(nodes * edges_a_node)


def new_graph(nodes: int, edges: int, rave: bool = False) -> Graph:
    """An empty graph: a root without children."""
    raves = edges if rave else 1
    lengths = dict.fromkeys(NODE_FIELDS, nodes) | dict.fromkeys(EDGE_FIELDS, edges)
    lengths |= {"rave_visits": raves, "rave_value": raves, "used": 4}
    arrays = {name: np.zeros(lengths[name], _DTYPES[name]) for name in Graph._fields}
    graph = Graph(**arrays)
    graph.used[NODES] = 1
    return graph


_DTYPES: dict[str, Any] = {
    "key": np.int64, "first": np.int32, "children": np.int32, "state": np.int32, "node_visits": np.float64,
    "node_value": np.float64, "proof": np.int32, "move": np.int32, "child": np.int32, "visits": np.float64,
    "value": np.float64, "prior": np.float32, "rave_visits": np.float64, "rave_value": np.float64, "used": np.int64,
}  # fmt: skip

if INTERPRETED:
    GRAPH: Any = None
else:
    from numba import typeof

    GRAPH = typeof(new_graph(1, 1))


def bytes_in_use(graph: Graph) -> int:
    """How much of the memory set aside holds nodes and edges."""
    an_edge = _BYTES_AN_EDGE + (_BYTES_OF_RAVE if graph.rave_visits.size > 1 else 0)
    return int(graph.used[NODES]) * _BYTES_A_NODE + int(graph.used[EDGES]) * an_edge


@kernel
def keep_only(g: Graph, root: int, place: Ints, edge_place: Ints) -> None:
    """Keep what can be reached from `root`, moved to the front of the arrays, and forget the rest.

    `place` and `edge_place` are as long as the nodes and edges in use: int32 numbers of where each goes.
    """
    nodes, edges = g.used[NODES], g.used[EDGES]
    for i in range(nodes):
        place[i] = 0
    for e in range(edges):
        edge_place[e] = 0
    place[root] = 1
    news = True
    while news:  # once in a tree, whose children come after their parents; a shared node may need another round
        news = False
        for i in range(nodes):
            if place[i] and g.children[i] and not edge_place[g.first[i]]:
                for e in range(g.first[i], g.first[i] + g.children[i]):
                    edge_place[e] = 1
                    child = g.child[e]
                    if child >= 0 and not place[child]:
                        place[child] = 1
                        news = news or child < i
    kept = 0
    for i in range(nodes):
        if place[i]:
            place[i] = kept
            kept += 1
        else:
            place[i] = -1
    kept_edges = 0
    for e in range(edges):
        if edge_place[e]:
            edge_place[e] = kept_edges
            kept_edges += 1
        else:
            edge_place[e] = -1
    rave = g.rave_visits.size > 1
    for i in range(nodes):
        to = place[i]
        if to >= 0:
            g.key[to] = g.key[i]
            g.first[to] = edge_place[g.first[i]] if g.children[i] else 0
            g.children[to] = g.children[i]
            g.state[to] = g.state[i]
            g.node_visits[to] = g.node_visits[i]
            g.node_value[to] = g.node_value[i]
            g.proof[to] = g.proof[i]
    for e in range(edges):
        to = edge_place[e]
        if to >= 0:
            g.move[to] = g.move[e]
            g.child[to] = place[g.child[e]] if g.child[e] >= 0 else -1
            g.visits[to] = g.visits[e]
            g.value[to] = g.value[e]
            g.prior[to] = g.prior[e]
            if rave:
                g.rave_visits[to] = g.rave_visits[e]
                g.rave_value[to] = g.rave_value[e]
    g.used[FULL] = ROOM
    g.used[ROOT] = place[root]
    g.used[NODES] = kept
    g.used[EDGES] = kept_edges


def move_root(graph: Graph, root: int) -> None:
    """Make `root` the root and free the memory of everything that it does not lead to."""
    place = np.empty(int(graph.used[NODES]), np.int32)
    edge_place = np.empty(max(1, int(graph.used[EDGES])), np.int32)
    keep_only(graph, root, place, edge_place)


def thin(graph: Graph) -> None:
    """Make room: close the least visited open nodes that are not proven, until half of what ran out is free.

    A closed node keeps its visits and value, and gets children again when it is visited again. Needs no memory but
    what `move_root` needs: the number of visits up to which a node is closed is found by halving an interval.
    """
    nodes, edges, root = int(graph.used[NODES]), int(graph.used[EDGES]), int(graph.used[ROOT])
    count_nodes = nodes >= graph.key.size
    wanted = (nodes if count_nodes else edges) // 2
    low, high = 0.0, 1.0
    while high < graph.node_visits[root] and _close_below(graph, high, count_nodes, count_only=True) < wanted:
        low, high = high, 2 * high
    while high - low > 0.5:
        middle = (low + high) / 2
        if _close_below(graph, middle, count_nodes, count_only=True) < wanted:
            low = middle
        else:
            high = middle
    _close_below(graph, high, count_nodes, count_only=False)
    move_root(graph, root)
    hardly = graph.used[NODES] > 0.9 * graph.key.size or graph.used[EDGES] > 0.9 * graph.move.size
    graph.used[FULL] = FULL_FOR_GOOD if hardly else ROOM


@kernel
def _close_below(g: Graph, visits: float, count_nodes: bool, count_only: bool) -> int:
    """Close the open, unproven nodes with so many visits or fewer; how many edges, or nodes below them, that frees."""
    freed = 0
    for node in range(g.used[NODES]):
        if g.children[node] and g.proof[node] == UNPROVEN and node != g.used[ROOT] and g.node_visits[node] <= visits:
            if count_nodes:
                for e in range(g.first[node], g.first[node] + g.children[node]):
                    freed += g.child[e] >= 0
            else:
                freed += g.children[node]
            if not count_only:
                g.state[node] = CLOSED
                g.children[node] = 0
    return freed


def reset_node(graph: Graph, node: int, key: int) -> None:
    """Make `node` a leaf that nothing is known about."""
    for name in NODE_FIELDS:
        getattr(graph, name)[node] = 0
    graph.key[node] = key


def add_edges(graph: Graph, node: int, moves: Any, ratings: Any) -> bool:
    """Open `node` with these moves; False if memory is full."""
    first, count = int(graph.used[EDGES]), len(moves)
    if first + count > graph.move.size:
        return False
    block = slice(first, first + count)
    for name in EDGE_FIELDS:
        getattr(graph, name)[block] = 0
    graph.move[block], graph.child[block], graph.prior[block] = moves, -1, ratings
    graph.first[node], graph.children[node], graph.state[node] = first, count, OPEN
    graph.used[EDGES] += count
    return True
