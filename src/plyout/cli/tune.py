"""``plyout tune``: parameters by games against themselves."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyout.cli.cluster import Cluster, ScaleTime, cluster_of
from plyout.cli.common import Concurrency, Json, Settings, parse_numbers, parse_settings, preset_names, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.match import Book, Clock, Draw, Margin, MaxPlies, Movetime, Nodes, Patience, Resign, Tables, Variant
from plyout.cli.output import output_file, output_folder
from plyout.errors import InputError
from plyout.progress import warn

if TYPE_CHECKING:
    from plyout.lab.tune.result import Tuned


def tune(
    parameter: Annotated[
        list[str],
        typer.Option(
            "--parameter",
            "-p",
            metavar="NAME[=START:LOW:HIGH:STEP]",
            help="What to tune; may be repeated. What is not given: start from the preset, range from the table.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Keep everything in this folder; the same command goes on with it.")],
    preset: Annotated[
        str, typer.Option(help="Where to begin: a preset, or a file of your own.", autocompletion=preset_names)
    ] = "plyout",
    settings: Settings = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games: each is one iteration.")] = 20,
    tc: Clock = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    openings: Book = "built-in",
    variant: Variant = "chess",
    seed: Annotated[int, typer.Option(min=0, help="Decides what is tried, and the order of the openings.")] = 1,
    concurrency: Concurrency = 1,
    lag: Annotated[
        int, typer.Option(min=1, help="A pair starts from what was known so many pairs before: room for -j.")
    ] = 4,
    rate: Annotated[
        float | None,
        typer.Option(min=0, help="a at the end, in steps (r_end).  [default: by the pairs: chance moves about a step]"),
    ] = None,
    resign: Resign = None,
    draw: Draw = None,
    tables: Tables = None,
    max_plies: MaxPlies = None,
    margin: Margin = 50.0,
    patience: Patience = None,
    save: Annotated[
        Path | None, typer.Option(help="Where to write the preset, as .toml.  [default: tuned.toml in --out]")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the way of every parameter: .png, .svg or .pdf.")] = None,
    cluster: Cluster = "local",
    scale_time: ScaleTime = False,
    as_json: Json = False,
) -> None:
    """Tune parameters by SPSA: all are moved a little, up or down, against the opposite, and winners pull.

    Takes about two minutes: 20 pairs of games of 1 s + 0.01 s, which show how it goes. To find anything takes hundreds
    of pairs, and hours.
    """
    from plyout.lab.match.conditions import Conditions
    from plyout.lab.report.pyplot import check_plot
    from plyout.lab.tune.tune import PRESET, Goal
    from plyout.lab.tune.tune import tune as run

    if rate == 0:
        raise InputError("--rate must be above 0, or nothing would move")
    conditions = Conditions(
        tc=tc, movetime=movetime, nodes=nodes, book=openings, variant=variant, seed=seed, tables=tables,
        max_plies=max_plies, margin=margin, patience=patience,
        resign=_parsed(resign, "--resign", "moves,centipawns, as in 4,600", 2),
        draw=_parsed(draw, "--draw", "moves,centipawns,from-move, as in 8,10,40", 3),
    )  # fmt: skip
    goal = Goal(preset, tuple(parameter), pairs, rate or 0.0, lag, parse_settings(settings))
    goal.plan(conditions)  # a mistake is told before anything is made
    if save is not None and save.suffix != ".toml":
        raise InputError(f"--save wants a file that ends in .toml, by which presets of your own are known, not {save}")
    path = output_folder(out) / PRESET if save is None else output_file(save, "--save")
    if plot is not None:
        check_plot(output_file(plot, "--plot"))
    if concurrency > 2 * lag:
        warn(f"-j {concurrency} is more than the {2 * lag} games that --lag {lag} lets begin")
    output_folder(out)
    with cluster_of(cluster, scale_time) as where, Ending(goes_on(out)) as ending:
        with _live(as_json) as watch:
            quiet = as_json or watch is not _nobody
            tuned = ending.of(run, goal, conditions, out, concurrency, quiet=quiet, watch=watch, cluster=where)
        tuned.write(path)
        if plot is not None:
            from plyout.lab.tune.plot import draw as draw_ways

            draw_ways(tuned, plot)
        _tell(tuned, path, as_json, ending)


def _parsed(text: str | None, option: str, form: str, count: int) -> Any:
    return None if text is None else parse_numbers(text, option, form, int, count)


def _nobody(tuned: "Tuned") -> None:
    """Nobody watches."""


@contextlib.contextmanager
def _live(as_json: bool) -> Iterator["Callable[[Tuned], None]"]:
    """A table that is kept up to date while the games go on, where there is a terminal."""
    if as_json or not sys.stdout.isatty():
        yield _nobody
        return
    from rich.live import Live

    from plyout.lab.report.terminal import terminal
    from plyout.lab.tune.show import table

    with Live(console=terminal(), auto_refresh=False, transient=True) as live:
        yield lambda tuned: live.update(table(tuned), refresh=True)


def _tell(tuned: "Tuned", path: Path, as_json: bool, ending: Ending) -> None:
    """What came of it, and that it is no more than a guess until a match has confirmed it."""
    from plyout.lab.report.terminal import terminal
    from plyout.lab.tune.show import table

    if as_json:
        answer = {"saved": str(path), "confirm": tuned.confirm(path)}
        print_json(ending.marked(tuned.as_dict() | answer))
        return
    console = terminal()
    console.print(table(tuned))
    console.print(f"written: {path}", soft_wrap=True)
    if not ending.cut_short:
        console.print("SPSA finds where to look, and proves nothing: whether this is stronger, a match must show:")
        console.print(f"  {tuned.confirm(path)}", soft_wrap=True)
