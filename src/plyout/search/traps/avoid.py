"""Traps and the root of a search: listed moves are pruned, and moves that set traps for the opponent are favoured."""

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.games.contract import TURN
from plyout.kernel import INTERPRETED
from plyout.parameters import Values
from plyout.playout.traps import trap_list
from plyout.search import choose
from plyout.search.graph import OPEN, SURE, Graph
from plyout.search.limits import FOREVER
from plyout.search.proof.hunt import attend
from plyout.search.proof.mate import Budget
from plyout.search.root import Root
from plyout.search.similarity import NAMES, STATISTICAL, Settings, Statistics, similarity, similarity_of_statistics
from plyout.search.similarity.scaling import scaling_named
from plyout.search.threads import Stop
from plyout.search.traps.memory import Measure, TrapList, TrapMemory

_POSITIONS_A_SECOND = 500_000  # of the time for a move: an eighth of what the search for mates looks at
_MOST_POSITIONS = 8_000_000  # two seconds: enough for level 7


def _budget(seconds: float) -> Budget:
    return Budget(_MOST_POSITIONS if seconds == FOREVER else min(int(seconds * _POSITIONS_A_SECOND), _MOST_POSITIONS))


def measure_of(rule: Any, threshold: float) -> Measure:
    """The measure of similarity that a rule names; or one of the user's, ``similarity(before, now) -> number``."""
    if callable(rule):
        return lambda before, now, *statistics: _by_own_rule(rule, before, now)
    if rule not in NAMES:
        raise InputError(f"no measure of similarity is called {rule!r}: there are {', '.join(NAMES)}")
    if rule == STATISTICAL:
        return lambda before, now, *statistics: similarity_of_statistics(*statistics)
    settings = Settings(threshold=threshold)
    return lambda before, now, *statistics: similarity(CHESS, before, now, rule, settings)


def _by_own_rule(rule: Callable[[State, State], float], before: State, now: State) -> float:
    answer = float(rule(before, now))
    if isnan(answer):
        raise InputError("similarity returned nan, and a similarity is a number from 0 to 1")
    return min(max(answer, 0.0), 1.0)


def statistics_of(graph: Graph, node: int) -> Statistics:
    """What a search has found the moves of a node to be worth."""
    edges = choose.edges_of(graph, node)
    return {int(graph.edges["move"][e]): choose.mean(graph, int(e)) for e in edges if graph.edges["visits"][e] > 0}


class Avoider:
    """What an engine does about traps before each search, and after."""

    def __init__(self, numbers: Values, rules: dict[str, Any]) -> None:
        self._level, self._loss, self._exploit = int(numbers["trap_level"]), numbers["soft_trap"], numbers["exploit"]
        self._at_root, self._in_playouts = bool(numbers["trap_root"]), bool(numbers["trap_playouts"])
        self._measure = measure_of(rules["similarity"], numbers["similar"])
        self._scaling = rules["scaling"]
        self.forget(int(numbers["seed"]))

    def forget(self, seed: int) -> None:
        """A new game: no list to keep, no position to compare with."""
        self._memory = self._new_memory(seed)

    def _new_memory(self, seed: int) -> TrapMemory:
        return TrapMemory(self._level, self._loss, self._measure, scaling_named(self._scaling), seed)

    def prepare(self) -> None:
        """Compile, or load, what the search for traps needs."""
        if INTERPRETED:
            return
        memory, state = self._new_memory(1), CHESS.parse("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
        for _ in range(2):
            memory.traps(state, Budget(1000), {})

    def begin(self, root: Root, state: State, seconds: float, stop: Stop) -> Any:
        """Prune the traps among the root's moves, if that is wanted, and favour those that set some; the list for the
        playouts, if they use it. After a stop there may be more traps than are found."""
        budget = _budget(seconds)
        traps = attend(lambda: self._traps(root, state, budget), budget, stop, FOREVER)
        if root.pruned and root.pruned != frozenset(traps.moves):
            root.renew(state)
        if root.graph.nodes["state"][root.node] != OPEN:
            root.open(state, root.game.moves(state))
        if self._at_root:
            self._prune(root, traps.moves)
        if self._exploit:
            more = _budget(seconds)
            attend(lambda: self._favour(root, state, more), more, stop, FOREVER)
        return trap_list(int(state[TURN]), traps.similarity, traps.hard if self._in_playouts else ())

    def note(self, root: Root, state: State) -> None:
        """Remember what a search found."""
        self._memory.note(state, statistics_of(root.graph, root.node))

    def in_doubt(self, root: Root) -> bool:
        """Whether all that was searched is lost: a kept list may be wrong, and a soft trap loses only material."""
        return root.proof < -SURE and bool(root.pruned)

    def escape(self, root: Root, state: State, stop: Stop) -> bool:
        """Make a root of the pruned moves that are not proven lost; whether there are any."""
        budget, memory = Budget(_MOST_POSITIONS), TrapMemory(self._level, 0, self._measure)
        proven = set(attend(lambda: memory.find(state, budget), budget, stop, FOREVER))
        escapes = [move for move in CHESS.moves(state) if move in root.pruned and move not in proven]
        if escapes:
            root.renew(state)
            root.open(state, escapes)
            root.pruned = frozenset(root.game.moves(state)) - set(escapes)
        return bool(escapes)

    def _traps(self, root: Root, state: State, budget: Budget) -> TrapList:
        """The moves to avoid in a position, within a part of the time for its move; none where it has no others."""
        traps = self._memory.traps(state, budget, statistics_of(root.graph, root.node))
        if set(traps.moves) >= set(CHESS.moves(state)):
            return TrapList((), (), traps.similarity, traps.kept)
        return traps

    def _prune(self, root: Root, moves: tuple[int, ...]) -> None:
        """Leave the root without these moves, unless it would have none."""
        graph, edges = root.graph, root.edges
        listed = np.isin(graph.edges["move"][edges], moves)
        if listed.all() or not listed.any():
            return
        order = np.concatenate((edges[~listed], edges[listed]))
        graph.edges[edges] = graph.edges[order]
        if graph.rave.size > 1:
            graph.rave[edges] = graph.rave[order]
        graph.nodes["children"][root.node] = int((~listed).sum())
        graph.nodes["advised"][root.node] = 0
        root.pruned = frozenset(moves)

    def _favour(self, root: Root, state: State, budget: Budget) -> None:
        """Give root moves the higher priors the more of the replies to them are traps."""
        graph, edges = root.graph, root.edges
        scores = root.scores(state, graph.edges["move"][edges].astype(np.int64))
        for edge, score in zip(edges, scores, strict=True):
            after = CHESS.after(state, int(graph.edges["move"][edge]))
            replies = len(CHESS.moves(after))
            share = len(self._memory.find(after, budget)) / replies if replies else 1.0
            graph.edges["prior"][edge] = score + self._exploit * share
