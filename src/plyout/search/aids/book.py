"""An opening book inside the search: which entries a node has, and what they do to its moves.

The graph carries the book as records sorted by position key: key, move (from | to << 6 | promotion << 15) and a number,
whose meaning is that of `book_use`: OpeningDepth, or the move's share.
"""

from plyout.kernel import inlined
from plyout.parameters import BOOK_BIAS, BOOK_EXPLORE, BOOK_PRUNE, Selection
from plyout.games.chess.move import MOVE_BITS
from plyout.search.graph import Graph


@inlined
def page(g: Graph, node: int) -> tuple[int, int]:
    """The first entry of the node's position and the one after its last: equal where it is not in the book."""
    low, high = 0, g.book.size
    if high == 0:
        return 0, 0
    key = g.nodes[node].key
    while low < high:
        middle = (low + high) // 2
        if g.book[middle].key < key:
            low = middle + 1
        else:
            high = middle
    end = low
    while end < g.book.size and g.book[end].key == key:
        end += 1
    return low, end


@inlined
def entry(g: Graph, first: int, end: int, e: int) -> float:
    """The number that the book has for the move of edge `e`; 0 where it has none."""
    move = g.edges[e].move & MOVE_BITS
    for i in range(first, end):
        if g.book[i].move == move:
            return float(g.book[i].number)
    return 0.0


@inlined
def left_out(number: float, first: int, end: int, p: Selection) -> bool:
    """Whether the position is in the book and the move is not, where only the book's moves are considered."""
    return end > first and number == 0.0 and p.book_use == BOOK_PRUNE


@inlined
def factor(number: float, p: Selection) -> float:
    """What the exploration constant is multiplied by (Singh's k)."""
    return number if number > 0.0 and p.book_use == BOOK_EXPLORE else 1.0


@inlined
def bonus(number: float, p: Selection) -> float:
    """The won games that a move begins with."""
    return number * p.book_bonus if p.book_use == BOOK_BIAS else 0.0
