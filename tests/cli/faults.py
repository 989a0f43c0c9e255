"""Processes to which something happens: a full disk, a closed pipe, little memory, another encoding."""

import contextlib
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

Run = subprocess.CompletedProcess[bytes]


def started(*arguments: str, limits: dict[int, int] | None = None, **more: Any) -> Run:
    """``python ARGUMENTS`` with limits of the system; `more` says where output goes, and what else `run` is to know."""

    def limit() -> None:
        for what, most in (limits or {}).items():
            resource.setrlimit(what, (most, most))

    environment = os.environ | more.pop("environment", {})
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.run(
        [sys.executable, *arguments], preexec_fn=limit, env=environment, timeout=120, cwd=ROOT, **streams
    )


def plyout(*arguments: str, **more: Any) -> Run:
    return started("-m", "plyout", *arguments, **more)


def guarded(body: str, **more: Any) -> Run:
    """A command whose body is this Python, inside the border."""
    script = (
        f"import sys\nfrom plyout.cli.border import guarded\ndef command():\n    {body}\nsys.exit(guarded(command))"
    )
    return started("-c", script, **more)


def one_line(run: Run) -> str:
    """What a failure says, which is one line and no traceback."""
    text = run.stderr.decode()
    assert text.startswith("plyout: "), text
    assert text.count("\n") == 1, text
    assert text.endswith("\n")
    return text.removeprefix("plyout: ").rstrip("\n")


@contextlib.contextmanager
def closed_pipe() -> Iterator[int]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A file system of its own in `folder`; the test is left out where none can be mounted."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """A folder that cannot be written into: by its permissions, or, where they do not bind, by its file system."""
    if hasattr(os, "geteuid") and os.geteuid() != 0:
        folder.mkdir(mode=0o555)
        yield folder
        return
    with mounted(folder, "ro") as made:
        yield made


def full_disk(folder: Path, room: int, use: Callable[[Path, dict[int, int]], None]) -> None:
    """`use` a folder with room for so many bytes: a small disk for root, else by the limit of a file's size."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        with contextlib.suppress(pytest.skip.Exception), mounted(folder, f"size={room}") as small:
            use(small, {})
            return
    folder.mkdir(exist_ok=True)
    use(folder, {resource.RLIMIT_FSIZE: room})
