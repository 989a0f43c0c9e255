"""``plyout mine`` and ``plyout solve``."""

import contextlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

mine_app = typer.Typer(help="Find puzzles in games that Plyout plays against itself.", rich_markup_mode=None)


@mine_app.callback()
def _mine() -> None:
    """Find puzzles in games that Plyout plays against itself."""


@mine_app.command("mates")
def mine_mates(
    moves: Annotated[int, typer.Option(min=1, max=4, help="Mates in exactly so many moves.")] = 2,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    seed: Annotated[int, typer.Option(help="Same seed, same puzzles.")] = 1,
    sacrifice: Annotated[bool, typer.Option("--sacrifice", help="Only mates that begin by losing material.")] = False,
    output: Annotated[Path | None, typer.Option(help="A file to write to, instead of standard output.")] = None,
) -> None:
    """Mine mates with a single solution, as EPD; that there is no other and no shorter one is proven."""
    from plyout.lab.puzzles.mine import mates
    from plyout.progress import Progress

    found = 0
    with (
        open(output, "w", encoding="utf-8") if output else contextlib.nullcontext(sys.stdout) as file,
        Progress("mates", count) as progress,
    ):
        for epd in mates(moves, seed, sacrifice):
            if epd is not None:
                print(epd, file=file, flush=True)
                found += 1
                progress.step()
            if found == count:
                break


def solve(
    file: Annotated[str, typer.Argument(help="EPD with bm, am or dm; or text with a title, a FEN and its solution.")],
    preset: Annotated[str, typer.Option(help="The system that solves.")] = "alphabeta",
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes, or iterations, for each move.")] = None,
    movetime: Annotated[float | None, typer.Option(min=0.0, help="Milliseconds for each move.")] = None,
    depth: Annotated[list[int] | None, typer.Option(min=1, help="Depth of each search; may be repeated.")] = None,
    first: Annotated[int | None, typer.Option(min=1, help="Only so many puzzles.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="name=value", help="Change a parameter or rule; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")] = False,
) -> None:
    """Put puzzles to an engine: how many it solves, and which it does not. A mate must be forced to its end."""
    import json

    from plyout.cli.main import _setting
    from plyout.engine import Engine, Limits
    from plyout.lab.puzzles.read import read_puzzles
    from plyout.lab.puzzles.solve import solve as run
    from plyout.progress import Progress

    puzzles = read_puzzles(file)[:first]
    engine = Engine(preset, **dict(_setting(s) for s in settings or ()))
    if nodes is None and movetime is None and not depth:
        movetime = 1000.0
    runs: list[dict[str, Any]] = []
    depths: list[int | None] = [*depth] if depth else [None]
    for plies in depths:
        limits = Limits(nodes=nodes, movetime=movetime, depth=plies)
        with Progress("puzzles", len(puzzles), as_json) as progress:
            attempts = run(engine, puzzles, limits, lambda _: progress.step())
        solved = [a for a in attempts if a.solved]
        runs.append({
            "depth": plies, "solved": len(solved), "puzzles": len(puzzles), "nodes": sum(a.nodes for a in attempts),
            "seconds": sum(a.seconds for a in attempts), "failed": [a.as_dict() for a in attempts if not a.solved],
        })  # fmt: skip
    answer = {"file": file, "preset": preset, "limits": {"nodes": nodes, "movetime": movetime}, "runs": runs}
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        show(answer, all(p.mate == 2 for p in puzzles) and preset.startswith("alphabeta-v"))


def show(answer: dict[str, Any], with_paper: bool) -> None:
    """The runs as a table, the failures of the last below."""
    from rich.console import Console
    from rich.table import Table

    from plyout.lab.puzzles.solve import PAPER_MATES

    console = Console()
    grid = Table("depth", "solved", "share", "nodes", "seconds", *(["Xu 2024"] if with_paper else []))
    for run in answer["runs"]:
        share = f"{100 * run['solved'] / run['puzzles']:.1f} %"
        cells = [str(run["depth"] or ""), f"{run['solved']} of {run['puzzles']}", share]
        cells += [f"{run['nodes']:,}", f"{run['seconds']:.1f}"]
        if with_paper:
            paper = PAPER_MATES.get(run["depth"])
            cells.append("" if paper is None else f"{paper} %")
        grid.add_row(*cells)
    last = answer["runs"][-1]
    for row in last["failed"]:
        console.print(
            f"not solved: {row['name']}: {row['fen']}\n  asked {row['asked']}, played {row['line']}", highlight=False
        )
    console.print(grid)
