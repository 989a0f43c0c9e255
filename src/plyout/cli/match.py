"""``plyout match``, ``plyout tournament`` and ``plyout results``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.cluster import Cluster, ScaleTime, cluster_of
from plyout.cli.common import Concurrency, Json, parse_numbers, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_folder
from plyout.errors import InputError

Engines = Annotated[
    list[str],
    typer.Option(
        "--engine", "-e", help="A preset ('mcc', 'mcc?c=0.7&nodes=500') or a program ('uci:stockfish?UCI_Elo=1500')."
    ),
]
Games = Annotated[int, typer.Option(min=2, help="Games of each pairing: an even number.")]
Clock = Annotated[str | None, typer.Option("--tc", help="Seconds+increment, as in 10+0.1 or 40/60.  [default: 1+0.01]")]
Movetime = Annotated[float | None, typer.Option(help="Milliseconds for each move.")]
Nodes = Annotated[int | None, typer.Option(min=1, help="Nodes (iterations) for each move.")]
Evaluations = Annotated[int | None, typer.Option(min=1, help="Leaves to evaluate for each move.")]
Book = Annotated[str, typer.Option("--openings", help="built-in, start, or an EPD or PGN file.")]
Variant = Annotated[str, typer.Option(help="chess, chess960 or crazyhouse.")]
Seed = Annotated[int, typer.Option(min=0, help="Decides the order of the openings; 0 leaves it.")]
Resign = Annotated[
    str | None,
    typer.Option(metavar="MOVES,CP", help="Both agree for so many moves that one leads by so much: the other resigns."),
]
Draw = Annotated[
    str | None,
    typer.Option(
        metavar="MOVES,CP,FROM", help="Both agree for so many moves, from a move on, that the lead is at most so much."
    ),
]
Tables = Annotated[str | None, typer.Option("--syzygy", help="A folder of Syzygy tables that decide games.")]
MaxPlies = Annotated[int | None, typer.Option(min=1, help="A game of so many plies is drawn.")]
Margin = Annotated[float, typer.Option(min=0, help="Milliseconds by which a move may overstep its time.")]
Patience = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        help="Seconds beyond its time until an engine that does not answer is killed.  [default: 10; no clock: 60]",
    ),
]
Out = Annotated[
    Path | None, typer.Option(help="Keep everything in this folder; the same command continues an interrupted run.")
]


def match(
    engine: Engines,
    games: Games = 20,
    tc: Clock = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    evaluations: Evaluations = None,
    openings: Book = "built-in",
    variant: Variant = "chess",
    seed: Seed = 1,
    concurrency: Concurrency = 1,
    resign: Resign = None,
    draw: Draw = None,
    tables: Tables = None,
    max_plies: MaxPlies = None,
    margin: Margin = 50.0,
    patience: Patience = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Stop when a sequential test has decided, as in 0,10.")
    ] = None,
    out: Out = None,
    cluster: Cluster = "local",
    scale_time: ScaleTime = False,
    as_json: Json = False,
) -> None:
    """Two engines play each other, every opening with both colours; the result is the first one's.

    Takes about a minute: 20 games of 1 s + 0.01 s. A difference of 20 Elo takes some 2,000.
    """
    options = dict(locals())  # all of the above
    if len(engine) != 2:
        raise InputError("a match is between two engines: --engine A --engine B (for more: 'plyout tournament')")
    _play(**options)


def tournament(
    engine: Engines,
    kind: Annotated[str, typer.Option("--type", help="round-robin, or gauntlet: the first against each.")] = (
        "round-robin"
    ),
    games: Games = 10,
    tc: Clock = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    evaluations: Evaluations = None,
    openings: Book = "built-in",
    variant: Variant = "chess",
    seed: Seed = 1,
    concurrency: Concurrency = 1,
    resign: Resign = None,
    draw: Draw = None,
    tables: Tables = None,
    max_plies: MaxPlies = None,
    margin: Margin = 50.0,
    patience: Patience = None,
    out: Out = None,
    cluster: Cluster = "local",
    scale_time: ScaleTime = False,
    as_json: Json = False,
) -> None:
    """Several engines play a round-robin, or a gauntlet: the first against each of the others.

    Takes about half a minute for each pairing: 10 games of 1 s + 0.01 s.
    """
    _play(**locals(), sprt=None)


def _play(
    engine: list[str], openings: str, resign: str | None, draw: str | None, sprt: str | None, out: Path | None,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Play what the options of a command ask for and show the results; those not named here are passed on unchanged."""
    from plyout.lab.match.match import sequential, summary
    from plyout.lab.match.match import tournament as run

    bounds: Any = None
    if sprt is not None:
        bounds = parse_numbers(sprt, "--sprt", "two Elo differences, as in 0,10", float, 2)
    options |= {"resign": None, "draw": None}
    if resign is not None:
        options["resign"] = parse_numbers(resign, "--resign", "moves,centipawns, as in 4,600", int, 2)
    if draw is not None:
        options["draw"] = parse_numbers(draw, "--draw", "moves,centipawns,from-move, as in 8,10,40", int, 3)
    if out is not None:
        output_folder(out)
    with cluster_of(options.pop("cluster"), options.pop("scale_time")) as where, Ending(goes_on(out)) as ending:
        results = ending.of(run, engine, book=openings, sprt=bounds, out=out, quiet=as_json, cluster=where, **options)
        if as_json:
            print_json(ending.marked(summary(results, bounds)))
            return
        from plyout.lab.report.show import show

        show(results, sequential(results, bounds))
        if out is not None and not ending.cut_short:
            print(f"everything is in {out}: games.sqlite, games.pgn, results.json, log")


def results(
    paths: Annotated[list[Path], typer.Argument(help="Folders that --out made, or folders that contain such.")],
    export: Annotated[
        str | None, typer.Option(metavar="FORM", help="Write the games to standard output: csv, json or pgn.")
    ] = None,
    games: Annotated[bool, typer.Option("--list", help="List the games, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show the results of an experiment; several are compared, one line each."""
    from plyout.lab.match.archive import compare, experiments, exported
    from plyout.lab.report.show import show, show_comparison, show_games

    found = experiments(paths)
    if export is not None:
        exported(found, export)
    elif as_json:
        print_json({"experiments": compare(found)})
    elif len(found) == 1:
        show(found[0].results)
    else:
        show_comparison(compare(found))
    if games and export is None and not as_json:
        show_games([game for one in found for game in one.results.games])
