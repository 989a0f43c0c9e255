"""The value network in floats, and how it learns: forward, back, and a step of Adam.

The weights are those of `plyout.networks.small.value`, in its order, so what was learnt becomes integers by rounding.
Rows of the wide tables that no position of a step asks for stay as they are, and so do their averages.
"""

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from plyout.games.chess.board import Board
from plyout.kernel import Ints, inlined, kernel
from plyout.lab.train.refine.lessons import Lessons
from plyout.networks.small.features import active
from plyout.networks.small.value import HIDDEN
from plyout.networks.view import HEAD, MOST, changes, king_of

LARGEST = {"table": 1.0, "views": 1.0, "two": 2.0, "three": 2.0, "out": 7.0}
"""Of a layer's weights, as in `plyout.lab.train.student`."""
_LANES = 16  # floats that the machine adds up side by side
_ENTRY = 2 * MOST  # where the entry of a view stands in the room, behind the lists of its features
_FAST, _SLOW, _TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


class Layers(NamedTuple):
    """Weights; or what belongs to each, as a gradient does."""

    biases: Any  # (width)
    table: Any  # (features, width)
    views: Any  # (features of a view, width / 2)
    two: Any  # (buckets, HIDDEN, width), and so on
    two_biases: Any
    three: Any
    three_biases: Any
    out: Any
    out_biases: Any


class _Room(NamedTuple):
    """What one position needs."""

    rows: Ints
    mine: Ints  # features of the view of the side to move
    theirs: Ints
    lists: Ints
    sums: Any  # of the wide layer
    squares: Any
    back: Any  # what a sum should have been less
    first: Any  # outputs of the hidden layers
    second: Any
    lanes: Any


def _room(width: int) -> _Room:
    def words(count: int) -> Any:
        return np.zeros(count, np.int64)

    def singles(count: int) -> Any:
        return np.zeros(count, np.float32)

    return _Room(
        rows=words(MOST), mine=words(MOST), theirs=words(MOST), lists=words(_ENTRY + HEAD), sums=singles(width),
        squares=singles(width), back=singles(width), first=singles(HIDDEN), second=singles(HIDDEN),
        lanes=singles(_LANES),
    )  # fmt: skip


@inlined
def _view(b: Board, colour: int, lists: Ints, features: Ints) -> None:
    for i in range(HEAD):
        lists[_ENTRY + i] = 0
    count, _ = changes(b, colour, king_of(b, colour), lists, _ENTRY, 0)
    for i in range(count):
        features[i] = lists[i]


@kernel
def _forward(row: Ints, w: Layers, room: _Room) -> tuple[int, float]:
    """(how many men there are, the logit) of a position; `room` has all that led to it."""
    b = Board(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], 0, 0, row[8], 0)
    count, _, _ = active(b, room.rows)
    _view(b, b.turn, room.lists, room.mine)
    _view(b, 1 - b.turn, room.lists, room.theirs)
    sums, width = room.sums, room.sums.size
    half = width // 2
    left, right = sums[:half], sums[half:]
    for j in range(width):
        sums[j] = w.biases[j]
    for i in range(count):
        weights = w.table[room.rows[i]]
        for j in range(width):
            sums[j] += weights[j]
        mine, theirs = w.views[room.mine[i]], w.views[room.theirs[i]]
        for j in range(half):
            left[j] += mine[j]
        for j in range(half):
            right[j] += theirs[j]
    for j in range(width):
        x = min(max(sums[j], _ZERO), _ONE)
        room.squares[j] = x * x
    k = (count - 1) >> 2  # arithmetic
    logit = w.out_biases[k]
    for i in range(HIDDEN):
        total = w.two_biases[k, i] + _product(w.two[k, i], room.squares, room.lanes)
        room.first[i] = max(total, _ZERO)
    for i in range(HIDDEN):
        total = w.three_biases[k, i]
        for j in range(HIDDEN):
            total += w.three[k, i, j] * room.first[j]
        room.second[i] = max(total, _ZERO)
        logit += w.out[k, 0, i] * room.second[i]
    return count, logit


@inlined
def _product(a: Any, b: Any, lanes: Any) -> Any:
    """The sum of products, in _LANES sums at first, which the machine makes at once."""
    for i in range(_LANES):
        lanes[i] = _ZERO
    for start in range(0, a.size, _LANES):
        for i in range(_LANES):
            lanes[i] += a[start + i] * b[start + i]
    total = _ZERO
    for i in range(_LANES):
        total += lanes[i]
    return total


@kernel
def _logits(boards: Any, w: Layers, room: _Room, out: Any) -> None:
    for i in range(len(boards)):
        out[i] = _forward(boards[i], w, room)[1]


@kernel
def _back(k: int, count: int, error: float, w: Layers, g: Layers, asked: tuple[Any, Any], room: _Room) -> None:
    """Add to the gradient what a position gives whose logit should have been less by `error`."""
    width = room.sums.size
    half = width // 2
    error = np.float32(error)
    g.out_biases[k] += error
    for j in range(width):
        room.back[j] = _ZERO
    for i in range(HIDDEN):
        room.lanes[i] = _ZERO
    for i in range(HIDDEN):
        g.out[k, 0, i] += error * room.second[i]
        if room.second[i] > _ZERO:
            e = error * w.out[k, 0, i]
            g.three_biases[k, i] += e
            for j in range(HIDDEN):
                g.three[k, i, j] += e * room.first[j]
                room.lanes[j] += e * w.three[k, i, j]
    for i in range(HIDDEN):
        if room.first[i] > _ZERO:
            e = room.lanes[i]
            g.two_biases[k, i] += e
            weights, gradient = w.two[k, i], g.two[k, i]
            for j in range(width):
                gradient[j] += e * room.squares[j]
                room.back[j] += e * weights[j]
    for j in range(width):
        x = room.sums[j]
        room.back[j] = _ONE * 2 * room.back[j] * x if _ZERO < x < _ONE else _ZERO
        g.biases[j] += room.back[j]
    left, right = room.back[:half], room.back[half:]
    for i in range(count):
        asked[0][room.rows[i]] = asked[1][room.mine[i]] = asked[1][room.theirs[i]] = 1
        gradient = g.table[room.rows[i]]
        for j in range(width):
            gradient[j] += room.back[j]
        gradient = g.views[room.mine[i]]
        for j in range(half):
            gradient[j] += left[j]
        gradient = g.views[room.theirs[i]]
        for j in range(half):
            gradient[j] += right[j]


@kernel
def _gradient(lessons: Lessons, picks: Ints, w: Layers, g: Layers, asked: tuple[Any, Any], room: _Room) -> float:
    """Add up the gradient of the mean square error on the lessons that are picked; that error."""
    total: float = 0.0
    for i in picks:
        count, logit = _forward(lessons.boards[i], w, room)
        score = 1.0 / (1.0 + exp(-logit))
        off = score - lessons.scores[i]
        total += off * off
        error = 2.0 * off * score * (1.0 - score) / picks.size
        _back((count - 1) >> 2, count, error, w, g, asked, room)  # arithmetic
    return float(total / picks.size)


@kernel
def _adam(w: Any, g: Any, m: Any, v: Any, asked: Any, rate: float, most: float) -> None:
    """Change the rows that were asked for; their gradient is nothing again."""
    speed, bound = np.float32(rate), np.float32(most)
    for i in range(len(w)):
        if asked[i]:
            weights, gradient, mean, square = w[i], g[i], m[i], v[i]
            for j in range(weights.size):
                x = gradient[j]
                a = _FAST * mean[j] + (_ONE - _FAST) * x
                b = _SLOW * square[j] + (_ONE - _SLOW) * x * x
                gradient[j], mean[j], square[j] = _ZERO, a, b
                weights[j] = min(max(weights[j] - speed * a / (np.float32(sqrt(b)) + _TINY), -bound), bound)


class Learner:
    """A network that learns."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self.weights = Layers(**{name: np.ascontiguousarray(x, np.float32) for name, x in weights.items()})
        self._gradient, self.means, self.squares = (Layers(*map(np.zeros_like, self.weights)) for _ in range(3))
        self._asked = np.zeros(len(self.weights.table), np.uint8), np.zeros(len(self.weights.views), np.uint8)
        self._room = _room(len(self.weights.biases))

    def logits(self, boards: Any) -> Any:
        found = np.zeros(len(boards), np.float32)
        _logits(boards, self.weights, self._room, found)
        return found

    def error(self, lessons: Lessons) -> float:
        """The mean square error of the scores."""
        return float(np.mean((1 / (1 + np.exp(-self.logits(lessons.boards))) - lessons.scores) ** 2))

    def gradient(self, lessons: Lessons, picks: Ints) -> tuple[float, Layers]:
        """(the mean square error on these lessons, its gradient until the next step)"""
        error = _gradient(lessons, picks, self.weights, self._gradient, self._asked, self._room)
        return error, self._gradient

    def learn(self, lessons: Lessons, picks: Ints, rate: float) -> float:
        """A step of Adam on the lessons that are picked; the error on them before."""
        error, _ = self.gradient(lessons, picks)
        asked = dict(zip(("table", "views"), self._asked, strict=True))
        for name in Layers._fields:
            parts = (getattr(layers, name) for layers in (self.weights, self._gradient, self.means, self.squares))
            w, g, m, v = (part.reshape(-1, part.shape[-1]) for part in parts)
            _adam(w, g, m, v, asked.get(name, np.ones(len(w), np.uint8)), float(rate), LARGEST.get(name, np.inf))
        for marks in self._asked:
            marks[:] = 0
        return error
