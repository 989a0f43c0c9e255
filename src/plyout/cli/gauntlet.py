"""``plyout gauntlet``."""

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.cluster import Cluster, ScaleTime, cluster_of
from plyout.cli.common import Concurrency, Json, parse_numbers, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.match import Book, Clock, Draw, Margin, MaxPlies, Movetime, Nodes, Patience, Resign, Seed, Tables
from plyout.cli.output import output_folder
from plyout.errors import InputError

Rungs = Annotated[
    list[str] | None,
    typer.Option(
        "--rung",
        "-r",
        help="Levels of Stockfish ('1350,1650') or an engine as of a match; may be repeated.  "
        "[default: 1350 to 2850, and Toga II, Glaurung, GNU Chess and Ethereal where installed]",
    ),
]
Anchors = Annotated[
    list[str] | None,
    typer.Option("--anchor", metavar="NAME=ELO", help="The known rating of a rung; may be repeated."),
]


def gauntlet(
    player: Annotated[
        str, typer.Option("--engine", "-e", help="Who is rated: a preset or a program, as in a match.")
    ] = "plyout",
    rung: Rungs = None,
    anchor: Anchors = None,
    program: Annotated[str, typer.Option(help="The Stockfish whose strength is limited.")] = "stockfish",
    games: Annotated[int, typer.Option(min=2, help="Games in all: an even number.")] = 40,
    tc: Clock = None,
    movetime: Movetime = None,
    nodes: Nodes = None,
    openings: Book = "built-in",
    seed: Seed = 1,
    concurrency: Concurrency = 1,
    resign: Resign = None,
    draw: Draw = None,
    tables: Tables = None,
    max_plies: MaxPlies = None,
    margin: Margin = 50.0,
    patience: Patience = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep everything in this folder; the same command, or more games, goes on with it."),
    ] = None,
    cluster: Cluster = "local",
    scale_time: ScaleTime = False,
    as_json: Json = False,
) -> None:
    """Rate a player against a ladder of engines: two games with each, then most with those that are near.

    Takes about two minutes: 40 games of 1 s + 0.01 s, an interval of some 150 Elo; 200 games of 10 s + 0.1 s, an hour
    and a half, halve it.
    """
    from plyout.lab.gauntlet.gauntlet import gauntlet as run
    from plyout.lab.gauntlet.rungs import ladder

    options: dict[str, Any] = {
        "tc": tc, "movetime": movetime, "nodes": nodes, "book": openings, "seed": seed, "tables": tables,
        "max_plies": max_plies, "margin": margin, "patience": patience, "resign": None, "draw": None,
    }  # fmt: skip
    if resign is not None:
        options["resign"] = parse_numbers(resign, "--resign", "moves,centipawns, as in 4,600", int, 2)
    if draw is not None:
        options["draw"] = parse_numbers(draw, "--draw", "moves,centipawns,from-move, as in 8,10,40", int, 3)
    rungs = ladder(player, rung or (), program, _anchors(anchor or []))
    if out is not None:
        output_folder(out)
    if not as_json:
        for line in rungs.left_out:
            typer.echo(f"left out: {line}", err=True)
    with cluster_of(cluster, scale_time) as where, Ending(goes_on(out)) as ending:
        options |= {"concurrency": concurrency, "out": out, "quiet": as_json, "cluster": where}
        found = ending.of(run, rungs, games, **options)
        if as_json:
            print_json(ending.marked(found.as_dict()))
            return
        from plyout.lab.gauntlet.show import show

        show(found)
        if out is not None and not ending.cut_short:
            print(f"everything is in {out}: games.sqlite, games.pgn, results.json, log")


def _anchors(texts: list[str]) -> dict[str, float]:
    """Ratings by name; a name may have an equals sign itself."""
    found = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        try:
            found[name] = float(elo)
        except ValueError:
            found[name] = float("nan")
        if not name or not isfinite(found[name]) or abs(found[name]) > 5000:
            raise InputError(f"--anchor wants NAME=ELO, as in toga2=2700, not {text!r}")
    return found
