"""``plyout label``."""

from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.cluster import Cluster, cluster_of
from plyout.cli.common import Json, Processes, Seed, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_folder


def label(
    out: Annotated[Path, typer.Option(help="The folder of the games; one that is there is continued.")],
    games: Annotated[int, typer.Option(min=1, help="How many games the folder is to have.")] = 200,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", "-e", help='Who plays and labels: stockfish, uci:"program options", or a preset of ours.'
        ),
    ] = "stockfish",
    nodes: Annotated[int, typer.Option(min=1, help="Nodes for each position.")] = 3000,
    random: Annotated[float, typer.Option(min=0, max=1, help="Share of the moves that are random.")] = 0.09,
    max_plies: Annotated[int, typer.Option(min=1, max=1000, help="A game ends then, judged by its last score.")] = 300,
    seed: Seed = 1,
    concurrency: Processes = 0,
    cluster: Cluster = "local",
    as_json: Json = False,
) -> None:
    """Play games and label every position with an engine's best move and score, for networks to learn from.

    Takes about a minute on two cores: 200 games. Networks want 100,000, which take a core some 20 hours.
    """
    from plyout.lab.train.label import Labelling
    from plyout.lab.train.label import label as run

    labelling = Labelling(engine, nodes, seed, random, max_plies)
    labelling.player()
    output_folder(out)
    with cluster_of(cluster) as where, Ending(goes_on(out)) as ending:
        tally = ending.of(run, labelling, games, out, concurrency, as_json, where)
        if as_json:
            answer = {"games": tally.games, "positions": tally.positions, "engine": engine, "nodes": nodes}
            print_json(ending.marked(answer | {"seed": seed, "folder": str(out)}))
        else:
            print(f"{tally.games:,} games, {tally.positions:,} labelled positions in {out}")
