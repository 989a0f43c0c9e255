"""A clock that runs by calls, for searches that are limited by time."""

import time

import pytest

STEP = 0.004  # seconds: about a slice of a search, so that slices keep their size


class Clock:
    """Every look at it takes `STEP`: how busy the machine is does not matter."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * STEP


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that the engine searches by, in the place of `time.perf_counter`."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock
