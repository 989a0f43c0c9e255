"""A trie of opening lines, as in Singh's engines (2023, section 3.5).

Every node knows the length of the longest line through it, the paper's *OpeningDepth*, and the opening that ends there.
Lines that reach one position by different moves stay apart here; `plyout.knowledge.books.book` brings them together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import chess
import chess.polyglot

from plyout.errors import InputError

Name = tuple[str, str]
"""(ECO code, name)"""


@dataclass
class Node:
    """A position, reached by one order of moves."""

    key: int  # Polyglot's
    depth: int = 0  # plies of the longest line through here
    name: Name | None = None  # of the opening that ends here
    children: dict[chess.Move, "Node"] = field(default_factory=dict)
    spelled: dict[str, chess.Move] = field(default_factory=dict)  # the moves as files write them

    @property
    def ends(self) -> bool:
        return self.name is not None


class Trie:
    """Lines from the start position.

    >>> trie = Trie()
    >>> trie.insert("e4 e5 Nf3".split(), ("C40", "King's Knight Opening"))
    >>> trie.insert("e4 c5".split(), ("B20", "Sicilian Defence"))
    >>> [trie.find(line.split()).depth for line in ("e4", "e4 e5", "e4 c5")]
    [3, 3, 2]
    >>> trie.find(["d4"]) is None
    True
    """

    def __init__(self) -> None:
        self._board = chess.Board()  # stays where the last line left it: neighbours in a file share moves
        self.root = Node(chess.polyglot.zobrist_hash(self._board))

    def insert(self, line: Sequence[str], name: Name) -> None:
        """Add a line of moves in SAN; an illegal one is an `InputError`, and no move of its line is kept."""
        node, known = self.root, []
        for san in line:
            move = node.spelled.get(san)
            if move is None:
                break
            known.append(move)
            node = node.children[move]
        fresh = list(self._read(known, line[len(known) :]))
        self.root.depth = max(self.root.depth, len(line))
        node = self.root
        for move in known:
            node = node.children[move]
            node.depth = max(node.depth, len(line))
        for san, move, key in fresh:
            node.spelled[san] = move
            node = node.children.setdefault(move, Node(key))
            node.depth = max(node.depth, len(line))
        node.name = node.name or name

    def find(self, line: Sequence[str | chess.Move]) -> Node | None:
        """The node that a line leads to, if it is there."""
        node = self.root
        for word in line:
            move = node.spelled.get(word) if isinstance(word, str) else word
            if move is None or move not in node.children:
                return None
            node = node.children[move]
        return node

    def walk(self) -> Iterator[tuple[Node, chess.Move, Node]]:
        """Every step of every line once: (from, move, to), parents before children."""
        nodes = [self.root]
        for node in nodes:
            for move, child in node.children.items():
                yield node, move, child
                nodes.append(child)

    def _read(self, known: Sequence[chess.Move], rest: Sequence[str]) -> Iterator[tuple[str, chess.Move, int]]:
        """The moves that follow the known ones, with the keys of the positions they lead to."""
        if not rest:
            return
        board, shared = self._board, 0
        while shared < min(len(known), len(board.move_stack)) and board.move_stack[shared] == known[shared]:
            shared += 1
        while len(board.move_stack) > shared:
            board.pop()
        for move in known[shared:]:
            board.push(move)
        for san in rest:
            try:
                move = board.parse_san(san)
                if not move:
                    raise ValueError
            except ValueError:
                raise InputError(f"{san!r} is not a legal move after {len(board.move_stack)} plies") from None
            board.push(move)
            yield san, move, chess.polyglot.zobrist_hash(board)
