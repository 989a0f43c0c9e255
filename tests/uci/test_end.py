"""The process ends with its input."""

from pathlib import Path

import pytest

from tests.uci.client import CompilerGate, piped, without_compiling


@pytest.mark.parametrize("go", ["", "go infinite", "go ponder wtime 1000 btime 1000", "go nodes 100", "go movetime 50"])
@pytest.mark.parametrize("end", ["quit\n", ""])
def test_the_process_ends_with_its_input(go: str, end: str) -> None:
    """At ``quit`` or without it; a search with a limit is finished, so that a pipe gets its answer."""
    run = piped(f"isready\n{go}\n{end}", "uci")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("bestmove") == (1 if go else 0)
    if go == "go nodes 100" and not end:
        assert " nodes 100 " in run.stdout


def test_quit_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """Which would never be loaded here."""
    run = piped("uci\nquit\n", "uci", **CompilerGate(tmp_path).environment)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("uciok\n")


def test_quit_while_compiling_ends_the_process(tmp_path: Path) -> None:
    run = piped("uci\nquit\n", "uci", PLYOUT_CACHE=str(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")


def test_plyout_alone_speaks_uci_into_a_pipe() -> None:
    run = piped("uci\nposition startpos\ngo nodes 50\n")
    assert (run.returncode, run.stderr) == (0, "")
    lines = without_compiling(run.stdout.splitlines())
    assert "uciok" in lines
    assert lines[-1].startswith("bestmove ")
