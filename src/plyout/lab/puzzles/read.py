"""Puzzles from files: EPD with ``bm``, ``am`` and ``dm``, or text with a title, a FEN and a solution a puzzle."""

import re
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import chess

from plyout.errors import InputError
from plyout.games.chess.border import check_board

_FEN = re.compile(r"^\s*([1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+\s+[wb]\s")
_SHIPPED = ".epd"


@dataclass(frozen=True)
class Puzzle:
    """A position and what is asked of it: a mate in so many moves, or one of the best moves, or not one to avoid."""

    name: str
    board: chess.Board
    best: list[chess.Move] = field(default_factory=list)
    avoid: list[chess.Move] = field(default_factory=list)
    mate: int | None = None

    @property
    def asked(self) -> str:
        if self.mate is not None:
            return f"mate in {self.mate}" + (f" ({self._san(self.best)})" if self.best else "")
        return self._san(self.best) if self.best else "not " + self._san(self.avoid)

    def _san(self, moves: list[chess.Move]) -> str:
        return " or ".join(self.board.san(m) for m in moves)


def shipped() -> list[str]:
    """The names of the files that come with Plyout."""
    return sorted(f.name for f in resources.files(__package__).iterdir() if f.name.endswith(_SHIPPED))


def read_puzzles(name: str) -> list[Puzzle]:
    """All puzzles of a file, or of one that comes with Plyout."""
    if not Path(name).exists() and name in shipped():
        text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    else:
        try:
            text = Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            ours = ", ".join(shipped())
            raise InputError(f"cannot read {name}: {error.strerror or error}; with Plyout come {ours}") from None
    lines = [line.strip() for line in text.splitlines()]
    as_epd = [line for line in lines if ";" in line and _FEN.match(line)]
    try:
        puzzles = [_from_epd(line, f"{name}, {i}") for i, line in enumerate(as_epd, 1)] if as_epd else _from_text(lines)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if not puzzles:
        raise InputError(f"{name} has no puzzles: neither EPD with bm, am or dm, nor a FEN with its solution below it")
    return puzzles


def _from_epd(line: str, name: str) -> Puzzle:
    board = chess.Board()
    try:
        operations = board.set_epd(line)
    except ValueError as error:
        raise InputError(f"not an EPD: {error}: {line[:100]!r}") from None
    check_board(board, line[:100])
    asked: Any = operations
    best, avoid = (asked.get(key) or [] for key in ("bm", "am"))
    if not isinstance(best, list) or not isinstance(avoid, list):
        raise InputError(f"bm and am of an EPD puzzle are moves: {line[:100]!r}")
    mate = operations.get("dm")
    if not (best or avoid or isinstance(mate, int)):
        raise InputError(f"an EPD puzzle needs bm, am or dm: {line[:100]!r}")
    return Puzzle(str(operations.get("id") or name), board, best, avoid, mate if isinstance(mate, int) else None)


def _from_text(lines: list[str]) -> list[Puzzle]:
    puzzles = []
    for i, line in enumerate(lines[:-1]):
        if not _FEN.match(line):
            continue
        try:
            board = chess.Board(line)
            check_board(board, line)
            moves = _moves(board, lines[i + 1])
        except (ValueError, InputError) as error:
            raise InputError(f"line {i + 1}: {error}") from None
        mate = (len(moves) + 1) // 2 if "#" in lines[i + 1] else None
        puzzles.append(Puzzle(lines[i - 1] if i else line, board, moves[:1], [], mate))
    return puzzles


def _moves(board: chess.Board, text: str) -> list[chess.Move]:
    """The moves of a solution like '1. Qd8+ Kxd8 2. Rd1#'."""
    board = board.copy()
    for word in re.sub(r"\d+\.+|1-0|0-1|\*", " ", text).split():
        try:
            board.push_san(word.rstrip("!?"))
        except ValueError:
            raise InputError(f"{word!r} is no legal move in {board.fen()}: the solution reads {text!r}") from None
    return list(board.move_stack)
