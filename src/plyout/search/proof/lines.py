"""The line of a proof: move by move to the mate that it promises, in exactly as many plies as it says.

The attacker plays what wins in time, the defender what holds out longest. Most of it stands in the graph. A mate by
checks has left only its first move there, and what tables know has left none: such ends are found again here. Nothing
is written to the graph, in which other threads may be at work.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plyout.games.contract import Game, State
from plyout.knowledge.tables.probe import FAR
from plyout.search.choose import edges_of, proofs_of
from plyout.search.graph import PROVEN, SURE, Graph
from plyout.search.proof.checking import BUFFER, FARTHEST, LAST_SEARCH
from plyout.search.proof.graft import distance
from plyout.search.proof.mate import Budget, forced, shortest_mate

Tables = Callable[[State], list[int]]
"""The moves to mate that tables know, if they know a position."""

_POSITIONS = 4 * LAST_SEARCH  # of a search by checks: enough to find again what was found with a quarter of them
_NOWHERE = -1  # in the place of a node: the position has none
_ABSENT, _LOOSE = -1, -2  # in the place of a move


class Proven(NamedTuple):
    """What is proven of a position, as far as a line backs it."""

    proof: int
    line: list[int]
    whole: bool  # whether the line ends in the mate; otherwise the proof says nothing about the distance


def without_distance(proof: int) -> int:
    """The same result, with nothing said about how far it is."""
    return PROVEN - FAR if proof > 0 else FAR - PROVEN


def ended(game: Game, state: State) -> tuple[float | None, list[int]]:
    """(the score of the side to move if the game is over, else None; its legal moves)"""
    moves = game.moves(state)
    score = float(game.outcome(state, len(moves)))
    return (None if score < 0.0 else score), moves


def until_the_end(game: Game, state: State, line: list[int]) -> list[int]:
    """A line as far as the game goes: at least its first move."""
    for played, move in enumerate(line):
        score, moves = ended(game, state)
        if played and (score is not None or move not in moves):
            return line[:played]
        state = game.after(state, move)
    return line


def _decided(game: Game, state: State) -> bool:
    """Whether the game is over, and somebody has won it."""
    return ended(game, state)[0] in (0.0, 1.0)


class _TooMany(Exception):
    """A proof has more nodes than may be looked at."""


class ProofLines:
    """Reads lines of proofs from a graph of a game.

    `mate` is the search by checks, where the search has one, `tables` what tables know, where it asks any; `nodes` is
    how many nodes may be visited in all to see whether a distance still is what the nodes below it say, `positions`
    how many a search by checks may look at.
    """

    def __init__(
        self, graph: Graph | None, game: Game, mate: Any, tables: Tables, nodes: int = 0, positions: int = _POSITIONS
    ) -> None:
        self._graph, self._game, self._mate, self._tables = graph, game, mate, tables
        self._positions = positions
        self._buffer = np.empty(BUFFER, np.int64)
        self._nodes_left = nodes
        self._plies: dict[int, int] = {}

    def of_node(self, node: int, state: State) -> Proven:
        """What the graph has proven of `node`, whose position is `state`: a win or a loss."""
        assert self._graph is not None
        proof = int(self._graph.nodes["proof"][node])
        if distance(proof) >= FAR:
            return Proven(proof, [], False)
        self._plies = {}
        line, whole = self._follow(node, state, proof > 0, distance(proof))
        if not whole:  # a node below may have got a shorter proof since, on another way to it
            try:
                plies = self._count(node)
            except _TooMany:
                return Proven(without_distance(proof), line, False)
            line, whole = self._follow(node, state, proof > 0, plies)
            proof = PROVEN - plies if proof > 0 else plies - PROVEN
        return Proven(proof if whole else without_distance(proof), line, whole)

    def of_line(self, state: State, line: list[int], proof: int, budget: Budget) -> Proven:
        """What a search says to have proven of `state` with a line, which perhaps ends before the mate."""
        wins, plies, start = proof > 0, distance(proof), state
        for move in line:
            state = self._game.after(state, move)
        left = plies - len(line)
        rest = self.of_position(state, wins == (len(line) % 2 == 0), left, budget) if left >= 0 else None
        if rest is not None and distance(rest.proof) == left:
            return Proven(proof, line + rest.line, True)
        state = self._game.after(start, line[0])  # perhaps there is a shorter way, which the line has not found
        rest = self.of_position(state, not wins, plies - 1, budget)
        if rest is None:
            return Proven(without_distance(proof), line[:1], False)
        return Proven(-rest.proof + (1 if rest.proof > 0 else -1), [line[0], *rest.line], True)

    def of_position(self, state: State, wins: bool, plies: int, budget: Budget) -> Proven | None:
        """The mate within `plies` from `state` on, by the side to move or of it; None where none is found within the
        budget."""
        found = self._attack(state, plies, budget) if wins else self._defence(state, plies, budget)[0]
        line, whole = self._follow(_NOWHERE, state, wins, found, budget)
        return Proven(PROVEN - found if wins else found - PROVEN, line, True) if whole else None

    def _follow(
        self, node: int, state: State, wins: bool, plies: int, budget: Budget | None = None
    ) -> tuple[list[int], bool]:
        """(the line from `node` on that ends the game after so many `plies`, whether it does)"""
        line: list[int] = []
        while plies > 0:
            score, moves = ended(self._game, state)
            if score is not None:
                return line, False
            move, node = self._in_graph(node, wins, plies) if node >= 0 else (_ABSENT, _NOWHERE)
            if move == _ABSENT:
                known = self._tables(state)
                if known:
                    return self._by_tables(line, state, known, plies)
                move = self._beyond_graph(state, wins, plies, budget)
            if move not in moves:
                return line, False
            line.append(move)
            state, wins, plies = self._game.after(state, move), not wins, plies - 1
        return line, _decided(self._game, state)

    def _by_tables(self, line: list[int], state: State, known: list[int], plies: int) -> tuple[list[int], bool]:
        """The rest of a line that tables know; a repetition of the game, which they do not know, ends it."""
        for move in known:
            if ended(self._game, state)[0] is not None:
                return line, False
            line.append(move)
            state = self._game.after(state, move)
        return line, len(known) == plies and _decided(self._game, state)

    def _in_graph(self, node: int, wins: bool, plies: int) -> tuple[int, int]:
        """(the move that keeps to the proof of `node` in so many `plies`, the node it leads to); _ABSENT where the
        proof is not in the graph, _LOOSE where it is another one by now."""
        assert self._graph is not None
        edges = edges_of(self._graph, node)
        if not len(edges):
            return _ABSENT, _NOWHERE
        proofs, children = proofs_of(self._graph, edges), self._graph.edges["child"][edges]
        best = int(proofs.argmax())
        if self._plies and not wins:
            best = int(np.argmax([self._plies.get(int(child), -1) for child in children]))
        child, proof = int(children[best]), int(proofs[best])
        if wins and proof < self._graph.nodes["proof"][node]:
            return _ABSENT, _NOWHERE
        if abs(proof) <= SURE or self._plies.get(child, distance(proof) - 1) != plies - 1:
            return _LOOSE, _NOWHERE
        return int(self._graph.edges["move"][edges[best]]), child

    def _count(self, node: int) -> int:
        """The plies to the end at a proven node, as the nodes below it say."""
        known = self._plies.get(node)
        if known is not None:
            return known
        assert self._graph is not None
        self._nodes_left -= 1
        if self._nodes_left < 0:
            raise _TooMany
        proof, edges = int(self._graph.nodes["proof"][node]), edges_of(self._graph, node)
        plies = distance(proof)
        if len(edges):
            proofs, children = proofs_of(self._graph, edges), self._graph.edges["child"][edges]
            if proof < 0:
                plies = 1 + max(self._count(int(child)) for child in children)
            elif proofs.max() >= proof:
                plies = 1 + self._count(int(children[proofs.argmax()]))
        self._plies[node] = plies
        return plies

    def _beyond_graph(self, state: State, wins: bool, plies: int, budget: Budget | None) -> int:
        """The move that keeps to a mate in so many `plies` of which the graph says nothing; -1 if none is found."""
        if not wins:
            longest, move = self._defence(state, plies, budget)
            return move if longest == plies else -1
        found = self._by_checks(state, plies)
        if found & 255 == plies:
            return found >> 8
        if budget:
            for move in self._game.moves(state):
                if forced(self._game.after(state, move), plies - 1, False, budget):
                    return move
        return -1

    def _defence(self, state: State, plies: int, budget: Budget | None) -> tuple[int, int]:
        """(plies until the side to move is mated, the move that holds out longest); 0 where it may not be, in time."""
        longest, best = 0, -1
        for move in self._game.moves(state):
            found = self._attack(self._game.after(state, move), plies - 1, budget)
            if not found:
                return 0, -1
            if found + 1 > longest:
                longest, best = found + 1, move
        return longest, best

    def _attack(self, state: State, plies: int, budget: Budget | None) -> int:
        """Plies in which the side to move mates, as far as tables, checks, or all moves within the budget tell; 0 if
        they do not, or it takes more."""
        known = len(self._tables(state))
        if known:
            return known if known <= plies and known % 2 else 0
        found = self._by_checks(state, plies) & 255
        if budget and found != 1:
            return shortest_mate(state, found - 2 if found else plies, budget) or found
        return found

    def _by_checks(self, state: State, plies: int) -> int:
        """The shortest mate by checks, as `plyout.search.proof.checking` tells it; 0 if there is none."""
        return int(self._mate(state, min(plies, FARTHEST), self._positions, self._buffer)) if self._mate else 0
