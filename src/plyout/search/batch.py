"""Leaves judged many at a time by a Python object, as networks want it.

`gather` descends again and again; the visits counted on the way down keep the next descent from the same leaf (a
"virtual loss"). The object then says what all those leaves are worth and which moves it likes, and `settle` opens them
and backs their values up.
"""

from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games.contract import CHECK, RULES, Game
from plyout.kernel import Ints, atomic_load, entry, floats, i64, inlined, ints, keep, lent, pointer, tail
from plyout.networks.positions import Evaluator, Positions
from plyout.search.backup import STOPPED, add, back_up, back_up_proof, correction, count, recompute, score_of
from plyout.search.aids.checks import BUFFER
from plyout.search.expand import add_children, proof_at, sort
from plyout.search.graph import CLOSED, FULL, GRAPH, NO_ROOM, OPENING, ROOT, UNPROVEN, Graph
from plyout.search.iterate import (
    DEEPEST, DEEPEST_YET, DEPTHS, DREW, ITERATIONS, JUDGED, LOST, WON, cut, descend, start_of,
)  # fmt: skip
from plyout.search.rules import KNOWN, LOOK, MATE, RATE, SELECT
from plyout.parameters import DRAW_FLOOR, RECOMPUTE, SHARE, SHARE_NODES, SOLVER

_APART = 1 << 20  # added to the depth of a disconnected trajectory
_TRIES = 4  # descents for each leaf wanted: some end at a proven node, some at a leaf that is waiting already


@inlined
def _take_back(g: Graph, nodes: Ints, edges: Ints, depth: int, apart: bool) -> None:
    """Undo the visits of a descent that found nothing to judge."""
    for i in range(1 if apart else 0, depth + 1):
        add(g.node_visits, nodes[i], -1.0, False)
        count(g.node_waiting, nodes[i], -1, False)
    for i in range(depth):
        add(g.visits, edges[i], -1.0, False)
        count(g.waiting, edges[i], -1, False)


@inlined
def _tell(
    g: Graph, nodes: Ints, edges: Ints, depth: int, score: float, apart: bool, parameters: Any, counters: Ints
) -> None:
    """Back a score up, and count."""
    floor = parameters[SOLVER] > 0.0 and parameters[DRAW_FLOOR] > 0.0
    if parameters[SHARE] == RECOMPUTE:
        recompute(g, nodes, edges, depth, score, apart, False)
    else:
        back_up(g, nodes, edges, depth, score, 1.0, parameters[SHARE] == SHARE_NODES, floor, apart, False)
    counters[ITERATIONS] += 1
    counters[DEPTHS] += depth
    counters[DEEPEST_YET] = max(counters[DEEPEST_YET], depth)
    if nodes[0] == g.used[ROOT]:
        for_root = score if depth % 2 == 0 else 1.0 - score
        counters[WON if for_root > 0.5 else DREW if for_root == 0.5 else LOST] += 1


@entry(
    i64(
        GRAPH, ints, i64, i64, i64, *RULES, pointer(CHECK), i64, pointer(SELECT), pointer(RATE), pointer(KNOWN), ints,
        pointer(MATE), pointer(LOOK), ints, ints, floats, ints, ints, ints, ints, ints, ints, ints, ints, ints,
    )
)  # fmt: skip
def gather(
    g: Graph, root: Ints, batch: int, iterations: int, room: int, legal: Any, play: Any, outcome: Any, check: Any,
    rule: int, select: Any, rate: Any, known: Any, directory: Ints, mate: Any, look: Any, desk: Ints, seen: Ints,
    parameters: Any, rng: Ints, stop: Ints, counters: Ints, states: Ints, moves: Ints, counts: Ints,
    all_nodes: Ints, all_edges: Ints, depths: Ints,
) -> int:  # fmt: skip
    """Find up to `batch` leaves, with their paths; return how many. What needs no judge is backed up at once.

    Iterations are counted when they are told, at most `iterations` together with the leaves found.
    """
    width = moves.size // batch
    words, numbers = np.empty(root.size + room + BUFFER, np.int64), np.empty(room, np.float64)
    trial, rest = cut(words, root.size)
    buffer, rest = cut(rest, room)
    mate_buffer, rest = cut(rest, BUFFER)
    ratings = lent(numbers)
    g, root, directory, parameters, rng, stop, counters = lent((g, root, directory, parameters, rng, stop, counters))
    solver = parameters[SOLVER] > 0.0
    top = g.used[ROOT]
    found = 0
    begun = counters[ITERATIONS]
    for _ in range(_TRIES * batch):
        if found == batch or found + counters[ITERATIONS] - begun >= iterations:
            break
        if atomic_load(stop, 0) or atomic_load(g.used, FULL) == NO_ROOM or (g.proof[top] != UNPROVEN and solver):
            break
        state = tail(states, found * root.size)[: root.size]
        nodes, edges = tail(all_nodes, found * (DEEPEST + 1)), tail(all_edges, found * (DEEPEST + 1))
        start, forced = start_of(g, root, state, trial, rng, play, check, parameters)
        depth = descend(
            g, start, forced, state, nodes, edges, buffer, ratings, legal, play, outcome, rule, select, rate, known,
            directory, mate, mate_buffer, look, desk, seen, stop, parameters, counters, False,
        )  # fmt: skip
        leaf, apart = nodes[depth], forced >= 0
        if leaf <= STOPPED:
            score = 1.0 - correction(g, edges[depth - 1], STOPPED - leaf)
            _tell(g, nodes, edges, depth, score, apart, parameters, counters)
            continue
        proof = g.proof[leaf] if leaf >= 0 else proof_at(state, buffer, legal, outcome, known, directory)
        if proof != UNPROVEN:
            if solver and leaf >= 0:
                back_up_proof(g, nodes, depth)
            _tell(g, nodes, edges, depth, score_of(proof), apart, parameters, counters)
            continue
        if leaf < 0:  # memory is full: nothing to hang a judgement on
            _tell(g, nodes, edges, depth, 0.5, apart, parameters, counters)
            continue
        if g.state[leaf] != CLOSED:  # it is in this batch already
            _take_back(g, nodes, edges, depth, apart)
            continue
        g.state[leaf] = OPENING
        counts[found] = legal(state, buffer)
        for i in range(counts[found]):
            moves[found * width + i] = buffer[i]
        depths[found] = depth + (_APART if apart else 0)
        found += 1
    keep(words)
    keep(numbers)
    return found


@entry(i64(GRAPH, i64, i64, floats, floats, floats, ints, ints, ints, ints, ints, ints))
def settle(
    g: Graph, found: int, width: int, scores: Any, priors: Any, parameters: Any, counters: Ints, moves: Ints,
    counts: Ints, all_nodes: Ints, all_edges: Ints, depths: Ints,
) -> int:  # fmt: skip
    """Open the leaves with their priors and back their scores up; return how many."""
    g, scores, priors, parameters, counters = lent((g, scores, priors, parameters, counters))
    for i in range(found):
        nodes, edges = tail(all_nodes, i * (DEEPEST + 1)), tail(all_edges, i * (DEEPEST + 1))
        depth, apart = depths[i] % _APART, depths[i] >= _APART
        leaf = nodes[depth]
        row, ratings = tail(moves, i * width), tail(priors, i * width)
        sort(row, ratings, counts[i])
        add_children(g, leaf, row, ratings, counts[i])
        g.judged[leaf] = scores[i]
        counters[JUDGED] += 1
        _tell(g, nodes, edges, depth, scores[i], apart, parameters, counters)
    return found


class Batches:
    """The memory of a batched search, and the loop around `gather` and `settle`."""

    def __init__(self, game: Game, evaluator: Evaluator, batch: int, most_moves: int) -> None:
        self._game, self._evaluator, self._batch, self._width = game, evaluator, batch, most_moves
        self._states = np.zeros(batch * game.size, np.int64)
        self._moves = np.zeros(batch * most_moves, np.int64)
        self._counts = np.zeros(batch, np.int64)
        self._nodes, self._edges = (np.zeros(batch * (DEEPEST + 1), np.int64) for _ in range(2))
        self._depths = np.zeros(batch, np.int64)

    def iterate(
        self, graph: Graph, state: Any, count: int, rules: Any, parameters: Any, rng: Any, stop: Any,
        counters: Any,
    ) -> int:  # fmt: skip
        """As many iterations as `count`, fewer if something ends the search; how many. To do none compiles all."""
        begun = int(counters[ITERATIONS])
        while True:
            before = int(counters[ITERATIONS])
            left = begun + count - before
            found = gather(  # type: ignore[call-arg]
                graph, state, self._batch, left, self._game.room, *rules, parameters, rng, stop, counters,
                self._states, self._moves, self._counts, self._nodes, self._edges, self._depths,
            )  # fmt: skip
            scores, priors = self._ask(found) if found else (np.empty(0), np.empty(0))
            settle(
                graph, found, self._width, scores, priors, parameters, counters, self._moves, self._counts,
                self._nodes, self._edges, self._depths,
            )  # fmt: skip
            if int(counters[ITERATIONS]) in (before, begun + count):
                break
        return int(counters[ITERATIONS]) - begun

    def _ask(self, found: int) -> tuple[Any, Any]:
        """Scores and priors of the leaves, checked."""
        counts = self._counts[:found]
        most = int(counts.max())
        moves = self._moves.reshape(self._batch, -1)[:found, :most]
        moves[np.arange(most) >= counts[:, None]] = -1
        positions = Positions(
            self._game,
            self._states[: found * self._game.size].reshape(found, -1),
            moves,
            counts,
        )
        values, priors = self._evaluator(positions)
        values = np.asarray(values, np.float64)
        if values.shape != (found,) or not (np.abs(values) <= 1.0).all():
            raise InputError(
                f"an evaluator must return a value from -1 to 1 for each of the {found} positions, "
                f"not {np.array2string(values, threshold=4)[:60]} of shape {values.shape}"
            )
        table = np.empty((found, self._width))
        if priors is None:
            table[:, :most] = 1.0 / counts[:, None]
        else:
            given = np.asarray(priors, np.float64)
            if given.shape != (found, most) or not (given >= 0.0).all():
                raise InputError(f"an evaluator must return priors of shape {(found, most)}, none of them negative")
            given = np.where(moves >= 0, given, 0.0)
            sums = given.sum(axis=1, keepdims=True)
            table[:, :most] = np.where(sums > 0.0, given / np.maximum(sums, 1e-300), 1.0 / counts[:, None])
        return 0.5 + 0.5 * values, table.ravel()
