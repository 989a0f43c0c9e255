"""The tables of a folder and those that come with the package, opened and probed."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.games.chess.border import decode, from_board
from plyout.knowledge.tables.endings import Ending, endings
from plyout.knowledge.tables.files import Unusable, path_of, read, tables_folder
from plyout.knowledge.tables.index import unpack
from plyout.knowledge.tables.probe import IMPOSSIBLE, PIECES, TABLES, UNKNOWN, no_tables, probe_state
from plyout.knowledge.tables.shipped import FILE, three_piece_tables
from plyout.progress import note, warn

SHIPPED, BUILT, MISSING = "shipped", "built", "missing"


class Answer(NamedTuple):
    """What the tables say: for the side to move, with the plies to mate."""

    result: str  # "win", "draw" or "loss"
    plies: int | None  # None where it is drawn


class Table(NamedTuple):
    """The table of an ending, or why there is none."""

    ending: Ending
    state: str  # SHIPPED, BUILT, MISSING, or what is wrong with the file
    path: Path
    codes: Any = None  # the entries, None where they cannot be used

    @property
    def usable(self) -> bool:
        return self.codes is not None

    @property
    def damaged(self) -> bool:
        """There is a file, but it cannot be trusted."""
        return not self.usable and self.state != MISSING


def read_tables(folder: Path, pieces: int) -> list[Table]:
    """Every ending of up to `pieces` pieces, with its table where there is one that can be trusted.

    Those of three pieces come with the package; files of them, which earlier versions wrote, are not read.
    """
    shipped = three_piece_tables()

    def table_of(ending: Ending) -> Table:
        if ending.name in shipped:
            return Table(ending, SHIPPED, FILE, shipped[ending.name])
        path = path_of(folder, ending)
        try:
            return Table(ending, BUILT, path, read(folder, ending))
        except Unusable as reason:
            return Table(ending, str(reason), path)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # checksums are computed without the GIL
        return list(pool.map(table_of, endings(pieces)))


class Library:
    """Open tables, and the directory through which kernels find them."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables: dict[str, Any] = {}
        self.directory = no_tables()
        for table in tables:
            if table.usable:
                self.add(table.ending, table.codes)

    def add(self, ending: Ending, codes: Any) -> None:
        self.tables[ending.name] = codes  # kept alive: the directory has only its address
        self.directory[PIECES] = max(int(self.directory[PIECES]), ending.pieces)
        self.directory[TABLES + ending.slot] = codes.ctypes.data

    def code(self, state: State) -> int:
        """What the tables say about a state, as a code of `plyout.knowledge.tables.probe`."""
        return int(probe_state(state, self.directory))

    def probe(self, board: chess.Board) -> Answer | None:
        """What the tables say about a position; None if they do not know it. The fifty-move rule does not count."""
        code = self.code(from_board(board))
        if code == UNKNOWN:
            return None
        return Answer("win" if code % 2 == 0 else "loss", code - 1) if code else Answer("draw", None)

    def mating_line(self, state: State) -> Iterator[int]:
        """Best play to mate, move by move; nothing where the position is drawn or unknown."""
        while (code := self.code(state)) > 1:
            steps = ((move, CHESS.after(state, move)) for move in CHESS.moves(state))
            best = next(((move, after) for move, after in steps if self.code(after) == code - 1), None)
            if best is None:
                return  # a table that the next move leads to is not there
            move, state = best
            yield move

    def line(self, board: chess.Board) -> list[chess.Move]:
        """Best play to mate."""
        return [decode(move) for move in self.mating_line(from_board(board))]


def position(ending: Ending, entry: int) -> chess.Board:
    """The position of an entry of a table."""
    out = np.zeros(5, np.int64)
    unpack(np.array(ending.shape, np.int64), np.int64(entry), out)
    white, black, a, b, turn = (int(x) for x in out)
    board = chess.Board(None)
    board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
    board.set_piece_at(a, chess.Piece(ending.first + 1, chess.WHITE))
    if b >= 0:
        board.set_piece_at(b, chess.Piece(ending.second + 1, not ending.second_is_black))
    board.turn = turn == 0
    return board


def longest(ending: Ending, codes: Any) -> dict[str, tuple[int, str]]:
    """For each side that can force mate: the longest distance when it is to move, in moves, and the FEN of it."""
    found = {}
    for side, name in ((0, "white"), (1, "black")):
        part = np.asarray(codes) if ending.even else np.asarray(codes)[side::2]
        wins = np.where((part & 1) | (part == IMPOSSIBLE), 0, part)
        entry = int(wins.argmax())
        if wins[entry] and not (ending.even and side):
            where = position(ending, entry if ending.even else 2 * entry + side)
            found[name] = (int(wins[entry]) // 2, where.fen())
    return found


@cache
def _opened(folder: Path, pieces: int) -> Library:
    """The tables that come with the package, and of the others those that the folder has."""
    tables = read_tables(folder, pieces)
    for table in tables:
        if table.damaged:
            warn(f"{table.path} is {table.state}: not used; 'plyout tables build' makes it anew")
    lacking = sum(not table.usable for table in tables)
    if lacking:
        number = str(lacking) if lacking < 30 else "the"
        note(f"{number} 4-piece endgame tables are missing: 'plyout tables build' makes them")
    return Library(tables)


def forget_opened() -> None:
    """Have `open_tables` read the files anew."""
    _opened.cache_clear()


def open_tables(pieces: int, folder: Path | None = None) -> Library:
    """The tables of up to `pieces` pieces, ready to be probed; a process reads them once."""
    if pieces not in (3, 4):
        raise InputError(f"there are tables for 3 and for 4 pieces, not for {pieces}")
    return _opened((folder or tables_folder()).absolute(), pieces)
