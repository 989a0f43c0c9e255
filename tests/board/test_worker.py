"""The process of a page: games, searches, history, files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyout.presets.levels import level
from tests.board.client import Process

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    """One for all tests: its start takes a second."""
    process = Process()
    process.until(lambda m: m["t"] == "status" and m["text"] == "")
    yield process
    assert process.close() == 0, "it ends with its input"


@pytest.fixture(autouse=True)
def _fresh(process: Process) -> Iterator[None]:
    yield
    process.send("analyse", on=False)
    process.send("settings", values={"mode": "analyse", "preset": "mcc", "threads": 1, "memory": 16, "minutes": 0})
    process.send("new", variant="chess")
    process.send("export")
    process.until(lambda m: m["t"] == "pgn")


def searched(process: Process, fen: str, preset: str, least: int, side: int = 0) -> dict[str, Any]:
    """Analyse a position until so many iterations are done, and stop; what is told last."""
    process.send("settings", values={"preset": preset, "memory": 16})
    process.send("fen", text=fen)
    process.send("analyse", on=True)
    process.until(lambda m: m["t"] == "search" and m["side"] == side and m["nodes"] >= least)
    process.send("analyse", on=False)
    return process.until(lambda m: m["t"] == "search" and m["side"] == side and m["ended"])


def test_an_opponent_answers_at_its_level(process: Process) -> None:
    process.send("settings", values={"mode": "play", "preset": "plyout", "level": 600, "colour": "white", "memory": 16})
    process.send("new", variant="chess")
    process.send("move", uci="e2e4")
    assert process.until(lambda m: m["t"] == "search" and m["ended"])["nodes"] == level(600).nodes
    state = process.state(lambda s: s["ply"] == 2)
    assert state["turn"] == "white"
    assert not state["over"]
    process.send("move", uci="e4e6")
    assert "no legal move" in process.until(lambda m: m["t"] == "error")["text"]
    process.send("goto", id=0)
    assert "you are playing" in process.until(lambda m: m["t"] == "error")["text"]
    process.send("back")
    assert process.state(lambda s: s["ply"] == 0)["moves"] == [], "both moves are taken back"
    process.send("resign")
    assert process.state(lambda s: s["over"] is not None)["over"] == ["0-1", "resignation"]


def test_a_clock_that_runs_out_loses(process: Process) -> None:
    process.send("settings", values={"mode": "play", "preset": "mcc", "minutes": 0.01, "memory": 16})
    process.send("new", variant="chess")
    over = process.state(lambda s: s["over"] is not None)
    assert over["over"] == ["0-1", "time"]
    assert over["clock"]["white"] == 0.0


def test_a_search_is_told_while_it_runs(process: Process) -> None:
    process.seen.clear()
    told = searched(process, LEGAL, "mcgs-solver", 3000)
    tree = told["tree"]
    assert 100 < len(tree["move"]) <= 600
    assert len({len(tree[name]) for name in ("parent", "move", "visits", "value", "prior", "proof", "plies")}) == 1
    assert all(parent < i for i, parent in enumerate(tree["parent"]))
    assert [m[0] for m in told["moves"]] != []
    (takes,) = (i for i, move in enumerate(tree["move"]) if move == "h5d1" and tree["parent"][i] == 0)
    assert takes in tree["traps"], "Légal's trap: the bishop takes the queen and Black is mated"
    assert tree["proof"][takes] == 3
    assert tree["shared"], "a graph shares nodes"
    histories = [m for m in process.seen if m["t"] == "history"]
    rows: list[Any] = []
    for message in histories:
        rows = rows[: message["since"]] + message["rows"]
    assert [row["n"] for row in rows][:9] == [1, 2, 3, 4, 5, 6, 7, 8, 10]
    assert rows[-1]["n"] == told["nodes"]
    assert any(
        e["move"] == "Bxd1" and e["kind"] == "refutation" and e["other"] == "Bxf7+" for e in histories[-1]["events"]
    )


def test_the_tree_of_a_moment_is_kept(process: Process) -> None:
    searched(process, LEGAL, "mcc", 300)
    process.send("frame", side=0, n=16)
    tree = process.until(lambda m: m["t"] == "frame")["tree"]
    assert tree["visits"][0] == 16
    assert 2 <= len(tree["move"]) <= 17
    process.send("frame", side=0, n=9)
    assert process.until(lambda m: m["t"] == "frame")["tree"] is None, "no snapshot is taken after nine"


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no second thread")
def test_several_threads_keep_the_tree_of_every_snapshot(process: Process) -> None:
    """They pass the marks by a few iterations."""
    process.send("settings", values={"threads": 2})
    process.seen.clear()
    searched(process, LEGAL, "mcgs", 3000)
    rows: list[Any] = []
    for message in process.seen:
        if message["t"] == "history":
            rows = rows[: message["since"]] + message["rows"]
    for row in rows[::4]:
        process.send("frame", side=0, n=row["n"])
        tree = process.until(lambda m: m["t"] == "frame")["tree"]
        assert tree is not None, f"after {row['n']} iterations"
        assert tree["move"][0] == "" and len(tree["move"]) == len(tree["visits"])


def test_alpha_beta_has_a_history_without_trees(process: Process) -> None:
    searched(process, LEGAL, "alphabeta", 1000)
    row = next(m for m in reversed(process.seen) if m["t"] == "history")["rows"][0]
    process.send("frame", side=0, n=row["n"])
    assert process.until(lambda m: m["t"] == "frame")["tree"] is None


def test_one_can_look_deeper(process: Process) -> None:
    told = searched(process, LEGAL, "mcgs-solver", 3000)
    tree = told["tree"]
    first = tree["move"][1]
    process.send("look", side=0, line=[first])
    below = process.until(lambda m: m["t"] == "search")["tree"]
    assert below["focus"] == [first]
    assert below["move"][1] in [m for m, p in zip(tree["move"], tree["parent"], strict=True) if p == 1]
    process.send("look", side=0, line=["a1a1", "b1b1"])
    assert process.until(lambda m: m["t"] == "search")["tree"]["focus"] == [], "as far as there is one"


def test_one_can_go_where_a_line_leads(process: Process) -> None:
    searched(process, LEGAL, "mcc", 300)
    process.send("line", side=0, moves=["h5d1", "c4f7"])
    state = process.state(lambda s: len(s.get("moves", [])) == 2)
    assert [row[2] for row in state["moves"]] == ["Bxd1", "Bxf7+"]
    assert state["check"]


def test_a_page_that_comes_back_is_told_everything(process: Process) -> None:
    before = searched(process, LEGAL, "mcc", 300)
    process.send("hello", "server")
    assert process.state(lambda s: "moves" in s)["fen"] == LEGAL
    assert process.until(lambda m: m["t"] == "begin")["number"] == before["number"]
    rows = process.until(lambda m: m["t"] == "history")
    assert rows["since"] == 0
    assert process.until(lambda m: m["t"] == "search")["nodes"] == before["nodes"]


def test_two_presets_are_compared(process: Process) -> None:
    process.send("settings", values={"mode": "compare", "preset": "mcc", "other": "mcgs", "memory": 16})
    process.send("analyse", on=True)
    met = set[int]()
    while met != {0, 1}:
        met.add(process.until(lambda m: m["t"] == "search" and m["nodes"] > 100)["side"])
    process.send("analyse", on=False)
    process.state(lambda s: s["searching"] == [False, False])


def test_a_search_is_saved_and_loaded(process: Process, tmp_path: Path) -> None:
    before = searched(process, LEGAL, "mcgs-solver", 2000)
    path = tmp_path / "search.plyout"
    process.send("save", "server", path=str(path), side=0, id=1)
    assert process.until(lambda m: m["t"] == "_saved") == {"t": "_saved", "id": 1, "error": None}
    process.send("new", variant="chess")
    process.send("load", "server", path=str(path), id=2)
    assert process.state(lambda s: s["fen"] == LEGAL)
    after = process.until(lambda m: m["t"] == "search")
    assert process.until(lambda m: m["t"] == "_loaded")["error"] is None
    assert {name: after[name] for name in ("nodes", "moves", "wdl", "value", "size")} == {
        name: before[name] for name in ("nodes", "moves", "wdl", "value", "size")
    }
    assert after["tree"]["visits"] == before["tree"]["visits"]
    process.send("line", side=0, moves=["h5d1"])
    process.state(lambda s: len(s.get("moves", [])) == 1)
    process.send("frame", side=0, n=128)
    assert process.until(lambda m: m["t"] == "frame")["tree"]["visits"][0] == 128
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 0x55
    path.write_bytes(damaged)
    process.send("load", "server", path=str(path), id=3)
    assert "not a saved search" in process.until(lambda m: m["t"] == "_loaded")["error"]


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"null", b'{"page": 1}', b'{"page": {}}', b'{"page": {"t": 5}}', b'{"page": {"t": "move"}}',
        b'{"page": {"t": "goto", "id": "x"}}', b'{"page": {"t": "goto", "id": -1}}', b'{"page": {"t": "save"}}',
        b'{"page": {"t": "__init__"}}', b'{"page": {"t": "settings", "values": {"preset": "/etc/passwd"}}}',
        b'{"page": {"t": "settings", "values": {"threads": 100000}}}',
        b'{"page": {"t": "settings", "values": {"x": 1}}}',
        b'{"page": {"t": "settings", "values": {"level": true}}}', b'{"page": {"t": "fen", "text": "nonsense"}}',
        b'{"page": {"t": "look", "side": 7, "line": []}}', b'{"page": {"t": "pgn", "text": "1. e5"}}', b"\xff\xfe",
        b'{"page": {"t": "new", "variant": "atomic"}}', b'{"page": {"t": "line", "moves": 3}}', b"[" * 5000,
        b"{}", b'{"page": {}, "server": {}}', b'{"page": {"t": "goto", "id": 1e999}}',
        b'{"page": {"t": "frame", "n": NaN}}', b'{"page": {"t": "settings", "values": {"seed": 0.5}}}',
        b'{"page": {"t": "settings", "values": {"level": 499}}}',
        b'{"page": {"t": "settings", "values": {"minutes": NaN}}}',
    ],
)  # fmt: skip
def test_whatever_comes_is_answered_and_nothing_breaks(process: Process, line: bytes) -> None:
    process.raw(line)
    assert process.until(lambda m: m["t"] == "error")["text"]
    process.send("export")
    assert process.until(lambda m: m["t"] == "pgn")
