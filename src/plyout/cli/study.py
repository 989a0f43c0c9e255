"""``plyout study`` and ``plyout graph-stats``: single studies of the papers."""

from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Seed, print_json
from plyout.errors import InputError


def study(
    name: Annotated[str, typer.Argument(help="reti, queen-ending, accuracy (Arenz 2012) or tictactoe (Singh 2023).")],
    playouts: Annotated[
        int, typer.Option(min=100, help="Playouts (queen-ending; per position in accuracy).")
    ] = 1_000_000,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time for each search (reti).")] = 30.0,
    games: Annotated[int, typer.Option(min=1, help="Games for each time a move (tictactoe).")] = 20,
    plot: Annotated[Path | None, typer.Option(help="Draw a figure, too: .png, .svg or .pdf (tictactoe).")] = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Repeat a study of one of the papers, with the paper's figures beside ours."""
    from plyout.lab.studies.positions import STUDIES, show

    if name == "tictactoe":
        from plyout.lab.studies import tictactoe

        answer = tictactoe.tictactoe(games, seed, as_json)
        if plot:
            tictactoe.plot(answer, plot)
        if as_json:
            print_json(answer)
        else:
            tictactoe.show(answer)
        return
    if name not in STUDIES:
        raise InputError(f"no study is called {name!r}: there are {', '.join(STUDIES)}, tictactoe")
    answer = STUDIES[name](playouts, seconds, seed, as_json)
    if as_json:
        print_json(answer)
    else:
        show(answer)


def graph_stats(
    preset: Annotated[str, typer.Option(help="The search whose tree and graph are compared.")] = "mcgs",
    simulations: Annotated[int, typer.Option(min=1, help="Simulations of each search.")] = 50_000,
    variant: Annotated[str, typer.Option(help="chess or crazyhouse.")] = "chess",
    positions: Annotated[Path | None, typer.Option(help="An EPD file.  [default: a few of ours]")] = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Evaluations and memory that a graph saves against a tree at equal simulations, and how often it shares nodes."""
    from plyout.lab.studies.sharing import POSITIONS, compare

    if variant not in POSITIONS:
        raise InputError(f"graph-stats knows {' and '.join(POSITIONS)}, not {variant!r}")
    fens = list(POSITIONS[variant]) if positions is None else _read(positions)
    rows = []
    if not as_json:
        print(f"{preset}, {simulations:,} simulations\n\nfewer evaluations   less memory   transpositions   position")
    for row in compare(preset, variant, fens, simulations, seed):
        rows.append(row)
        if not as_json:
            print(
                f"{row.evaluations_saved:17.1%} {row.bytes_saved:13.1%} {row.transpositions:16.1%}   {row.fen}",
                flush=True,
            )
    if as_json:
        print_json({"preset": preset, "variant": variant, "positions": [row.as_dict() for row in rows]})


def _read(path: Path) -> list[str]:
    """The positions of an EPD file: four fields are enough."""
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not lines:
        raise InputError(f"there are no positions in {path}")
    return [" ".join(fields[:4]) + " 0 1" for fields in lines]
