"""Machine code is kept for one state of the sources and never served for another."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from plyout.kernel import cache


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources that a test may change."""
    copy = tmp_path / "plyout"
    shutil.copytree(cache.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "PACKAGE", copy)
    return copy


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and a temporary folder to fall back on."""
    monkeypatch.setenv("PLYOUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "cache"


def test_the_fingerprint_is_that_of_the_sources_not_of_their_place(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = cache.fingerprint("1", False)
    shutil.copytree(package, package.parent / "elsewhere")
    monkeypatch.setattr(cache, "PACKAGE", package.parent / "elsewhere")
    assert cache.fingerprint("1", False) == here


def test_every_file_that_kernels_are_made_of_counts(package: Path) -> None:
    sources = [path for path in package.rglob("*.py") if path.relative_to(package).as_posix().startswith(cache.SOURCES)]
    former = {cache.fingerprint("1", False)}
    for path in sources:
        path.write_text(path.read_text() + "\n# changed\n")
        former.add(cache.fingerprint("1", False))
    assert len(former) == len(sources) + 1


def test_what_only_python_reads_does_not_count(package: Path) -> None:
    """An edit of the command line or of the laboratory compiles nothing anew."""
    before = cache.fingerprint("1", False)
    for name in ("cli/main.py", "uci/conversation.py", "lab/match/match.py", "engine/engine.py"):
        (package / name).write_text((package / name).read_text() + "\n# changed\n")
    assert cache.fingerprint("1", False) == before


def test_new_and_moved_files_and_the_settings_count(package: Path) -> None:
    names = [cache.fingerprint("1", False), cache.fingerprint("2", False), cache.fingerprint("1", True)]
    (package / "search/added.py").write_text("")
    names.append(cache.fingerprint("1", False))
    (package / "search/added.py").rename(package / "search/moved.py")
    names.append(cache.fingerprint("1", False))
    assert len(set(names)) == len(names)


def test_the_same_sources_get_the_same_folder(root: Path) -> None:
    folder = cache.open_folder("1", False)
    assert folder.parent == root
    assert folder.is_dir()
    assert cache.open_folder("1", False) == folder


def test_only_the_folders_used_last_are_kept(root: Path) -> None:
    for age in range(10):
        folder = root / f"{age:016x}"
        folder.mkdir(parents=True)
        (folder / "code").write_text("")
        os.utime(folder, (1e9 - age, 1e9 - age))
    (root / "README").write_text("not a cache folder")
    (root / "mine").mkdir()
    folder = cache.open_folder("1", False)
    youngest = {f"{age:016x}" for age in range(cache.FOLDERS_KEPT - 1)}
    assert {path.name for path in root.iterdir()} == youngest | {folder.name, "README", "mine"}


def test_without_a_usable_cache_folder_the_temporary_one_serves(root: Path) -> None:
    root.write_text("a file stands where the folder should be, which stops even the superuser")
    folder = cache.open_folder("1", False)
    assert folder.is_dir()
    assert folder.is_relative_to(tempfile.gettempdir())
    assert cache.open_folder("1", False) == folder, "the next run should find it again"


def test_where_nothing_can_be_written_a_fresh_folder_serves(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *arguments, **options: False)
    folder = cache.open_folder("1", False)
    assert folder.is_dir()
    assert folder.parent == Path(tempfile.gettempdir())
