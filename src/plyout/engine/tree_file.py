"""Trees on disk: an ``.npz`` file with nodes, edges, all-moves-as-first values, the position, the history of the
search, and a text about them.

The text has a checksum of everything else. A file is read whole and checked whole before anything of it is used; one
without a checksum, as earlier versions wrote them, is checked as far as its numbers tell.
"""

import hashlib
import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyout.engine.history import Record
from plyout.engine.history_file import check_record, record_from
from plyout.errors import InputError
from plyout.games import GAMES, Game, State
from plyout.games.checked import checked_game
from plyout.search.graph import EDGE, EDGES, NODE, NODES, RAVE, ROOT, Graph, new_graph
from plyout.search.sound import check_graph

_HISTORY = "history_"  # and the name of an array of `plyout.engine.history.Record`
_PARTS = {"position": np.dtype(np.int64), "nodes": NODE, "edges": EDGE, "rave": RAVE}


class Saved(NamedTuple):
    """What a file holds."""

    graph: Graph
    state: State
    game: Game
    preset: str
    parameters: dict[str, float]


def write_tree(path: str | Path, saved: Saved, record: Record) -> None:
    graph = saved.graph
    nodes, edges = int(graph.used[NODES]), int(graph.used[EDGES])
    parts = {
        "position": saved.state, "nodes": graph.nodes[:nodes], "edges": graph.edges[:edges],
        "rave": graph.rave[:edges],
    }  # fmt: skip
    parts |= {_HISTORY + name: array.reshape(-1) for name, array in record._asdict().items()}
    about: dict[str, Any] = {
        "game": saved.game.name, "preset": saved.preset, "parameters": saved.parameters, "root": int(graph.used[ROOT]),
    }  # fmt: skip
    about["checksum"] = _checksum(about, parts)
    with open(path, "wb") as file:
        np.savez_compressed(file, about=json.dumps(about), **parts)


def _checksum(about: dict[str, Any], parts: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in sorted(parts):
        digest.update(np.ascontiguousarray(parts[name]).tobytes())
    return digest.hexdigest()


def read_tree(path: str | Path, game: Game | None) -> tuple[Saved, Record | None]:
    """What `write_tree` wrote, without a history if an earlier version did; an `InputError` if it is anything else.
    `game` is for trees of a game of one's own."""
    try:
        return _read(Path(path), game)
    except OSError as error:
        raise InputError(f"{path} is not a saved tree: {error.strerror or error}") from None
    except InputError as error:
        raise InputError(f"{path} is not a saved tree: {error}") from None
    except Exception as error:  # a damaged archive or header raises many kinds
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path} is not a saved tree: {text}") from None


def _read(path: Path, game: Game | None) -> tuple[Saved, Record | None]:
    with zipfile.ZipFile(path) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist()]
        histories = [name for name in names if name.startswith(_HISTORY)]
        arrays = {name: _array(archive.read(f"{name}.npy")) for name in (*_PARTS, *histories, "about")}
    about = _about(arrays.pop("about"))
    if "checksum" in about and about.pop("checksum") != _checksum(about, arrays):
        raise InputError("it is damaged: its checksum is wrong")
    for name, kind in _PARTS.items():
        if arrays[name].dtype.fields != kind.fields or arrays[name].itemsize != kind.itemsize:
            raise InputError(f"its {name} are of another kind: was it written by another version?")
    if game is None:
        if about["game"] not in GAMES:
            raise InputError(f"it is one of {about['game'][:40]}: pass that game to read it")
        game = GAMES[about["game"]]
    elif game.name != about["game"]:
        raise InputError(f"it is one of {about['game'][:40]}, and not of {game.name}")
    game.check_state(arrays["position"])
    graph = _graph(arrays["nodes"], arrays["edges"], arrays["rave"], about["root"])
    check_graph(graph, game if GAMES.get(game.name) is game else checked_game(game), arrays["position"])
    record = record_from({name.removeprefix(_HISTORY): arrays[name] for name in histories})
    if record is not None:
        check_record(record, game, arrays["position"])
    return Saved(graph, arrays["position"], game, about["preset"], about["parameters"]), record


def _array(content: bytes) -> Any:
    """An array of one dimension or none, as NumPy writes it; what it says of its size is checked before it counts."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0,
    }[version]  # fmt: skip
    shape, _, kind = read_header(file)
    rest = content[file.tell() :]
    if kind.hasobject or len(shape) > 1 or math.prod(shape) * kind.itemsize != len(rest):
        raise InputError("an array has another size than it says")
    return np.frombuffer(rest, kind).reshape(shape)


def _about(text: Any) -> dict[str, Any]:
    """The text about a tree, with everything of the right kind."""
    about = json.loads(str(text))
    kinds = {"game": str, "preset": str, "parameters": dict, "root": int}
    if not isinstance(about, dict) or not all(isinstance(about.get(name), kind) for name, kind in kinds.items()):
        raise InputError("it does not say of what it is a tree")
    numbers = about["parameters"].values()
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise InputError("its parameters are not numbers")
    return about


def _graph(nodes: Any, edges: Any, rave: Any, root: int) -> Graph:
    if not len(nodes) or len(rave) not in (min(1, len(edges)), len(edges)):
        raise InputError(f"it has {len(nodes)} nodes, {len(edges)} edges and {len(rave)} all-moves-as-first values")
    graph = new_graph(len(nodes), len(edges), rave=len(rave) > 1)
    graph.nodes[:], graph.edges[:], graph.rave[: len(rave)] = nodes, edges, rave
    graph.used[[NODES, EDGES]] = len(nodes), len(edges)
    graph.used[ROOT] = min(max(root, -1), len(nodes))
    return graph
