"""What the tests of the cache share."""

import pytest

from plyout import progress


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the user is told."""
    lines: list[str] = []
    monkeypatch.setattr(progress, "_reporter", lines.append)
    monkeypatch.setattr(progress, "_noted", set())
    return lines
