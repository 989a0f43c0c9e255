"""The command line: ``plyout …``.

Each module beside this one holds the commands that it is named after; here they are put together. Commands import what
they need when they run, so that ``--help`` answers at once.
"""

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.completion import shell_complete

from plyout import __version__
from plyout.cli import analyse, bench, board, book, cache, fit, gauntlet, label, match, mine, networks, perft, play
from plyout.cli import presets, rate, report, reproduce, search, solve, study, tables, tour, train, traps, tune, uci
from plyout.cli.border import EXIT_CODES, guarded
from plyout.cli.greeting import greeting, names_of
from plyout.cli.help import Group, Root

app = typer.Typer(
    name="plyout",
    help="A Monte-Carlo chess engine and a laboratory for such engines.",
    cls=Root,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=EXIT_CODES,
)

_COMPLETE = "_PLYOUT_COMPLETE"

COMMANDS = (  # each has its section and its summary in sections.py
    tour.tour, search.search, play.play, analyse.analyse, board.board, uci.uci, perft.perft, perft.playouts,
    study.study, bench.bench,
    match.match, match.tournament, match.results, tune.tune, report.report, report.ratings, report.elo,
    study.graph_stats, fit.fit, label.label, solve.solve, rate.rate, gauntlet.gauntlet, reproduce.reproduce,
    traps.traps, traps.similarity, traps.trap_study, traps.trap_density, traps.visits_to_refutation,
)  # fmt: skip
GROUPS = {
    "book": book.app, "presets": presets.app, "tables": tables.app, "networks": networks.app, "mine": mine.app,
    "train": train.app,
    "cache": cache.app,
}  # fmt: skip


for command in COMMANDS:
    app.command()(command)
for name, group in GROUPS.items():
    app.add_typer(group, name=name, cls=Group)


def main() -> NoReturn:
    """Run the command line; whatever goes wrong gets one line on standard error, and its exit code."""
    sys.exit(guarded(_run))


def command_line() -> Any:
    """The command `plyout` with all that is below it."""
    return typer.main.get_command(app)


def _run() -> object:
    """Typer's own way of running an app would take the end of a file for Ctrl-C, and a closed pipe for an error."""
    command = command_line()
    if wanted := os.environ.get(_COMPLETE):  # a shell asks what could come next
        return shell_complete(command, {}, "plyout", _COMPLETE, wanted)
    with command.make_context("plyout", sys.argv[1:]) as context:
        return command.invoke(context)


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
            print(greeting(names_of(context)) if sys.stdout.isatty() else context.get_help())
        else:  # a chess program has started us
            uci.uci()
