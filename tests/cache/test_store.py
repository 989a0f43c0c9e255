"""A file of the cache is whole, ours and in its place, or it is not read."""

import os
import resource
import stat
import threading
from pathlib import Path

import pytest

from plyout.cache import store

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of the cache."""
    found = tmp_path / "folder" / f"code{store.ENDING}"
    store.write(found, b"contents")
    return found


def refusal(path: Path) -> str:
    with pytest.raises(store.Unusable) as caught:
        store.read(path)
    return str(caught.value)


def test_what_is_written_is_read_and_nobody_else_can_read_it(path: Path) -> None:
    assert bytes(store.read(path)) == b"contents"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_the_code_of_another_kernel_or_of_other_sources_does_not_pass(path: Path) -> None:
    (path.parent / f"other{store.ENDING}").write_bytes(path.read_bytes())
    (path.parent / f"other{store.ENDING}").chmod(0o600)
    assert "checksum" in refusal(path.parent / f"other{store.ENDING}")
    moved = path.parent.parent / "sources"
    path.parent.rename(moved)
    assert "checksum" in refusal(moved / path.name)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666, 0o777])
def test_a_file_that_others_can_write_is_refused(path: Path, mode: int) -> None:
    path.chmod(mode)
    assert refusal(path) == "others can write to it"


@ROOT_ONLY
def test_a_file_of_somebody_else_is_refused_even_by_root(path: Path) -> None:
    os.chown(path, 1, -1)
    assert refusal(path) == "it belongs to another user (number 1)"


@pytest.mark.parametrize("thing", ["folder", "link", "pipe", "huge"])
def test_what_is_no_plain_file_is_refused_at_once(path: Path, thing: str) -> None:
    """A pipe would be waited for, a huge file would fill the memory."""
    whole = path.rename(path.parent / "whole")
    if thing == "folder":
        path.mkdir()
    elif thing == "link":
        path.symlink_to(whole)
    elif thing == "pipe":
        os.mkfifo(path)
    else:
        path.touch(mode=0o600)
        os.truncate(path, store.LARGEST + 1)
    assert refusal(path)


def test_damage_is_told_in_one_line_and_removed(path: Path, said: list[str]) -> None:
    files = store.Store(path.parent)
    files.save("whole", b"whole")
    for name in ("cut", "folder", "empty"):
        files.save(name, b"contents")
    files.mark("all")
    os.truncate(files.path("cut"), 50)
    os.truncate(files.path("empty"), 0)
    files.path("folder").unlink()
    (files.path("folder") / "in it").mkdir(parents=True)
    assert files.load("cut") is None
    assert files.load("folder") is None
    assert said == [
        f"the cache {path.parent} was damaged (3 files: it is empty, it is no file of the cache, its checksum is wrong)"
        "; compiled anew"
    ]
    assert not files.is_marked("all"), "it is not complete any more"
    assert {p.stem for p in path.parent.iterdir()} == {"code", "whole"}
    for name in ("cut", "folder", "empty"):
        files.save(name, b"anew")
        assert bytes(files.load(name) or b"") == b"anew"
    store.Store(path.parent).report()
    assert len(said) == 1, "all is well again"


def test_a_full_disk_is_told_once_and_nothing_is_left(path: Path, said: list[str]) -> None:
    files = store.Store(path.parent)
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, former[1]))
    try:
        files.save("large", bytes(5000))
        files.save("another", bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)
    assert said == [
        f"no machine code can be kept in {path.parent}: file too large; the next start compiles it again",
    ]
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    files.mark("all")
    assert not files.is_marked("all"), "it is not all there"


def test_a_store_without_a_folder_keeps_nothing_and_says_nothing(said: list[str]) -> None:
    files = store.Store(None)
    files.save("code", b"contents")
    files.mark("all")
    files.report()
    assert files.load("code") is None
    assert not files.is_marked("all")
    assert said == []


def test_a_folder_that_is_cleared_meanwhile_is_made_again(path: Path, said: list[str]) -> None:
    files = store.Store(path.parent)
    path.unlink()
    path.parent.rmdir()
    assert files.load("code") is None
    files.save("code", b"contents")
    assert bytes(files.load("code") or b"") == b"contents"
    assert said == []


def test_a_reader_finds_whole_files_while_others_write_them(path: Path, said: list[str]) -> None:
    files = store.Store(path.parent)
    writers = [threading.Thread(target=lambda: [files.save("code", bytes(100_000)) for _ in range(50)]) for _ in "ab"]
    for writer in writers:
        writer.start()
    seen = {len(files.load("code") or b"") for _ in range(300)}
    for writer in writers:
        writer.join()
    assert seen <= {len(b"contents"), 100_000}
    assert said == []
