"""OpeningDepth for books that are not lists of lines: the longest path through the book from the start position."""

import numpy as np
import numpy.typing as npt

from plyout.games import CHESS, State
from plyout.games.chess.move import MOVE_BITS
from plyout.games.contract import KEY
from plyout.knowledge.books.book import Book


def longest_lines(book: Book) -> npt.NDArray[np.int64]:
    """For every entry the plies of the longest line of book moves through it; 1 where the start does not lead to it."""
    children, plies = _walk(book)
    rest: dict[int, int] = {}  # the longest line from a position on

    def longest(key: int) -> int:
        if key not in rest:
            rest[key] = 0  # a cycle counts no further
            rest[key] = max((1 + longest(child) for child in children.get(key, {}).values()), default=0)
        return rest[key]

    lengths = np.ones(len(book), np.int64)
    for key in sorted(children, key=lambda key: -plies[key]):  # the deepest first, which keeps the recursion shallow
        for i, child in children[key].items():
            lengths[i] = plies[key] + 1 + longest(child)
    return lengths


def _walk(book: Book) -> tuple[dict[int, dict[int, int]], dict[int, int]]:
    """The book as a graph from the start position on: (entries and where they lead, by position; plies to it)."""
    firsts, counts = np.unique(book.keys, return_index=True, return_counts=True)[1:]
    pages = {int(book.keys[i]): range(i, i + n) for i, n in zip(firsts.tolist(), counts.tolist(), strict=True)}
    moves = book.moves.tolist()
    start = CHESS.start()
    children: dict[int, dict[int, int]] = {}
    plies = {int(start[KEY]): 0}
    level: list[State] = [start]
    while level:
        following: list[State] = []
        for state in level:
            key = int(state[KEY])
            numbers = {move & MOVE_BITS: move for move in CHESS.moves(state)}
            children[key] = {}
            for i in pages.get(key, ()):
                move = numbers.get(moves[i])
                if move is None:  # two positions with one key, or a damaged entry
                    continue
                after = CHESS.after(state, move)
                child = children[key][i] = int(after[KEY])
                if child not in plies:
                    plies[child] = plies[key] + 1
                    if child in pages:
                        following.append(after)
        level = following
    return children, plies
