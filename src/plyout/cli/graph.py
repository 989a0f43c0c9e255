"""``plyout graph-stats``: what sharing nodes saves."""

import json
from pathlib import Path
from typing import Annotated

import typer

from plyout.errors import InputError


def graph_stats(
    preset: Annotated[str, typer.Option(help="The search whose tree and graph are compared.")] = "mcgs",
    simulations: Annotated[int, typer.Option(min=1, help="Simulations of each search.")] = 50_000,
    variant: Annotated[str, typer.Option(help="chess or crazyhouse.")] = "chess",
    positions: Annotated[Path | None, typer.Option(help="An EPD file.  [default: a few of ours]")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same graphs.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")] = False,
) -> None:
    """Judgements and memory that a graph saves against a tree at equal simulations, and how often it shares."""
    from plyout.lab.studies.sharing import POSITIONS, compare

    if variant not in POSITIONS:
        raise InputError(f"graph-stats knows {' and '.join(POSITIONS)}, not {variant!r}")
    fens = list(POSITIONS[variant]) if positions is None else _read(positions)
    rows = []
    if not as_json:
        print(f"{preset}, {simulations:,} simulations\n\n judged less   memory less   transpositions   position")
    for row in compare(preset, variant, fens, simulations, seed):
        rows.append(row)
        if not as_json:
            print(
                f"{row.evaluations_saved:11.1%} {row.bytes_saved:13.1%} {row.transpositions:16.1%}   {row.fen}",
                flush=True,
            )
    if as_json:
        print(json.dumps({"preset": preset, "variant": variant, "positions": [row.as_dict() for row in rows]}))


def _read(path: Path) -> list[str]:
    """The positions of an EPD file: four fields are enough."""
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not lines:
        raise InputError(f"there are no positions in {path}")
    return [" ".join(fields[:4]) + " 0 1" for fields in lines]
