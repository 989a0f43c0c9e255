"""The command line: ``plyout …``.

Each module beside this one holds the commands that it is named after; here they are put together. Commands import what
they need when they run, so that ``--help`` answers at once.
"""

import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from plyout import __version__
from plyout.cli import bench, book, cache, fit, match, mine, perft, presets, rate, report, reproduce, search, solve
from plyout.cli import study, tables, traps, uci
from plyout.errors import InputError

app = typer.Typer(
    name="plyout",
    help="A Monte-Carlo chess engine and a laboratory for such engines.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

COMMANDS = (  # in the order of --help
    search.search, uci.uci, perft.perft, perft.playouts, study.study, bench.bench,
    match.match, match.tournament, match.results, report.report, report.ratings, report.elo,
    study.graph_stats, fit.fit, solve.solve, rate.rate, reproduce.reproduce,
    traps.traps, traps.similarity, traps.trap_study, traps.trap_density, traps.visits_to_refutation,
)  # fmt: skip
GROUPS = {"book": book.app, "presets": presets.app, "tables": tables.app, "mine": mine.app, "cache": cache.app}

for command in COMMANDS:
    app.command()(command)
for name, group in GROUPS.items():
    app.add_typer(group, name=name)


def main() -> NoReturn:
    """Run the command line; a mistake of the user's gets one line on standard error and exit code 2."""
    usage_error: Any = typer.BadParameter.__bases__[0]  # of click, or of the copy that newer Typers carry
    try:
        status = app(prog_name="plyout", standalone_mode=False)
    except InputError as error:
        _fail(str(error))
    except usage_error as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "plyout"
        text = str(getattr(error, "format_message", error.__str__)()).strip().rstrip(".")
        _fail(f"{text} (see '{path} --help')")
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        _leave_quietly()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_quietly()
    sys.exit(status if isinstance(status, int) else 0)


def _leave_quietly() -> NoReturn:
    """Whoever read our output has closed it, as ``head`` does: 141 is what the shell reports of a SIGPIPE."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)


def _fail(text: str) -> NoReturn:
    print("plyout: " + " ".join(text.split("\n")), file=sys.stderr)
    sys.exit(2)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"plyout {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        if sys.stdin.isatty():
            print(context.get_help())
        else:  # a chess program has started us
            uci.uci()
