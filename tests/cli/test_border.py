"""Whatever a user, a disk or a pipe does: one line and an exit code, and never a traceback."""

import errno
import json
import logging
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from plyout.cli import main
from plyout.cli.border import BUG, CLOSED, INTERRUPTED, MACHINE, USER, guarded, judge
from plyout.errors import InputError
from tests.cli import faults
from tests.cli.faults import closed_pipe, full_disk, one_line, read_only

Command = Callable[..., tuple[int, str, str]]

GAMES = "".join(
    f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'
    for white, black, result in [("Zoë [b]", "mcc", "1-0"), ("mcc", "Zoë [b]", "1/2-1/2"), ("mcc", "Zoë [b]", "1-0")]
)


@pytest.fixture
def games(tmp_path: Path) -> str:
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    return str(tmp_path / "games.pgn")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process: (exit code, standard output, standard error)."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["plyout", *arguments])
        code = guarded(main._run)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (InputError("no such thing"), USER, "no such thing"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.pgn"), USER, "a.pgn: no such file"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "a"), USER, "a: is a directory: name a file"),
        (PermissionError(errno.EACCES, "Permission denied", b"a"), USER, "a: permission denied: check the permissions"),
        (OSError(errno.EROFS, "Read-only file system", "a"), USER, "a: read-only file system: name another place"),
        (OSError(errno.ENOSPC, "No space left on device"), MACHINE, "no space left on device: free some space"),
        (OSError(errno.EMFILE, "Too many open files", "a"), MACHINE, "a: too many open files: run less"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), MACHINE, "not enough memory"),
        (OSError("Not a gzipped file"), USER, "an input file is damaged: OSError: Not a gzipped file"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), MACHINE, "broken pipe"),  # ours are whole: it is another's
        (
            MemoryError("Unable to allocate 7 TiB"),
            MACHINE,
            "not enough memory (Unable to allocate 7 TiB): ask for less",
        ),
        (RecursionError("maximum recursion depth exceeded"), USER, "nested too deeply"),
        (sqlite3.OperationalError("database or disk is full"), MACHINE, "disk is full: free some space"),
        (sqlite3.OperationalError("attempt to write a readonly database"), USER, "cannot be opened"),
        (sqlite3.OperationalError("database is locked"), MACHINE, "who else writes to it"),
        (sqlite3.DatabaseError("file is not a database"), USER, "the file of games is damaged: file is not a database"),
        (UnicodeDecodeError("utf-8", b"ab\xff", 2, 3, "invalid start byte"), USER, "byte 3, 0xff, is no UTF-8"),
        (UnicodeEncodeError("ascii", "aé", 1, 2, "ordinal"), USER, "'é' cannot be written in ASCII"),
        (json.JSONDecodeError("Expecting value", "x", 0), USER, "it is no JSON: Expecting value"),
        (zipfile.BadZipFile("File is not a zip file"), USER, "damaged: BadZipFile: File is not a zip file"),
        (EOFError(), USER, "damaged: EOFError"),
        (subprocess.TimeoutExpired("stockfish", 5), MACHINE, "a program that plyout started has failed"),
        (ModuleNotFoundError("No module named 'sklearn'", name="sklearn"), MACHINE, "sklearn is not installed"),
        (RuntimeError("can't start new thread"), MACHINE, "allows no more threads"),
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
        (TypeError("a + b"), BUG, "internal error: TypeError: a + b (set PLYOUT_TRACEBACK=1 to see where)"),
        (ModuleNotFoundError("No module named 'plyout.x'", name="plyout.x"), BUG, "internal error"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_exception_becomes_a_line_and_an_exit_code(error: BaseException, code: int, text: str) -> None:
    verdict = judge(error)
    assert verdict.code == code
    assert text in verdict.text


def test_an_interrupted_import_is_an_interruption() -> None:
    """Libraries written in C turn Ctrl-C into errors of their own."""
    error = ImportError("initialization failed")
    error.__cause__ = KeyboardInterrupt()
    assert judge(error).code == INTERRUPTED


def test_a_bug_shows_its_place_only_to_who_asks() -> None:
    run = faults.guarded("None + 1")
    assert run.returncode == BUG
    assert one_line(run).startswith("internal error: TypeError: unsupported operand")
    run = faults.guarded("None + 1", environment={"PLYOUT_TRACEBACK": "1"})
    assert run.returncode == BUG
    assert b"Traceback" in run.stderr


def test_what_was_printed_before_a_failure_is_there() -> None:
    run = faults.guarded("print('half'); raise OSError(28, 'No space left on device')")
    assert (run.returncode, run.stdout) == (MACHINE, b"half\n")
    one_line(run)


def test_a_thread_that_fails_says_it_in_one_line() -> None:
    run = faults.guarded("import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()")
    assert run.returncode == 0
    assert one_line(run).startswith("internal error: ZeroDivisionError")


def test_what_fails_at_the_very_end_is_not_told() -> None:
    run = faults.guarded("import atexit; atexit.register(lambda: 1 / 0)")
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_line_is_never_a_whole_file() -> None:
    run = faults.guarded("raise OSError(2, 'No such file or directory', 'x' * 100_000)")
    assert one_line(run).endswith("xx: no such file or directory: check the name")
    assert len(run.stderr) < 700


@pytest.mark.parametrize("arguments", [("presets",), ("elo", "30", "45", "25"), ("--help",), ("--version",)])
def test_a_full_disk_under_standard_output_gets_one_line(arguments: tuple[str, ...]) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    with open("/dev/full", "wb") as full:
        run = faults.plyout(*arguments, stdout=full)
    assert run.returncode == MACHINE
    assert "no space left on device: free some space" in one_line(run)


@pytest.mark.parametrize("arguments", [("presets",), ("elo", "30", "45", "25"), ("--help",), ("book",)])
def test_a_closed_pipe_ends_the_program_quietly(arguments: tuple[str, ...]) -> None:
    with closed_pipe() as pipe:
        run = faults.plyout(*arguments, stdout=pipe)
    assert (run.returncode, run.stderr) == (CLOSED, b"")


def test_tables_and_closed_pipes(games: str) -> None:
    """Rich has its own way out, which must not be taken for a failure."""
    with closed_pipe() as pipe:
        run = faults.plyout("ratings", games, stdout=pipe)
    assert (run.returncode, run.stderr) == (CLOSED, b"")


def test_nobody_reads_standard_error() -> None:
    with closed_pipe() as pipe:
        assert faults.plyout("serach", stderr=pipe).returncode == USER
        assert faults.guarded("print('note', file=sys.stderr, flush=True)", stderr=pipe).returncode == CLOSED


def test_streams_that_are_not_there() -> None:
    command = f"{sys.executable} -m plyout"
    for line in (f"{command} presets >&-", f"{command} elo 1 2 3 2>&- >&-", f"{command} <&-"):
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_memory_that_is_not_there_gets_one_line() -> None:
    run = faults.guarded("bytearray(10 ** 10)", limits={resource.RLIMIT_AS: 2**30})
    assert run.returncode == MACHINE
    assert one_line(run).startswith("not enough memory")


def test_no_more_open_files_get_one_line() -> None:
    run = faults.guarded("kept = [open('/dev/null') for _ in range(99)]", limits={resource.RLIMIT_NOFILE: 20})
    assert run.returncode == MACHINE
    assert one_line(run) == "/dev/null: too many open files: run less at the same time, or raise the limit (ulimit -n)"


def test_a_disk_that_gets_full_leaves_the_old_book(tmp_path: Path) -> None:
    def use(folder: Path, limits: dict[int, int]) -> None:
        (folder / "book.bin").write_bytes(b"")
        run = faults.plyout("book", "export", "own", "--out", str(folder / "book.bin"), limits=limits)
        assert run.returncode == MACHINE, run.stderr
        assert one_line(run).startswith(f"{folder / 'book.bin'}: ")
        assert [(path.name, path.stat().st_size) for path in folder.iterdir()] == [("book.bin", 0)]

    full_disk(tmp_path / "disk", 8192, use)


def test_a_disk_that_is_full_is_noticed_before_the_work(tmp_path: Path) -> None:
    def use(folder: Path, limits: dict[int, int]) -> None:
        if not limits:
            (folder / "all").write_bytes(bytes(4096))
        out = f"Path({str(folder / 'x')!r})"
        body = f"from pathlib import Path; from plyout.cli.output import output_file; output_file({out}); print(1)"
        run = faults.guarded(body, limits=dict.fromkeys(limits, 100))
        assert (run.returncode, run.stdout) == (MACHINE, b"")
        assert one_line(run).startswith(f"{folder}: ")

    full_disk(tmp_path / "disk", 4096, use)


def test_a_read_only_folder_is_a_mistake_that_is_noticed_first(tmp_path: Path) -> None:
    with read_only(tmp_path / "fixed") as folder:
        run = faults.plyout("book", "export", "own", "--out", str(folder / "x.bin"))
        assert run.returncode == USER
        assert one_line(run).startswith(f"--out: cannot write into {folder}: ")
        run = faults.plyout("tables", "build", "--ending", "KNNK", environment={"PLYOUT_TABLES": str(folder)})
        assert run.returncode == USER
        assert one_line(run).startswith(f"tables cannot be kept in {folder} (")


@pytest.mark.parametrize("name", ["file/book.bin", "file/deeper/book.bin", "folder.bin", "x" * 300 + ".bin"])
def test_a_wrong_place_for_a_file_gets_one_line(run: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.bin").mkdir()
    code, out, err = run("book", "export", "own", "--out", str(tmp_path / name))
    assert (code, out) == (USER, "")
    assert err.startswith("plyout: --out: ")
    assert err.count("\n") == 1


def test_a_missing_folder_is_made(run: Command, tmp_path: Path) -> None:
    code, _, err = run("book", "export", "own", "--out", str(tmp_path / "new" / "deep" / "book.tsv"))
    assert (code, err) == (0, "")
    assert [path.name for path in (tmp_path / "new" / "deep").iterdir()] == ["book.tsv"]


BAD = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "zeros": bytes(1000),
    "Latin-1": "é\n".encode("latin-1") * 100,
    "one huge line": b"x" * 1_000_000,
    "nested": b"(" * 20_000 + b"[" * 20_000 + b"{" * 20_000,
}
READERS = [
    (("solve", "FILE", "--depth", "1"), ".epd"),
    (("book", "info", "FILE"), ".bin"),
    (("book", "info", "FILE"), ".tsv"),
    (("book", "build", "FILE", "--out", "new.bin"), ".pgn"),
    (("ratings", "FILE"), ".pgn"),
    (("ratings", "FILE"), ".sqlite"),
]


@pytest.mark.parametrize(
    ("arguments", "suffix"), READERS, ids=lambda value: value if isinstance(value, str) else value[0]
)
def test_no_file_whatever_it_holds_makes_a_traceback(run: Command, tmp_path, monkeypatch, arguments, suffix) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in BAD.items():
        (tmp_path / (name + suffix)).write_bytes(content)
    (tmp_path / ("folder" + suffix)).mkdir()
    (tmp_path / ("loop" + suffix)).symlink_to(tmp_path / ("loop" + suffix))
    for name in (*BAD, "folder", "loop", "missing", "x" * 300):
        code, out, err = run(*(name + suffix if word == "FILE" else word for word in arguments))
        assert code in (0, USER), (name, err)
        assert "Traceback" not in out + err
        if code:
            assert err.startswith("plyout: "), name
            assert err.count("\n") == 1, (name, err)


@pytest.mark.parametrize("group", ["tables", "book", "mine"])
def test_a_group_alone_shows_its_help(run: Command, group: str) -> None:
    code, out, err = run(group)
    assert (code, err) == (0, "")
    assert out == run(group, "--help")[1]
    assert "Commands:\n" in out


def test_the_help_tells_the_exit_codes(run: Command) -> None:
    text = " ".join(run("--help")[1].split())
    for code in (MACHINE, USER, BUG, INTERRUPTED, CLOSED):
        assert f" {code} " in text
