"""The tables of a folder, opened, built and asked."""

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.games.chess.border import decode, from_board
from plyout.kernel import INTERPRETED
from plyout.knowledge.tables.endings import ENDINGS, Ending, endings, needed
from plyout.knowledge.tables.files import Unusable, path_of, read, tables_folder, write
from plyout.knowledge.tables.generate import Workers, disagreement, generate, stand
from plyout.knowledge.tables.probe import IMPOSSIBLE, MEN, TABLES, UNKNOWN, no_tables, probe_state, worth
from plyout.progress import Progress, note, warn


class Answer(NamedTuple):
    """What the tables say: for the side to move, with the plies to mate."""

    result: str  # "win", "draw" or "loss"
    plies: int | None  # None where it is drawn


class About(NamedTuple):
    """One ending in a folder."""

    ending: Ending
    state: str  # "built", "missing", or what is wrong with the file
    table: Any = None

    @property
    def built(self) -> bool:
        return self.state == "built"


def look_through(folder: Path, pieces: int) -> list[About]:
    """Every ending of up to so many men, with its table where there is one that can be trusted."""

    def look(ending: Ending) -> About:
        try:
            return About(ending, "built", read(folder, ending))
        except Unusable as reason:
            return About(ending, str(reason))

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # checksums leave the GIL alone
        return list(pool.map(look, endings(pieces)))


class Library:
    """Tables that are open, and the directory that kernels look them up in."""

    def __init__(self, found: list[About]) -> None:
        self.tables = {about.ending.name: about.table for about in found if about.built}
        self.directory = no_tables()
        for name, table in self.tables.items():
            self._enter(ENDINGS[name], table)

    def _enter(self, ending: Ending, table: Any) -> None:
        self.directory[MEN] = max(int(self.directory[MEN]), ending.men)
        self.directory[TABLES + ending.slot] = table.ctypes.data

    def add(self, ending: Ending, table: Any) -> None:
        self.tables[ending.name] = table
        self._enter(ending, table)

    def code(self, state: State) -> int:
        """What the tables say about a state, as a code of `plyout.knowledge.tables.probe`."""
        return int(probe_state(state, self.directory))

    def probe(self, board: chess.Board) -> Answer | None:
        """What the tables say about a position; None if they do not know it. The fifty-move rule is not looked at."""
        code = self.code(from_board(board))
        if code == UNKNOWN:
            return None
        return Answer("win" if code % 2 == 0 else "loss", code - 1) if code else Answer("draw", None)

    def best_moves(self, state: State) -> list[int]:
        """The moves that keep the best result: the shortest mate, the longest defence, or a draw.

        None if it is not known where all moves lead.
        """
        codes = {move: self.code(CHESS.after(state, move)) for move in CHESS.moves(state)}
        if UNKNOWN in codes.values():
            return []
        values = {move: int(worth(np.int64(code))) for move, code in codes.items()}
        return [move for move, value in values.items() if value == max(values.values())]

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


def build(
    pieces: int, folder: Path | None = None, names: list[Ending] | None = None, threads: int | None = None,
    quiet: bool = False, told: Callable[[str], None] = warn,
) -> list[Ending]:  # fmt: skip
    """Build what is missing or damaged, and return what was built; each table is on disk as soon as it is made.

    `names` restricts it to some endings, and those that they lead to.
    """
    folder = folder or tables_folder()
    wanted = endings(pieces) if names is None else needed(names)
    found = [about for about in look_through(folder, pieces) if about.ending in wanted]
    library, built = Library(found), []
    for about in found:
        if not about.built and about.state != "missing":
            told(f"{path_of(folder, about.ending)} is {about.state}; it is built anew")
    todo = [about.ending for about in found if not about.built]
    work = sum(e.entries for e in todo) / 1e6
    with Workers(threads or os.cpu_count() or 1) as workers, Progress("tables", work, quiet) as progress:
        for ending in todo:
            progress.describe(f"{ending.name:5} (MB)")
            tell = _Teller(progress, ending.entries / 1e6)
            table = generate(ending, library.directory, workers, tell)
            write(folder, ending, table)
            library.add(ending, table)
            built.append(ending)
            tell(1.0)
    if built:
        _opened.cache_clear()  # whoever opens tables from now on gets these
    return built


class _Teller:
    """Moves a bar on by the share of a table that is done."""

    def __init__(self, progress: Progress, megabytes: float) -> None:
        self._progress, self._megabytes, self._done = progress, megabytes, 0.0

    def __call__(self, share: float) -> None:
        self._progress.step((share - self._done) * self._megabytes)
        self._done = share


def check(about: About, library: Library, workers: Workers) -> chess.Board | None:
    """Whether each entry of a table is what the moves from it lead to: None, or a position where it is not."""
    shape = np.array(about.ending.shape, np.int64)
    answers = workers.round(disagreement, shape, about.table, library.directory)
    wrong = [entry for entry in answers if entry >= 0]
    return position(about.ending, wrong[0]) if wrong else None


def position(ending: Ending, entry: int) -> chess.Board:
    """The position that an entry of a table is about."""
    out = np.zeros(5, np.int64)
    stand(np.array(ending.shape, np.int64), np.int64(entry), out)
    white, black, a, b, turn = (int(x) for x in out)
    board = chess.Board(None)
    board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
    board.set_piece_at(a, chess.Piece(ending.first + 1, chess.WHITE))
    if b >= 0:
        board.set_piece_at(b, chess.Piece(ending.second + 1, not ending.second_is_black))
    board.turn = turn == 0
    return board


def longest(ending: Ending, table: Any) -> dict[str, tuple[int, str]]:
    """For each side that can force mate: the most moves that it needs when it is to move, and where that is."""
    found = {}
    for side, name in ((0, "white"), (1, "black")):
        part = np.asarray(table) if ending.even else np.asarray(table)[side::2]
        wins = np.where((part & 1) | (part == IMPOSSIBLE), 0, part)
        entry = int(wins.argmax())
        if wins[entry] and not (ending.even and side):
            where = position(ending, entry if ending.even else 2 * entry + side)
            found[name] = (int(wins[entry]) // 2, where.fen())
    return found


def _three_men(folder: Path) -> Path:
    """Build the tables of three men, in `folder` or, where nothing can be kept there, in one for this run."""
    note("building the 3-piece endgame tables (first use only)")
    try:
        if INTERPRETED:  # it would take minutes: let a compiled process do it
            command = [sys.executable, "-m", "plyout", "tables", "build", "--pieces", "3", "--json"]
            environment = os.environ | {"PLYOUT_INTERPRET": "", "PLYOUT_TABLES": str(folder)}
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        else:
            build(3, folder)
        return folder
    except InputError as error:
        warn(str(error))
        build(3, _refuge())
        return _refuge()


@cache
def _refuge() -> Path:
    holder = tempfile.TemporaryDirectory(prefix="plyout-")
    atexit.register(holder.cleanup)
    return Path(holder.name)


@cache
def _opened(folder: Path, pieces: int) -> Library:
    """The tables of a folder: those of three men are built if need be, of the others those that are there."""
    found = look_through(folder, pieces)
    if any(about.ending.men == 3 and not about.built for about in found):
        found = look_through(_three_men(folder), pieces)
    lacking = [about for about in found if not about.built]
    for about in lacking:
        if about.state != "missing":
            warn(f"{path_of(folder, about.ending)} is {about.state}: not used; 'plyout tables build' makes it anew")
    if lacking:
        rest = f"{len(lacking)} of the 4-piece" if len(lacking) < 30 else "the 4-piece"
        note(f"{rest} endgame tables are not there ('plyout tables build' makes them): going on without them")
    return Library(found)


def open_tables(pieces: int, folder: Path | None = None) -> Library:
    """The tables of up to so many men, ready to be asked; opened once a process."""
    if pieces not in (3, 4):
        raise InputError(f"there are tables for 3 and for 4 pieces, not for {pieces}")
    return _opened((folder or tables_folder()).absolute(), pieces)
