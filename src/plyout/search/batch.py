"""Leaves evaluated many at a time by a Python object, as networks want it.

`gather` descends again and again; the visits counted on the way down keep the next descent from the same leaf (a
virtual loss). The object then says what all those leaves are worth and which moves it likes, and `scatter` opens them
and backs their values up.
"""

from typing import Any, NamedTuple

import numpy as np

from plyout.errors import InputError
from plyout.games.contract import KEY, Game
from plyout.kernel import INTERPRETED, Ints, add_to, borrowed, entry, floats, i64, inlined, ints, record_at, tail
from plyout.networks.positions import Evaluator, Positions
from plyout.parameters import SHARE_EVALUATIONS, Parameters
from plyout.search.backup import AT_NODE, Path, leaf_of
from plyout.search.expand import add_children, sort
from plyout.search.graph import CLOSED, GRAPH, OPEN, OPENING, Graph, find
from plyout.search.iterate import NOT_KNOWN, descend, finish, goes_on, known_score
from plyout.search.rules import PARAMETERS, RULES, Rules, legal_moves
from plyout.search.workspace import DEEPEST, EVALUATED, ITERATIONS, WORKSPACE, Way, Workspace, new_way

_TRIES = 4  # descents for each leaf wanted: some end at a proven node, some at a leaf that is in the batch already
_MOST_MOVES = 1024
_MOST_PRIOR = 1e300  # so that they can be summed


class Batch(NamedTuple):
    """Room for the leaves of a batch, one behind the other; each has `width` moves."""

    ways: Way
    depths: Ints
    disconnected: Ints  # 1 where a leaf was found by a disconnected trajectory
    moves: Ints
    counts: Ints  # how many moves each leaf has


def new_batch(game: Game, leaves: int, width: int) -> Batch:
    depths, disconnected, moves, counts = (np.zeros(leaves * n, np.int64) for n in (1, 1, width, 1))
    return Batch(new_way(game, leaves), depths, disconnected, moves, counts)


def _kind() -> Any:
    from numba import typeof

    from plyout.games import TICTACTOE

    return typeof(new_batch(TICTACTOE, 1, 1))


BATCH: Any = None if INTERPRETED else _kind()


@inlined
def _way(batch: Batch, leaf: int, size: int) -> Way:
    """The room of one leaf; a position has `size` words."""
    state = tail(batch.ways.state, leaf * size)[:size]
    return Way(state, tail(batch.ways.nodes, leaf * (DEEPEST + 1)), tail(batch.ways.edges, leaf * (DEEPEST + 1)))


@inlined
def _take_back(g: Graph, path: Path) -> None:
    """Undo the visits of a descent that found nothing to evaluate."""
    for i in range(1 if path.disconnected else 0, path.depth + 1):
        add_to(record_at(g.nodes, path.nodes[i]), "visits", -1.0, False)
        add_to(record_at(g.nodes, path.nodes[i]), "in_flight", -1, False)
    for i in range(path.depth):
        add_to(record_at(g.edges, path.edges[i]), "visits", -1.0, False)
        add_to(record_at(g.edges, path.edges[i]), "in_flight", -1, False)


@inlined
def _twin(g: Graph, leaf: int, state: Ints, p: Parameters) -> int:
    """Where evaluations are shared, the node that has, or will have, that of the same position; else -1."""
    twin = find(g, state[KEY], np.int64(g.nodes[leaf].ply)) if p.loop.share == SHARE_EVALUATIONS else -1
    return -1 if twin == leaf else twin


@inlined
def _copied(g: Graph, leaf: int, twin: int, work: Workspace) -> float:
    """Open a leaf as its twin was opened; the score that the twin got."""
    count = np.int64(g.nodes[twin].children)
    for i in range(count):
        work.moves[i] = g.edges[g.nodes[twin].first + i].move
        work.scores[i] = g.edges[g.nodes[twin].first + i].prior
    g.nodes[leaf].state = OPENING
    add_children(g, leaf, work.moves, work.scores, count)
    g.nodes[leaf].raw_value = g.nodes[twin].raw_value
    return float(g.nodes[twin].raw_value)


@entry(i64(GRAPH, ints, i64, RULES, WORKSPACE, BATCH, PARAMETERS))
def gather(g: Graph, root: Ints, iterations: int, rules: Rules, work: Workspace, batch: Batch, p: Parameters) -> int:
    """Find as many leaves as the batch has room for; return how many. What needs no evaluation is finished at once.

    Iterations are counted when they are finished, at most `iterations` together with the leaves found.
    """
    g, root, work, batch = borrowed((g, root, work, batch))
    room = batch.depths.size
    width = batch.moves.size // room
    found, begun = 0, work.counters[ITERATIONS]
    for _ in range(_TRIES * room):
        full = found == room or found + work.counters[ITERATIONS] - begun >= iterations
        if full or not goes_on(g, work.stop, p.loop):
            break
        way = _way(batch, found, root.size)
        end = descend(g, root, way, rules, work, p)
        path = Path(way.nodes, way.edges, end.depth, end.kind, end.disconnected)
        score = known_score(g, path, way.state, rules, work, p)
        if score == NOT_KNOWN and leaf_of(path) < 0:
            score = 0.5  # memory is full: nothing to hang an evaluation on
        if score != NOT_KNOWN:
            finish(g, path, score, work, p.loop)
            continue
        twin = _twin(g, leaf_of(path), way.state, p)
        if g.nodes[leaf_of(path)].state != CLOSED or (twin >= 0 and g.nodes[twin].state == OPENING):
            _take_back(g, path)  # it is in this batch already
        elif twin >= 0 and g.nodes[twin].state == OPEN:
            finish(g, path, _copied(g, leaf_of(path), twin, work), work, p.loop)
        else:
            g.nodes[leaf_of(path)].state = OPENING
            count = legal_moves(rules, way.state, work.moves)
            for i in range(count):
                batch.moves[found * width + i] = work.moves[i]
            batch.counts[found] = count
            batch.depths[found] = path.depth
            batch.disconnected[found] = 1 if path.disconnected else 0
            found += 1
    return found


@entry(i64(GRAPH, i64, floats, floats, WORKSPACE, BATCH, PARAMETERS))
def scatter(g: Graph, found: int, scores: Any, priors: Any, work: Workspace, batch: Batch, p: Parameters) -> int:
    """Open the leaves with their priors and back their scores up; return how many."""
    g, scores, priors, work, batch = borrowed((g, scores, priors, work, batch))
    width = batch.moves.size // batch.depths.size
    for i in range(found):
        way = _way(batch, i, work.trial.size)
        path = Path(way.nodes, way.edges, batch.depths[i], AT_NODE, batch.disconnected[i] != 0)
        moves, row = tail(batch.moves, i * width), tail(priors, i * width)
        sort(moves, row, batch.counts[i])
        add_children(g, leaf_of(path), moves, row, batch.counts[i])
        g.nodes[leaf_of(path)].raw_value = scores[i]
        work.counters[EVALUATED] += 1
        finish(g, path, scores[i], work, p.loop)
    return found


class Batches:
    """The memory of a batched search, and the loop around `gather` and `scatter`."""

    def __init__(self, game: Game, evaluator: Evaluator, leaves: int) -> None:
        self._game, self._evaluator, self._width = game, evaluator, min(game.room, _MOST_MOVES)
        self._batch = new_batch(game, leaves, self._width)

    def iterate(self, g: Graph, root: Any, iterations: int, rules: Rules, work: Workspace, p: Parameters) -> int:
        """As `plyout.search.iterate.iterate`; to do none compiles all."""
        begun = int(work.counters[ITERATIONS])
        while True:
            before = int(work.counters[ITERATIONS])
            found = gather(g, root, begun + iterations - before, rules, work, self._batch, p)
            scores, priors = self._ask(found) if found else (np.empty(0), np.empty(0))
            scatter(g, found, scores, priors, work, self._batch, p)
            if int(work.counters[ITERATIONS]) in (before, begun + iterations):
                break
        return int(work.counters[ITERATIONS]) - begun

    def priors(self, state: Any, moves: Any) -> Any:
        """What the evaluator thinks of some moves of one position."""
        counts = np.array([len(moves)])
        positions = Positions(self._game, _to_read(state[None]), _to_read(moves[None]), _to_read(counts))
        return self._checked(positions)[1][0]

    def _ask(self, found: int) -> tuple[Any, Any]:
        """Scores and priors of the leaves, checked."""
        counts = self._batch.counts[:found]
        most = int(counts.max())
        moves = self._batch.moves.reshape(-1, self._width)[:found, :most]
        moves[np.arange(most) >= counts[:, None]] = -1
        states = self._batch.ways.state[: found * self._game.size].reshape(found, -1)
        values, priors = self._checked(Positions(self._game, _to_read(states), _to_read(moves), _to_read(counts)))
        table = np.empty((found, self._width))
        table[:, :most] = priors
        return 0.5 + 0.5 * values, table.ravel()

    def _checked(self, positions: Positions) -> tuple[Any, Any]:
        """The values that the evaluator gives positions, and the priors of their moves, which sum to 1."""
        found, shape = len(positions), positions.moves.shape
        values, priors = self._answer(positions)
        if values.shape != (found,) or not (np.abs(values) <= 1.0).all():
            raise InputError(
                f"an evaluator must return a value from -1 to 1 for each of the {found} positions, "
                f"not {np.array2string(values, threshold=4)[:60]} of shape {values.shape}"
            )
        alike = np.broadcast_to(1.0 / positions.counts[:, None], shape)
        if priors is None:
            return values, alike
        if priors.shape != shape:
            raise InputError(f"an evaluator must return priors of shape {shape}, not {priors.shape}")
        given = np.where(positions.moves >= 0, priors, 0.0)
        if not ((given >= 0.0) & (given <= _MOST_PRIOR)).all():
            raise InputError("an evaluator must return finite priors, none of them negative")
        sums = given.sum(axis=1, keepdims=True)
        return values, np.where(sums > 0.0, given / np.maximum(sums, 1e-300), alike)

    def _answer(self, positions: Positions) -> tuple[Any, Any]:
        """What the evaluator says, as arrays."""
        try:
            values, priors = self._evaluator(positions)
            return np.asarray(values, np.float64), None if priors is None else np.asarray(priors, np.float64)
        except InputError:
            raise
        except Exception as error:
            text = " ".join(str(error).split())[:300]
            raise InputError(
                f"an evaluator must return (values, priors); yours raised {type(error).__name__}: {text}"
            ) from error


def _to_read(array: Any) -> Any:
    """A view that the user's evaluator cannot write to: the search goes on with what is there."""
    view = array.view()
    view.flags.writeable = False
    return view
