"""Whoever waits for a compilation is told what is being compiled."""

import io
import sys

import pytest

from plyout.kernel import INTERPRETED, kernel, report_compiling_to
from plyout.kernel.progress import terminal_line
from plyout.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_has_its_line_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first start both want to tell how far things are, and hundreds of kernels are compiled."""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    terminal_line("compiling before")
    with Progress("compiling", 100) as progress:
        terminal_line("compiling during")
        progress.step()
    terminal_line("compiling after")
    said = terminal.getvalue()
    assert "compiling before\r\x1b[K" in said, "the line is wiped before the bar is drawn"
    assert "compiling during" not in said
    assert said.endswith("compiling after")


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_compilation_is_announced_once_and_its_line_wiped() -> None:
    @kernel
    def increment(x: int) -> int:
        return x + 1

    lines: list[str] = []
    former = report_compiling_to(lines.append)
    try:
        assert [increment(1), increment(2)] == [2, 3]
    finally:
        report_compiling_to(former)
    assert [("increment" in line, bool(line)) for line in lines] == [(True, True), (False, False)]
