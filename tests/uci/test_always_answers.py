"""One ``bestmove`` for each ``go``, one ``readyok`` for each ``isready``: whatever was set, whatever fails."""

import os
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout import Engine
from plyout.uci import Uci
from plyout.uci.fallback import sensible_move
from tests.positions import KIWIPETE, MATE_IN_1
from tests.uci.client import Heard, Talk, is_legal, moves_of, without_compiling

_NO_MEMORY = "info string there is no memory of 1000000 MB to be had: going on with "


def is_move(line: str, board: chess.Board | None = None) -> bool:
    return chess.Move.from_uci(line.split()[1]) in (board or chess.Board()).legal_moves


# -- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SyzygyPath", "/nonexistent"),
        ("GaviotaTbPath", "<none>"),
        ("Book", "/nowhere/book.bin"),
        ("Book", "/dev/null/x"),
    ],
)
def test_an_option_that_cannot_be_is_said_and_left_out(talk: Talk, name: str, value: str) -> None:
    assert talk.ask("setoption name Hash value 8", f"setoption name {name} value {value}")[0].startswith(
        f"info string {name}: "
    )
    answer = talk.go("nodes 20")
    assert is_move(answer[-1])
    assert talk.ask(f"setoption name {name} value <empty>") == []


def test_the_options_that_can_be_are_kept_beside_one_that_cannot(talk: Talk) -> None:
    said = talk.ask("setoption name Seed value 5", "setoption name SyzygyPath value /no", "setoption name Hash value 9")
    assert [line[:28] for line in said] == ["info string SyzygyPath: ther"]
    talk.go("nodes 20")
    assert talk.ask("setoption name SyzygyPath value <empty>") == []


def test_errors_name_the_option_and_not_the_parameter(talk: Talk) -> None:
    said = talk.ask("setoption name Hash value 0", "setoption name Move Overhead value x")
    assert [line.split()[2] for line in said] == ["Hash", "Move"]


@pytest.mark.parametrize("preset", ["plyout", "alphabeta"])
def test_memory_that_is_not_there_is_not_taken(preset: str) -> None:
    """Under a limit on the addresses of the process, as ``ulimit -v`` sets one."""
    limit = 4 << 30
    process = subprocess.run(
        [sys.executable, "-m", "plyout", "uci", "--preset", preset],
        input="setoption name Hash value 1000000\nisready\ngo nodes 50\n", capture_output=True, text=True, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    lines = without_compiling(process.stdout.splitlines())
    assert sum(line.startswith(_NO_MEMORY) for line in lines) == 1, lines
    assert lines.count("readyok") == 1
    assert is_move(lines[-1])
    assert (process.returncode, process.stderr) == (0, "")


# -- what is said of the move ---------------------------------------------------------------------------------------

SYSTEMS = {
    "the default": (),
    "a temperature": ("setoption name temperature value 5",),
    "a book": ("setoption name Book value own",),
    "alpha-beta": ("setoption name Preset value alphabeta",),
    "two threads": ("setoption name Threads value 2",),
    "the most robust": ("setoption name Preset value mcc-combined",),
    "debugging": ("debug on",),
    "three lines": ("setoption name MultiPV value 3",),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_last_line_before_the_move_is_that_of_the_move(talk: Talk, name: str) -> None:
    for line in SYSTEMS[name]:
        talk.ask(line)
    for moves in ("", " moves e2e4 c7c5"):
        board = chess.Board()
        for move in moves.split()[1:]:
            board.push_uci(move)
        talk.ask("position startpos" + moves)
        answer = talk.go("movetime 30")
        first = [line for line in answer if " multipv 1 " in line][-1]
        words = answer[-1].split()
        assert first.split(" pv ")[1].split()[0] == words[1]
        assert answer[-2].startswith("info depth"), "and after it comes nothing"
        board.push_uci(words[1])
        if len(words) > 2:
            board.push_uci(words[3])


def test_moves_that_were_never_visited_are_not_shown(talk: Talk) -> None:
    talk.ask(f"position fen {KIWIPETE}", "setoption name MultiPV value 500")
    few = [line for line in talk.go("nodes 5") if " multipv " in line]
    assert 0 < len(few) <= 5
    talk.ask("ucinewgame", f"position fen {KIWIPETE}")
    assert len([line for line in talk.go("nodes 1") if " multipv " in line]) == 1


# -- a stop at once -------------------------------------------------------------------------------------------------


def test_a_stop_at_once_gives_a_sensible_move(talk: Talk) -> None:
    talk.ask(f"position fen {MATE_IN_1}")
    for _ in range(30):
        talk.ask("ucinewgame", f"position fen {MATE_IN_1}")
        talk.send("go infinite", "stop")
        answer = talk.until("bestmove")
        assert moves_of(answer) == "a1a8"
        assert " nodes 0 " not in answer[-2]


def test_a_stop_at_once_is_still_answered_at_once(talk: Talk) -> None:
    talk.ask(f"position fen {KIWIPETE}")
    latencies = []
    for _ in range(20):
        talk.ask("ucinewgame", f"position fen {KIWIPETE}")
        talk.send("go infinite")
        began = time.perf_counter()
        talk.send("stop")
        latencies.append(talk.timed_until("bestmove")[-1][0] - began)
    assert sorted(latencies)[10] < 0.5, "usually milliseconds; the machine may be busy"


# -- mates ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["plyout", "mcc", "alphabeta"])
@pytest.mark.parametrize("mate", [1, 2])
def test_a_mate_that_is_not_there_is_refuted(talk: Talk, preset: str, mate: int) -> None:
    talk.ask(f"setoption name Preset value {preset}", "position startpos")
    answer = talk.go(f"mate {mate}", 60)
    assert f"info string no mate in {mate}" in answer[:-2]
    assert is_move(answer[-1])


def test_a_mate_that_is_undecided_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyout.uci.conversation._LONG", 0.5)
    heard = converse("go mate 40", lambda lines: any("nor refuted yet" in line for line in lines), "stop")
    assert sum("mate in 40: neither proven nor refuted yet" in line for line in heard) == 1
    assert any("no mate in 40 was found, and none is ruled out" in line for line in heard)
    assert is_move(heard[-1])


# -- failures -------------------------------------------------------------------------------------------------------


def converse(*script: Any, preset: str = "mcc") -> list[str]:
    """What an engine in this process answers to lines; at a function, it is waited for until that says yes."""
    heard = Heard()

    def lines() -> Iterator[bytes]:
        yield b"setoption name Hash value 4\n"
        for step in script:
            if isinstance(step, str):
                yield step.encode() + b"\n"
            else:
                end = time.monotonic() + 60
                while not step(heard.lines) and time.monotonic() < end:
                    time.sleep(0.005)

    Uci(preset, output=heard).run(lines())  # type: ignore[arg-type]
    return without_compiling(heard.lines)


def answered(count: int) -> Any:
    return lambda lines: sum(line.startswith("bestmove") for line in lines) == count


@pytest.mark.parametrize("failure", [MemoryError(), OSError(28, "No space left on device"), ValueError("a fault")])
def test_a_search_that_fails_gives_a_move_and_the_next_one_works(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    search, calls = Engine.search, []

    def fail_once(self: Engine, *arguments: Any, **names: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise failure
        return search(self, *arguments, **names)

    monkeypatch.setattr(Engine, "search", fail_once)
    heard = converse("isready", f"position fen {MATE_IN_1}", "go nodes 10", answered(1), "go nodes 50", answered(2))
    assert sum("the search has failed: " in line for line in heard) == 1
    first = next(i for i, line in enumerate(heard) if line.startswith("bestmove"))
    assert heard[first] == "bestmove a1a8", "a mate is seen without a search"
    assert heard[first - 1].endswith(" pv a1a8")
    assert is_move(heard[-1], chess.Board(MATE_IN_1))
    assert " nodes 50 " in heard[-2]
    assert all(is_legal(line) for line in heard)


def test_a_search_that_fails_late_gives_what_it_had_found(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Engine.search

    def fail_late(self: Engine, *arguments: Any, **names: Any) -> Any:
        search(self, *arguments, **{**names, "every": 0.0})
        raise MemoryError

    monkeypatch.setattr(Engine, "search", fail_late)
    heard = converse("isready", "go nodes 300", answered(1))
    assert heard[-1].split()[1] == heard[-2].split(" pv ")[1].split()[0]
    assert " nodes 0 " not in heard[-2]


def test_without_any_engine_there_is_a_move_and_readyok(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Engine, *arguments: Any, **names: Any) -> None:
        raise MemoryError("nothing left")

    monkeypatch.setattr(Engine, "__init__", fail)
    heard = converse("isready", "go wtime 1000 btime 1000", answered(1), "go infinite", "stop", answered(2), "isready")
    assert heard.count("readyok") == 2
    assert is_move(
        heard[-2] if heard[-1] != "readyok" else next(x for x in reversed(heard) if x.startswith("bestmove"))
    )
    assert sum(line.startswith("bestmove") for line in heard) == 2
    assert any("nothing left" in line for line in heard)


def test_without_threads_there_is_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if getattr(thread, "_target", None).__name__ == "_run_search":  # type: ignore[union-attr]
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    heard = converse("isready", "go nodes 20", "go infinite", "isready")
    assert sum(line.startswith("bestmove") for line in heard) == 2
    assert heard[-1] == "readyok"


@pytest.mark.parametrize("error", ["ImportError", "MemoryError", "OSError"])
def test_a_compiler_that_cannot_be_loaded_costs_strength_only(tmp_path: Path, error: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"""
import sys

class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            raise {error}("no compiler today")

sys.meta_path.insert(0, Broken())
""")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    talk = Talk("uci", environment=os.environ | {"PYTHONPATH": path})
    talk.send("uci", "isready", f"position fen {MATE_IN_1} moves a1a7 h7h6", "go movetime 10")
    answer = talk.until("bestmove")
    assert answer.count("readyok") == 1
    assert moves_of(answer) == "a7a8"
    assert any("no compiler today" in line for line in answer)
    assert all(is_legal(line) for line in answer), answer
    assert talk.close() == 0


def test_a_move_without_search_takes_what_hangs_and_leaves_nothing_hanging() -> None:
    assert str(sensible_move(chess.Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"))[0]) == "e4d5"
    queen = chess.Board("4k3/8/2p5/3Q4/8/8/8/4K3 w - - 0 1")
    move = sensible_move(queen)[0]
    assert move is not None
    queen.push(move)
    assert not any(queen.is_capture(reply) and queen.piece_type_at(reply.to_square) == 5 for reply in queen.legal_moves)
    assert sensible_move(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")) == (None, 0)


# -- writing --------------------------------------------------------------------------------------------------------


def test_a_reader_who_is_gone_ends_the_process_quietly() -> None:
    """Though its input stays open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plyout", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"isready\n")
    process.stdin.flush()
    while process.stdout.readline() != b"readyok\n":
        pass
    process.stdin.write(b"go infinite\n")
    process.stdin.flush()
    process.stdout.close()
    assert process.wait(20) == 141
    assert process.stderr.read() == b""
    process.stdin.close()


def test_a_reader_who_does_not_read_cannot_keep_the_process_after_quit() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plyout", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"uci\n" * 100 + b"quit\n")  # some 900 kB of answers, into a pipe for 64
    process.stdin.flush()
    assert process.wait(30) == 141
    assert process.stderr.read() == b""
    process.stdout.close()
    process.stdin.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_an_output_on_a_full_disk_ends_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "plyout", "uci"], input=b"uci\n", stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert run.returncode == 1
    assert re.fullmatch(rb"plyout: the output cannot be written: .*No space left on device\n", run.stderr)


def test_no_input_and_no_output_are_no_trouble() -> None:
    for redirected in ("<&-", ">&-", "<&- >&-"):
        run = subprocess.run(
            ["sh", "-c", f'exec "$0" -m plyout uci {redirected}', sys.executable],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, b""), redirected


def test_a_log_into_a_pipe_that_nobody_reads_holds_nobody_up(talk: Talk, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = talk.ask(f"setoption name Debug Log File value {pipe}")
    assert [line[:27] for line in said] == ["info string Debug Log File:"]
    assert is_move(talk.go("nodes 10")[-1])
