"""Trap lists from move to move: kept by chance where the position has hardly changed (Topolewski 2019, Algorithm 8)."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from plyout.games import CHESS, State
from plyout.games.contract import TURN
from plyout.search.proof.mate import Budget
from plyout.search.similarity import Statistics
from plyout.search.similarity.scaling import Raw, Scaling
from plyout.search.traps.hard import LEVELS, hard_traps
from plyout.search.traps.soft import soft_traps

NO_PREDECESSOR = 0.5  # the similarity on a side's first move, as in the thesis' program

Traps = dict[int, bool]
"""Moves that are traps, and whether they are hard ones."""

Measure = Callable[[State, State, Statistics, Statistics], float]
"""``measure(before, now, statistics_before, statistics_now) -> similarity``."""


@dataclass(frozen=True)
class TrapList:
    """The traps of a position: perhaps last turn's, and then not proven to be traps still."""

    moves: tuple[int, ...]
    hard: tuple[int, ...]
    """Those of them that allow a mate."""
    similarity: float
    """To the same side's last turn: the chance that a listed move ends a playout."""
    kept: bool
    """From last turn, not looked for anew."""


@dataclass
class _Turn:
    state: State
    moves: Traps
    statistics: Statistics


@dataclass
class TrapMemory:
    """What an engine remembers of traps, for each side."""

    level: int
    loss: float
    measure: Measure
    scaling: Scaling = field(default_factory=Raw)
    seed: int = 1
    _last: dict[int, _Turn] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    def find(self, state: State, budget: Budget) -> Traps:
        """The traps of a position, looked for: hard ones, and soft ones if a loss is given."""
        level = max((n for n in LEVELS if n <= self.level), default=0)
        hard = hard_traps(state, level, budget) if level else []
        soft = soft_traps(state, min(level or 1, 3), self.loss) if self.loss else []
        return {trap.move: False for trap in soft} | {trap.move: True for trap in hard}

    def traps(self, state: State, budget: Budget, statistics: Statistics) -> TrapList:
        """The trap list of a position that is to be searched: with a chance equal to its similarity to the side's last
        turn it is the list of that turn, else it is found anew.

        `statistics` are the values of the moves as known before the search.
        """
        last, raw, similarity = self._last.get(int(state[TURN])), 0.0, NO_PREDECESSOR
        if last is not None:
            raw = self.measure(last.state, state, last.statistics, statistics)
            similarity = self.scaling.scaled(raw)
        kept = last is not None and bool(last.moves) and self._chance.random() < similarity
        if last is not None and kept:
            legal = CHESS.moves(state)
            traps = {move: hard for move, hard in last.moves.items() if move in legal}
        else:
            traps = self.find(state, budget)
            if last is not None and last.moves:
                self.scaling.learn(raw, persisted=bool(set(traps) & set(last.moves)))
        self._last[int(state[TURN])] = _Turn(state.copy(), traps, statistics)
        return TrapList(tuple(traps), tuple(m for m, hard in traps.items() if hard), similarity, kept)

    def note(self, state: State, statistics: Statistics) -> None:
        """What the search then found the moves to be worth."""
        last = self._last.get(int(state[TURN]))
        if last is not None:
            last.statistics = statistics
