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
from plyout.knowledge.tables import ENDINGS, build, ending
from plyout.knowledge.tables.files import Unusable, path_of, read, write
from plyout.knowledge.tables.library import look_through
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(INTERPRETED, reason="tables are built by compiled code")

KRK = ENDINGS["KRK"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build(3, tmp_path, quiet=True)
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
    path.write_bytes(path.with_name("KQK.dtm").read_bytes())


DAMAGES = {
    "cut short": cut, "cut in the header": cut_in_the_header, "too long": lengthen, "a bit of the magic": spoil(0),
    "a bit of the version": spoil(8), "a bit of the checksum": spoil(12), "a bit of the size": spoil(16),
    "a bit of an entry": spoil(5000), "a bit of the last entry": spoil(-1), "the file of another ending": another,
    "empty": lambda path: path.write_bytes(b""), "gone": Path.unlink,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_noticed_named_and_built_anew(damage: Callable[[Path], None], folder: Path) -> None:
    path = path_of(folder, KRK)
    whole = path.read_bytes()
    damage(path)
    with pytest.raises(Unusable):
        read(folder, KRK)
    assert [about.ending.name for about in look_through(folder, 3) if not about.built] == ["KRK"]
    said: list[str] = []
    assert build(3, folder, quiet=True, told=said.append) == [KRK]
    assert path.read_bytes() == whole
    assert [str(path) in line for line in said] == [True] * path_was_there(damage)
    assert build(3, folder, quiet=True) == []


def path_was_there(damage: Callable[[Path], None]) -> int:
    return 0 if damage is Path.unlink else 1


def test_writing_leaves_the_whole_file_or_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path_of(folder, KRK).read_bytes()

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(InputError, match="No space left"):
        write(folder, KRK, read(folder, ENDINGS["KQK"]))
    assert path_of(folder, KRK).read_bytes() == before
    assert sorted(path.suffix for path in folder.iterdir()) == [".dtm"] * 5


def test_a_folder_that_cannot_be_written_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"tables cannot be kept in .*PLYOUT_TABLES"):
        build(3, tmp_path / "file", quiet=True)


def plyout(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = os.environ | {"PLYOUT_TABLES": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "plyout", "tables", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_build_that_was_killed_is_finished_by_the_next(tmp_path: Path, four_men: Path) -> None:
    arguments = ("build", "--ending", "KBNK", "--json")
    killed = plyout(tmp_path, *arguments)
    while not path_of(tmp_path, ENDINGS["KBK"]).exists():  # the last before KBNK, which takes seconds
        time.sleep(0.01)
        assert killed.poll() is None, "it ended before it was killed"
    time.sleep(0.3)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    states = {about.ending.name: about.state for about in look_through(tmp_path, 4)}
    assert {states[name] for name in ("KNK", "KBK")} == {"built"}
    assert states["KBNK"] == "missing"
    again = plyout(tmp_path, *arguments)
    assert json.loads(again.communicate()[0])["built"] == ["KBNK"]
    assert again.returncode == 0
    assert path_of(tmp_path, ending("KBNK")).read_bytes() == path_of(four_men, ending("KBNK")).read_bytes()
    verified = plyout(tmp_path, "verify", "--json")
    assert '"wrong": {}' in verified.communicate()[0]
    assert verified.returncode == 0
