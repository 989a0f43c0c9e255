"""What is explained: a result, and its moves as python-chess sees them."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import chess

from plyout.engine.result import MoveStatistics, Result
from plyout.engine.shown import line_san
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.explain.statement import Statement
from plyout.games import State
from plyout.games.chess.border import encode


@dataclass(frozen=True)
class Place:
    """A position, and what a search has in its graph of it: a node, or nothing (-1)."""

    tree: Tree
    node: int
    state: State
    board: chess.Board


@dataclass(frozen=True)
class Candidate:
    """A move of the position that was searched."""

    result: Result
    board: chess.Board
    move: chess.Move

    @property
    def san(self) -> str:
        return self.board.san(self.move)

    @property
    def number(self) -> int:
        """The move as the kernels know it."""
        return encode(self.board, self.move)

    @cached_property
    def after(self) -> chess.Board:
        board = self.board.copy()
        board.push(self.move)
        return board

    @cached_property
    def known(self) -> MoveStatistics | None:
        """What the search says of the move; None if it left it out."""
        return next((m for m in self.result.moves if m.move == self.move), None)

    @cached_property
    def edge(self) -> int | None:
        tree = self.result.tree
        return next((e for e in tree.children(tree.root) if tree.move(e) == self.move), None)

    @cached_property
    def place(self) -> Place:
        """The position after the move, in the search's graph."""
        tree = self.result.tree
        child = -1 if self.edge is None else int(tree.graph.edges["child"][self.edge])
        return Place(tree, child, tree.game.after(tree.state, self.number), self.after)

    @property
    def total(self) -> float:
        """The visits of all moves."""
        return sum(m.visits for m in self.result.moves)

    def state(self, type: str, kind: str, **facts: Any) -> Statement:
        """A statement about the move."""
        return Statement(type, kind, self.san, facts)

    def line(self, moves: list[chess.Move]) -> dict[str, Any]:
        """A line from the position on that begins with the move, as facts."""
        return {"line": [m.uci() for m in moves], "shown": line_san(self.board, moves)}


def board_of(result: Result) -> chess.Board:
    board = result.tree.board()
    if board is None:
        raise InputError(f"explanations are for chess and crazyhouse, not for {result.tree.game.name}")
    return board


def move_named(board: chess.Board, move: chess.Move | str) -> chess.Move:
    """A legal move, by itself or by its name: "Bxd1" or "h5d1"."""
    found = None if isinstance(move, str) else move
    if isinstance(move, str):
        for read in (board.parse_san, board.parse_uci):
            with suppress(ValueError):
                found = found or read(move)
    if found is None or not board.is_legal(found):  # "0000" is a move to python-chess
        raise InputError(f"{str(move)!r} is no legal move in {board.fen()}")
    return found
