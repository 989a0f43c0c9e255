"""``plyout study`` and ``plyout graph-stats``: single studies of the papers."""

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import Json, Nodes, Positions, Seed, preset_names, print_json
from plyout.cli.ending import ANEW, Ending
from plyout.cli.output import output_file
from plyout.errors import InputError, did_you_mean


def study(
    name: Annotated[str, typer.Argument(help="reti, queen-ending, accuracy (Arenz 2012) or tictactoe (Singh 2023).")],
    playouts: Annotated[
        int, typer.Option(min=100, help="Playouts (queen-ending; per position in accuracy).")
    ] = 200_000,
    movetime: Annotated[float, typer.Option(min=1, help="Milliseconds of each search (reti).")] = 30_000.0,
    games: Annotated[int, typer.Option(min=1, help="Games for each time a move (tictactoe).")] = 4,
    plot: Annotated[Path | None, typer.Option(help="Draw a figure, too: .png, .svg or .pdf (tictactoe).")] = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Repeat a study of one of the papers, with the paper's figures beside ours.

    Takes half a minute (queen-ending, accuracy), one (reti) or two (tictactoe); the papers made 1,000,000 playouts,
    and 20 games for each time.
    """
    from plyout.lab.studies import tictactoe
    from plyout.lab.report.pyplot import check_plot
    from plyout.lab.studies.positions import STUDIES, show

    if name not in (*STUDIES, "tictactoe"):
        names = (*STUDIES, "tictactoe")
        raise InputError(f"no study is called {name!r}: {did_you_mean(name, names)} there are {', '.join(names)}")
    if not isfinite(movetime):
        raise InputError(f"--movetime must be a number, not {movetime}")
    if plot:
        if name != "tictactoe":
            raise InputError(f"--plot draws tictactoe, and not {name}")
        check_plot(output_file(plot, "--plot"))
    with Ending(ANEW) as ending:
        if name == "tictactoe":
            answer = ending.of(tictactoe.tictactoe, games, seed, as_json)
        else:
            answer = ending.of(STUDIES[name], playouts, movetime / 1000, seed, as_json)
        if as_json:
            print_json(ending.marked(answer))
        else:
            (tictactoe.show if name == "tictactoe" else show)(answer)
        if plot:
            tictactoe.plot(answer, plot)


def graph_stats(
    preset: Annotated[
        str, typer.Option(help="The search whose tree and graph are compared.", autocompletion=preset_names)
    ] = "mcgs",
    nodes: Nodes = 50_000,
    variant: Annotated[str, typer.Option(help="chess or crazyhouse.")] = "chess",
    positions: Positions = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Evaluations and memory that a graph saves against a tree at equal simulations, and how often it shares nodes.

    Takes about ten seconds.
    """
    from plyout.lab.studies.sharing import POSITIONS, Sharing, compare
    from plyout.progress import Progress

    if variant not in POSITIONS:
        raise InputError(f"graph-stats knows {' and '.join(POSITIONS)}, not {variant!r}")
    fens = list(POSITIONS[variant]) if positions is None else _read(positions)
    rows: list[Sharing] = []

    def work() -> list[Sharing]:
        with Progress("positions", len(fens), quiet=True, keep=lambda: rows) as done:
            for row in compare(preset, variant, fens, nodes, seed):
                rows.append(row)
                done.step()
                if not as_json:
                    saved = f"{row.evaluations_saved:17.1%} {row.bytes_saved:13.1%} {row.transpositions:16.1%}"
                    print(f"{saved}   {row.fen}", flush=True)
        return rows

    with Ending(ANEW) as ending:
        if not as_json:
            head = "fewer evaluations   less memory   transpositions   position"
            print(f"{preset}, {nodes:,} simulations\n\n{head}")
        ending.of(work)
        if as_json:
            answer = {"preset": preset, "variant": variant, "positions": [row.as_dict() for row in rows]}
            print_json(ending.marked(answer))


def _read(path: Path) -> list[str]:
    """The positions of an EPD file: four fields are enough."""
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not lines:
        raise InputError(f"there are no positions in {path}")
    return [" ".join(fields[:4]) + " 0 1" for fields in lines]
