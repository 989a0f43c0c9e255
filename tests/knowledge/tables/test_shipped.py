"""The 3-piece tables come with the package: nobody waits for the generator, and nothing else changes."""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plyout.errors import InputError
from plyout.kernel import INTERPRETED
from plyout.knowledge.tables import ENDINGS, endings
from plyout.knowledge.tables import shipped as module
from plyout.knowledge.tables.files import write
from plyout.knowledge.tables.library import SHIPPED, read_tables
from plyout.knowledge.tables.shipped import FILE, three_piece_tables
from tests.conftest import ROOT


@pytest.mark.skipif(INTERPRETED, reason="the generator would take minutes")
def test_the_shipped_tables_are_what_the_generator_makes() -> None:
    generated = runpy.run_path(str(ROOT / "tools/make_tables.py"))["generated"]()
    assert b"".join(codes.tobytes() for codes in three_piece_tables().values()) == generated
    assert list(three_piece_tables()) == [e.name for e in endings(3)]
    assert [len(codes) for codes in three_piece_tables().values()] == [e.entries for e in endings(3)]


def test_the_file_is_small() -> None:
    assert FILE.stat().st_size < 100_000


def test_opening_tables_does_not_load_the_generator(tmp_path: Path) -> None:
    program = (
        "import sys; from plyout.knowledge.tables import open_tables; open_tables(4);"
        "sys.exit('plyout.knowledge.tables.generate' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_files_of_three_pieces_from_earlier_versions_are_not_read(tmp_path: Path) -> None:
    wrong = np.zeros(ENDINGS["KQK"].entries, np.uint8)
    write(tmp_path, ENDINGS["KQK"], wrong)
    table = next(table for table in read_tables(tmp_path, 3) if table.ending.name == "KQK")
    assert table.state == SHIPPED
    assert table.codes is three_piece_tables()["KQK"]


def test_a_damaged_package_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(FILE.read_bytes()[:-1])
    for path in (tmp_path / "file", tmp_path / "none"):
        monkeypatch.setattr(module, "FILE", path)
        with pytest.raises(InputError, match=r"is missing or damaged .*: install plyout again"):
            three_piece_tables.__wrapped__()
