"""The search graph as plain arrays.

    node n ──  key  ply  parents  first  children  state  proof  node_visits  node_value  judged  node_waiting  advised
                                    │      │
                                    ▼      ▼
    edges first … first + children - 1 ──  visits  value  prior  move  child  waiting  (rave_visits  rave_value)
                                                                         │
                                                                         ▼ another node, or -1

A value is a sum of scores (0 lost, ½ drawn, 1 won): on a node for the side to move there, on an edge for the
side that moves along it. Visits are float64 because a result may weigh more or less than one. A tree is a graph
in which no two edges share a child; where they may, `table` finds a node by its key and ply. Since the ply grows
with every edge, there are no cycles.

All that is known of a node lies side by side in one line of the cache, and of an edge in half a line: the arrays are
views of such records, with strides. A search goes from node to node in no order, and waits mostly for memory.

Memory is set aside when the graph is made and never grows. When nodes or edges run out, the least visited nodes give
up their children (`thin`), and the search grows on where it matters.
"""

from math import log2
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.kernel import INTERPRETED, Ints, atomic_load, atomic_swap, inlined, kernel, lent
from plyout.kernel.random import mix

CLOSED, OPENING, OPEN = 0, 1, 2
NOT_JUDGED = -1.0

# A proof, for the side to move: a win or loss in `d` plies is ±(PROVEN - d), as in Arenz' equation 5.
# DRAWN_HERE is a draw by what came before, as by repetition: true of one way to a position that has several.
UNPROVEN, DRAWN, DRAWN_HERE, PROVEN = 0, 1, 2, 1 << 20
SURE = PROVEN // 2  # above it a proof is a win, below its negative a loss

NODES, EDGES, ROOT, FULL = range(4)  # the numbers in `used`
ROOM, NO_ROOM, FULL_FOR_GOOD = 0, 1, 2  # what `used[FULL]` says: room, or some wanted, or none to be had by thinning


class Graph(NamedTuple):
    key: npt.NDArray[np.int64]  # the position's key
    ply: npt.NDArray[np.int32]  # how many moves after the first root
    parents: npt.NDArray[np.int32]  # how many edges lead here
    first: npt.NDArray[np.int32]  # first edge
    children: npt.NDArray[np.int32]  # number of edges
    state: npt.NDArray[np.int32]  # CLOSED, OPENING or OPEN
    proof: npt.NDArray[np.int32]
    node_visits: npt.NDArray[np.float64]
    node_value: npt.NDArray[np.float64]
    judged: npt.NDArray[np.float64]  # what the judge said of the node itself, or NOT_JUDGED
    advised: npt.NDArray[np.int32]  # the edge to look at, or that wins, if known: counted from 1; 0: none
    node_waiting: npt.NDArray[np.int32]  # visits counted, whose result is still to come (if several threads search)
    visits: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    prior: npt.NDArray[np.float32]
    move: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    waiting: npt.NDArray[np.int32]
    rave_visits: npt.NDArray[np.float64]  # of length 1 where RAVE is not used
    rave_value: npt.NDArray[np.float64]
    table: npt.NDArray[np.int32]  # nodes by key and ply, as their number + 1; of length 1 where nothing is shared
    used: npt.NDArray[np.int64]  # nodes in use, edges in use, the root, whether memory is full
    book_keys: npt.NDArray[np.int64]  # an opening book, empty where none is used in the search: see `search.book`
    book_moves: npt.NDArray[np.int64]
    book_numbers: npt.NDArray[np.float64]


_NODE = np.dtype(
    [
        ("key", np.int64), ("ply", np.int32), ("parents", np.int32), ("first", np.int32), ("children", np.int32),
        ("state", np.int32), ("proof", np.int32), ("node_visits", np.float64), ("node_value", np.float64),
        ("judged", np.float64), ("node_waiting", np.int32), ("advised", np.int32),
    ]
)  # fmt: skip
_EDGE = np.dtype(
    [
        ("visits", np.float64), ("value", np.float64), ("prior", np.float32), ("move", np.int32),
        ("child", np.int32), ("waiting", np.int32),
    ]
)  # fmt: skip
_RAVE = ("rave_visits", "rave_value")
NODE_FIELDS = tuple(name for name in _NODE.names or () if name in Graph._fields)
EDGE_FIELDS = (*(_EDGE.names or ()), *_RAVE)
_LINE = 64  # bytes of the cache's lines

_TIDYING = 8  # bytes more a node, while `move_root` works
_ASIDE = 0.94  # what the search needs beside its graph, results and buffers, comes out of the same allowance


def _table_size(nodes: int) -> int:
    """A power of two that leaves a third of the places free."""
    return 1 << int(1.5 * nodes).bit_length()


def capacity(megabytes: float, edges_a_node: float, rave: bool = False, shared: bool = False) -> tuple[int, int]:
    """(nodes, edges) that fit into so much memory, with what tidying up needs beside them."""
    an_edge = _EDGE.itemsize + (16 if rave else 0)
    a_node = _NODE.itemsize + _TIDYING + edges_a_node * an_edge
    memory = megabytes * 1e6 * _ASIDE
    nodes = int(memory / a_node)
    if shared:  # the table doubles at once: as many nodes as the best size of the table leaves room for
        sizes = [1 << k for k in range(4, int(1.5 * nodes).bit_length() + 1)]
        nodes = max(min(int((memory - 4 * size) / a_node), int((size - 1) / 1.5)) for size in sizes)
    limit = 2**31 - 1
    nodes = min(nodes, int(limit / edges_a_node))
    return nodes, int(nodes * edges_a_node)


def _records(count: int, kind: "np.dtype[Any]") -> dict[str, Any]:
    """Arrays of so many records that begin at the begin of a line; two at least, or they would not have strides."""
    memory = np.zeros(max(count, 2) * kind.itemsize + _LINE, np.uint8)
    skip = -memory.ctypes.data % _LINE
    records = memory[skip : skip + max(count, 2) * kind.itemsize].view(kind)
    return {name: records[name] for name in kind.names or () if name in Graph._fields}


def new_graph(nodes: int, edges: int, rave: bool = False, shared: bool = False) -> Graph:
    """An empty graph: a root without children."""
    raves: dict[str, Any] = {name: np.zeros(edges if rave else 1) for name in _RAVE}
    table = np.zeros(_table_size(nodes) if shared else 1, np.int32)
    book: dict[str, Any] = {
        "book_keys": np.zeros(0, np.int64),
        "book_moves": np.zeros(0, np.int64),
        "book_numbers": np.zeros(0),
    }
    graph = Graph(
        **_records(nodes, _NODE), **_records(edges, _EDGE), **raves, table=table, used=np.zeros(4, np.int64), **book
    )
    graph.used[NODES] = 1
    return graph


if INTERPRETED:
    GRAPH: Any = None
else:
    from numba import typeof

    GRAPH = typeof(new_graph(2, 2))


def bytes_in_use(graph: Graph) -> int:
    """How much of the memory set aside holds nodes and edges."""
    an_edge = _EDGE.itemsize + (16 if graph.rave_visits.size > 1 else 0)
    return int(graph.used[NODES]) * _NODE.itemsize + int(graph.used[EDGES]) * an_edge


# -- nodes by position ----------------------------------------------------------------------------------------------


@inlined
def find(g: Graph, key: int, ply: int) -> int:
    """The node of the position with this key at this ply; -1 if there is none."""
    last = g.table.size - 1
    i = mix(key + ply) & last
    while True:
        node = np.int64(atomic_load(g.table, i)) - 1
        if node < 0 or (g.key[node] == key and g.ply[node] == ply):
            return node  # type: ignore[no-any-return]
        i = i + 1 & last


@inlined
def enter(g: Graph, node: int) -> None:
    """Let `find` find `node`."""
    last = g.table.size - 1
    i = mix(g.key[node] + g.ply[node]) & last
    while not atomic_swap(g.table, i, np.int32(0), np.int32(node + 1)):
        i = i + 1 & last


@inlined
def advise_move(g: Graph, node: int, move: int) -> None:
    """Note `move` as the node's, if it is one."""
    for i in range(g.children[node]):
        if g.move[g.first[node] + i] == move:
            g.advised[node] = i + 1


# -- making room ----------------------------------------------------------------------------------------------------


@kernel
def _reach(g: Graph, root: int, place: Ints, stack: Ints) -> None:
    """Number the nodes that can be reached from `root`, in their present order; the others get -1.

    `place` and `stack` are as long as the nodes in use. Edges that lead on are marked by what they wait for, which is
    nothing while nobody searches: the first of a node's with the node's number + 1, the others with -1.
    """
    g, place, stack = lent((g, place, stack))
    for i in range(place.size):
        place[i] = 0
    place[root] = 1
    stack[0] = root
    height = 1
    while height > 0:
        height -= 1
        node = stack[height]
        for e in range(g.first[node], g.first[node] + g.children[node]):
            g.waiting[e] = -1
            child = g.child[e]
            if child >= 0 and not place[child]:
                place[child] = 1
                stack[height] = child
                height += 1
        if g.children[node]:
            g.waiting[g.first[node]] = node + 1
    kept = 0
    for i in range(place.size):
        if place[i]:
            place[i] = kept
            kept += 1
        else:
            place[i] = -1


@kernel
def _move_down(g: Graph, place: Ints) -> None:
    """Move what is kept to the front: the edges, then the nodes."""
    g, place = lent((g, place))
    kept = 0
    for e in range(g.used[EDGES]):
        mark = g.waiting[e]
        if mark:
            if mark > 0:
                g.first[mark - 1] = kept
            g.visits[kept] = g.visits[e]
            g.value[kept] = g.value[e]
            g.prior[kept] = g.prior[e]
            g.move[kept] = g.move[e]
            g.child[kept] = place[g.child[e]] if g.child[e] >= 0 else -1
            g.waiting[kept] = 0
            if g.rave_visits.size > 1:
                g.rave_visits[kept] = g.rave_visits[e]
                g.rave_value[kept] = g.rave_value[e]
            kept += 1
    g.used[EDGES] = kept
    kept = 0
    for i in range(place.size):
        if place[i] >= 0:
            g.key[kept] = g.key[i]
            g.ply[kept] = g.ply[i]
            g.first[kept] = g.first[i]
            g.children[kept] = g.children[i]
            g.state[kept] = g.state[i]
            g.proof[kept] = g.proof[i]
            g.node_visits[kept] = g.node_visits[i]
            g.node_value[kept] = g.node_value[i]
            g.judged[kept] = g.judged[i]
            g.advised[kept] = g.advised[i]
            g.node_waiting[kept] = g.node_waiting[i]
            g.parents[kept] = 0
            kept += 1
    g.used[NODES] = kept
    for e in range(g.used[EDGES]):
        if g.child[e] >= 0:
            g.parents[g.child[e]] += 1


@kernel
def _fill_table(g: Graph) -> None:
    """Enter all nodes anew."""
    g = lent(g)
    for i in range(g.table.size):
        g.table[i] = 0
    for node in range(g.used[NODES]):
        if g.proof[node] != DRAWN_HERE:
            enter(g, node)


def move_root(graph: Graph, root: int) -> None:
    """Make `root` the root and free the memory of everything that it does not lead to."""
    place = np.empty(int(graph.used[NODES]), np.int32)
    _reach(graph, root, place, np.empty_like(place))
    _move_down(graph, place)
    graph.used[ROOT] = place[root]
    graph.used[FULL] = ROOM
    if graph.table.size > 1:
        _fill_table(graph)


def thin(graph: Graph) -> None:
    """Make room: close the least visited open nodes that are not proven, until half of what ran out is free.

    A closed node keeps its visits and value, and gets children again when it is visited again. Somebody may want to
    stop meanwhile, so the nodes are looked at only twice: once to see what closing them would free, once to do it.
    """
    root, for_nodes = int(graph.used[ROOT]), bool(graph.used[NODES] >= graph.key.size)
    room = np.zeros(_CLASSES, np.int64)
    _room_by_class(graph, for_nodes, room)
    wanted = int(graph.used[NODES] if for_nodes else graph.used[EDGES]) // 2
    _close_up_to(graph, int(np.searchsorted(np.cumsum(room), wanted)))
    move_root(graph, root)
    hardly = graph.used[NODES] > 0.9 * graph.key.size or graph.used[EDGES] > 0.9 * graph.move.size
    graph.used[FULL] = FULL_FOR_GOOD if hardly else ROOM


_CLASSES = 256  # of nodes by their visits: each number up to 8 has its own, then eight to a doubling


@inlined
def _class(visits: float) -> int:
    return int(visits) if visits < 8.0 else min(int(8.0 * log2(visits)) - 16, _CLASSES - 1)


@inlined
def _may_close(g: Graph, node: int) -> bool:
    return bool(g.children[node] and g.proof[node] == UNPROVEN and node != g.used[ROOT])


@kernel
def _room_by_class(g: Graph, for_nodes: bool, room: Ints) -> None:
    """How many edges, or nodes below them, the nodes of each class would free."""
    g = lent(g)
    for node in range(g.used[NODES]):
        if _may_close(g, node):
            freed = g.children[node]
            if for_nodes:
                freed = 0
                for e in range(g.first[node], g.first[node] + g.children[node]):
                    freed += g.child[e] >= 0
            room[_class(g.node_visits[node])] += freed


@kernel
def _close_up_to(g: Graph, greatest: int) -> None:
    """Close the nodes of the classes up to `greatest`."""
    g = lent(g)
    for node in range(g.used[NODES]):
        if _may_close(g, node) and _class(g.node_visits[node]) <= greatest:
            g.state[node] = CLOSED
            g.children[node] = 0
            g.advised[node] = 0


# -- from Python ----------------------------------------------------------------------------------------------------


def clear(graph: Graph, key: int) -> None:
    """Make the graph a single root, a leaf that nothing is known about."""
    graph.used[:] = 1, 0, 0, ROOM
    graph.table[:] = 0
    reset_node(graph, 0, key)


def reset_node(graph: Graph, node: int, key: int) -> None:
    """Make `node` a leaf that nothing is known about."""
    for name in NODE_FIELDS:
        getattr(graph, name)[node] = 0
    graph.key[node], graph.judged[node] = key, NOT_JUDGED


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
