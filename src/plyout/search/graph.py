"""The search graph as two arrays of records.

    nodes[n]   key  ply  parents  first  children  state  proof  visits  value  raw_value  in_flight  variance
                                    │       │
                                    ▼       ▼
    edges[first … first + children - 1]   visits  value  prior  move  child  in_flight  pruned
                                                                        │
                                                                        ▼ another node, or -1

A value is a sum of scores (0 lost, ½ drawn, 1 won): on a node for the side to move there, on an edge for the
side that moves along it. Visits are float64 because a result may weigh more or less than one. A tree is a graph
in which no two edges share a child; where they may, `table` finds a node by its key and ply. Since the ply grows
with every edge, there are no cycles.

A kernel reads ``g.nodes[n].visits``, Python ``graph.nodes["visits"]`` for all of them at once. A node fills one line of
the cache, an edge half of one: a search goes from node to node in no order, and waits mostly for memory.

Memory is set aside when the graph is made and never grows. When nodes or edges run out, `plyout.search.compact` makes
the least visited nodes give up their children, and the search grows on where it matters.
"""

from typing import Any, NamedTuple

import numpy as np

from plyout.kernel import INTERPRETED, Ints, atomic_load, atomic_swap, inlined, record_at
from plyout.kernel.random import mix

CLOSED, OPENING, OPEN = 0, 1, 2
NO_VALUE = -1.0  # the raw value of a node that was not evaluated

# A proof, for the side to move: a win or loss in `d` plies is ±(PROVEN - d), as in Arenz' equation 5.
# A draw in `d` plies is DRAWN + d (END_IN_PLY of Czech et al.); one that tables know is as far as they are away.
# DRAWN_HERE is a draw by what came before, as by repetition: true of one way to a position that has several.
UNPROVEN, DRAWN_HERE, DRAWN, PROVEN = 0, 1, 2, 1 << 20
SURE = PROVEN // 2  # above it a proof is a win, below its negative a loss; a draw lies between DRAWN and it

NODES, EDGES, ROOT, FULL = range(4)  # the numbers in `used`
ROOM, NO_ROOM, FULL_FOR_GOOD = 0, 1, 2  # what `used[FULL]` says: room, or some wanted, or none to be had by pruning


def _records(*fields: tuple[str, Any]) -> Any:
    """A kind of record whose fields are attributes in plain Python as they are in kernels."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


NODE = _records(
    ("key", np.int64),  # the position's key
    ("ply", np.int32),  # how many moves after the first root
    ("parents", np.int32),  # how many edges lead here
    ("first", np.int32),  # first edge
    ("children", np.int16),  # number of edges
    ("advised", np.int16),  # the edge to search, or that wins, if known: counted from 1; 0: none
    ("state", np.int32),  # CLOSED, OPENING or OPEN
    ("proof", np.int32),
    ("visits", np.float64),
    ("value", np.float64),
    ("raw_value", np.float64),  # what the evaluator said of the node itself, or NO_VALUE
    ("in_flight", np.int32),  # visits counted whose result is still to come: the virtual loss of other descents
    ("variance", np.float32),  # of the scores that the node received, where selection wants to know it (`spread`)
)
EDGE = _records(
    ("visits", np.float64),
    ("value", np.float64),
    ("prior", np.float32),
    ("move", np.int32),
    ("child", np.int32),
    ("in_flight", np.int16),
    ("pruned", np.int16),  # 1 where selection has seen that another visit would tell nothing
)
RAVE = _records(("visits", np.float64), ("value", np.float64))
BOOK = _records(("key", np.int64), ("move", np.int64), ("number", np.float64))


class Graph(NamedTuple):
    nodes: Any  # records of NODE
    edges: Any  # records of EDGE
    rave: Any  # records of RAVE, one for each edge; a single one where RAVE is not used
    table: Ints  # nodes by key and ply, as their number + 1; of length 1 where nothing is shared
    used: Ints  # nodes in use, edges in use, the root, whether memory is full
    book: Any  # records of BOOK, an opening book in the search: see `plyout.search.aids.book`


_LINE = 64  # bytes of the cache's lines
_COMPACTING = 8  # bytes more a node, while `compact` works
_ASIDE = 0.94  # what the search needs beside its graph, results and buffers, comes out of the same allowance


def _table_size(nodes: int) -> int:
    """A power of two that leaves a third of the places free."""
    return 1 << int(1.5 * nodes).bit_length()


def capacity(megabytes: float, edges_a_node: float, rave: bool = False, shared: bool = False) -> tuple[int, int]:
    """(nodes, edges) that fit into so much memory, with what compacting needs beside them."""
    an_edge = EDGE.itemsize + (RAVE.itemsize if rave else 0)
    a_node = NODE.itemsize + _COMPACTING + edges_a_node * an_edge
    memory = megabytes * 1e6 * _ASIDE
    nodes = int(memory / a_node)
    if shared:  # the table doubles at once: as many nodes as the best size of the table leaves room for
        sizes = [1 << k for k in range(4, int(1.5 * nodes).bit_length() + 1)]
        nodes = max(min(int((memory - 4 * size) / a_node), int((size - 1) / 1.5)) for size in sizes)
    limit = 2**31 - 1
    nodes = min(nodes, int(limit / edges_a_node))
    return nodes, int(nodes * edges_a_node)


def _zeros(count: int, kind: Any) -> Any:
    """So many records that begin at the begin of a line of the cache."""
    memory = np.zeros(count * kind.itemsize + _LINE, np.uint8)
    skip = -memory.ctypes.data % _LINE
    return memory[skip : skip + count * kind.itemsize].view(kind)


def new_graph(nodes: int, edges: int, rave: bool = False, shared: bool = False) -> Graph:
    """An empty graph: a root without children."""
    graph = Graph(
        nodes=_zeros(nodes, NODE),
        edges=_zeros(edges, EDGE),
        rave=_zeros(edges if rave else 1, RAVE),
        table=np.zeros(_table_size(nodes) if shared else 1, np.int32),
        used=np.zeros(4, np.int64),
        book=np.zeros(0, BOOK),
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
    an_edge = EDGE.itemsize + (RAVE.itemsize if graph.rave.size > 1 else 0)
    return int(graph.used[NODES] * NODE.itemsize + graph.used[EDGES] * an_edge)


@inlined
def has_rave(g: Graph) -> bool:
    """Whether edges have all-moves-as-first values."""
    return bool(g.rave.size > 1)


@inlined
def is_drawn(proof: int) -> bool:
    """Whether a proof is a draw, whatever the way to it."""
    return bool(DRAWN <= proof <= SURE)


# -- nodes by position ----------------------------------------------------------------------------------------------


@inlined
def find(g: Graph, key: int, ply: int) -> int:
    """The node of the position with this key at this ply; -1 if there is none."""
    last = g.table.size - 1
    i = mix(key + ply) & last
    while True:
        node = np.int64(atomic_load(g.table, i)) - 1
        if node < 0 or (record_at(g.nodes, node).key == key and record_at(g.nodes, node).ply == ply):
            return node  # type: ignore[no-any-return]
        i = i + 1 & last


@inlined
def enter(g: Graph, node: int) -> None:
    """Let `find` find `node`."""
    last = g.table.size - 1
    i = mix(g.nodes[node].key + np.int64(g.nodes[node].ply)) & last
    while not atomic_swap(g.table, i, np.int32(0), np.int32(node + 1)):
        i = i + 1 & last


# -- edges of a node ------------------------------------------------------------------------------------------------


@inlined
def edges_from(g: Graph, node: int) -> tuple[int, int]:
    """(the first edge of a node, the one after its last)"""
    first = np.int64(record_at(g.nodes, node).first)
    return first, first + np.int64(record_at(g.nodes, node).children)


@inlined
def most_visited(g: Graph, node: int) -> int:
    """The most visited edge; -1 if there is none."""
    best, most = -1, 0.0
    if g.nodes[node].state == OPEN:
        first, last = edges_from(g, node)
        for e in range(first, last):
            if g.edges[e].visits > most:
                best, most = e, g.edges[e].visits
    return best


@inlined
def advise_move(g: Graph, node: int, move: int) -> None:
    """Note `move` as the one to search at `node`, if it is one of its moves."""
    first, last = edges_from(g, node)
    for e in range(first, last):
        if g.edges[e].move == move:
            g.nodes[node].advised = e - first + 1


# -- from Python ----------------------------------------------------------------------------------------------------


def clear(graph: Graph, key: int) -> None:
    """Make the graph a single root, a leaf that nothing is known about."""
    graph.used[:] = 1, 0, 0, ROOM
    graph.table[:] = 0
    reset_node(graph, 0, key)


def reset_node(graph: Graph, node: int, key: int) -> None:
    """Make `node` a leaf that nothing is known about."""
    graph.nodes[node] = np.zeros((), NODE)
    graph.nodes["key"][node], graph.nodes["raw_value"][node] = key, NO_VALUE


def add_edges(graph: Graph, node: int, moves: Any, priors: Any) -> bool:
    """Open `node` with these moves; False if memory is full."""
    first, count = int(graph.used[EDGES]), len(moves)
    if first + count > graph.edges.size:
        return False
    block = slice(first, first + count)
    graph.edges[block] = np.zeros((), EDGE)
    if graph.rave.size > 1:
        graph.rave[block] = np.zeros((), RAVE)
    edges, nodes = graph.edges[block], graph.nodes
    edges["move"], edges["child"], edges["prior"] = moves, -1, priors
    nodes["first"][node], nodes["children"][node], nodes["state"][node] = first, count, OPEN
    graph.used[EDGES] += count
    return True
