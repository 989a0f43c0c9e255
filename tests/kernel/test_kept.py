"""Kernels are kept for the next process; whatever is wrong with their files, the answers are right."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from plyout import progress
from plyout.cache import store
from plyout.cache.place import fingerprint
from plyout.kernel import BOUNDS_CHECKED, INTERPRETED, report_compiling_to
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

MODULE = """
from plyout.kernel import entry, i64, kernel

@kernel
def plus(x, y):
    return x + y

@entry(i64(i64))
def answer(x):
    return plus(x, 35)

def closing_over(function):
    @kernel
    def call(x):
        return function(x, 1)
    return call
"""
PROGRAM = """
import importlib.util, resource, sys
from plyout.kernel import report_compiling_to
from plyout.progress import report_notes_to

limit = int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
spec = importlib.util.spec_from_file_location("plyout.tiny", sys.argv[1])
module = sys.modules["plyout.tiny"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
compiled, said = [], []
report_compiling_to(compiled.append)
report_notes_to(said.append)
print(module.answer(7), sum(map(bool, compiled)), *said)
"""
BOTH = 2
"""How many kernels are compiled for an answer."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for the kernels of `MODULE`."""
    from plyout.kernel import kept

    (tmp_path / "tiny.py").write_text(MODULE)
    monkeypatch.setenv("PLYOUT_CACHE", str(tmp_path / "cache"))
    kept.files.cache_clear()
    yield tmp_path
    kept.files.cache_clear()
    sys.modules.pop("plyout.tiny", None)


def module_of(home: Path) -> Any:
    """The kernels of a process that has just started."""
    from plyout.kernel import kept

    kept.files.cache_clear()
    kept._hash_of.cache_clear()
    spec = importlib.util.spec_from_file_location("plyout.tiny", home / "tiny.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["plyout.tiny"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def ask(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[int, int, list[str]]]:
    """(the answer, how many kernels were compiled for it, what was said)"""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it takes a file of the same second for the same

    def run() -> tuple[int, int, list[str]]:
        said: list[str] = []
        monkeypatch.setattr(progress, "_reporter", said.append)
        monkeypatch.setattr(progress, "_noted", set())
        compiled: list[str] = []
        former = report_compiling_to(compiled.append)
        try:
            return module_of(home).answer(7), sum(map(bool, compiled)), said
        finally:
            report_compiling_to(former)

    return run


def kernels(home: Path) -> list[Path]:
    return sorted(home.glob(f"cache/*/*{store.ENDING}"))


def process(home: Path, limit: int = 0, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(home / "tiny.py"), str(limit)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=os.environ | environment, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


def answer_of(started: "subprocess.Popen[str]") -> tuple[int, int, str]:
    out, errors = started.communicate(timeout=120)
    assert started.returncode == 0, errors
    answer, compiled, *said = out.split()
    return int(answer), int(compiled), " ".join(said)


def test_a_kernel_is_compiled_once(home: Path, ask: Callable[[], Any]) -> None:
    assert ask() == (42, BOTH, [])
    assert ask() == (42, 0, [])
    assert [path.name.split("-")[0] for path in kernels(home)] == ["tiny.answer", "tiny.plus"]


def test_the_command_line_knows_the_name_of_the_folder_without_numba(home: Path, ask: Callable[[], Any]) -> None:
    ask()
    assert kernels(home)[0].parent.name == fingerprint(version("numba"), BOUNDS_CHECKED)


def test_a_change_of_the_source_compiles_anew(home: Path, ask: Callable[[], Any]) -> None:
    ask()
    (home / "tiny.py").write_text(MODULE.replace("x + y", "x - y"))
    assert ask() == (-28, BOTH, [])


def test_whatever_is_damaged_is_compiled_anew_with_one_line(home: Path, ask: Callable[[], Any]) -> None:
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 4
        path.write_bytes(data)

    def swap(path: Path) -> None:
        first, second = kernels(home)
        first.rename(home / "first")
        second.rename(first)
        (home / "first").rename(second)

    def replace(path: Path) -> None:
        path.unlink()
        path.mkdir()

    ask()
    for harm in (flip, swap, replace, lambda p: os.truncate(p, 3000), lambda p: os.truncate(p, 0)):
        harm(kernels(home)[0])
        answer, compiled, said = ask()
        assert answer == 42
        assert compiled in (1, BOTH)
        assert len(said) == 1
        assert "was damaged" in said[0]
        assert said[0].endswith("compiled anew")
        assert ask() == (42, 0, []), "all is well again"


def test_a_file_that_is_missing_is_compiled_without_a_word(home: Path, ask: Callable[[], Any]) -> None:
    ask()
    kernels(home)[0].unlink()
    assert ask() == (42, 1, [])


@pytest.mark.parametrize("contents", [b"no pickle", b"\x80\x04N."])
def test_a_whole_file_that_means_nothing_to_numba_is_compiled_anew(
    home: Path, ask: Callable[[], Any], contents: bytes
) -> None:
    """Written by a Numba with the same version number, say."""
    ask()
    for path in kernels(home):
        store.write(path, contents)
    answer, compiled, said = ask()
    assert (answer, compiled) == (42, BOTH)
    assert len(said) == 1
    assert "it means nothing to Numba" in said[0]
    assert ask() == (42, 0, [])


def test_the_code_for_other_types_is_not_run_though_it_has_the_name(home: Path, ask: Callable[[], Any]) -> None:
    """Named tuples with other fields can be written alike, and the file's name is made of what is written."""
    ask()
    answer, plus = kernels(home)
    store.write(answer, bytes(store.read(plus)))
    assert ask() == (42, 1, [])
    assert ask() == (42, 0, [])


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_the_code_of_somebody_else_is_not_run(home: Path, ask: Callable[[], Any]) -> None:
    ask()
    os.chown(kernels(home)[0], 1, -1)
    answer, compiled, (line,) = ask()
    assert (answer, compiled) == (42, 1)
    assert "belongs to another user (number 1)" in line
    assert ask() == (42, 0, [])


def test_a_kernel_that_closes_over_kernels_fills_no_disk(home: Path, ask: Callable[[], Any]) -> None:
    """It is another in every process, and nobody would ever find its file."""
    for _ in range(2):
        module = module_of(home)
        assert module.closing_over(module.plus)(1) == 2
        assert not [path for path in kernels(home) if "call" in path.name]


def test_two_processes_that_compile_at_once_leave_a_whole_cache(home: Path) -> None:
    pair = [process(home), process(home)]
    assert [answer_of(each)[0] for each in pair] == [42, 42]
    files = kernels(home)
    assert len(files) == BOTH
    assert store.damage(files[0].parent) == {}
    assert not list(files[0].parent.glob(".*")), "no unfinished file is left"
    assert answer_of(process(home)) == (42, 0, "")
    os.truncate(files[0], 2000)
    answer, compiled, said = answer_of(process(home))
    assert (answer, compiled) == (42, 1)
    assert "was damaged (1 file: its checksum is wrong); compiled anew" in said


def test_a_full_disk_costs_a_compilation_and_one_line(home: Path) -> None:
    answer, compiled, said = answer_of(process(home, limit=1000))
    assert (answer, compiled) == (42, BOTH)
    assert said.count("no machine code can be kept in") == 1
    assert kernels(home) == []


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("options", ["size=8k", "ro"])
def test_a_small_and_a_read_only_disk_are_no_error(home: Path, options: str) -> None:
    disk = home / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"{options},mode=700", "none", str(disk)]).returncode:
        pytest.skip("not allowed to mount")
    try:
        (home / "temporary").mkdir()
        answer = answer_of(process(home, PLYOUT_CACHE=str(disk / "cache"), TMPDIR=str(home / "temporary")))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert answer[:2] == (42, BOTH)
    assert answer[2].startswith("no machine code can be kept in")
