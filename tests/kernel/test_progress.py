"""Whoever waits for a compilation is told what is being compiled."""

import pytest

from plyout.kernel import INTERPRETED, kernel, report_compiling_to


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
