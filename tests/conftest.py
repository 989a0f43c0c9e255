"""What several test files share."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("PLYOUT_DATA", ROOT.parent / "shared/data"))

# The first example compiles, which takes seconds; the examples are the same in every run.
settings.register_profile("plyout", deadline=None, derandomize=True)
settings.load_profile("plyout")


@pytest.fixture
def data_file() -> Callable[[str], Path]:
    """A file of the data folder, which is not part of the repository."""

    def find(name: str) -> Path:
        if not (DATA / name).is_file():
            pytest.skip(f"{name} is not in {DATA}; set PLYOUT_DATA to the folder that has it")
        return DATA / name

    return find
