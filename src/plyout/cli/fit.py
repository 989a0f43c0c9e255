"""``plyout fit``."""

from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Seed, print_json
from plyout.cli.ending import Ending
from plyout.cli.output import output_file, output_folder


def fit(
    count: Annotated[int, typer.Option(min=100, help="Positions to make and label.")] = 200_000,
    engine: Annotated[str, typer.Option(help="The UCI engine that labels them.")] = "stockfish",
    limit: Annotated[str, typer.Option(help="How long it searches: what follows UCI's 'go'.")] = "nodes 1000",
    quiet: Annotated[bool, typer.Option("--quiet", help="Only positions without check or winning captures.")] = False,
    seed: Seed = 1,
    jobs: Annotated[int, typer.Option(min=0, help="Engines at work at once; 0: one a core.")] = 0,
    folder: Annotated[
        Path, typer.Option(help="Where positions and labels are kept; an interrupted run is continued.")
    ] = Path("fit"),
    output: Annotated[
        Path, typer.Option(help="The file of weights to write; use them by '--set weights=FILE'.")
    ] = Path("weights.toml"),
    compare: Annotated[bool, typer.Option("--compare", help="Try a random forest and support vectors, too.")] = False,
    as_json: Json = False,
) -> None:
    """Fit the weights of the evaluation to an engine's scores, and print the paper's tables beside ours."""
    from plyout.lab.fit.fit import fit as run
    from plyout.lab.fit.fit import show, write_weights
    from plyout.lab.fit.labels import Labelling, check_limit
    from plyout.lab.match.players import find_program

    check_limit(limit)
    find_program(engine)
    output_folder(folder, "--folder")
    output_file(output, "--output")
    with Ending(f"the labels so far are in {folder}: the same command goes on from there") as ending:
        labelling = Labelling(count, seed, engine, limit, quiet)
        answer = ending.of(run, labelling, folder, jobs, compare, as_json)
        if ending.cut_short:  # weights of some of the positions would be others
            if as_json:
                print_json(ending.marked({"folder": str(folder)}))
            return
        if not as_json:
            show(answer)
        write_weights(output, answer)
        if as_json:
            print_json(answer | {"output": str(output)})
        else:
            print(f"weights written to {output}")
