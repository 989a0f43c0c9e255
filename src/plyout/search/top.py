"""The most visited part of a graph, as lists of its nodes: what fits on a drawing."""

from typing import Any, NamedTuple

import numpy as np

from plyout.kernel import Ints, borrowed, inlined, kernel
from plyout.search.graph import Graph, edges_from

NONE = -1
_ROOM = 24  # places in the queue for each node that is wanted; what is left out there has hardly any visits


class Top(NamedTuple):
    """Entries in the order of their visits, parents before children; the first is where it begins."""

    nodes: Ints  # NONE where an edge leads to no node
    edges: Ints  # by which it was reached; NONE for the first
    parents: Ints  # the entry above
    shown: Ints  # the entry that has the same node, below which its children are; NONE where this one has them


class _Queue(NamedTuple):
    """Edges to be looked at, the most visited first: a heap."""

    visits: Any  # float64
    edges: Ints
    parents: Ints
    places: Ints  # nodes that have an entry, by hashing: the entry's number + 1


def top_of(graph: Graph, node: int, count: int) -> Top:
    """The `count` most visited nodes that can be reached from `node`, by the visits of the edges that lead there."""
    top = Top(*(np.full(count, NONE, np.int64) for _ in Top._fields))
    room, places = _ROOM * count + 256, 1 << (2 * count).bit_length()
    queue = _Queue(np.zeros(room), *(np.zeros(size, np.int64) for size in (room, room, places)))
    found = _fill(graph, np.int64(node), top, queue)
    return Top(*(entries[:found] for entries in top))


@kernel
def _fill(g: Graph, start: int, top: Top, queue: _Queue) -> int:
    """Fill `top`; how many entries it has then."""
    g, top, queue = borrowed((g, top, queue))
    count, size = 1, 0
    top.nodes[0] = start
    _entry_of(top, queue, start, 0)
    size = _queue_children(g, queue, size, start, 0)
    while size > 0 and count < top.nodes.size:
        edge, parent = queue.edges[0], queue.parents[0]
        size = _without_first(queue, size)
        node = np.int64(g.edges[edge].child)
        top.nodes[count], top.edges[count], top.parents[count] = node, edge, parent
        if node >= 0:
            known = _entry_of(top, queue, node, count)
            if known != count:
                top.shown[count] = known
            else:
                size = _queue_children(g, queue, size, node, count)
        count += 1
    return count


@inlined
def _entry_of(top: Top, queue: _Queue, node: int, entry: int) -> int:
    """The entry that has `node`; `entry`, if none had it before."""
    last = queue.places.size - 1
    i = node * 40503 & last
    while queue.places[i]:
        if top.nodes[queue.places[i] - 1] == node:
            return int(queue.places[i] - 1)
        i = i + 1 & last
    queue.places[i] = entry + 1
    return entry


@inlined
def _queue_children(g: Graph, queue: _Queue, size: int, node: int, entry: int) -> int:
    """Queue the visited edges of a node; how many are queued then."""
    first, last = edges_from(g, node)
    for e in range(first, last):
        visits = g.edges[e].visits
        if visits > 0.0 and size < queue.edges.size:
            i = size
            while i > 0 and _first(visits, e, queue.visits[(i - 1) // 2], queue.edges[(i - 1) // 2]):
                _move(queue, (i - 1) // 2, i)
                i = (i - 1) // 2
            queue.visits[i], queue.edges[i], queue.parents[i] = visits, e, entry
            size += 1
    return size


@inlined
def _without_first(queue: _Queue, size: int) -> int:
    """Take the first from the queue; how many are left."""
    size -= 1
    visits, edge, i = queue.visits[size], queue.edges[size], 0
    while 2 * i + 1 < size:
        child = 2 * i + 1
        right = child + 1
        if right < size and _first(queue.visits[right], queue.edges[right], queue.visits[child], queue.edges[child]):
            child = right
        if not _first(queue.visits[child], queue.edges[child], visits, edge):
            break
        _move(queue, child, i)
        i = child
    _move(queue, size, i)
    return size


@inlined
def _first(visits: float, edge: int, other_visits: float, other: int) -> bool:
    """Whether an edge comes before another: by visits, and among equals by number, so that drawings do not flicker."""
    return visits > other_visits or (visits == other_visits and edge < other)


@inlined
def _move(queue: _Queue, start: int, to: int) -> None:
    queue.visits[to], queue.edges[to] = queue.visits[start], queue.edges[start]
    queue.parents[to] = queue.parents[start]
