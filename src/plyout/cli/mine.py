"""``plyout mine``: positions found in games that Plyout plays against itself."""

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Seed, print_json

app = typer.Typer(help="Find puzzles in games that Plyout plays against itself.", rich_markup_mode=None)


@app.callback()
def _mine() -> None:
    """Find puzzles in games that Plyout plays against itself."""


@app.command("mates")
def mine_mates(
    moves: Annotated[int, typer.Option(min=1, max=4, help="Mates in exactly so many moves.")] = 2,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    seed: Seed = 1,
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


@app.command("traps")
def mine_traps(
    count: Annotated[int, typer.Option(min=1, help="How many positions the file is to have.")] = 200,
    seed: Seed = 1,
    out: Annotated[Path, typer.Option(help="The EPD file; one that is there is continued.")] = Path("traps.epd"),
    as_json: Json = False,
) -> None:
    """Mine positions from our own games in which a plain search falls for a trap, with their refutations."""
    from plyout.lab.traps.positions import load, mine
    from plyout.progress import Progress

    found = load(out) if out.exists() else []
    known = {record.board.epd() for record in found}
    first = 1 + int(found[-1].name.split("-")[1]) if found else 0
    with Progress("positions", count, quiet=as_json) as progress, out.open("a", encoding="utf-8") as file:
        progress.step(len(found))
        games = mine(seed, first)
        while len(known) < count:
            game, record = next(games)
            if record and record.board.epd() not in known:
                known.add(record.board.epd())
                file.write(record.epd + "\n")
                file.flush()
                progress.step()
    if as_json:
        print_json({"positions": len(known), "games": game + 1 if len(found) < count else first, "file": str(out)})
    else:
        print(f"{len(known)} trap positions in {out}")
