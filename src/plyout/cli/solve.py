"""``plyout solve``."""

from math import isfinite
from typing import Annotated, Any

import typer

from plyout.cli.cluster import Cluster, cluster_of
from plyout.cli.common import Json, Settings, parse_settings, preset_names, print_json
from plyout.cli.ending import ANEW, Ending
from plyout.errors import InputError


def solve(
    file: Annotated[str, typer.Argument(help="EPD with bm, am or dm; or text with a title, a FEN and its solution.")],
    preset: Annotated[str, typer.Option(help="The system that solves.", autocompletion=preset_names)] = "alphabeta",
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes, or iterations, for each move.")] = None,
    movetime: Annotated[float | None, typer.Option(min=0.0, help="Milliseconds for each move.")] = None,
    depth: Annotated[list[int] | None, typer.Option(min=1, help="Depth of each search; may be repeated.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Only the first so many puzzles.")] = None,
    settings: Settings = None,
    cluster: Cluster = "local",
    as_json: Json = False,
) -> None:
    """Have an engine solve puzzles: how many it solves, and which it does not. A mate must be forced to its end.

    Takes 0.2 s a puzzle unless a limit is given.
    """
    from plyout.engine import Limits
    from plyout.lab.match.players import Spec
    from plyout.lab.puzzles.read import read_puzzles
    from plyout.lab.puzzles.solve import Solving, summary
    from plyout.lab.puzzles.solve import solve_each as run

    if movetime is not None and not isfinite(movetime):
        raise InputError(f"--movetime is a number of milliseconds, not {movetime}")
    puzzles = read_puzzles(file)[:count]
    player = Spec(preset, preset, preset, settings=parse_settings(settings))
    if nodes is None and movetime is None and not depth:
        movetime = 200.0
    depths: list[int | None] = [*depth] if depth else [None]
    limits = [Limits(nodes=nodes, movetime=movetime, depth=plies) for plies in depths]

    with cluster_of(cluster) as where, Ending(ANEW) as ending:
        attempts = ending.of(run, Solving(player, puzzles, limits), as_json, where)
        runs = [{"depth": plies, **summary(a)} for plies, a in zip(depths, attempts, strict=False) if a]
        answer = {"file": file, "preset": preset, "limits": {"nodes": nodes, "movetime": movetime}, "runs": runs}
        if as_json:
            print_json(ending.marked(answer))
        else:
            show(answer, all(p.mate == 2 for p in puzzles) and preset.startswith("alphabeta-v"))


def show(answer: dict[str, Any], with_paper: bool) -> None:
    """The runs as a table, the failures of the last below."""
    from rich.table import Table

    from plyout.lab.puzzles.solve import PAPER_MATES
    from plyout.lab.report.terminal import terminal

    console = terminal()
    grid = Table("depth", "solved", "share", "nodes", "seconds", *(["Xu 2024"] if with_paper else []))
    for run in answer["runs"]:
        share = f"{100 * run['solved'] / run['puzzles']:.1f} %"
        cells = [str(run["depth"] or ""), f"{run['solved']} of {run['puzzles']}", share]
        cells += [f"{run['nodes']:,}", f"{run['seconds']:.1f}"]
        if with_paper:
            paper = PAPER_MATES.get(run["depth"])
            cells.append("" if paper is None else f"{paper} %")
        grid.add_row(*cells)
    for row in answer["runs"][-1]["failed"] if answer["runs"] else ():
        lines = f"not solved: {row['name']}: {row['fen']}\n  asked {row['asked']}, played {row['line']}"
        console.print(lines, soft_wrap=True)
    console.print(grid)
