"""``plyout rate``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.common import Concurrency, Json, parse_numbers, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_folder
from plyout.errors import InputError


def rate(
    engine: Annotated[
        list[str], typer.Option("--engine", "-e", help="A preset, as in 'alphabeta-v1?depth=3'; may be repeated.")
    ],
    program: Annotated[str, typer.Option(help="The UCI engine of limited strength.")] = "stockfish",
    method: Annotated[str, typer.Option(help="search (the paper's binary search), estimate, or both.")] = "estimate",
    levels: Annotated[str, typer.Option(help="The levels that the estimate plays against.")] = "1350,1650,1950,2250",
    games: Annotated[int, typer.Option(min=2, help="Games against each level: an even number.")] = 4,
    tc: Annotated[str | None, typer.Option("--tc", help="Seconds+increment, as in 10+0.1.")] = None,
    movetime: Annotated[float | None, typer.Option(help="Milliseconds for each move.  [default: 50]")] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, help="Nodes for the program's moves, no clock; the engine then has a limit of its own."),
    ] = None,
    max_plies: Annotated[int, typer.Option(min=20, help="A game of so many plies is drawn.")] = 300,
    concurrency: Concurrency = 1,
    out: Annotated[
        Path | None, typer.Option(help="Keep the games in this folder; the same command continues an interrupted run.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Rate engines against one of limited strength: a maximum-likelihood estimate, and the binary search of Xu 2024.

    Takes a minute or two an engine: 16 games at 50 ms a move. The binary search is 30 games more.
    """
    import re

    from plyout.lab.match.rate import levels_of, show
    from plyout.lab.match.rate import rate as run

    if method not in ("search", "estimate", "both"):
        raise InputError(f"--method is search, estimate or both, not {method!r}")
    opponents = parse_numbers(levels, "--levels", "numbers with commas between, as in 1350,1650", int)
    if nodes is not None:
        for player in engine:
            if not re.search(r"[?&](nodes|movetime|tc)=", player):
                raise InputError(f"with --nodes {player} needs a limit of its own, as in '{player}?nodes=10000'")
    elif tc is None and movetime is None:
        movetime = 50.0
    weakest, _ = levels_of(program)
    if out is not None:
        output_folder(out)
    options: dict[str, Any] = {
        "tc": tc, "movetime": movetime, "nodes": nodes, "max_plies": max_plies, "concurrency": concurrency,
        "out": out, "quiet": as_json,
    }  # fmt: skip
    control = f"{nodes:,} nodes a move" if nodes else f"tc {tc}" if tc else f"{movetime:g} ms a move"
    note = f"where the binary search asks for less than {weakest}, it plays {weakest}: there is nothing weaker"
    with Ending(goes_on(out)) as ending:
        players = ending.of(run, engine, program, method, opponents, games, options)
        answer = {"program": program, "control": control, "note": note, "players": players}
        if as_json:
            print_json(ending.marked(answer))
        else:
            show(answer)
