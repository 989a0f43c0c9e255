"""The command line as a whole: help, version, and what a mistake gets."""

import subprocess
import sys

from plyout import __version__
from plyout.cli.main import COMMANDS, GROUPS
from tests.cli.client import mistake, plyout

HEAVY = ("numba", "numpy", "rich", "chess", "matplotlib", "sklearn")


def test_help_names_every_command() -> None:
    text = plyout("--help").stdout
    names = [function.__name__.replace("_", "-") for function in COMMANDS] + list(GROUPS)
    listed = [line.split()[0] for line in text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()]
    assert listed == names
    assert len(names) == len(set(names))


def test_help_loads_nothing_heavy() -> None:
    """So that it answers at once: commands import what they need when they run."""
    script = f"import sys, plyout.cli.main; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"


def test_every_command_has_help() -> None:
    for function in COMMANDS:
        assert function.__doc__, function
    for name in GROUPS:
        run = plyout(name, "--help")
        assert run.returncode == 0
        assert "Commands:" in run.stdout


def test_the_version_is_shown() -> None:
    run = plyout("--version")
    assert (run.returncode, run.stdout) == (0, f"plyout {__version__}\n")


def test_without_a_command_a_pipe_is_answered_in_uci() -> None:
    run = plyout(standard_input="uci\nquit\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("uciok\n")


def test_an_unknown_command_or_option_gets_one_line() -> None:
    assert mistake("serach").startswith("No such command 'serach'")
    assert "(see 'plyout perft --help')" in mistake("perft", "--speed", "9")


def test_a_reader_that_closes_the_pipe_gets_no_traceback() -> None:
    """As in ``plyout presets | head -1``."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plyout", "presets"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(60)
