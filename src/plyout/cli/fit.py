"""``plyout fit``."""

from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Processes, Seed, print_json
from plyout.cli.ending import Ending
from plyout.cli.output import output_file, output_folder


def fit(
    count: Annotated[int, typer.Option(min=100, help="Positions to make and label.")] = 20_000,
    program: Annotated[str, typer.Option(help="The UCI engine that labels them.")] = "stockfish",
    limit: Annotated[str, typer.Option(help="How long it searches: what follows UCI's 'go'.")] = "nodes 1000",
    quiet_only: Annotated[
        bool, typer.Option("--quiet-only", help="Only positions without check or winning captures.")
    ] = False,
    seed: Seed = 1,
    concurrency: Processes = 0,
    out: Annotated[
        Path, typer.Option(help="The folder for positions and labels; the same command continues an interrupted run.")
    ] = Path("fit"),
    save: Annotated[
        Path | None,
        typer.Option(help="Where to write the weights, for '--set weights=FILE'.  [default: weights.toml in --out]"),
    ] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Try a random forest and support vectors, too.")] = False,
    as_json: Json = False,
) -> None:
    """Fit the weights of the evaluation to an engine's scores, and print the paper's tables beside ours.

    Takes about a minute: 20,000 positions. The paper has 200,000, ten times as long.
    """
    from plyout.lab.fit.fit import fit as run
    from plyout.lab.fit.fit import show, write_weights
    from plyout.lab.fit.labels import Labelling, check_limit
    from plyout.lab.match.players import find_program

    check_limit(limit)
    find_program(program)
    output_folder(out)
    path = out / "weights.toml" if save is None else output_file(save, "--save")
    with Ending(f"the labels so far are in {out}: the same command goes on from there") as ending:
        labelling = Labelling(count, seed, program, limit, quiet_only)
        answer = ending.of(run, labelling, out, concurrency, compare, as_json)
        if ending.cut_short:  # weights of some of the positions would be others
            if as_json:
                print_json(ending.marked({"folder": str(out)}))
            return
        if not as_json:
            show(answer)
        write_weights(path, answer)
        if as_json:
            print_json(answer | {"saved": str(path)})
        else:
            print(f"weights written to {path}")
