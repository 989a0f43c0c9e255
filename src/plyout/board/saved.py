"""A search in one file: the game as PGN, the tree with its history, and the tree as it was at every snapshot."""

import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chess
import numpy as np

from plyout.board.game import VARIANTS
from plyout.board.packing import Drawing, Names
from plyout.board.shown import Job, Shown
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.games.chess.border import to_board
from plyout.search.limits import Limits

_FORMAT = 1
_MOST_BYTES = 2_000_000_000  # of all parts, unpacked
_MOST_FRAMES, _MOST_NODES = 400, 5_000
_COLUMNS = {
    "parents": np.int64, "moves": np.int64, "visits": np.float64, "values": np.float64, "priors": np.float64,
    "proofs": np.int64, "shown": np.int64, "traps": np.bool_,
}  # fmt: skip


def write_search(path: str, shown: Shown, pgn: str) -> None:
    """Write a search that has ended."""
    about = {
        "format": _FORMAT, "preset": shown.job.preset, "chess960": shown.job.board.chess960, "numbers": shown.numbers,
        "frames": {str(n): len(frame.parents) for n, frame in shown.frames.items()},
    }  # fmt: skip
    frames = io.BytesIO()
    every = list(shown.frames.values())
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(f, name) for f in every] or [np.zeros(0)]).astype(kind)
        for name, kind in _COLUMNS.items()
    }
    np.savez(frames, **columns)
    with TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        shown.tree.save(Path(folder, "tree.npz"))
        archive.writestr("about.json", json.dumps(about))
        archive.writestr("game.pgn", pgn)
        archive.write(Path(folder, "tree.npz"), "tree.npz", zipfile.ZIP_STORED)
        archive.writestr("frames.npz", frames.getvalue())


def read_search(path: str, number: int) -> tuple[str, Shown]:
    """(the game's PGN, the search) of a file; an `InputError` says what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise InputError("it would be too large")
            parts = {name: archive.read(name) for name in ("about.json", "game.pgn", "tree.npz", "frames.npz")}
        about = json.loads(parts["about.json"])
        if about["format"] != _FORMAT:
            raise InputError("it was written by another version")
        tree = _tree(parts["tree.npz"])
        board = to_board(tree.state, VARIANTS.get(tree.game.name, chess.Board))
        board.chess960 |= bool(about["chess960"])
        job = Job(number, board, Limits(infinite=True), str(about["preset"])[:40])
        frames = _frames(parts["frames.npz"], about["frames"])
        shown = Shown(job, tree, tree.history, _numbers(about["numbers"]), Names(board), frames)
        return parts["game.pgn"].decode(), shown
    except InputError as error:
        raise InputError(f"not a saved search: {error}") from None
    except OSError:
        raise
    except Exception as error:  # a damaged file raises many kinds
        raise InputError(f"not a saved search: {' '.join(str(error).split())[:120] or type(error).__name__}") from None


def _tree(content: bytes) -> Tree:
    with TemporaryDirectory() as folder:
        path = Path(folder, "tree.npz")
        path.write_bytes(content)
        return Tree.load(path)


def _frames(content: bytes, lengths: dict[str, int]) -> dict[int, Drawing]:
    """The drawings, by iterations."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        columns = {name: arrays[name] for name in _COLUMNS}
    total = sum(lengths.values())
    sound = len(lengths) <= _MOST_FRAMES and all(0 < length <= _MOST_NODES for length in lengths.values())
    for name, kind in _COLUMNS.items():
        sound &= columns[name].dtype == kind and columns[name].shape == (total,)
        sound &= bool(np.isfinite(columns[name]).all())
    if not sound:
        raise InputError("its drawings do not fit together")
    frames, at = {}, 0
    for n, length in lengths.items():
        frame = Drawing(**{name: column[at : at + length] for name, column in columns.items()})
        before = np.arange(length)
        if (frame.parents[1:] >= before[1:]).any() or (frame.parents[1:] < 0).any() or (frame.shown >= length).any():
            raise InputError("its drawings are no trees")
        if (frame.moves < 0).any() or (frame.moves >= 1 << 31).any():
            raise InputError("its drawings have impossible moves")
        frames[int(n)] = frame
        at += length
    return frames


def _numbers(numbers: Any) -> dict[str, Any]:
    """What the search said, as far as the page reads it: of the right kinds."""
    wanted = {
        "nodes": int, "seconds": float, "nps": int, "value": float, "score": dict, "wdl": list, "depth": float,
        "deepest": int, "size": int, "bytes": int, "shared": int, "tbhits": int, "moves": list,
    }  # fmt: skip
    if not isinstance(numbers, dict) or not all(
        isinstance(numbers.get(name), kind | int if kind is float else kind) for name, kind in wanted.items()
    ):
        raise InputError("its numbers are missing")
    for row in numbers["moves"]:
        kinds = (str, str, int | float, int | float, int | float, int, int | None, str)
        if len(row) != len(kinds) or not all(isinstance(x, kind) for x, kind in zip(row, kinds, strict=True)):
            raise InputError("its moves are of another kind")
    return numbers
