"""Simultaneous perturbation stochastic approximation (Spall 1992): the arithmetic, without the games.

In each iteration all parameters are moved at once, each up or down by the toss of a coin, and the two opposite points
are compared: whoever is better pulls every parameter towards himself, a little. Two games tell that much of any number
of parameters; that the others moved as well is noise, which evens out.

Iteration k tries a parameter c_k steps from the middle and moves it by a_k / c_k steps for each point that one side was
ahead of the other, with

    a_k = a / (A + k + 1)^0.602,    c_k = c / (k + 1)^0.101

Nobody can guess a and c, but everybody the end of a run: there c_k is one step, and a_k is the `rate`, the c_end and
r_end of others' tuners. All is measured in steps, so one rate serves for all parameters.

>>> from plyout.lab.tune.axis import Axis
>>> spsa = Spsa([Axis("x", start=0, low=-10, high=10, step=1)], Gains(200))
>>> climb(spsa, lambda plus, minus: abs(minus["x"] - 4) - abs(plus["x"] - 4))
>>> round(spsa.point["x"])
4
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum, sqrt

from plyout.errors import InputError
from plyout.lab.tune.axis import Axis

ALPHA, GAMMA = 0.602, 0.101  # Spall's
_STABLE = 0.1  # A is this share of all iterations
_WANDER = 1.0  # steps

Point = dict[str, float]


@dataclass(frozen=True)
class Gains:
    """How far iterations try, and how far they move, in steps of each parameter."""

    pairs: int
    rate: float = 0.0
    """a at the end; 0: such that parameters which do not matter would wander off by about one step in all"""

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise InputError(f"there must be a pair of games at least, not {self.pairs}")
        if not 0 <= self.rate <= 10:  # nan is neither
            raise InputError(f"the rate must lie between 0 and 10, not {self.rate:g}")
        if not self.rate:
            even = Gains(self.pairs, 1.0)
            wander = sqrt(fsum(even.move(k) ** 2 for k in range(self.pairs)))
            object.__setattr__(self, "rate", _WANDER / wander)

    def apart(self, pair: int) -> float:
        """c_k: so far from the middle parameters are tried."""
        return float((self.pairs / (pair + 1)) ** GAMMA)

    def move(self, pair: int) -> float:
        """a_k / c_k: so far they move for each point."""
        stable = _STABLE * self.pairs
        return float(self.rate * ((stable + self.pairs) / (stable + pair + 1)) ** ALPHA / self.apart(pair))


@dataclass
class Spsa:
    """A run: where it is, after which results.

    Results come in any order and are applied in that of the iterations. Iteration k tries what is around the point
    after iteration k - `lag`, so that `lag` of them can go on at the same time; how many do changes nothing.
    """

    axes: Sequence[Axis]
    gains: Gains
    seed: int = 1
    lag: int = 1
    path: list[tuple[float, ...]] = field(init=False)
    """the points after 0, 1, 2 … iterations"""
    scores: list[float] = field(init=False, default_factory=list)
    """of the iterations that have been applied: by how many points the first side was ahead"""
    _waiting: dict[int, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.lag < 1:
            raise InputError(f"the lag is 1 at least, not {self.lag}")
        self.path = [tuple(axis.start for axis in self.axes)]

    @property
    def point(self) -> Point:
        """Where the run is now."""
        return {axis.name: value for axis, value in zip(self.axes, self.path[-1], strict=True)}

    @property
    def done(self) -> int:
        return len(self.scores)

    def ready(self, pair: int) -> bool:
        """Whether all is known that an iteration starts from."""
        return self.done >= self._known(pair)

    def _known(self, pair: int) -> int:
        """How many results an iteration starts from."""
        return max(0, pair - self.lag + 1)

    def tried(self, pair: int) -> tuple[Point, Point]:
        """The two points that meet in an iteration, as they are played."""
        apart = self.gains.apart(pair)
        plus, minus = Point(), Point()
        for axis, middle in zip(self.axes, self.path[self._known(pair)], strict=True):
            sign, chance = self._toss(pair, axis.name)
            by = sign * apart * axis.step
            plus[axis.name] = axis.played(middle + by, chance)
            minus[axis.name] = axis.played(middle - by, chance)  # the same chance: the two differ by what was meant
        return plus, minus

    def tell(self, pair: int, score: float) -> None:
        """The result of an iteration: by how many points the first side was ahead."""
        if pair < self.done or pair in self._waiting:
            raise ValueError(f"iteration {pair} has its result already")
        self._waiting[pair] = score
        while (score_of_next := self._waiting.pop(self.done, None)) is not None:
            self._apply(self.done, score_of_next)

    def _apply(self, pair: int, score: float) -> None:
        by = self.gains.move(pair) * score
        self.path.append(
            tuple(
                axis.within(value + by * self._toss(pair, axis.name)[0] * axis.step)
                for axis, value in zip(self.axes, self.path[-1], strict=True)
            )
        )
        self.scores.append(score)

    def _toss(self, pair: int, name: str) -> tuple[int, float]:
        """The sign of a parameter in an iteration, and a number from 0 to 1 to round by: the same in any order."""
        digest = hashlib.sha256(f"{self.seed} {pair} {name}".encode()).digest()
        return 1 if digest[0] & 1 else -1, int.from_bytes(digest[1:7], "big") / 2**48

    @property
    def chance(self) -> float:
        """How far, in steps, a parameter that does not matter would have moved by now: one standard deviation."""
        if not self.scores:
            return 0.0
        square = fsum(score**2 for score in self.scores) / self.done
        return sqrt(square * self._squares[self.done])

    @cached_property
    def _squares(self) -> list[float]:
        """The sums of the squares of the moves of the first 0, 1, 2 … iterations."""
        sums = [0.0]
        for pair in range(self.gains.pairs):
            sums.append(sums[-1] + self.gains.move(pair) ** 2)
        return sums


def climb(spsa: Spsa, compare: Callable[[Point, Point], float]) -> None:
    """Carry a run out, one iteration after the other; `compare` says by how many points the first is ahead."""
    for pair in range(spsa.done, spsa.gains.pairs):
        spsa.tell(pair, compare(*spsa.tried(pair)))
