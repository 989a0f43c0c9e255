"""Run the command line as a process."""

import json
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from plyout.cli.main import main


def plyout(*arguments: str, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plyout", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        input=standard_input,
    )


def answer(*arguments: str) -> dict[str, Any]:
    """What a command answers to ``--json``."""
    run = plyout(*arguments)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout.count("\n") == 1, "one JSON object, one line"
    found = json.loads(run.stdout)
    assert isinstance(found, dict)
    return found


def mistake(*arguments: str) -> str:
    """The one line that a mistake of the user's gets."""
    run = plyout(*arguments)
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("plyout: ")
    assert run.stderr.count("\n") == 1, run.stderr
    return run.stderr.removeprefix("plyout: ").rstrip("\n")


def inside(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run a command in this process, which saves its start: (exit code, standard output, standard error)."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["plyout", *arguments])
        for owner, name in ((sys, "unraisablehook"), (threading, "excepthook"), (logging, "lastResort")):
            patch.setattr(owner, name, getattr(owner, name))  # as it was, after the command has changed it
        with pytest.raises(SystemExit) as ended:
            main()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err
