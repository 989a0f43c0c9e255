"""Our own book files: one entry a line, as text that people and other programs can read.

``key  move  weight  won  drawn  lost``, separated by tabs, with a header line. The key is Polyglot's in 16 hexadecimal
digits, castling is written as king takes rook, and results are those of the side that moves (0 where unknown).
"""

import re
from pathlib import Path

import chess

from plyout.errors import InputError
from plyout.kernel import signed
from plyout.kernel.bits import MASK
from plyout.knowledge.books.book import Book, from_rows
from plyout.knowledge.books.writing import replaced

HEAD = "key\tmove\tweight\twon\tdrawn\tlost"
_KEY = re.compile(r"[0-9a-f]{16}")
_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
_COUNT = re.compile(r"\d{1,15}")

Row = tuple[int, int, float, int, int, int, int]


def move_text(number: int) -> str:
    """A book's move as text."""
    promotion = "nbrq"[(number >> 15 & 7) - 1] if number >> 15 & 7 else ""
    return chess.SQUARE_NAMES[number & 63] + chess.SQUARE_NAMES[number >> 6 & 63] + promotion


def _row(line: str) -> Row:
    columns = line.split("\t")
    if len(columns) != 6:
        raise InputError(f"there must be six columns, and there are {len(columns)}")
    key, text, weight, *results = columns
    move = _MOVE.fullmatch(text)
    if not _KEY.fullmatch(key):
        raise InputError(f"{key[:20]!r} is not a key of 16 hexadecimal digits")
    if not move:
        raise InputError(f"{text[:20]!r} is not a move like e2e4 or e7e8q")
    if not all(_COUNT.fullmatch(count) for count in results):
        raise InputError("won, drawn and lost must be whole numbers")
    try:
        weighs = float(weight)
    except ValueError:
        weighs = -1.0
    if not 0 <= weighs < 1e15:
        raise InputError(f"{weight[:20]!r} is not a weight: a number from 0 to 1e15")
    number = chess.parse_square(move[1]) | chess.parse_square(move[2]) << 6
    number |= ("nbrq".index(move[3]) + 1) << 15 if move[3] else 0
    won, drawn, lost = map(int, results)
    return signed(int(key, 16)), number, weighs, won, drawn, lost, 0


def read_entries(path: Path) -> Book:
    """The book of a file; lines that cannot be read are reported in `complaints`, and the rest is used."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    lines = text.split("\n")
    rows: dict[tuple[int, int], Row] = {}
    complaints = []
    for number, line in enumerate(lines, 1):
        if number == 1 or not line.strip():
            continue
        try:
            row = _row(line.rstrip("\r"))
            if number == len(lines):
                raise InputError("the line does not end: the file is cut short")
            if row[:2] in rows:
                raise InputError("this move of this position is there twice")
            rows[row[:2]] = row
        except InputError as error:
            complaints.append(f"{path}:{number}: {error}")
    book = from_rows(str(path), rows.values())
    book.complaints = complaints
    return book


def write_entries(book: Book, path: Path) -> int:
    """Write a book; returns the number of entries."""
    with replaced(path) as file:
        file.write(f"{HEAD}\n".encode())
        for i in range(len(book)):
            won, drawn, lost = (int(n) for n in book.results[i])
            key, move = f"{int(book.keys[i]) & MASK:016x}", move_text(int(book.moves[i]))
            file.write(f"{key}\t{move}\t{float(book.weights[i]):g}\t{won}\t{drawn}\t{lost}\n".encode())
    return len(book)
