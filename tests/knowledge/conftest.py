"""Tables of some 4-piece endings, built anew in every run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyout.knowledge.tables import Library, ending, open_tables
from plyout.knowledge.tables.builder import build

SOME = ("KBNK", "KQKR", "KRKN")


@pytest.fixture(scope="session")
def four_pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of `SOME` endings."""
    folder = tmp_path_factory.mktemp("tables")
    built = build(4, folder, [ending(name) for name in SOME], quiet=True)
    assert {e.name for e in built} == set(SOME)
    return folder


@pytest.fixture
def four(four_pieces: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The same, opened, and found by engines."""
    monkeypatch.setenv("PLYOUT_TABLES", str(four_pieces))
    yield open_tables(4)
