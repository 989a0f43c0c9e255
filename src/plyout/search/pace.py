"""How long to think where there is a clock: less when the choice is settled, more when it is in doubt.

A plan by the clock alone gives every move the same share. But where the second move can no longer catch up with the
first within the plan, the rest of it would change nothing; and where the first has just changed, has lost value, or is
not the one with the highest value, a little more may find a better one.
"""

from dataclasses import dataclass, field

import numpy as np

from plyout.search import choose
from plyout.search.graph import ROOT, Graph
from plyout.search.limits import Limits

_LOOKS = 32  # at the root, within the plan: between two of them nothing much can happen
_FIRST = 0.1  # of the plan: before that, a lead says little
_NEW = 0.3  # of the time: a favourite that is one for less than this is in doubt
_SAFE = 0.25  # of the clock: no move may take more than its plan and this
_FALL = 0.03  # of a point: one that has lost so much since it was best is, too


@dataclass
class Pace:
    """One search's: `planned` seconds, at `most` so many; where it is `fixed`, the plan is kept whatever is found."""

    planned: float
    most: float
    fixed: bool = False
    _favourite: int = -1
    _since: float = 0.0
    _highest: float = 0.0
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self._next = _FIRST * self.planned

    def over(self, graph: Graph, seconds: float, iterations: int, pondered: float = 0.0) -> bool:
        """Whether to stop, after so many seconds and iterations of this search, some of them on the opponent's time."""
        spent = seconds - pondered
        if spent >= self.most:
            return True
        at_once = pondered > 0.0 and self._favourite < 0  # a lead after long pondering does say something
        if self.fixed or (spent < self._next and not at_once):
            return False
        self._next = spent + self.planned / _LOOKS
        edges = choose.edges_of(graph, int(graph.used[ROOT]))
        if len(edges) < 2:
            return True
        visits = graph.edges["visits"][edges]
        second, first = np.partition(visits, -2)[-2:]
        favourite = int(edges[visits.argmax()])
        value = choose.mean(graph, favourite)
        if favourite != self._favourite:
            self._since = 0.0 if self._favourite < 0 else seconds
            self._favourite, self._highest = favourite, value
        self._highest = max(self._highest, value)
        left = self.planned - spent
        if left > 0.0:
            return bool(first - second > iterations / seconds * left)
        doubtful = seconds - self._since < _NEW * seconds or value < self._highest - _FALL
        return not doubtful and choose.agree(graph, int(graph.used[ROOT]))


def pace_of(limits: Limits, planned: float, times: float, overhead: float) -> Pace:
    """The pace of a search that has `planned` seconds by its limits: fixed where no clock is running, or where `times`,
    up to which the plan may be overdrawn, is 0."""
    if limits.clock is None or limits.movetime is not None or times == 0.0:
        return Pace(planned, planned, fixed=True)
    return Pace(planned, max(planned, min(times * planned, _SAFE * (limits.clock - overhead) / 1000)))
