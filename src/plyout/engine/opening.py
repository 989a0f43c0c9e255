"""What an engine does with its opening book: plays from it, or lets it guide the search."""

from typing import Any

import chess
import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, Game
from plyout.knowledge.books.book import Book, open_book
from plyout.progress import warn
from plyout.parameters import BOOK_BEST, BOOK_BIAS, BOOK_EXPLORE, BOOK_WEIGHTED
from plyout.engine.result import MoveStatistics
from plyout.search.graph import BOOK, UNPROVEN
from plyout.search.limits import Limits


def opening_of(game: Game, book: str, use: float) -> "Opening | None":
    """The book that an engine is to use, if it is to use one."""
    if not book:
        return None
    if game is not CHESS:
        raise InputError(f"books are for chess only: in {game.name} leave the book out")
    return Opening(book, use)


class Opening:
    """A book and its use, one of the values of `book_use`."""

    def __init__(self, path: str, use: float) -> None:
        self.book: Book = open_book(path)
        if self.book.complaints:
            more = f" (and {len(self.book.complaints) - 1} lines more)" if len(self.book.complaints) > 1 else ""
            warn(f"left out of the book: {self.book.complaints[0]}{more}")
        self._use = use

    @property
    def plays(self) -> bool:
        """Whether moves are played from the book without a search."""
        return self._use in (BOOK_BEST, BOOK_WEIGHTED)

    def records(self) -> Any:
        """The book as the search graph carries it: empty where it does not guide the search."""
        book = self.book
        made = np.zeros(0 if self.plays else len(book), BOOK)
        if len(made):
            guides = {BOOK_EXPLORE: book.depths, BOOK_BIAS: book.shares}
            made["key"], made["move"], made["number"] = book.keys, book.moves, guides.get(int(self._use), 1.0)
        return made

    def move(self, board: chess.Board, limits: Limits, seed: int) -> MoveStatistics | None:
        """The book's move where one is to be played: its share is its prior, the games it was played in its value."""
        if not self.plays or limits.infinite or limits.mate is not None:  # somebody wants to know what a search says
            return None
        known = self.book.choose(board, self._use == BOOK_WEIGHTED, seed)
        if known is None:
            return None
        won, drawn, lost = known.results
        games = won + drawn + lost
        value = (won + drawn / 2) / games if games else 0.5
        return MoveStatistics(known.move, 0.0, value, known.share, UNPROVEN, [known.move])
