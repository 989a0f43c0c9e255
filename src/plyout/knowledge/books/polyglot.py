"""Polyglot's book files: entries of 16 bytes, big endian, sorted by key."""

from pathlib import Path

import numpy as np

from plyout.errors import InputError
from plyout.knowledge.books.book import Book
from plyout.knowledge.books.writing import replaced

_ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
_MOST = 0xFFFF  # the greatest weight


def read_polyglot(path: Path) -> Book:
    """The book of a file; a last entry that is cut short is left out."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    whole, rest = divmod(len(content), _ENTRY.itemsize)
    entries = np.frombuffer(content, _ENTRY, whole)
    complaints = []
    if rest:
        complaints.append(f"{path}: entry {whole + 1} has {rest} of its 16 bytes: the file is cut short")
    keys = entries["key"].astype(np.uint64)
    falls = np.flatnonzero(keys[1:] < keys[:-1])
    if len(falls):
        complaints.append(f"{path}: entry {falls[0] + 2} is out of order: other programs may not find what follows")
    raw = entries["move"].astype(np.int64)
    moves = raw >> 6 & 63 | (raw & 63) << 6 | (raw >> 12 & 7) << 15  # Polyglot's promotions count as ours do
    played = raw != 0
    signed_keys = keys.view(np.int64)
    order = np.lexsort((-entries["weight"].astype(np.int64), signed_keys))
    order = order[played[order]]
    none = np.zeros((len(order), 3), np.int64)
    book = Book(str(path), signed_keys[order], moves[order], entries["weight"][order].astype(np.float64), none)
    book.complaints = complaints
    return book


def write_polyglot(book: Book, path: Path) -> int:
    """Write a book for other programs; weights are scaled down where they are too great. Returns the number of
    entries."""
    entries = np.zeros(len(book), _ENTRY)
    entries["key"] = book.keys.view(np.uint64)
    entries["move"] = (book.moves & 63) << 6 | book.moves >> 6 & 63 | (book.moves >> 15 & 7) << 12
    scale = min(1.0, _MOST / max(1.0, float(book.weights.max(initial=0.0))))
    positive = book.weights > 0
    entries["weight"] = np.where(positive, np.maximum(1, np.round(book.weights * scale)), 0)
    order = np.lexsort((-book.weights, entries["key"].astype(np.uint64)))
    with replaced(path) as file:
        file.write(entries[order].tobytes())
    return len(book)
