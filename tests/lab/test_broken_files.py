"""Files that are broken, binary, empty or of another kind get one line."""

from pathlib import Path

import pytest

from tests.lab import broken_files


@pytest.mark.parametrize("kind", broken_files.KINDS)
def test_a_broken_file_is_refused_with_one_line_or_read(kind: str, tmp_path: Path) -> None:
    """``python -m tests.lab.broken_files`` tries thousands."""
    found = broken_files.damage(kind, tmp_path, 60, seed=5)
    assert found["refused"] + found["read"] == 60
    assert found["refused"] > 0
