"""Best play to mate by the tables, at the speed of a kernel: a root that they know has such a line for every move."""

from typing import Any

import numpy as np

from plyout.games.chess.board import SIZE
from plyout.games.chess.rules import ROOM, legal, play
from plyout.games.contract import State
from plyout.kernel import Ints, at, kernel, put, tail
from plyout.knowledge.tables.probe import FAR, MATED, consult

LONGEST = 256  # plies: no table of four pieces knows a longer way to mate, and codes of ours end before


@kernel
def _write_line(state: Ints, directory: Ints, line: Ints, buffer: Ints) -> int:
    """Write the moves to mate from `state` on to `line`; how many there are. The state is played on."""
    trial, moves = buffer, tail(buffer, SIZE)
    code, plies = consult(state, directory), 0
    while MATED < code < FAR and plies < line.size:
        found = False
        for i in range(legal(state, moves)):
            for word in range(SIZE):
                put(trial, word, at(state, word))
            play(trial, at(moves, i))
            if consult(trial, directory) == code - 1:
                put(line, plies, at(moves, i))
                found = True
                break
        if not found:
            return plies  # a table that the next move leads to is not there
        for word in range(SIZE):
            put(state, word, at(trial, word))
        code, plies = code - 1, plies + 1
    return plies


def mating_line(state: State, directory: Any) -> list[int]:
    """The moves to mate that tables know; fewer where one is missing, none where the position is drawn or unknown."""
    line, buffer = np.empty(LONGEST, np.int64), np.empty(SIZE + ROOM, np.int64)
    return [int(move) for move in line[: _write_line(state.copy(), directory, line, buffer)]]
