"""Opening books by position: which moves are known, whatever the order of moves that led to it.

A book is five arrays sorted by position key, the same Polyglot key that states of chess carry. It comes from opening
tables, Polyglot files, or files of ours (`plyout.knowledge.books.entries`); `open_book` tells them apart.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.kernel import signed
from plyout.knowledge.books.openings import Openings, own_openings, read_openings

Ints = npt.NDArray[np.int64]
OWN = "own"


@dataclass(frozen=True)
class BookMove:
    """A move that the book has for a position; results are those of the side that moves."""

    move: chess.Move
    weight: float
    share: float  # of the weights of the position's moves
    depth: int | None  # plies of the longest line through the move; None until `Book.depths` has been read
    results: tuple[int, int, int]  # won, drawn, lost; all 0 where they are not known

    def as_dict(self) -> dict[str, Any]:
        won, drawn, lost = self.results
        return {
            "move": self.move.uci(), "weight": self.weight, "share": self.share, "depth": self.depth,
            "won": won, "drawn": drawn, "lost": lost,
        }  # fmt: skip


@dataclass
class Book:
    """Entries sorted by key, one row for a position and a move."""

    source: str
    keys: Ints
    moves: Ints  # start | target << 6 | promotion << 15; castling is king takes rook
    weights: npt.NDArray[np.float64]
    results: Ints  # three columns: won, drawn, lost
    lengths: Ints | None = None  # the longest line through each move, computed when `depths` is first read
    complaints: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def positions(self) -> int:
        return len(np.unique(self.keys))

    @property
    def depths(self) -> Ints:
        """OpeningDepth of every entry."""
        if self.lengths is None:
            from plyout.knowledge.books.depths import longest_lines

            self.lengths = longest_lines(self)
        return self.lengths

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """Each entry's part of its position's weights."""
        _, place = np.unique(self.keys, return_inverse=True)
        totals = np.bincount(place, self.weights)[place] if len(self) else self.weights
        return np.divide(self.weights, totals, out=np.zeros(len(self)), where=totals > 0)

    def page(self, key: int) -> range:
        """The entries of a position."""
        first = int(np.searchsorted(self.keys, np.int64(key)))
        return range(first, int(np.searchsorted(self.keys, np.int64(key), "right")))

    def lookup(self, board: chess.Board) -> list[BookMove]:
        """The legal moves that the book has for a position, the heaviest first.

        >>> board = chess.Board()
        >>> [board.san(m.move) for m in own_book().lookup(board)[:3]]
        ['e4', 'd4', 'c4']
        """
        if board.uci_variant != "chess":
            return []
        rows = self.page(signed(chess.polyglot.zobrist_hash(board)))
        known = [(i, move) for i in rows if board.is_legal(move := decoded(board, int(self.moves[i])))]
        total = float(sum(self.weights[i] for i, _ in known)) or 1.0
        found = [
            BookMove(
                move=move,
                weight=float(self.weights[i]),
                share=float(self.weights[i]) / total,
                depth=int(self.lengths[i]) if self.lengths is not None else None,
                results=(int(self.results[i, 0]), int(self.results[i, 1]), int(self.results[i, 2])),
            )
            for i, move in known
        ]
        return sorted(found, key=lambda m: -m.weight)

    def choose(self, board: chess.Board, weighted: bool, seed: int) -> BookMove | None:
        """The heaviest move, or one drawn by weight; the same seed draws the same move in the same position."""
        moves = [m for m in self.lookup(board) if m.weight > 0]
        if not moves or not weighted:
            return moves[0] if moves else None
        generator = random.Random(f"{seed} {chess.polyglot.zobrist_hash(board)}")
        return generator.choices(moves, [m.weight for m in moves])[0]


def encoded(board: chess.Board, move: chess.Move) -> int:
    """A move as it is stored in `Book.moves`."""
    to = move.to_square
    if board.is_castling(move):
        rooks = board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(move.from_square)]
        to = chess.msb(rooks) if board.is_kingside_castling(move) else chess.lsb(rooks)
    return move.from_square | to << 6 | (move.promotion - 1 << 15 if move.promotion else 0)


def decoded(board: chess.Board, number: int) -> chess.Move:
    """The move of a number; castling is a move of the king by two squares, in Chess960 king takes rook."""
    start, to, promotion = number & 63, number >> 6 & 63, number >> 15 & 7
    move = chess.Move(start, to, promotion + 1 if promotion else None)
    own_rook = board.piece_at(to) == chess.Piece(chess.ROOK, board.turn)
    if not board.chess960 and own_rook and board.king(board.turn) == start:
        return chess.Move(start, (start & 56) + (6 if to > start else 2))
    return move


def from_rows(source: str, rows: Iterable[tuple[int, int, float, int, int, int, int]]) -> Book:
    """A book of rows (signed key, move, weight, won, drawn, lost, length of the longest line or 0)."""
    table = sorted(rows)
    columns = list(zip(*table, strict=True)) or [()] * 7
    whole = [np.array(column, np.int64) for column in columns]
    lengths = whole[6] if len(table) and whole[6].all() else None
    return Book(source, whole[0], whole[1], np.array(columns[2], np.float64), np.stack(whole[3:6], axis=1), lengths)


def from_openings(source: str, openings: Openings) -> Book:
    """The book of all lines of a table: a move weighs as many named lines as go through it."""
    counts: dict[int, int] = {}  # lines through each node of the trie
    steps = list(openings.trie.walk())
    for node, _, child in reversed(steps):
        counts[id(child)] = counts.get(id(child), 0) + child.ends
        counts[id(node)] = counts.get(id(node), 0) + counts[id(child)]
    rows: dict[tuple[int, int], tuple[int, int]] = {}
    boards = {id(openings.trie.root): chess.Board()}
    for node, move, child in steps:
        board = boards[id(node)]
        number = encoded(board, move)
        lines, length = rows.get((node.key, number), (0, 0))
        rows[node.key, number] = lines + counts[id(child)], max(length, child.depth)
        if child.children:
            boards[id(child)] = board.copy(stack=False)
            boards[id(child)].push(move)
    book = from_rows(source, ((signed(k), m, n, 0, 0, 0, length) for (k, m), (n, length) in rows.items()))
    book.complaints = openings.complaints
    return book


_own: list[Book] = []


def own_book() -> Book:
    """The book of our own opening table."""
    if not _own:
        _own.append(from_openings(OWN, own_openings()))
    return _own[0]


def open_book(path: str | Path) -> Book:
    """The book at a path: ``own``, a Polyglot ``.bin``, a table of openings, a folder of those, or one
    that ``plyout book build`` made."""
    from plyout.knowledge.books.entries import HEAD, read_entries
    from plyout.knowledge.books.polyglot import read_polyglot

    if str(path) == OWN:
        return own_book()
    file = Path(path)
    if file.is_dir():
        return from_openings(str(path), read_openings([file]))
    if not file.is_file():
        raise InputError(f"there is no book {str(path)!r}: name a file, a folder or 'own'")
    try:
        with file.open("rb") as content:
            begin = content.read(len(HEAD) + 4)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if file.suffix == ".bin":
        book = read_polyglot(file)
    elif begin.startswith(HEAD.encode()):
        book = read_entries(file)
    elif begin.lower().startswith(b"eco\t") or file.suffix == ".tsv":
        book = from_openings(str(path), read_openings([file]))
    else:
        raise InputError(f"{path} is no book: Polyglot's end in .bin, tables of openings in .tsv")
    if not len(book):
        reason = f": {book.complaints[0]}" if book.complaints else ""
        raise InputError(f"there is not one move in the book {str(path)!r}{reason}")
    return book
