"""``plyout play``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.common import ChessFen, Level, Settings, parse_settings
from plyout.cli.output import output_file


def play(
    side: Annotated[str | None, typer.Option(help="Yours: white, black or random.  [default: white]")] = None,
    level: Level = None,
    clock: Annotated[
        str | None, typer.Option(metavar="5+3", help="Clocks: minutes for each side, and seconds that a move brings.")
    ] = None,
    movetime: Annotated[
        float | None, typer.Option(min=1.0, help="Milliseconds for each of its moves.  [default: 2000 without clocks]")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Iterations for each of its moves.")] = None,
    variant: Annotated[str, typer.Option(help="chess, chess960 or crazyhouse.")] = "chess",
    fen: ChessFen = "startpos",
    preset: Annotated[str, typer.Option(help="The system that plays; see 'plyout presets'.")] = "plyout",
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same moves: same game, unless time decides.")] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Add the games to this file.  [default: a new one in this folder]")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the last game of a PGN file, with its clocks.")
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Letters for the pieces, not pictures.")] = False,
) -> None:
    """Play in the terminal: hints, explanations, take back, clocks. However you leave, the game is saved as PGN."""
    import random

    from plyout.engine import Limits
    from plyout.play.engines import Adviser, Opponent
    from plyout.play.game import minutes
    from plyout.play.keeping import Keeper
    from plyout.play.resume import read_left
    from plyout.play.screen import Screen
    from plyout.play.session import Session, Setup
    from plyout.play.start import starts
    from plyout.progress import report_notes_to

    choice, control, left = random.Random(seed), None if clock is None else minutes(clock), None
    if resume is not None:
        left = read_left(resume)
        variant, side, control = left.variant, side or left.side, control or left.control
    setup = Setup(starts(variant, fen, choice), (side or "white").lower(), control, choice, left)
    setup.colour(setup.side)
    changes: dict[str, Any] = {**parse_settings(settings)}
    changes |= {name: value for name, value in {"level": level, "seed": seed}.items() if value is not None}
    if pgn is not None:
        output_file(pgn, "--pgn")
    if movetime is None and nodes is None:
        movetime = 2000.0 if control is None else None
    limits = Limits(nodes=nodes, movetime=movetime, infinite=control is not None)
    game = "chess" if variant == "chess960" else variant
    opponent = Opponent(preset, game, limits, changes)
    screen = Screen(ascii_only)
    if screen.console.is_terminal:
        report_notes_to(screen.note)
    code = Session(setup, opponent, Adviser(game), screen, Keeper(pgn)).run()
    if code:
        raise typer.Exit(code)
