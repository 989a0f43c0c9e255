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

_FIFTY = 100


def _folders(path: str, what: str) -> list[Path]:
    folders = [Path(part).expanduser() for part in path.split(os.pathsep) if part]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{what}: there is no folder {str(folder)!r}")
    return folders


class OtherTables:
    """Syzygy and Gaviota tables in the user's folders, behind one callback."""

    def __init__(self, syzygy_path: str = "", gaviota_path: str = "") -> None:
        self._syzygy, self._gaviota = chess.syzygy.Tablebase(), chess.gaviota.PythonTablebase()
        self._lock = threading.Lock()
        self.pieces = 0
        for folder in _folders(syzygy_path, "syzygy_path"):
            if not self._syzygy.add_directory(str(folder)):
                raise InputError(f"syzygy_path: there are no Syzygy tables in {str(folder)!r}")
        for folder in _folders(gaviota_path, "gaviota_path"):
            before = len(self._gaviota.available_tables)
            self._gaviota.add_directory(str(folder))
            if len(self._gaviota.available_tables) == before:
                raise InputError(f"gaviota_path: there are no Gaviota tables in {str(folder)!r}")
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
            return self.code(to_board(state))
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
