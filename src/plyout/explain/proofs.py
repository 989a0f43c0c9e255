"""Forced mates: the proof in a graph as a certificate, which is checked line by line before anything is said."""

from typing import Any, NamedTuple

import chess

from plyout.errors import InputError
from plyout.explain.subject import Place
from plyout.games import CHESS
from plyout.knowledge.tables.probe import FAR
from plyout.search.choose import edges_of, proofs_of
from plyout.search.graph import SURE, Graph
from plyout.search.proof.certificate import certificate, check_certificate
from plyout.search.proof.graft import complete, distance
from plyout.search.proof.mate import Budget, forced, shortest_mate

_MOST_NODES = 20_000  # of a proof that is looked at: about a second
_MOST_LINES = 3_000  # of a certificate that is checked
FIFTY = 100  # plies
_POSITIONS = 300_000  # that may be searched for a shorter mate


class Forced(NamedTuple):
    """A mate that was checked."""

    wins: bool
    """the side to move mates; else it is mated"""
    plies: int
    exact: bool
    """there is no shorter one"""
    line: list[chess.Move]
    """the longest"""
    lines: int
    """how many there are"""


class Unchecked(Exception):
    """A proof could not be checked; says why."""


class OnTables(Unchecked):
    """A proof ends in endgame tables, and not in mates."""


def checked_mate(place: Place) -> Forced | None:
    """The mate that a graph has proven of a position, checked; None where it has proven none.

    Raises `Unchecked` where there is a proof and no certificate of it.
    """
    graph, node = place.tree.graph, place.node
    if node < 0 or abs(proof := int(graph.nodes["proof"][node])) <= SURE:
        return None
    wins = proof > 0
    if distance(proof) >= FAR:
        raise Unchecked("it rests on endgame tables that tell no distance")
    if place.board.halfmove_clock + distance(proof) >= FIFTY:
        raise Unchecked("certificates know nothing of the fifty-move rule")
    _count_nodes(graph, node, set())
    complete(graph, node, place.state, place.tree.game)
    if not _ends_in_mates(graph, node, {}):
        raise OnTables("it rests on endgame tables")
    if _count_lines(graph, node, {}) > _MOST_LINES:
        raise Unchecked("it has too many lines")
    try:
        found = certificate(graph, node, place.board)
        plies = check_certificate(place.board, found)
    except InputError as error:
        raise Unchecked(str(error).removeprefix("there is no certificate: ")) from None
    line, lines = _longest([None, found["lines"]] if not wins else found["lines"])
    moves = [chess.Move.from_uci(text) for text in line]
    return Forced(wins, plies, _is_shortest(place, wins, plies), moves, lines)


def deciding(graph: Graph, node: int) -> Any:
    """The edges that a proof of `node` rests on: one that wins, or all of them."""
    edges = edges_of(graph, node)
    if graph.nodes["proof"][node] > 0 and len(edges):
        edges = edges[proofs_of(graph, edges).argmax() :][:1]
    return edges


def _count_nodes(graph: Graph, node: int, seen: set[int]) -> None:
    """`Unchecked` if a proof has more nodes than can be looked at."""
    if node in seen or node < 0:
        return
    seen.add(node)
    if len(seen) > _MOST_NODES:
        raise Unchecked("it has too many positions")
    for edge in deciding(graph, node):
        _count_nodes(graph, int(graph.edges["child"][edge]), seen)


def _ends_in_mates(graph: Graph, node: int, known: dict[int, bool]) -> bool:
    """Whether the lines of a proof end where the game does."""
    if node not in known:
        edges = deciding(graph, node)
        known[node] = distance(int(graph.nodes["proof"][node])) == 0 if not len(edges) else all(
            _ends_in_mates(graph, int(graph.edges["child"][edge]), known) for edge in edges
        )  # fmt: skip
    return known[node]


def _count_lines(graph: Graph, node: int, known: dict[int, int]) -> int:
    """The lines of a proof, where positions that are met again are counted again."""
    if node < 0:
        return 1
    if node not in known:
        below = [_count_lines(graph, int(graph.edges["child"][edge]), known) for edge in deciding(graph, node)]
        known[node] = max(1, sum(below))
    return known[node]


def _longest(win: Any) -> tuple[list[str], int]:
    """(the longest line of a win ``[move, replies]``, the number of its lines); see `certificate`."""
    move, replies = win
    best: list[str] = []
    lines = 0
    for reply, answer in replies.items():
        line, count = _longest(answer)
        lines += count
        if 1 + len(line) > len(best):
            best = [reply, *line]
    return ([] if move is None else [move]) + best, max(lines, 1)


def _is_shortest(place: Place, wins: bool, plies: int) -> bool:
    """Whether all shorter mates were looked for and none was found."""
    if plies <= 1:
        return True
    if place.tree.game is not CHESS:
        return False
    budget = Budget(_POSITIONS)
    if wins:
        return shortest_mate(place.state, plies - 2, budget) == 0
    return forced(place.state, plies - 2, False, budget) is False
