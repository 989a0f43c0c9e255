"""Every command of the README works as it is pasted, in bash and in zsh."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plyout.cli.main import command_line
from tests.cli.client import plyout
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLES = re.findall(r"^\| `([^`]+)` \| .* \| ([^|]+) \|$", README, re.MULTILINE)
IN_TABLES = [(line, takes) for line, takes in TABLES if re.match(r"(plyout|make|uv|pipx|pip) ", line)]
IN_BLOCKS = [line for block in re.findall(r"```bash\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
LINES = [*(line for line, _ in IN_TABLES), *IN_BLOCKS]
QUICK = [line for line, takes in IN_TABLES if re.fullmatch(r"[123] s", takes) and line.startswith("plyout")]
PROGRAMS = ("plyout", "make", "uv", "pipx", "pip")


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs that do nothing but tell what they were given."""
    folder = tmp_path_factory.mktemp("stubs")
    for name in PROGRAMS:
        script = f"#!{sys.executable}\nimport json, sys\nprint(json.dumps([{name!r}, *sys.argv[1:]]))\n"
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


def pasted(shell: str, stubs: Path, folder: Path) -> list[list[str]]:
    """What the programs are given when all lines are pasted; in a folder with nothing that a pattern could match."""
    script = "\n".join(LINES)
    environment = os.environ | {"PATH": f"{stubs}:{os.environ['PATH']}", "HOME": str(folder)}
    command = [shell, "-f", "-e"] if shell == "zsh" else [shell, "--norc", "-e"]
    run = subprocess.run(command, input=script, text=True, capture_output=True, cwd=folder, env=environment)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_there_are_commands_for_all_three_readers() -> None:
    assert len(LINES) > 20
    assert {"plyout tour", "plyout presets", "plyout elo 30 45 25", "make run"} <= set(LINES)


def test_no_line_needs_a_comment() -> None:
    """A zsh that somebody types into takes what follows the sign for arguments."""
    assert [line for line in LINES if "#" in line or "…" in line] == []


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_pass_on_what_is_meant(shell: str, stubs: Path, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    given = pasted(shell, stubs, tmp_path)
    assert len(given) == len(LINES)
    for words in given:
        if words[0] == "plyout":
            _parse(words[1:])
    assert ["plyout", "match", "-e", "plyout", "-e", "uci:stockfish?UCI_Elo=2300", "-j", "2"] in given
    assert ["pip", "install", ".[board]"] in given


def _parse(words: list[str]) -> None:
    """Read the words as the command line does, and run nothing: what is unknown or misspelt raises."""
    command, path = command_line(), "plyout"
    context = command.make_context(path, list(words))
    while hasattr(command, "commands"):
        rest = [*context._protected_args, *context.args]
        if not rest:
            return
        name, command, left = command.resolve_command(context, rest)
        assert command is not None, words
        context = command.make_context(name, left, parent=context)


@pytest.mark.parametrize("line", QUICK)
def test_what_takes_seconds_runs(line: str) -> None:
    words = re.findall(r'"([^"]*)"|(\S+)', line)
    run = plyout(*(quoted or bare for quoted, bare in words[1:]))
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_what_the_makefile_is_asked_for_is_there() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`make (\w+)`", README)) <= set(targets)


def test_the_first_screen_has_a_picture() -> None:
    start = README[:1500]
    assert re.search(r"!\[[^\]]{20,}\]\(docs/figures/[\w-]+\.png\)", start), "with a text for who cannot see it"
