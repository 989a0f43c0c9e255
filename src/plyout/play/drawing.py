"""The board on the terminal: coloured squares where it has colours, pictures of pieces where its encoding has them."""

from dataclasses import dataclass
from typing import NamedTuple

import chess
import chess.variant
from rich.console import Console
from rich.text import Text

_EMPTY = "·"


class Palette(NamedTuple):
    """Backgrounds of squares, dark ones first, and colours of pieces, Black's first."""

    squares: tuple[str, str]
    moved: tuple[str, str]
    check: str
    pieces: tuple[str, str]


_MANY = Palette(("#5c6f52", "#a08a68"), ("#857420", "#a38c30"), "#b04040", ("bold #000000", "bold #ffffff"))
"""Backgrounds between black and white, so that pieces of either colour stand out on both."""
_FEW = Palette(("blue", "cyan"), ("magenta", "magenta"), "red", ("black", "bold bright_white"))


@dataclass(frozen=True)
class Look:
    """How boards are drawn."""

    palette: Palette | None = None
    letters: bool = False
    """KQRBNP and kqrbnp in the place of pictures"""


def look_of(console: Console, letters: bool = False) -> Look:
    """What a terminal can show; `letters` are shown in any case if they are wanted."""
    try:
        "♚·".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        letters = True
    if console.color_system is None or console.no_color or not console.is_terminal:
        return Look(None, letters)
    return Look(_FEW if console.color_system in ("standard", "windows") else _MANY, letters)


def drawn(board: chess.Board, bottom: chess.Color, look: Look) -> list[Text]:
    """The rows of a board as `bottom` sees it, with coordinates; the last move and a check are marked."""
    ranks = range(7, -1, -1) if bottom else range(8)
    files = range(8) if bottom else range(7, -1, -1)
    marks = _marks(board, look.palette) if look.palette else {}
    rows = []
    for rank in ranks:
        row = Text(f" {rank + 1} ")
        for file in files:
            row.append_text(_square(board, chess.square(file, rank), look, marks))
        if look.palette is None:
            row.rstrip()
        rows.append(row)
    wide = 3 if look.palette else 2
    rows.append(Text("   " + "".join("abcdefgh"[file].center(wide) for file in files).rstrip()))
    return rows


def _square(board: chess.Board, square: chess.Square, look: Look, marks: dict[chess.Square, str]) -> Text:
    piece, palette = board.piece_at(square), look.palette
    if palette is None:
        return Text(f"{_sign(piece, look.letters, outlined=True) if piece else '.' if look.letters else _EMPTY} ")
    light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
    style = f"on {marks.get(square) or palette.squares[light]}"
    if piece:
        style = f"{palette.pieces[piece.color]} {style}"
    return Text(f" {_sign(piece, look.letters, outlined=False) if piece else ' '} ", style)


def _sign(piece: chess.Piece, letters: bool, outlined: bool) -> str:
    """A piece; `outlined` where its colour must be seen from its shape."""
    if letters:
        return piece.symbol()
    return piece.unicode_symbol() if outlined else chess.Piece(piece.piece_type, chess.BLACK).unicode_symbol()


def _marks(board: chess.Board, palette: Palette) -> dict[chess.Square, str]:
    marks = {}
    if board.move_stack and (last := board.peek()):
        for square in (last.from_square, last.to_square):
            marks[square] = palette.moved[bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])]
    king = board.king(board.turn)
    if king is not None and board.is_check():
        marks[king] = palette.check
    return marks


def in_hand(board: chess.Board, colour: chess.Color, look: Look) -> str:
    """The pieces that a side may drop; nothing in games without drops."""
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return ""
    pocket = board.pockets[colour]
    held = [
        f"{pocket.count(kind)}{_sign(chess.Piece(kind, colour), look.letters, outlined=True)}"
        for kind in reversed(chess.PIECE_TYPES)
        if pocket.count(kind)
    ]
    return f"in hand: {' '.join(held) or '-'}"


def beside(rows: list[Text], notes: list[str]) -> list[Text]:
    """The rows of a board with a line of notes to the right of each."""
    width = max(row.cell_len for row in rows)
    told = []
    for i, row in enumerate(rows):
        note = notes[i] if i < len(notes) else ""
        told.append(row.copy().append(" " * (width - row.cell_len + 3) + note) if note else row)
    return told
