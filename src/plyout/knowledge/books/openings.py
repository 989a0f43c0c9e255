"""Named openings: files of them, our own table, and the name of a game's opening.

A file has three columns separated by tabs, with a header line: ``eco``, ``name``, ``pgn``, as lichess' ``a.tsv`` to
``e.tsv`` have them. Move numbers are optional. Lines that cannot be read are reported, and the rest is used.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

import chess
import chess.polyglot

from plyout.errors import InputError
from plyout.knowledge.books.trie import Name, Trie

_NUMBER = re.compile(r"^\d+\.+")
_ECO = re.compile(r"[A-E]\d\d")


@dataclass
class Openings:
    """Named lines; `complaints` says what was left out, each with file and line."""

    trie: Trie = field(default_factory=Trie)
    lines: int = 0
    complaints: list[str] = field(default_factory=list)

    def read(self, text: str, file: str) -> None:
        """Add the lines of a file."""
        for number, row in enumerate(text.split("\n"), 1):
            row = row.rstrip("\r")
            if not row.strip() or (number == 1 and row.lower().startswith("eco\t")):
                continue
            try:
                eco, name, moves = _columns(row)
                self.trie.insert(moves, (eco, name))
                self.lines += 1
            except InputError as error:
                self.complaints.append(f"{file}:{number}: {error}")


def _columns(row: str) -> tuple[str, str, list[str]]:
    if "\0" in row or "\ufffd" in row:
        raise InputError("this is not UTF-8 text")
    columns = row.split("\t")
    if len(columns) < 3:
        raise InputError(f"there must be three columns, eco, name and moves, and there are {len(columns)}")
    eco, name, pgn = (column.strip() for column in columns[:3])
    if not _ECO.fullmatch(eco):
        raise InputError(f"{eco[:20]!r} is not an ECO code, which is a letter from A to E and two digits")
    moves = [word for text in pgn.split() if (word := _NUMBER.sub("", text).rstrip("!?"))]
    if not name or not moves:
        raise InputError("the name is missing" if not name else "the moves are missing")
    return eco, name, moves


def files_of(path: Path) -> list[Path]:
    """The tables at a path: the file itself, or the ``.tsv`` files of a folder."""
    if not path.exists():
        raise InputError(f"there is no file {path}")
    found = sorted(path.glob("*.tsv")) if path.is_dir() else [path]
    if not found:
        raise InputError(f"{path} has no .tsv files")
    return found


def read_openings(paths: Iterable[str | Path]) -> Openings:
    """The openings of files, or of all ``.tsv`` files of folders."""
    openings = Openings()
    for file in (file for path in paths for file in files_of(Path(path))):
        try:
            openings.read(file.read_text(encoding="utf-8", errors="replace"), str(file))
        except OSError as error:
            raise InputError(f"{file} cannot be read: {error.strerror}") from None
    return openings


@cache
def own_openings() -> Openings:
    """Our own table."""
    openings = Openings()
    file = resources.files(__package__) / "openings.tsv"
    openings.read(file.read_text(encoding="utf-8"), "openings.tsv")
    return openings


def read_names() -> None:
    """Read the table now, so that `opening_name` answers at once later."""
    _names()


@cache
def _names() -> tuple[dict[int, Name], int]:
    """The names of positions by key, and the most plies that lead to one."""
    trie = own_openings().trie
    return {child.key: child.name for _, _, child in trie.walk() if child.name}, trie.root.depth


def _positions_back(board: chess.Board) -> Iterator[int]:
    """The keys of the game's positions, from the last that can have a name back to the first."""
    _, deepest = _names()
    past = board.copy(stack=True)
    while past.move_stack and len(past.move_stack) > deepest:
        past.pop()
    while True:
        yield chess.polyglot.zobrist_hash(past)
        if not past.move_stack:
            return
        past.pop()


def opening_name(board: chess.Board) -> Name | None:
    """(ECO code, name) of the opening of the board's game: that of its last position that has a name.

    Positions count, not the order of moves, so transpositions are found.

    >>> board = chess.Board()
    >>> for san in "Nf3 Nc6 e4 e5 Bb5 a6 h3".split():
    ...     _ = board.push_san(san)
    >>> opening_name(board)
    ('C70', 'Ruy Lopez, Morphy Defence')
    >>> opening_name(chess.Board()) is None
    True
    """
    at_start = not board.move_stack and board.board_fen() == chess.STARTING_BOARD_FEN
    if board.uci_variant != "chess" or at_start:  # then the table need not be read, which takes a while
        return None
    names, _ = _names()
    return next((names[key] for key in _positions_back(board) if key in names), None)
