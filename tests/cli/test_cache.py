"""``plyout cache``: the folders and files that are there, those that are damaged, and what is removed."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from plyout.cache import store
from plyout.cache.place import fingerprint, switch
from tests.cli.client import answer, mistake, plyout

CURRENT = fingerprint(version("numba"), switch("NUMBA_BOUNDSCHECK"))
OLD = "0123456789abcdef"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with files of the present sources, of others, and something that is none of ours."""
    root = tmp_path / "cache"
    for folder, names in {CURRENT: "ab", OLD: "c"}.items():
        for name in names:
            store.write(root / folder / f"{name}{store.ENDING}", b"code of " + name.encode())
    (root / "mine").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("PLYOUT_CACHE", str(root))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    return root


def test_the_folders_are_shown_with_what_is_in_them(root: Path) -> None:
    (place,) = answer("cache", "--json")["places"]
    assert (place["root"], place["usable"]) == (str(root), True)
    shown = {Path(folder["path"]).name: (folder["files"], folder["current"]) for folder in place["folders"]}
    assert shown == {CURRENT: (2, True), OLD: (1, False)}
    assert sum(folder["bytes"] for folder in place["folders"]) == 3 * (store.HEADER + len("code of a"))
    text = plyout("cache").stdout
    assert text.startswith(f"{root}: 2 folders, 3 files, 0.0 MB\n")
    assert [line.endswith("the present sources") for line in text.splitlines() if OLD in line or CURRENT in line] == [
        name == CURRENT for name in sorted([OLD, CURRENT])
    ]


def test_showing_it_loads_no_numba(root: Path) -> None:
    script = (
        "import sys; sys.argv = ['plyout', 'cache', 'check']; from plyout.cli.main import app; "
        "app(standalone_mode=False); print('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["3 files checked, 0 damaged", "False"]


def test_a_cache_that_is_not_there_is_shown_as_empty(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYOUT_CACHE", str(root / "nowhere"))
    assert plyout("cache").stdout == f"{root / 'nowhere'}: 0 folders, 0 files, 0.0 MB\n"
    assert plyout("cache", "check").returncode == 0
    assert plyout("cache", "clear").stdout == "0 folders removed, 0.0 MB\n"
    assert not (root / "nowhere").exists()


def test_damaged_files_are_listed_with_exit_code_1(root: Path) -> None:
    assert plyout("cache", "check").returncode == 0
    damaged = root / OLD / f"c{store.ENDING}"
    os.truncate(damaged, store.HEADER + 1)
    run = plyout("cache", "check")
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout == f"{damaged}: its checksum is wrong\n3 files checked, 1 damaged\n"
    run = plyout("cache", "check", "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout) == {
        "files": 3, "damaged": {str(damaged): "its checksum is wrong"}, "not_used": {},
    }  # fmt: skip


def test_a_cache_that_others_can_write_is_shown_as_such(root: Path) -> None:
    root.chmod(0o777)
    (place,) = answer("cache", "--json")["places"]
    assert not place["usable"]
    assert f"chmod go-w {root}" in plyout("cache").stdout
    run = plyout("cache", "check")
    assert run.returncode == 1
    assert "others can write to it" in run.stdout


def test_clearing_removes_cache_folders_and_nothing_else(root: Path) -> None:
    removed = answer("cache", "clear", "--old", "--json")["removed"]
    assert removed == [str(root / OLD)]
    assert {path.name for path in root.iterdir()} == {CURRENT, "mine"}
    assert plyout("cache", "clear").stdout == "1 folder removed, 0.0 MB\n"
    assert [path.name for path in root.iterdir()] == ["mine"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_the_cache_of_somebody_else_is_not_cleared(root: Path) -> None:
    os.chown(root / OLD, 1, -1)
    assert mistake("cache", "clear", "--old") == f"{root / OLD} is not removed: it belongs to another user"
    assert (root / OLD / f"c{store.ENDING}").exists()
