"""How a search came to its opinion: the root's moves as they stood at 2^(k/4) iterations, and at the end.

With one thread the search is cut at exactly these numbers (an evaluator of many leaves: at the end of the batch), so
that the same seed gives the same history; only the seconds differ. Where time may end the search, and nobody looks on,
it is not cut: what it finds depends on the machine anyway, and a snapshot is taken at the first pause behind such a
number, at most a hundred times a second.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.engine.events import Event, events_of
from plyout.in_notebooks import InNotebooks
from plyout.search import choose
from plyout.search.graph import EDGE, SURE, UNPROVEN, Graph
from plyout.search.root import Root

MARKS = tuple(sorted({ceil(2 ** (k / 4)) for k in range(4 * 40 + 1)}))
"""The numbers of iterations at which a search is looked at."""
NO_MOVE = -1
Watch = Callable[[int, Graph, int], None]
"""``watch(iterations, graph, root)`` is called at every snapshot of a search, and before its progress is told: then
no thread changes the graph's shape, and it may be read."""
_SHARE = 0.05  # of the visits: from there on the best reply to a move is of interest
_ENOUGH = 32  # iterations: before that, lines and replies say nothing
_APART = 0.01  # seconds between two snapshots where time counts: they cost less than a hundredth of that
_LONGEST_LINE = 16  # plies


class Snapshot(NamedTuple):
    """The root at one moment, in the order of its edges."""

    n: int
    seconds: float
    proof: int  # of the root
    moves: Any  # int32: the numbers of the moves
    visits: Any
    sums: Any  # of the mover's scores
    priors: Any
    proofs: Any  # int32, for the mover
    replies: dict[int, tuple[int, float]]  # by the move: the most visited reply and its share of the replies' visits
    line: tuple[int, ...]  # of the leader; empty where it is that of the snapshot before


class Look(NamedTuple):
    """A snapshot as it was taken, in haste: what can be worked out later is."""

    n: int
    seconds: float
    proof: int
    edges: bytes  # of the root
    proofs: Any  # of what they lead to, for the side to move there; anything where they lead nowhere
    replies: dict[int, tuple[int, float]]
    line: tuple[int, ...]

    def snapshot(self) -> Snapshot:
        edges = np.frombuffer(self.edges, EDGE)
        return Snapshot(
            self.n, self.seconds, self.proof, edges["move"], edges["visits"], edges["value"], edges["prior"],
            _for_mover(self.proofs, edges), self.replies, self.line,
        )  # fmt: skip


class Record(NamedTuple):
    """A history as plain arrays, with the numbers of moves: what is saved. A row is a snapshot, a column a root move;
    a move that was not there yet has no visits and the value 0.5."""

    n: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]
    proof: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int32]
    priors: npt.NDArray[np.float32]
    visits: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    proofs: npt.NDArray[np.int32]
    replies: npt.NDArray[np.int32]  # NO_MOVE where the move had few visits, or no reply had any
    shares: npt.NDArray[np.float32]
    lines: npt.NDArray[np.int32]  # one after the other: the snapshot, the length, the moves
    traps: npt.NDArray[np.int32]  # moves that were left out as traps


def record_of(taken: Sequence[Snapshot | Look], traps: Sequence[int] = ()) -> Record:
    """Snapshots as arrays; their moves in the order in which they were first seen."""
    snapshots = [s.snapshot() if isinstance(s, Look) else s for s in taken]
    place: dict[int, int] = {}
    for s in snapshots:
        for move in s.moves.tolist():
            place.setdefault(move, len(place))
    shape = len(snapshots), len(place)
    visits, values, proofs = np.zeros(shape), np.full(shape, 0.5), np.zeros(shape, np.int32)
    replies, shares = np.full(shape, NO_MOVE, np.int32), np.zeros(shape, np.float32)
    priors, lines = np.zeros(shape[1], np.float32), list[int]()
    for k, s in enumerate(snapshots):
        columns = [place[move] for move in s.moves.tolist()]
        visits[k, columns], proofs[k, columns] = s.visits, s.proofs
        values[k, columns] = np.where(s.visits > 0, s.sums / np.maximum(s.visits, 1e-9), 0.5)
        priors[columns] = s.priors
        for move, (reply, share) in s.replies.items():
            replies[k, place[move]], shares[k, place[move]] = reply, share
        if s.line:
            lines += [k, len(s.line), *s.line]
    return Record(
        n=np.array([s.n for s in snapshots], np.int64),
        seconds=np.array([s.seconds for s in snapshots], np.float64),
        proof=np.array([s.proof for s in snapshots], np.int32),
        moves=np.array(list(place), np.int32),
        priors=priors, visits=visits, values=values, proofs=proofs, replies=replies, shares=shares,
        lines=np.array(lines, np.int32), traps=np.array(sorted(traps), np.int32),
    )  # fmt: skip


@dataclass(frozen=True)
class History(InNotebooks):
    """The history of a search.

    >>> import chess
    >>> from plyout import Engine, Limits
    >>> history = Engine("mcc", hash_mb=4).search(chess.STARTING_FEN, Limits(nodes=30)).history
    >>> history.n.tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 23, 27, 30]
    >>> history.visits.shape, int(history.visits[-1].sum())
    ((16, 20), 29)
    """

    source: Record | tuple[tuple[Snapshot | Look, ...], tuple[int, ...]]
    """the arrays; or snapshots, and moves left out as traps, to make them of when somebody looks"""
    name: Callable[[int], Any]
    """the move that a number stands for"""

    @cached_property
    def record(self) -> Record:
        return self.source if isinstance(self.source, Record) else record_of(*self.source)

    def __len__(self) -> int:
        return len(self.source.n) if isinstance(self.source, Record) else len(self.source[0])

    @cached_property
    def n(self) -> npt.NDArray[np.int64]:
        """Iterations, snapshot by snapshot."""
        return self.source.n if isinstance(self.source, Record) else np.array([s.n for s in self.source[0]], np.int64)

    @property
    def seconds(self) -> npt.NDArray[np.float64]:
        return self.record.seconds

    @cached_property
    def moves(self) -> list[Any]:
        """The root's moves: the columns of `visits`, `values` and `proofs`."""
        return [self.name(number) for number in self.record.moves.tolist()]

    @property
    def priors(self) -> npt.NDArray[np.float32]:
        return self.record.priors

    @property
    def visits(self) -> npt.NDArray[np.float64]:
        return self.record.visits

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Mean scores of the side to move; 0.5 where nothing is known."""
        return self.record.values

    @property
    def proofs(self) -> npt.NDArray[np.int32]:
        """What was proven of the moves; see `plyout.search.graph`."""
        return self.record.proofs

    @cached_property
    def leaders(self) -> npt.NDArray[np.int64]:
        """The column of the move that led, snapshot by snapshot: a proven win, else the most visited that is not
        proven lost; -1 where no move was visited yet."""
        return np.array([leader_of(v, p) for v, p in zip(self.visits, self.proofs, strict=True)], np.int64)

    @cached_property
    def lines(self) -> list[tuple[int, list[Any]]]:
        """(snapshot, the leader's most visited line): where the leader, its best reply or a proof changed."""
        flat, found, at = self.record.lines.tolist(), [], 0
        while at < len(flat):
            k, length = flat[at], flat[at + 1]
            found.append((k, [self.name(number) for number in flat[at + 2 : at + 2 + length]]))
            at += 2 + length
        return found

    @cached_property
    def traps(self) -> list[Any]:
        """The moves that were left out as traps."""
        return [self.name(number) for number in self.record.traps.tolist()]

    @cached_property
    def events(self) -> list[Event]:
        """What happened: changes of the lead, proofs, refutations, collapses, traps, in the order of time."""
        return events_of(self)

    def reply(self, snapshot: int, column: int) -> tuple[Any, float] | None:
        """The most visited reply to a move then, and its share of the visits of all replies."""
        number = int(self.record.replies[snapshot, column])
        return None if number == NO_MOVE else (self.name(number), float(self.record.shares[snapshot, column]))


def leader_of(visits: Any, proofs: Any) -> int:
    """The place of the move that leads; -1 if no move was visited."""
    if not len(visits):
        return -1
    if proofs.any():
        best = int(proofs.argmax())
        if abs(proofs[best]) > SURE:
            return best
        visits = np.where(proofs < -SURE, -1.0, visits)
    best = int(visits.argmax())
    return best if visits[best] > 0 else -1


class Recorder:
    """Looks at a root while it is searched; `watch` is told of every snapshot. It must hardly take any time: columns
    of the graph are found once, and single numbers are Python's own."""

    def __init__(self, root: Root, began: float, watch: Watch | None = None, timed: bool = False) -> None:
        self._root, self._watch = root, watch
        self._began, self._before = began, 0
        self._paused = timed and watch is None  # it looks only where the search pauses anyway
        self._next, self._not_before = 0, began + _APART if self._paused else began
        self._last: tuple[int, int, int, int] | None = None
        self._columns = _columns_of(root.graph)
        self.snapshots: list[Look] = []

    @property
    def next(self) -> float:
        """The next mark, counted from where the present run began; one that is past cuts no slice."""
        return 0 if self._paused else MARKS[self._next] - self._before

    def go_on(self, iterations: int) -> None:
        """Another run begins, after so many iterations in all."""
        self._before = iterations

    def look(self, iterations: int, now: float) -> None:
        """Take a snapshot, after so many iterations of the present run, if one is due."""
        n = self._before + iterations
        if n >= MARKS[self._next] and now >= self._not_before:
            if self._paused:
                self._not_before = now + _APART
            self._take(n, now - self._began)

    def finish(self, iterations: int, seconds: float) -> None:
        """The last snapshot, after so many iterations in all: what the result says."""
        if self.snapshots and self.snapshots[-1].n == iterations and self.snapshots.pop().line:
            self._last = None  # the line goes with it
        self._before = 0
        self._take(iterations, seconds)

    def history(self, name: Callable[[int], Any]) -> History:
        """What was recorded so far."""
        return History((tuple(self.snapshots), tuple(self._root.pruned)), name)

    def _take(self, n: int, seconds: float) -> None:
        while MARKS[self._next] <= n:
            self._next += 1
        node, columns = self._root.node, self._columns
        first, count = columns.first.item(node), columns.count.item(node)
        edges = self._root.graph.edges[first : first + count]
        proof, proofs = columns.proof.item(node), columns.proof[edges["child"]]
        replies: dict[int, tuple[int, float]] = {}
        line: tuple[int, ...] = ()
        visits = edges["visits"].tolist() if n >= _ENOUGH else []  # of so few numbers, Python's own lists are faster
        if (leader := _leader(visits, proofs, edges)) is not None:
            least = _SHARE * sum(visits)
            for i, visited in enumerate(visits):
                if visited >= least and (reply := _best_reply(self._root.graph, columns, first + i)) is not None:
                    replies[columns.move.item(first + i)] = reply
            place, certain = leader
            best = columns.move.item(first + place)
            now_leading = best, replies.get(best, (NO_MOVE, 0.0))[0], certain, proof
            if now_leading != self._last:
                self._last, line = now_leading, _line(columns, first + place)
        self.snapshots.append(Look(n, seconds, proof, edges.tobytes(), proofs, replies, line))
        if self._watch is not None:
            self._watch(n, self._root.graph, node)


class _Columns(NamedTuple):
    """Columns of a graph."""

    first: Any
    count: Any
    proof: Any
    visits: Any
    move: Any
    child: Any


def _columns_of(graph: Graph) -> _Columns:
    nodes, edges = graph.nodes, graph.edges
    return _Columns(
        nodes["first"], nodes["children"], nodes["proof"], edges["visits"], edges["move"], edges["child"]
    )  # fmt: skip


def _for_mover(proofs: Any, edges: Any) -> Any:
    """What is proven of the nodes that edges lead to, as of the moves that lead there: one ply more."""
    proofs = np.where(edges["child"] >= 0, proofs, UNPROVEN)
    return choose.turned(proofs)


def _leader(visits: list[float], proofs: Any, edges: Any) -> tuple[int, int] | None:
    """The place of the move that leads, and what is proven of it; None if no move was visited."""
    if visits and proofs.any():
        turned = _for_mover(proofs, edges)
        place = leader_of(edges["visits"], turned)
        return (place, int(turned[place])) if place >= 0 else None
    most = max(visits, default=0.0)
    return (visits.index(most), UNPROVEN) if most > 0 else None


def _best_reply(graph: Graph, columns: _Columns, edge: int) -> tuple[int, float] | None:
    """The most visited reply to the move of an edge, or the one that wins where that is proven, and its share of the
    visits; None where none was visited, or nobody knows which wins."""
    node = columns.child.item(edge)
    if node < 0:
        return None
    first = columns.first.item(node)
    visits = columns.visits[first : first + columns.count.item(node)].tolist()
    if not visits or not (total := sum(visits)):
        return None
    best = visits.index(max(visits))
    if columns.proof.item(node) > SURE:
        proofs = choose.proofs_of(graph, choose.edges_of(graph, node))
        best = int(proofs.argmax())
        if proofs[best] <= SURE and (best := int(graph.nodes["advised"][node]) - 1) < 0:
            return None
    return columns.move.item(first + best), visits[best] / total


def _line(columns: _Columns, edge: int) -> tuple[int, ...]:
    """The most visited moves from `edge` on."""
    moves, node = [columns.move.item(edge)], columns.child.item(edge)
    while node >= 0 and len(moves) < _LONGEST_LINE and (count := columns.count.item(node)):
        first = columns.first.item(node)
        best = first + int(columns.visits[first : first + count].argmax())
        if columns.visits.item(best) <= 0:
            break
        moves.append(columns.move.item(best))
        node = columns.child.item(best)
    return tuple(moves)
