"""What several test files share."""

import atexit
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from plyout.errors import InputError
from plyout.networks.library import STOCKFISH
from plyout.networks.nnue.extract import extract, find_stockfish

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("PLYOUT_DATA", ROOT.parent / "shared/data"))

# Whoever starts the tests in the background of a script has them ignore Ctrl-C, and so would all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A folder for endgame tables of the run's own, empty: the 4-piece tables that a user has built must not change what the
# tests see. A process that a test starts inherits the folder.
if "PLYOUT_TEST_TABLES" not in os.environ:
    os.environ["PLYOUT_TEST_TABLES"] = tempfile.mkdtemp(prefix="plyout-test-")
    atexit.register(shutil.rmtree, os.environ["PLYOUT_TEST_TABLES"], ignore_errors=True)
os.environ["PLYOUT_TABLES"] = os.environ["PLYOUT_TEST_TABLES"]

# A folder for networks, likewise, which holds Stockfish's where Debian's package is installed.
if "PLYOUT_TEST_NETWORKS" not in os.environ:
    os.environ["PLYOUT_TEST_NETWORKS"] = tempfile.mkdtemp(prefix="plyout-test-")
    atexit.register(shutil.rmtree, os.environ["PLYOUT_TEST_NETWORKS"], ignore_errors=True)
    with contextlib.suppress(InputError):
        network = extract(find_stockfish())[1]
        Path(os.environ["PLYOUT_TEST_NETWORKS"], f"{STOCKFISH}.nnue").write_bytes(network)
os.environ["PLYOUT_NETWORKS"] = os.environ["PLYOUT_TEST_NETWORKS"]

# The first example compiles, which takes seconds; the examples are the same in every run.
settings.register_profile("plyout", deadline=None, derandomize=True)
settings.load_profile("plyout")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: if one of them begins last, a worker ends long after the other."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture
def data_file() -> Callable[[str], Path]:
    """A file of the data folder, which is not part of the repository."""

    def find(name: str) -> Path:
        if not (DATA / name).is_file():
            pytest.skip(f"{name} is not in {DATA}; set PLYOUT_DATA to the folder that has it")
        return DATA / name

    return find


@pytest.fixture(autouse=True)
def _notes_go_to_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A UCI engine in this process sends them elsewhere, and the next test would wait for them in vain."""
    monkeypatch.setattr("plyout.progress._reporter", None)
