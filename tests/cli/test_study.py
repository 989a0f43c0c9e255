"""``plyout study`` and ``plyout graph-stats``."""

from pathlib import Path

import pytest

from tests.cli.client import answer, mistake
from tests.positions import KIWIPETE


def test_a_study_answers_in_json() -> None:
    found = answer("study", "queen-ending", "--playouts", "100", "--json")
    assert "Infinity" not in str(found)
    assert found


def test_graph_stats_compare_a_tree_and_a_graph(tmp_path: Path) -> None:
    (tmp_path / "one.epd").write_text(KIWIPETE + "\n\n")
    found = answer("graph-stats", "--nodes", "200", "--positions", str(tmp_path / "one.epd"), "--json")
    assert (found["preset"], found["variant"]) == ("mcgs", "chess")
    (row,) = found["positions"]
    assert row["fen"].split()[:4] == KIWIPETE.split()[:4]
    assert 0 <= row["transpositions"] <= 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("study", "chess"), "no study is called 'chess': there are"),
        (("graph-stats", "--variant", "tictactoe"), "graph-stats knows chess and crazyhouse"),
        (("graph-stats", "--positions", "nothere.epd"), "nothere.epd cannot be read"),
        (("graph-stats", "--positions", "/dev/null"), "there are no positions in"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str) -> None:
    assert problem in mistake(*arguments)
