"""An opening book inside the search: which entries a node has, and what they do to its moves.

The graph carries the book as three arrays sorted by position key: `book_keys`, `book_moves` (start | target << 6 |
promotion << 15) and `book_numbers`, whose meaning is that of `book_use`: OpeningDepth, or the move's share.
"""

from typing import Any

from plyout.kernel import inlined
from plyout.parameters import BOOK_BIAS, BOOK_BONUS, BOOK_EXPLORE, BOOK_PRUNE, BOOK_USE
from plyout.games.chess.move import MOVE_BITS
from plyout.search.graph import Graph


@inlined
def page(g: Graph, node: int) -> tuple[int, int]:
    """The first entry of the node's position and the one after its last: equal where it is not in the book."""
    low, high = 0, g.book_keys.size
    if high == 0:
        return 0, 0
    key = g.key[node]
    while low < high:
        middle = (low + high) // 2
        if g.book_keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    end = low
    while end < g.book_keys.size and g.book_keys[end] == key:
        end += 1
    return low, end


@inlined
def entry(g: Graph, first: int, end: int, e: int) -> float:
    """The number that the book has for the move of edge `e`; 0 where it has none."""
    move = g.move[e] & MOVE_BITS
    for i in range(first, end):
        if g.book_moves[i] == move:
            return float(g.book_numbers[i])
    return 0.0


@inlined
def pruned(number: float, first: int, end: int, parameters: Any) -> bool:
    """Whether the position is in the book and the move is not, where only the book's moves are considered."""
    return end > first and number == 0.0 and parameters[BOOK_USE] == BOOK_PRUNE


@inlined
def factor(number: float, parameters: Any) -> float:
    """What the exploration constant is multiplied by (Singh's k)."""
    return number if number > 0.0 and parameters[BOOK_USE] == BOOK_EXPLORE else 1.0


@inlined
def bonus(number: float, parameters: Any) -> float:
    """The won games that a move begins with."""
    return number * parameters[BOOK_BONUS] if parameters[BOOK_USE] == BOOK_BIAS else 0.0
