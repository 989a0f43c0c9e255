"""``plyout analyse``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.cluster import Cluster, cluster_of
from plyout.cli.common import Json, Settings, parse_settings, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_folder
from plyout.errors import InputError


def analyse(
    games: Annotated[Path, typer.Argument(metavar="GAMES.pgn", help="A game, or a collection of them.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for results; the same command goes on there.  [default: GAMES-analysis]"),
    ] = None,
    preset: Annotated[str, typer.Option(help="The system that searches; see 'plyout presets'.")] = "plyout",
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Iterations for each position.  [default: 20000, unless a time is given]")
    ] = None,
    movetime: Annotated[float | None, typer.Option(min=1.0, help="Milliseconds for each position.")] = None,
    explain: Annotated[int, typer.Option(min=0, help="Explain so many mistakes of each game, the gravest.")] = 6,
    seed: Annotated[int | None, typer.Option(help="Same seed, same nodes: same analysis.")] = None,
    settings: Settings = None,
    concurrency: Annotated[int, typer.Option("--concurrency", "-j", min=1, help="Positions at the same time.")] = 1,
    cluster: Cluster = "local",
    as_json: Json = False,
) -> None:
    """Analyse every move of games: annotated PGN and a page for the browser. Ctrl-C keeps what is done.

    Takes about half a minute a game of 40 moves.
    """
    from plyout.lab.analyse.analyse import analyse as run
    from plyout.lab.analyse.analyse import report
    from plyout.lab.analyse.games import read_games
    from plyout.lab.analyse.settings import NODES
    from plyout.lab.analyse.settings import Settings as Searched
    from plyout.lab.analyse.show import show

    changes: dict[str, Any] = parse_settings(settings) | ({} if seed is None else {"seed": seed})
    if "level" in changes:
        raise InputError("a level makes mistakes on purpose: leave it out")
    nodes = NODES if nodes is None and movetime is None else nodes
    searched = Searched(preset, nodes, movetime, explain, changes)
    given = read_games(games)
    folder = output_folder(out or Path(f"{games.stem}-analysis"))
    with cluster_of(cluster) as where, Ending(goes_on(folder)) as ending:
        found = report(ending.of(run, given, searched, folder, concurrency, as_json, where), searched)
        files = found.write(folder, games.name) if found.games else ()
        if as_json:
            print_json(ending.marked(found.as_dict() | {"files": [str(file) for file in files]}))
        else:
            show(found, files)
