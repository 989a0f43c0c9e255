"""A search as a page sees it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import chess

from plyout.board.packing import Drawing, Names, drawing_of, node_at, numbers_of
from plyout.engine import Limits, Result
from plyout.engine.history import History
from plyout.engine.tree import Tree


@dataclass(frozen=True)
class Job:
    """A search to be done. Later ones have higher numbers."""

    number: int
    board: chess.Board
    limits: Limits
    preset: str
    changes: tuple[tuple[str, Any], ...] = ()
    plays: bool = False  # its move is to be played


class Latest(NamedTuple):
    """What is drawn."""

    wanted: list[str]  # the line below which it was to be
    line: list[str]  # as much of it as the tree has
    drawing: Drawing


@dataclass
class Shown:
    """What a page sees of one search at one moment. All of it was copied, but for the tree, which only a search that
    has `ended` leaves alone."""

    job: Job
    tree: Tree
    history: History
    said: Result | dict[str, Any]  # the result, or its numbers as they were saved
    names: Names
    frames: dict[int, Drawing] = field(default_factory=dict)  # by iterations, at every snapshot so far
    latest: Latest | None = None
    ended: bool = True

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """What the search says, for the page."""
        return self.said if isinstance(self.said, dict) else numbers_of(self.said, self.names)

    def drawn(self, focus: list[str]) -> Latest:
        """What is drawn; made now where that is still to be done."""
        if self.latest is None:
            node, line = node_at(self.tree.graph, self.tree.root, focus, self.job.board.chess960)
            self.latest = Latest(focus, line, drawing_of(self.tree.graph, node))
        return self.latest
