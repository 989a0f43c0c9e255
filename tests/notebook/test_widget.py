"""The live widget, from the kernel's side: it never blocks, it tells what it finds, and it ends."""

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import chess
import pytest

pytest.importorskip("anywidget", reason="the widget is not installed: pip install 'plyout[notebook]'")

from plyout.errors import InputError
from plyout.notebook import widget
from plyout.notebook.widget import Live

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
PATIENCE = 120  # seconds, on a busy machine

Made = Callable[..., tuple[Live, list[dict[str, Any]]]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Makes widgets that keep what they send; they are closed in the end."""
    lives = []

    def make(*given: Any, **options: Any) -> tuple[Live, list[dict[str, Any]]]:
        live, sent = Live(*given, hash_mb=16, **options), list[dict[str, Any]]()
        monkeypatch.setattr(live, "send", lambda message, buffers=None: sent.append(message))
        lives.append(live)
        return live, sent

    yield make
    for live in lives:
        live.close()


def until(true: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def test_a_search_runs_while_the_kernel_goes_on_and_ends_when_it_is_stopped(made: Made) -> None:
    live, sent = made(LEGAL, "mcts", seconds=3600)
    live.start()
    assert live.running
    assert live.result is None
    until(lambda: sum(m["t"] == "search" for m in sent) >= 2)
    live.stop()
    result = live.wait(PATIENCE)
    assert not live.running
    assert result is not None
    assert result.nodes > 0
    first, *_, last = (m for m in sent if m["t"] == "search")
    assert last["ended"]
    assert last["nodes"] >= first["nodes"]
    assert last["tree"]["visits"][0] >= first["tree"]["visits"][0]
    assert len(last["tree"]["move"]) >= len(first["tree"]["move"])


def test_what_is_told_is_what_was_found(made: Made) -> None:
    live, sent = made(LEGAL, "mcgs-solver", nodes=3000)
    result = live.start().wait(PATIENCE)
    assert result is not None
    assert result.nodes == 3000
    assert [m["on"] for m in sent if m["t"] == "running"] == [True, False]
    told = [m for m in sent if m["t"] == "search"][-1]
    assert [m[0] for m in told["moves"]] == [m.move.uci() for m in result.moves]
    rows = [row for m in sent if m["t"] == "history" for row in m["rows"]]
    assert rows[-1]["n"] == 3000
    assert {e["kind"] for m in sent if m["t"] == "history" for e in m["events"]} >= {"refutation"}


def test_the_history_can_be_asked_for_and_a_line_looked_at(made: Made) -> None:
    live, sent = made(LEGAL, "mcgs-solver", nodes=2000)
    result = live.start().wait(PATIENCE)
    assert result is not None
    n = int(result.history.n[12])
    live._hear(live, {"t": "frame", "n": n}, [])
    assert (sent[-1]["t"], sent[-1]["n"]) == ("frame", n)
    live._hear(live, {"t": "look", "line": ["h5d1"]}, [])
    assert (sent[-1]["t"], sent[-1]["tree"]["focus"]) == ("search", ["h5d1"])
    live._hear(live, {"t": "frame", "n": 17_000_000}, [])
    assert (sent[-1]["n"], sent[-1]["tree"]) == (17_000_000, None), "the tree of that moment was not kept"


def test_a_page_that_comes_later_is_told_everything(made: Made) -> None:
    live, sent = made(LEGAL, "mcts", nodes=500)
    live.start().wait(PATIENCE)
    sent.clear()
    live._hear(live, {"t": "ready"}, [])
    assert [m["t"] for m in sent] == ["running", "begin", "history", "search"]
    assert sent[2]["since"] == 0


@pytest.mark.parametrize("how", ["gone", "stop"])
def test_the_search_ends_when_the_page_says_so(made: Made, how: str) -> None:
    live, sent = made(LEGAL, "mcts", seconds=3600)
    live._hear(live, {"t": "start"}, [])
    until(lambda: any(m["t"] == "search" for m in sent))
    live._hear(live, {"t": how}, [])
    assert live.wait(PATIENCE) is not None
    assert not live.running


def test_the_search_ends_when_nobody_looks_on(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "_PATIENCE", 0.0)
    live, sent = made(LEGAL, "mcts", seconds=3600)
    assert live.start().wait(PATIENCE) is not None
    assert any(m["t"] == "error" and "nobody has looked on" in m["text"] for m in sent)


def test_closing_ends_the_search_and_its_thread_and_gives_the_memory_back(made: Made) -> None:
    before = set(threading.enumerate())
    live, sent = made(LEGAL, "mcts", seconds=3600)
    live.start()
    until(lambda: any(m["t"] == "search" for m in sent))
    engine = weakref.ref(live._side._engine)  # type: ignore[arg-type]
    assert engine() is not None
    live.close()
    until(lambda: set(threading.enumerate()) <= before)
    live.result = None
    told = len(sent)
    sent.clear()
    until(lambda: gc.collect() is not None and engine() is None)
    assert told > 0
    assert sent == [], "a closed widget says nothing"
    with pytest.raises(InputError, match="closed"):
        live.start()


def test_stopping_what_was_not_started_and_starting_twice_are_harmless(made: Made) -> None:
    live, sent = made(LEGAL, "mcts", nodes=300)
    live.stop()
    assert live.wait(1) is None
    live.start()
    live.start()
    assert live.wait(PATIENCE) is not None
    until(lambda: any(m["t"] == "search" and m["number"] == 2 and m["ended"] for m in sent))
    assert not live.running


@pytest.mark.parametrize(
    "junk",
    [None, 7, "start", [], {}, {"t": None}, {"t": "frame"}, {"t": "frame", "n": "x"}, {"t": "look", "line": "e4"},
     {"t": "look", "line": [None, {}, 9]}, {"t": "<script>"}],
    ids=str,
)  # fmt: skip
def test_a_page_may_say_anything(made: Made, junk: Any) -> None:
    live, _ = made(LEGAL, "mcts", nodes=10)
    live._hear(live, junk, [])
    assert not live.running


def test_what_cannot_be_searched_is_told_before_it_is_shown() -> None:
    with pytest.raises(InputError, match="no preset is called"):
        Live(LEGAL, "nobody")
    with pytest.raises(InputError, match="no FEN"):
        Live("here")
    with pytest.raises(InputError):
        Live("8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(InputError):
        Live(chess.Board(), seconds=-1)


def test_crazyhouse_can_be_watched(made: Made) -> None:
    live, sent = made("r1b1k2r/ppp2ppp/2p5/4P3/4n3/8/PPP2PPP/R1BK1B1R[QNPqn] w kq - 0 11", "mcts", nodes=300)
    assert live.start().wait(PATIENCE) is not None
    assert any(m["t"] == "search" for m in sent)
