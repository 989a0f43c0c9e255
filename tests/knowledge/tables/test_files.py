"""An interrupted build or a damaged file is noticed, named and built anew, and never used."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.kernel import INTERPRETED
from plyout.knowledge.tables import ENDINGS
from plyout.knowledge.tables.builder import build
from plyout.knowledge.tables.files import Unusable, path_of, read, write
from plyout.knowledge.tables.library import read_tables
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(INTERPRETED, reason="tables are built by compiled code")

KNNK, KBBK = ENDINGS["KNNK"], ENDINGS["KBBK"]  # of the same size


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of KNNK, which is soon built."""
    folder = tmp_path_factory.mktemp("whole")
    assert build(4, folder, [KNNK], quiet=True) == [KNNK]
    return path_of(folder, KNNK).read_bytes()


@pytest.fixture
def folder(tmp_path: Path, whole: bytes) -> Path:
    path_of(tmp_path, KNNK).write_bytes(whole)
    return tmp_path


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def cut_in_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def spoil(at: int) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)

    return change


def another(path: Path) -> None:
    write(path.parent, KBBK, read(path.parent, KNNK))
    path_of(path.parent, KBBK).rename(path)


DAMAGES = {
    "cut short": cut, "cut in the header": cut_in_the_header, "too long": lengthen, "a bit of the magic": spoil(0),
    "a bit of the version": spoil(8), "a bit of the checksum": spoil(12), "a bit of the size": spoil(16),
    "a bit of an entry": spoil(5000), "a bit of the last entry": spoil(-1), "the file of another ending": another,
    "empty": lambda path: path.write_bytes(b""), "gone": Path.unlink,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_noticed_named_and_built_anew(
    damage: Callable[[Path], None], folder: Path, whole: bytes
) -> None:
    path = path_of(folder, KNNK)
    damage(path)
    with pytest.raises(Unusable):
        read(folder, KNNK)
    table = next(table for table in read_tables(folder, 4) if table.ending is KNNK)
    assert (table.usable, table.damaged) == (False, path.exists())
    named, reports = [str(path)] * path.exists(), list[str]()
    assert build(4, folder, [KNNK], quiet=True, report=reports.append) == [KNNK]
    assert path.read_bytes() == whole
    assert [line.split(" is ")[0] for line in reports] == named
    assert build(4, folder, [KNNK], quiet=True) == []


def test_writing_leaves_the_whole_file_or_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path_of(folder, KNNK).read_bytes()

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match=rf"No space left on device: '{path_of(folder, KNNK)}'"):
        write(folder, KNNK, read(folder, KNNK))
    assert path_of(folder, KNNK).read_bytes() == before
    assert list(folder.iterdir()) == [path_of(folder, KNNK)]


def test_a_folder_that_cannot_be_written_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"tables cannot be kept in .*PLYOUT_TABLES"):
        build(4, tmp_path / "file", [KNNK], quiet=True)


def plyout(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = os.environ | {"PLYOUT_TABLES": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "plyout", "tables", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_build_that_was_killed_is_finished_by_the_next(tmp_path: Path, four_pieces: Path) -> None:
    arguments = ("build", "--ending", "KNNK", "--ending", "KBNK", "--json")
    killed = plyout(tmp_path, *arguments)
    while not path_of(tmp_path, KNNK).exists():  # comes before KBNK, which takes seconds
        time.sleep(0.01)
        assert killed.poll() is None, "it ended before it was killed"
    time.sleep(0.3)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    states = {table.ending.name: table.state for table in read_tables(tmp_path, 4)}
    assert (states["KNNK"], states["KBNK"]) == ("built", "missing")
    again = plyout(tmp_path, *arguments)
    assert json.loads(again.communicate()[0])["built"] == ["KBNK"]
    assert again.returncode == 0
    assert path_of(tmp_path, ENDINGS["KBNK"]).read_bytes() == path_of(four_pieces, ENDINGS["KBNK"]).read_bytes()
    verified = plyout(tmp_path, "verify", "--json")
    assert '"wrong": {}' in verified.communicate()[0]
    assert verified.returncode == 0
