"""Proofs that end in endgame tables: every position is looked at with python-chess, every end with the tables."""

import chess

from plyout.explain.proofs import FIFTY, Unchecked, deciding
from plyout.explain.subject import Place
from plyout.knowledge.tables.library import Library, open_tables


class _Walk:
    """Looks at all positions of a proof that `winner` wins, each once."""

    def __init__(self, place: Place, winner: chess.Color, tables: Library) -> None:
        self._tree, self._winner, self._tables = place.tree, winner, tables
        self.seen: set[int] = set()

    def check(self, node: int, board: chess.Board) -> None:
        if node in self.seen:
            return
        if node < 0:
            raise Unchecked("a position of it is not in the graph")
        self.seen.add(node)
        edges = deciding(self._tree.graph, node)
        if not len(edges):
            self._end(board)
            return
        moves = {self._tree.move(edge): edge for edge in edges}
        if board.turn == self._winner:
            if not all(board.is_legal(move) for move in moves):
                raise Unchecked("a move of it is not legal")
        elif set(board.legal_moves) != set(moves):
            raise Unchecked("it does not answer every move")
        for move, edge in moves.items():
            board.push(move)
            self.check(int(self._tree.graph.edges["child"][edge]), board)
            board.pop()

    def _end(self, board: chess.Board) -> None:
        if board.is_checkmate() and board.turn != self._winner:
            return
        answer = self._tables.probe(board)
        expected = "win" if board.turn == self._winner else "loss"
        if answer is None or answer.result != expected or board.halfmove_clock + (answer.plies or 0) >= FIFTY:
            raise Unchecked("it rests on endgame tables that are not there")


def positions_checked(place: Place, pieces: int) -> int:
    """How many positions the proof of a place has, after all were checked; `Unchecked` where one does not hold."""
    won = int(place.tree.graph.nodes["proof"][place.node]) > 0
    if not pieces:
        raise Unchecked("it rests on endgame tables")
    walk = _Walk(place, place.board.turn if won else not place.board.turn, open_tables(pieces))
    walk.check(place.node, place.board.copy(stack=False))
    return len(walk.seen)
