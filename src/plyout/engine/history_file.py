"""A history that was read from a file: its arrays are checked before they count."""

from typing import Any

import numpy as np

from plyout.engine.history import NO_MOVE, Record
from plyout.errors import InputError
from plyout.games import Game, State

_KINDS: dict[str, Any] = {
    "n": np.int64, "seconds": np.float64, "proof": np.int32, "moves": np.int32, "priors": np.float32,
    "visits": np.float64, "values": np.float64, "proofs": np.int32, "replies": np.int32, "shares": np.float32,
    "lines": np.int32, "traps": np.int32,
}  # fmt: skip
_TABLES = ("visits", "values", "proofs", "replies", "shares")  # a row for each snapshot, a column for each move
_LONGEST = 1000  # snapshots, or plies of a line


def record_from(arrays: dict[str, Any]) -> Record | None:
    """The record that flat arrays make up; None if there are none."""
    if not arrays:
        return None
    if set(arrays) != set(_KINDS) or any(arrays[name].dtype != kind for name, kind in _KINDS.items()):
        raise InputError("its history is of another kind: was it written by another version?")
    snapshots, moves = len(arrays["n"]), len(arrays["moves"])
    lengths = {"n": snapshots, "seconds": snapshots, "proof": snapshots, "moves": moves, "priors": moves}
    lengths |= dict.fromkeys(_TABLES, snapshots * moves)
    if snapshots > _LONGEST or any(arrays[name].shape != (length,) for name, length in lengths.items()):
        raise InputError("the parts of its history do not fit together")
    return Record(**{name: a.reshape(snapshots, moves) if name in _TABLES else a for name, a in arrays.items()})


def check_record(record: Record, game: Game, state: State) -> None:
    """An `InputError` if a history cannot be one of this position."""
    legal = set(game.moves(state))
    if len(set(record.moves.tolist())) != len(record.moves) or not legal.issuperset(record.moves.tolist()):
        raise InputError("its history has moves that are not legal")
    if not legal.issuperset(record.traps.tolist()):
        raise InputError("its history has traps that are not legal")
    numbers = (record.seconds, record.priors, record.visits, record.values, record.shares)
    if not all(np.isfinite(a).all() for a in numbers) or (np.diff(record.n) < 0).any() or (record.n < 0).any():
        raise InputError("its history has impossible numbers")
    for column, move in enumerate(record.moves.tolist()):
        replies = {NO_MOVE, *game.moves(game.after(state, move))}
        if not replies.issuperset(record.replies[:, column].tolist()):
            raise InputError("its history has replies that are not legal")
    flat, at = record.lines.tolist(), 0
    while at < len(flat):
        _check_line(flat[at:], len(record.n), game, state)
        at += 2 + flat[at + 1]


def _check_line(flat: list[int], snapshots: int, game: Game, state: State) -> None:
    """Check the line that a list begins with."""
    if len(flat) < 3 or not 0 <= flat[0] < snapshots or not 0 < flat[1] <= min(_LONGEST, len(flat) - 2):
        raise InputError("the lines of its history are cut")
    for move in flat[2 : 2 + flat[1]]:
        if move not in game.moves(state):
            raise InputError("a line of its history is not legal")
        state = game.after(state, move)
