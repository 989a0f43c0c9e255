"""The command line as a whole: help, version, and what a mistake gets."""

import re
import subprocess
import sys

import typer

from plyout import __version__
from plyout.cli.help import value_type, walk
from plyout.cli.main import COMMANDS, GROUPS, command_line
from plyout.cli.sections import SECTIONS
from tests.cli.client import mistake, plyout

HEAVY = ("numba", "numpy", "rich", "chess", "matplotlib", "sklearn")


REGISTERED = [function.__name__.replace("_", "-") for function in COMMANDS] + list(GROUPS)
LISTED = [name for commands in SECTIONS.values() for name in commands]


def test_every_command_has_its_section_and_its_summary() -> None:
    """A command is registered in main.py; sections.py says where `--help` lists it, and as what."""
    assert len(REGISTERED) == len(set(REGISTERED))
    assert len(LISTED) == len(set(LISTED))
    assert set(REGISTERED) <= set(LISTED), "give it a section and a summary in cli/sections.py"


def test_help_names_every_command_with_its_summary_on_one_line() -> None:
    text = plyout("--help").stdout
    for commands in SECTIONS.values():
        for name, summary in commands.items():
            assert (f"\n  {name:20}  {summary}\n" in text) == (name in REGISTERED), name


def test_an_option_means_the_same_everywhere() -> None:
    """One name, one kind of value, one short form; a place to write to is --out, a number of workers --concurrency."""
    kinds: dict[str, set[tuple[object, str | None]]] = {}
    for path, command in walk(command_line()):
        for option in command.params:
            if option.param_type_name == "option" and (kind := value_type(command, option)) is not None:
                short = next((name for name in option.opts if not name.startswith("--")), None)
                long = next(name for name in option.opts if name.startswith("--"))
                kinds.setdefault(long, set()).add((kind, short))
                assert option.help or long == "--help", f"{' '.join(path)} {long} is not explained"
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}
    assert not {"--output", "--folder", "--jobs", "--limit-nodes", "--simulations"} & set(kinds)


LONG = (
    "tour", "analyse", "match", "tournament", "gauntlet", "rate", "tune", "fit", "label", "study", "solve", "bench",
    "reproduce", "trap-study", "trap-density", "visits-to-refutation", "graph-stats", "tables build",
    "tables verify", "book build", "mine mates", "mine traps", "train teacher", "train student",
)  # fmt: skip


def test_whatever_is_long_says_how_long() -> None:
    helps = {" ".join(path): command.help for path, command in walk(command_line())}
    assert [name for name in LONG if "Takes " not in helps[name]] == []


def test_values_are_named_by_what_they_are() -> None:
    text = plyout("search", "--help").stdout
    assert "--nodes N " in text
    assert "--fen FEN " in text
    for path, command in walk(command_line()):
        types = re.findall(r"<[a-z]+", command.get_help(typer.Context(command)), re.IGNORECASE)
        assert types == [], f"{' '.join(path)} shows Python's types"


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
        assert "..." not in run.stdout.partition("Commands:")[2], "summaries are whole"


def test_the_version_is_shown() -> None:
    run = plyout("--version")
    assert (run.returncode, run.stdout) == (0, f"plyout {__version__}\n")


def test_without_a_command_a_pipe_is_answered_in_uci() -> None:
    run = plyout(standard_input="uci\nquit\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("uciok\n")


def test_an_unknown_command_or_option_gets_one_line() -> None:
    assert mistake("serach").startswith("No such command 'serach'. Did you mean 'search'?")
    assert mistake("tables", "bild").startswith("No such command 'bild'. Did you mean 'build'?")
    assert mistake("search", "--node", "9").startswith("No such option: --node: did you mean '--nodes'")
    assert mistake("search", "--set", "puct_ini=1") == "no parameter is called 'puct_ini': did you mean 'puct_init'?"
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
