"""Traps and the root of a search: listed moves are pruned, and moves that set traps for the opponent are favoured."""

from collections.abc import Callable
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.kernel import INTERPRETED
from plyout.search import choose
from plyout.search.graph import EDGE_FIELDS, Graph
from plyout.search.limits import FOREVER
from plyout.search.mate import Budget
from plyout.search.similarity import NAMES, STATISTICAL, Settings, Statistics, similarity, similarity_of_statistics
from plyout.search.similarity.scaling import scaling_named
from plyout.search.traps.memory import Measure, TrapList, TrapMemory

_POSITIONS_A_SECOND = 500_000  # of the time for a move: an eighth of what the search for mates looks at
_MOST_POSITIONS = 8_000_000  # two seconds: enough for level 7


def _budget(seconds: float) -> Budget:
    return Budget(_MOST_POSITIONS if seconds == FOREVER else min(int(seconds * _POSITIONS_A_SECOND), _MOST_POSITIONS))


def measure_of(rule: Any, threshold: float) -> Measure:
    """The measure of similarity that a rule names; or one of the user's, ``similarity(before, now) -> number``."""
    if callable(rule):
        own: Callable[[State, State], float] = rule
        return lambda before, now, *statistics: min(max(float(own(before, now)), 0.0), 1.0)
    if rule not in NAMES:
        raise InputError(f"no measure of similarity is called {rule!r}: there are {', '.join(NAMES)}")
    if rule == STATISTICAL:
        return lambda before, now, *statistics: similarity_of_statistics(*statistics)
    settings = Settings(threshold=threshold)
    return lambda before, now, *statistics: similarity(CHESS, before, now, rule, settings)


def statistics_of(graph: Graph, node: int) -> Statistics:
    """What a search has found the moves of a node to be worth."""
    edges = choose.edges_of(graph, node)
    return {int(graph.move[e]): choose.mean(graph, int(e)) for e in edges if graph.visits[e] > 0}


class Avoider:
    """What an engine does about traps before each search."""

    def __init__(self, numbers: dict[str, float], rules: dict[str, Any]) -> None:
        self._level, self._loss, self.exploit = int(numbers["trap_level"]), numbers["soft_trap"], numbers["exploit"]
        self._measure = measure_of(rules["similarity"], numbers["similar"])
        self._scaling, self._seed = rules["scaling"], int(numbers["seed"])
        self.pruned: frozenset[int] = frozenset()
        """The moves that the present root lacks."""
        self.forget()

    def forget(self) -> None:
        """A new game: no list to keep, no position to compare with."""
        scaling = scaling_named(self._scaling)
        self._memory = TrapMemory(self._level, self._loss, self._measure, scaling, self._seed)

    def prepare(self) -> None:
        """Compile, or load, what `look` needs."""
        if INTERPRETED:
            return
        state = CHESS.parse("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
        for _ in range(2):
            self._memory.look(state, Budget(1000), {})
        self.forget()

    def look(self, state: State, graph: Graph, root: int, seconds: float) -> TrapList:
        """The moves to avoid in a position, within a part of the time for its move; none where it has no others."""
        traps = self._memory.look(state, _budget(seconds), statistics_of(graph, root))
        if set(traps.moves) >= set(CHESS.moves(state)):
            return TrapList((), (), traps.similarity, traps.kept)
        return traps

    def prune(self, graph: Graph, root: int, moves: tuple[int, ...]) -> None:
        """Leave the root without these moves, unless it would have none."""
        edges = choose.edges_of(graph, root)
        listed = np.isin(graph.move[edges], moves)
        if listed.all() or not listed.any():
            return
        order = np.concatenate((edges[~listed], edges[listed]))
        for name in EDGE_FIELDS:
            array = getattr(graph, name)
            if array.size > 1 or graph.move.size == 1:
                array[edges] = array[order]
        graph.children[root] = int((~listed).sum())
        self.pruned = frozenset(moves)

    def favour(self, graph: Graph, root: int, state: State, ratings: Any, seconds: float) -> None:
        """Rate root moves the higher the more of the replies to them are traps; `ratings` are those by the rule."""
        budget = _budget(seconds)
        for edge, rating in zip(choose.edges_of(graph, root), ratings, strict=True):
            after = CHESS.after(state, int(graph.move[edge]))
            replies = len(CHESS.moves(after))
            share = len(self._memory.find(after, budget)) / replies if replies else 1.0
            graph.prior[edge] = rating + self.exploit * share

    def note(self, graph: Graph, root: int, state: State) -> None:
        """Remember what a search found."""
        self._memory.note(state, statistics_of(graph, root))

    def escapes(self, state: State) -> list[int]:
        """The pruned moves that are not proven lost: where to look when all other moves are."""
        proven = set(TrapMemory(self._level, 0, self._measure).find(state, Budget(_MOST_POSITIONS)))
        return [move for move in CHESS.moves(state) if move in self.pruned and move not in proven]
