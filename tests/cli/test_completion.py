"""A shell that asks what could come next gets commands, options and presets; tried in the shells that are there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = """
source completion
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_plyout_completion plyout
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -U compinit; compinit -u -d dump
_arguments() {{ print -r -- "$@" }}
source completion
words=({words}); CURRENT=${{#words}}
_plyout_completion
"""


@pytest.fixture(scope="module")
def shell_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program `plyout` and a home of its own."""
    folder = tmp_path_factory.mktemp("shell")
    (folder / "plyout").write_text(f'#!/bin/sh\nexec {sys.executable} -m plyout "$@"\n')
    (folder / "plyout").chmod(0o755)
    return folder


def completed(shell: str, script: str, words: str, folder: Path) -> str:
    """What `shell` is offered after `words`."""
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}
    shown = subprocess.run(
        [sys.executable, "-m", "plyout", "--show-completion", shell],
        capture_output=True, text=True, env=environment | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    (folder / "completion").write_text(shown.stdout)
    run = subprocess.run(
        [shell, "-c", script.format(words=f"plyout {words}")],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("shell, script", [("bash", BASH), ("zsh", ZSH)])
@pytest.mark.parametrize(
    "words, offered",
    [("tourn", "tournament"), ("search --why-", "--why-not"), ("search --preset mcc-com", "mcc-combined")],
)
def test_a_shell_completes(shell: str, script: str, words: str, offered: str, shell_folder: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    assert offered in re.findall(r"[\w-]+", completed(shell, script, words, shell_folder))
