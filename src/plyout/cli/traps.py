"""``plyout traps``, ``similarity``, ``trap-study``, ``trap-density`` and ``visits-to-refutation``."""

import json
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from plyout.cli.common import ChessFen, Json, Positions, Seed, Variant, preset_names, print_json
from plyout.cli.ending import ANEW, Ending, goes_on
from plyout.cli.output import output_folder
from plyout.errors import InputError

Level = Annotated[int, typer.Option("--trap-level", help="Traps up to this level: 1, 3, 5 or 7 plies to the mate.")]
Folder = Annotated[Path | None, typer.Option(help="Write the figure (PNG and SVG) and the numbers into this folder.")]


_TRIED = ["mcc", "mcc-combined", "ta-mcc", "mcgs", "plyout"]


def traps(
    fen: ChessFen = "startpos",
    level: Level = 3,
    soft: Annotated[float, typer.Option(min=0, help="Show soft traps, too: centipawns lost needlessly; 0: none.")] = 0,
    as_json: Json = False,
) -> None:
    """List the traps of a position: moves after which the opponent forces mate, each with its refutation."""
    from plyout.games.chess.border import parse_board
    from plyout.lab.traps.listing import trap_list

    if not isfinite(soft):
        raise InputError(f"--soft is a number of centipawns, not {soft}")
    board = parse_board(fen)
    answer = trap_list(board, level, soft)
    if as_json:
        print_json(answer)
        return
    for trap in answer["traps"]:
        print(f"{trap['san']:7} level {trap['level']}: {trap['refutation']}")
    for trap in answer["soft_traps"]:
        print(f"{trap['san']:7} loses at least {soft:g} centipawns")
    kinds = f"{len(answer['traps'])} traps up to level {level}" + (
        f", {len(answer['soft_traps'])} soft" if soft else ""
    )
    print(f"{kinds} among {answer['moves']} moves, found in {1000 * answer['seconds']:.2f} ms")


def similarity(
    first: Annotated[str, typer.Argument(help="A position: a FEN, or rows like 'xo./.x./...' in tic-tac-toe.")],
    second: Annotated[str, typer.Argument(help="Another one.")],
    variant: Variant = "chess",
    threshold: Annotated[
        float, typer.Option(help="Recursive measures: moves that are no more alike than this do not match.")
    ] = 0.6,
    nodes: Annotated[int, typer.Option(min=1, help="Iterations of the searches whose values are compared.")] = 1000,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """How alike two positions are, by eight measures."""
    from plyout.lab.traps.listing import all_similarities

    with Ending(ANEW) as ending:
        values = ending.of(all_similarities, variant, first, second, threshold, nodes, seed)
        if as_json:
            answer = {"first": first, "second": second, "variant": variant, "similarity": values}
            print_json(ending.marked(answer))
            return
        for name, value in values.items():
            print(f"{name:28} {value:.4f}")


def trap_study(
    fen: Annotated[
        str | None, typer.Option(help="All grandchildren of this position.  [default: Légal's trap]")
    ] = None,
    positions: Annotated[Path | None, typer.Option(help="A CSV file with two FENs a line, instead.")] = None,
    level: Level = 3,
    threshold: Annotated[
        float, typer.Option(help="Recursive measures: moves that are no more alike than this do not match.")
    ] = 0.6,
    out: Annotated[Path, typer.Option(help="The folder for observations, tables and histograms.")] = Path("trap-study"),
    plots: Annotated[bool, typer.Option(help="Draw the histograms.")] = True,
    as_json: Json = False,
) -> None:
    """Do traps persist where positions stay alike? Chapter 5 of Topolewski 2019, its figures beside ours.

    Takes about a quarter of a minute.
    """
    from plyout.lab.traps import plots as trap_plots
    from plyout.lab.traps import show as trap_show
    from plyout.lab.traps import study as lab
    from plyout.search.similarity import Settings

    if fen and positions:
        raise InputError("trap-study takes --fen or --positions, not both")
    if plots:
        trap_plots.check_available()
    found = lab.pairs_in(positions) if positions else lab.grandchildren(fen or lab.LEGAL)
    output_folder(out)
    with Ending("the same command begins anew") as ending:
        done = ending.of(lab.study, found, level, Settings(threshold=threshold), quiet=as_json)
        tables = lab.tables(done)
        if not as_json:
            trap_show.study(done, tables)
        written = lab.write(done, out)
        if plots:
            written += trap_plots.histograms(done, out)
        if as_json:
            counts = {"pairs": len(done.pairs), "persist": int(done.persists.sum())}
            answer = counts | {"level": level, "tables": tables, "files": [str(path) for path in written]}
            print_json(ending.marked(answer))
        else:
            print(f"{len(written)} files in {out}")


def trap_density(
    pgn: Annotated[Path, typer.Argument(help="Games in PGN.")],
    level: Level = 5,
    count: Annotated[int, typer.Option(min=1, help="How many positions to draw, as many from each phase.")] = 600,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the mate search for each, which is then cut short.")] = (
        20_000_000
    ),
    seed: Seed = 1,
    out: Folder = None,
    as_json: Json = False,
) -> None:
    """How often positions of games hold traps, by game phase. With --out an interrupted run is continued.

    Takes about a quarter of a minute: 600 positions of level 5, 20 ms each. At level 7 it is a second each.
    """
    from plyout.lab.traps import density as lab
    from plyout.lab.traps import plots as trap_plots
    from plyout.lab.traps import show as trap_show
    from plyout.search.traps.hard import check_level

    check_level(level)
    if out:
        trap_plots.check_available()
    chosen = lab.sample(pgn, count, seed)
    if out:
        output_folder(out)
    with Ending(goes_on(out)) as ending:
        kept = out / "trap-density.csv" if out else None
        counted = ending.of(lab.density, chosen, level, nodes, kept, quiet=as_json)
        rows = lab.summary(counted, level)
        if as_json:
            answer = {"pgn": str(pgn), "level": level, "positions": len(counted), "seed": seed, "phases": rows}
            print_json(ending.marked(answer))
        else:
            trap_show.density(rows)
        if out:
            shares = {k: {r["plies"]: r["share_with_trap"][k] or 0.0 for r in rows} for k in rows[0]["share_with_trap"]}
            trap_plots.density(shares, [r["plies"] for r in rows], out)


def visits_to_refutation(
    presets: Annotated[
        list[str] | None,
        typer.Option(
            "--preset",
            help=f"One of those to try, or 'all'; may be repeated.  [default: {', '.join(_TRIED)}]",
            autocompletion=preset_names,
        ),
    ] = None,
    positions: Positions = None,
    count: Annotated[int, typer.Option(min=1, help="The first so many of them.")] = 20,
    nodes: Annotated[int, typer.Option(min=16, help="Iterations at most.")] = 4096,
    seed: Seed = 1,
    out: Folder = None,
    as_json: Json = False,
) -> None:
    """How many iterations each preset needs until it avoids a trap for good.

    Takes about half a minute, and at first one or two more, to compile five presets. All of them take half an hour.
    """
    from plyout.lab.match.store import write_whole
    from plyout.lab.traps import plots as trap_plots
    from plyout.lab.traps import positions as trap_positions
    from plyout.lab.traps import show as trap_show
    from plyout.lab.traps import visits as trap_visits
    from plyout.networks.library import are_there
    from plyout.parameters import texts
    from plyout.presets import preset
    from plyout.presets import presets as all_presets

    there = [name for name, found in all_presets().items() if are_there(texts(found.parameters))]
    names = there if presets == ["all"] else presets or _TRIED
    for name in names:
        preset(name)
    if out:
        trap_plots.check_available()
    chosen = trap_positions.load(positions)[:count]
    if not chosen:
        raise InputError(f"{positions} has no positions")
    asked = trap_visits.steps(nodes)
    if out:
        output_folder(out)
    with Ending("the same command begins anew") as ending:
        measured = ending.of(trap_visits.measure, names, chosen, asked, seed, quiet=as_json)
        answer = {"nodes": nodes, "seed": seed, "steps": asked, "presets": [m.as_dict() for m in measured]}
        answer = ending.marked(answer)
        if as_json:
            print_json(answer)
        else:
            trap_show.visits(measured, asked)
        if out:
            write_whole(out / "visits-to-refutation.json", json.dumps(answer) + "\n")
            trap_plots.visits({m.preset: m.curve(asked) for m in measured}, asked, out)
