"""``plyout mine``: positions found in games that Plyout plays against itself."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Seed, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_file

app = typer.Typer(help="Find puzzles in games that Plyout plays against itself.", rich_markup_mode=None)


@app.callback()
def _mine() -> None:
    """Find puzzles in games that Plyout plays against itself."""


@app.command("mates")
def mine_mates(
    mate: Annotated[int, typer.Option(min=1, max=4, help="Mates in exactly so many moves.")] = 2,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    seed: Seed = 1,
    sacrifice: Annotated[bool, typer.Option("--sacrifice", help="Only mates that begin by losing material.")] = False,
    out: Annotated[Path | None, typer.Option(help="The EPD file to write.  [default: standard output]")] = None,
) -> None:
    """Mine mates with a single solution, as EPD; that there is no other and no shorter one is proven.

    Takes about half a minute: 20 mates in two. Longer ones are rarer.
    """
    from plyout.lab.puzzles.mine import mates
    from plyout.progress import Progress

    how = "the same command begins anew, and finds these first"
    with (
        Ending(f"they are in {out}; {how}" if out else how),
        open(output_file(out), "w", encoding="utf-8") if out else nullcontext(sys.stdout) as file,
        Progress("mates", count, keep=lambda: None) as progress,
    ):
        for epd in mates(mate, seed, sacrifice):
            if epd is not None:
                print(epd, file=file, flush=True)
                progress.step()
            if progress.done == count:
                break


@app.command("traps")
def mine_traps(
    count: Annotated[int, typer.Option(min=1, help="How many positions the file is to have.")] = 200,
    seed: Seed = 1,
    out: Annotated[Path, typer.Option(help="The EPD file; one that is there is continued.")] = Path("traps.epd"),
    as_json: Json = False,
) -> None:
    """Mine positions from our own games in which a plain search falls for a trap, with their refutations.

    Takes about a minute: 200 positions.
    """
    from plyout.lab.traps.positions import load, mine
    from plyout.progress import Progress

    found = load(out) if out.exists() else []
    known = {record.board.epd() for record in found}
    first = game = 1 + max((record.game for record in found), default=-1)
    output_file(out)

    def work() -> int:
        nonlocal game
        with (
            Progress("positions", count, as_json, done=len(known), keep=lambda: len(known)) as progress,
            out.open("a", encoding="utf-8") as file,
        ):
            games = mine(seed, first)
            while len(known) < count:
                number, record = next(games)
                game = number + 1
                if record and record.board.epd() not in known:
                    known.add(record.board.epd())
                    file.write(record.epd + "\n")
                    file.flush()
                    progress.step()
        return len(known)

    with Ending(goes_on(out)) as ending:
        positions = ending.of(work)
        if as_json:
            print_json(ending.marked({"positions": positions, "games": game, "file": str(out)}))
        else:
            print(f"{positions} trap positions in {out}")
