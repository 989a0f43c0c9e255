"""The user's own tables, Syzygy's and Gaviota's, read by python-chess.

The search probes them at the root and whenever a new node has few enough pieces: a kernel calls back into Python, which
holds the GIL meanwhile, about a tenth of a millisecond. Gaviota's tables know the distance to mate. Syzygy's know who
wins within the fifty-move rule and the distance to the next capture or pawn move: such a win is proven, but its
distance to mate is unknown (its code lies above FAR), and among such wins the one with the shortest distance to a
capture or pawn move counts as the shortest.
"""

import contextlib
import ctypes
import os
import threading
from pathlib import Path
from typing import Any

import chess
import chess.gaviota
import chess.syzygy
import numpy as np

from plyout.errors import InputError
from plyout.games.chess.board import SIZE
from plyout.games.chess.border import to_board
from plyout.kernel import CALLBACK
from plyout.knowledge.tables.probe import DRAW, FAR, OTHERS, OTHERS_PIECES, UNKNOWN
from plyout.knowledge.tables.watchdog import Watchdog
from plyout.progress import warn

_FIFTY = 100
_SECONDS = 5.0  # for a probe, which takes a thousandth of one: python-chess may be caught in a damaged file for ever
_GAVIOTA_HEADER = 40  # bytes; the last but one of its ten words says where the blocks begin, after their index


def _folders(path: str, what: str) -> list[Path]:
    folders = [Path(part).expanduser() for part in path.split(os.pathsep) if part]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{what}: there is no folder {str(folder)!r}")
    return folders


def _index_is_sound(path: Path) -> bool:
    """Whether the blocks that a Gaviota file speaks of lie inside it: python-chess would read on and on for others."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            header = file.read(_GAVIOTA_HEADER)
            begin = int.from_bytes(header[32:36], "little")
            if len(header) < _GAVIOTA_HEADER or begin % 4 or not _GAVIOTA_HEADER < begin <= size:
                return False
            index = np.frombuffer(file.read(begin - _GAVIOTA_HEADER), "<u4").astype(np.int64)
    except OSError:
        return False
    return bool((np.diff(index) >= 0).all() and index[0] >= begin and index[-1] <= size)


class OtherTables:
    """Syzygy and Gaviota tables in the user's folders, behind one callback."""

    def __init__(self, syzygy_path: str = "", gaviota_path: str = "") -> None:
        self._syzygy, self._gaviota = chess.syzygy.Tablebase(), chess.gaviota.PythonTablebase()
        self._lock = threading.Lock()
        self._watchdog, self._broken = Watchdog(_SECONDS), False
        self.pieces = 0
        for folder in _folders(syzygy_path, "syzygy_path"):
            if not self._syzygy.add_directory(str(folder)):
                raise InputError(f"syzygy_path: there are no Syzygy tables in {str(folder)!r}")
        for folder in _folders(gaviota_path, "gaviota_path"):
            before = len(self._gaviota.available_tables)
            self._gaviota.add_directory(str(folder))
            if len(self._gaviota.available_tables) == before:
                raise InputError(f"gaviota_path: there are no Gaviota tables in {str(folder)!r}")
        for name, path in list(self._gaviota.available_tables.items()):
            if not _index_is_sound(Path(path)):
                warn(f"{path} is damaged: not used")
                del self._gaviota.available_tables[name]
        names = [name.replace("v", "") for name in self._syzygy.wdl] + list(self._gaviota.available_tables)
        self.pieces = max(map(len, names), default=0)
        self._callback = CALLBACK(self._answer)  # kept alive: machine code has its address

    def enter(self, directory: Any) -> None:
        """Have kernels that get `directory` probe these tables, too."""
        directory[OTHERS] = ctypes.cast(self._callback, ctypes.c_void_p).value
        directory[OTHERS_PIECES] = self.pieces

    def _answer(self, address: int) -> int:
        """The code of the state at an address. UNKNOWN if the table is missing or broken."""
        state = np.ctypeslib.as_array((ctypes.c_int64 * SIZE).from_address(address))
        with self._lock, contextlib.suppress(Exception):
            if self._broken:
                return UNKNOWN
            try:
                with self._watchdog:
                    return self.code(to_board(state))
            except TimeoutError:
                self._broken = True
                warn(f"a table of Syzygy's or Gaviota's gave no answer in {_SECONDS:g} s, and is damaged: none is used")
        return UNKNOWN

    def code(self, board: chess.Board) -> int:
        """What the tables say about a board, with its clock: a code of `plyout.knowledge.tables.probe`."""
        clock = board.halfmove_clock
        with contextlib.suppress(KeyError, chess.gaviota.MissingTableError):
            plies = self._gaviota.probe_dtm(board)
            if plies == 0:
                return 1 if board.is_checkmate() else DRAW
            if clock + abs(plies) <= _FIFTY:
                return abs(plies) + 1
        with contextlib.suppress(KeyError, chess.syzygy.MissingTableError):
            result = self._syzygy.probe_wdl(board)
            if abs(result) < 2:  # drawn, or won too late: the fifty-move rule saves the loser
                return DRAW
            steps = abs(self._syzygy.probe_dtz(board)) if clock else 0
            if clock + steps < _FIFTY:  # the distance may be one more than it says
                return FAR + 2 * steps + (1 if result > 0 else 0) + 1
        return UNKNOWN

    def close(self) -> None:
        self._syzygy.close()
        self._gaviota.close()
