"""Tables of some endings of four men, built anew in every run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyout.knowledge.tables import Library, build, ending, open_tables

SOME = ("KBNK", "KQKR", "KRKN")


@pytest.fixture(scope="session")
def four_men(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of `SOME` endings and those of three men."""
    folder = tmp_path_factory.mktemp("tables")
    built = build(4, folder, [ending(name) for name in SOME], quiet=True)
    assert {e.name for e in built} >= {*SOME, "KQK", "KRK"}
    return folder


@pytest.fixture
def four(four_men: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The same, opened, and what engines find."""
    monkeypatch.setenv("PLYOUT_TABLES", str(four_men))
    yield open_tables(4)
