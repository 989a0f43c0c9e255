"""The root: the node of the position to be searched, which an earlier search may have met."""

from collections.abc import Callable, Sequence
from typing import Any

import chess
import numpy as np

from plyout.errors import InputError
from plyout.games import Game, State
from plyout.games.chess.border import decode
from plyout.games.contract import KEY
from plyout.parameters import Values
from plyout.search import choose
from plyout.search.compact import move_root
from plyout.search.graph import DRAWN_HERE, ROOT, Graph, add_edges, clear

_FAR_ENOUGH = 2  # plies below the last root where the next one is looked for: our move and the reply


class Root:
    """The root of an engine's graph."""

    def __init__(self, graph: Graph, game: Game, numbers: Values) -> None:
        self.graph, self.game = graph, game
        self.prior: Callable[[State, Any], Any]
        """the scores of some moves of a position by the prior rule, as they are in this game"""
        self._repetition = bool(numbers["repetition"])
        self._policy, self._in_order = numbers["policy"], numbers["policy"] > 0 or numbers["widen_to"] > 0
        self._state: State | None = None  # None where the next search must not use the graph
        self.pruned: frozenset[int] = frozenset()
        """The moves that are left out as traps."""

    @property
    def node(self) -> int:
        return int(self.graph.used[ROOT])

    @property
    def edges(self) -> choose.Edges:
        return choose.edges_of(self.graph, self.node)

    @property
    def proof(self) -> int:
        return int(self.graph.nodes["proof"][self.node])

    def forget(self) -> None:
        """The graph is of no use to the next search."""
        self._state = None

    def find(self, state: State) -> None:
        """Make `state` the root: the node it has in the present graph, if it was met within two plies, or a new one."""
        node = self._node_of(state)
        if node is None or self.graph.nodes["proof"][node] == DRAWN_HERE:
            self.renew(state)
            return
        if node != self.node:
            move_root(self.graph, node)
            self.pruned = frozenset()
        self._state = state.copy()
        self._forget_draws_of_other_ways()
        if self._repetition:
            self._forget_what_is_drawn_now(state)

    def renew(self, state: State) -> None:
        """Make `state` the root of an empty graph."""
        clear(self.graph, int(state[KEY]))
        self.pruned = frozenset()
        self._state = state.copy()

    def open(self, state: State, numbers: list[int]) -> None:
        """Give the root, which has no children yet, these moves."""
        moves = np.array(numbers, np.int64)
        priors = self.scores(state, moves)
        if self._policy > 0:
            priors = np.exp((priors - priors.max()) / (100 * self._policy))
            priors /= priors.sum()
        if self._in_order:
            order = np.argsort(-priors, kind="stable")
            moves, priors = moves[order], priors[order]
        add_edges(self.graph, self.node, moves, priors)

    def scores(self, state: State, moves: Any) -> Any:
        """The scores of some moves by the prior rule; if that fails the graph is of no use."""
        try:
            return self.prior(state, moves)
        except BaseException:
            self.forget()
            raise

    def _node_of(self, wanted: State) -> int | None:
        """The node of the position `wanted` in the present graph."""
        if self._state is None:
            return None
        graph, key = self.graph, wanted[KEY]
        paths: list[tuple[int, ...]] = [()]
        for path in paths:
            node = int(graph.edges["child"][path[-1]]) if path else self.node
            if graph.nodes["key"][node] == key:
                state = self._state
                for edge in path:
                    state = self.game.after(state, int(graph.edges["move"][edge]))
                if self.game.same(state, wanted):
                    return node
            if len(path) < _FAR_ENOUGH:
                paths += [(*path, int(e)) for e in choose.edges_of(graph, node) if graph.edges["child"][e] >= 0]
        return None

    def _forget_draws_of_other_ways(self) -> None:
        """In a graph a draw by repetition may have been met on another way to this root than the game took."""
        edges = self.edges
        children = self.graph.edges["child"][edges]
        drawn = (children >= 0) & (self.graph.nodes["proof"][children] == DRAWN_HERE)
        self.graph.edges["child"][edges[drawn]] = -1

    def _forget_what_is_drawn_now(self, state: State) -> None:
        """A move that repeats the position a third time is worth a draw, whatever was found behind it on other ways."""
        graph = self.graph
        for edge in self.edges:
            after = self.game.after(state, int(graph.edges["move"][edge]))
            if self.game.repeats(after, np.int64(0)):
                for field in ("visits", "value"):
                    graph.nodes[field][self.node] -= graph.edges[field][edge]
                    graph.edges[field][edge] = 0.0


def numbers_of(game: Game, state: State, moves: Sequence[chess.Move | int], chess960: bool) -> list[int]:
    """The numbers of some legal moves, in the order that the game lists them."""
    wanted = set(moves)
    numbers = [n for n in game.moves(state) if n in wanted or decode(n, chess960) in wanted]
    if len(numbers) != len(wanted) or not wanted:
        raise InputError("the moves to be searched must be legal, and at least one")
    return numbers
