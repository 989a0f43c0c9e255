"""``plyout reproduce``."""

from pathlib import Path

import pytest

from plyout.lab.reproduce.catalogue import EXPERIMENTS
from tests.cli.client import answer, mistake, plyout


def test_the_list_names_every_experiment() -> None:
    listed = plyout("reproduce").stdout
    assert all(e.name in listed and e.title in listed for e in EXPERIMENTS.values())
    rows = answer("reproduce", "--json")["experiments"]
    assert [row["name"] for row in rows] == list(EXPERIMENTS)
    assert sum(row["quick_seconds"] for row in rows) < 3000


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("arenz-77",), "did you mean arenz-7"),
        (("arenz-7", "--scale", "slow"), "quick or evening or paper"),
        (("--report-only", "--out", "{folder}"), "holds no reproduction"),
        (("--from", "{folder}", "--out", "{folder}/all"), "holds no reproduction"),
        (("xu-4", "--puzzles", "{folder}/none.txt", "--out", "{folder}/r"), "cannot read"),
        (("singh-4.2", "--book", "{folder}/none", "--out", "{folder}/r"), "none"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str, tmp_path: Path) -> None:
    assert problem in mistake("reproduce", *(word.format(folder=tmp_path) for word in arguments))
