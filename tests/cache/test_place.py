"""Machine code is kept for one state of the sources and never served for another."""

import errno
import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from plyout.cache import place, store


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources that a test may change."""
    copy = tmp_path / "plyout"
    shutil.copytree(place.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(place, "PACKAGE", copy)
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
    here = place.fingerprint("1", False)
    shutil.copytree(package, package.parent / "elsewhere")
    monkeypatch.setattr(place, "PACKAGE", package.parent / "elsewhere")
    assert place.fingerprint("1", False) == here


def test_every_file_that_kernels_are_made_of_counts(package: Path) -> None:
    sources = [path for path in package.rglob("*.py") if path.relative_to(package).as_posix().startswith(place.SOURCES)]
    former = {place.fingerprint("1", False)}
    for path in sources:
        path.write_text(path.read_text() + "\n# changed\n")
        former.add(place.fingerprint("1", False))
    assert len(former) == len(sources) + 1


def test_every_file_whose_functions_become_a_part_of_others_is_among_the_sources() -> None:
    """The compiler sees by itself when the file of a kernel has changed, but not those that the kernel calls."""
    called = {
        p.relative_to(place.PACKAGE).as_posix() for p in place.PACKAGE.rglob("*.py") if "@inlined" in p.read_text()
    }
    assert {name for name in called if not name.startswith(place.SOURCES)} == set()
    assert len(called) > 20


def test_what_only_python_reads_does_not_count(package: Path) -> None:
    """An edit of the command line or of the laboratory compiles nothing anew."""
    before = place.fingerprint("1", False)
    for name in ("cli/main.py", "uci/conversation.py", "lab/match/match.py", "engine/engine.py"):
        (package / name).write_text((package / name).read_text() + "\n# changed\n")
    assert place.fingerprint("1", False) == before


def test_new_and_moved_files_and_the_settings_count(package: Path) -> None:
    names = [place.fingerprint("1", False), place.fingerprint("2", False), place.fingerprint("1", True)]
    (package / "search/added.py").write_text("")
    names.append(place.fingerprint("1", False))
    (package / "search/added.py").rename(package / "search/moved.py")
    names.append(place.fingerprint("1", False))
    assert len(set(names)) == len(names)


NAME = "0123456789abcdef"


def test_the_same_sources_get_the_same_folder(root: Path, said: list[str]) -> None:
    assert place.open_folder(NAME) == root / NAME
    assert (root / NAME).is_dir()
    assert place.open_folder(NAME) == root / NAME
    assert said == []


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077])
def test_our_folders_are_private_and_accepted_whatever_the_umask_is(root: Path, said: list[str], umask: int) -> None:
    former = os.umask(umask)
    try:
        for _ in range(2):
            assert place.open_folder(NAME) == root / NAME
    finally:
        os.umask(former)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (root, root / NAME)} == {0o700}
    assert said == []


def test_a_folder_that_others_can_only_read_is_used(root: Path, said: list[str]) -> None:
    (root / NAME).mkdir(parents=True)
    for path in (root, root / NAME):
        path.chmod(0o755)
    assert place.open_folder(NAME) == root / NAME
    assert said == []


def test_only_the_folders_used_last_are_kept(root: Path) -> None:
    root.mkdir(mode=0o700)
    for age in range(10):
        folder = root / f"{age:016x}"
        folder.mkdir()
        (folder / "code").write_text("")
        os.utime(folder, (1e9 - age, 1e9 - age))
    (root / "README").write_text("not a cache folder")
    (root / "mine").mkdir()
    place.open_folder(NAME)
    youngest = {f"{age:016x}" for age in range(place.FOLDERS_KEPT - 1)}
    assert {path.name for path in root.iterdir()} == youngest | {NAME, "README", "mine"}


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777, 0o720, 0o702])
@pytest.mark.parametrize("which", ["the root", "the folder", "a link to the root"])
def test_a_folder_that_others_can_write_is_not_used(root: Path, said: list[str], which: str, mode: int) -> None:
    real = root.parent / "real" if which == "a link to the root" else root
    (real / NAME).mkdir(parents=True, mode=0o700)
    if real != root:
        root.symlink_to(real)
    shared = root / NAME if which == "the folder" else root
    shared.chmod(mode)
    _is_replaced(shared, said, "others can write to it: 'chmod go-w")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", ["the root", "the folder", "a link to our own"])
def test_a_folder_of_somebody_else_is_not_used_not_even_by_root(root: Path, said: list[str], which: str) -> None:
    real = root.parent / "real" if which == "a link to our own" else root
    (real / NAME).mkdir(parents=True, mode=0o700)
    if real != root:
        root.symlink_to(real)
    foreign = root / NAME if which == "the folder" else root
    os.chown(foreign, 1, -1, follow_symlinks=False)
    _is_replaced(foreign, said, "it belongs to another user (number 1): set PLYOUT_CACHE")


def _is_replaced(refused: Path, said: list[str], why: str) -> None:
    """One line tells why a folder is refused, what to do, and what serves."""
    folder = place.open_folder(NAME)
    assert folder is not None
    assert folder.parent == place.temporary_root()
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    (line,) = said
    assert line.startswith(f"the cache {refused} is not used, because {why}")
    assert line.endswith(f"; {folder.parent} serves instead")


def test_a_link_to_a_folder_of_our_own_is_used(root: Path, said: list[str]) -> None:
    (root.parent / "real").mkdir(mode=0o700)
    root.symlink_to(root.parent / "real")
    assert place.open_folder(NAME) == root / NAME
    assert said == []


def test_without_a_usable_cache_folder_the_temporary_one_serves(root: Path, said: list[str]) -> None:
    root.write_text("a file stands where the folder should be, which stops even the superuser")
    folder = place.open_folder(NAME)
    assert folder == place.temporary_root() / NAME
    assert folder.is_dir()
    assert place.open_folder(NAME) == folder, "the next run should find it again"
    assert len(said) == 1


@pytest.mark.parametrize("obstacle", ["a file", "a link", "writable"])
def test_where_the_temporary_folder_is_not_ours_either_nothing_is_kept(
    root: Path, said: list[str], obstacle: str
) -> None:
    root.write_text("a file")
    temporary = place.temporary_root()
    if obstacle == "a file":
        temporary.write_text("")
    elif obstacle == "a link":
        (root.parent / "mine").mkdir(mode=0o700)
        temporary.symlink_to(root.parent / "mine")
    else:
        temporary.mkdir()
        temporary.chmod(0o777)
    assert place.open_folder(NAME) is None
    (line,) = said
    assert line.endswith("; nothing is kept for the next start")


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES, errno.EIO])
def test_a_folder_that_cannot_be_made_is_no_error(
    root: Path, said: list[str], monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def mkdir(*arguments: object, **options: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(Path, "mkdir", mkdir)
    assert place.open_folder(NAME) is None
    assert said == [
        f"no machine code can be kept in {root}: {os.strerror(error).lower()}; nothing is kept for the next start"
    ]


def test_code_in_a_read_only_folder_is_used_and_an_empty_one_replaced(
    root: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(root) and real(path, mode))
    assert place.open_folder(NAME) == place.temporary_root() / NAME
    assert "read-only" in said.pop()
    store.write(root / NAME / f"code{store.ENDING}", b"code")
    assert place.open_folder(NAME) == root / NAME
    assert said == []


@pytest.mark.skipif(os.name == "nt", reason="the variables are of other systems")
def test_a_user_without_a_home_keeps_code_among_the_temporary_files(
    root: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("PLYOUT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", home)
    assert place.open_folder(NAME) == place.temporary_root() / NAME
    assert len(said) == 1
