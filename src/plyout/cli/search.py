"""``plyout search``."""

from functools import partial
from typing import Annotated, Any

import typer

from plyout.cli.common import Fen, Json, Level, Moves, Settings, Variant, parse_position, parse_settings
from plyout.cli.common import preset_names, print_json
from plyout.errors import InputError


def search(
    preset: Annotated[
        str | None,
        typer.Option(
            help="The system that searches; see 'plyout presets'.  [default: plyout; mcc in tic-tac-toe]",
            autocompletion=preset_names,
        ),
    ] = None,
    fen: Fen = "startpos",
    moves: Moves = "",
    nodes: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    movetime: Annotated[float | None, typer.Option(min=0.0, help="Stop after so many milliseconds.")] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, help="Stop at this depth: plies, or doublings of the work.")
    ] = None,
    infinite: Annotated[bool, typer.Option("--infinite", help="Search until Ctrl-C.")] = False,
    seed: Annotated[int | None, typer.Option(help="Same seed, same nodes: same tree.")] = None,
    level: Level = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads on one graph.")] = None,
    multipv: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 8,
    why: Annotated[bool, typer.Option("--why", help="Say why, and why not the tempting moves.")] = False,
    why_not: Annotated[
        list[str] | None, typer.Option(metavar="MOVE", help="Say why not this move, too; may be repeated.")
    ] = None,
    why_nodes: Annotated[
        int, typer.Option(min=0, help="Iterations for each tempting move that the search has looked at too little.")
    ] = 20_000,
    settings: Settings = None,
    variant: Variant = "chess",
    as_json: Json = False,
) -> None:
    """Search a position; two seconds unless a limit is given. Ctrl-C ends the search and shows what it has found."""
    import chess

    from plyout.cli.live import run
    from plyout.engine import Engine, Limits
    from plyout.explain import explain
    from plyout.explain.subject import move_named
    from plyout.knowledge.books.openings import opening_name
    from plyout.play.screen import Screen

    changes: dict[str, Any] = {**parse_settings(settings)}
    given = {"seed": seed, "threads": threads, "level": level}
    changes |= {name: value for name, value in given.items() if value is not None}
    if nodes is None and movetime is None and depth is None and not infinite:
        movetime = 2000.0
    limits = Limits(nodes=nodes, movetime=movetime, depth=depth, infinite=infinite)
    where = parse_position(variant, fen, moves)
    preset = preset or ("mcc" if variant == "tictactoe" else "plyout")
    if (why or why_not) and not isinstance(where, chess.Board):
        raise InputError("--why and --why-not are for chess and crazyhouse")
    named = [move_named(where, text) for text in why_not or ()]
    result = run(Engine(preset, variant, **changes), where, limits, multipv, show=not as_json)
    explanation = None
    if why or why_not:
        explanation = explain(result, named, nodes=why_nodes, engine=partial(Engine, preset, variant, **changes))
    if as_json:
        name = opening_name(where) if isinstance(where, chess.Board) else None
        opening = {"eco": name[0], "name": name[1]} if name else None
        answer = result.as_dict(multipv) | {"opening": opening}
        print_json(answer | {"explanation": explanation.as_dict()} if explanation else answer)
    elif explanation:
        Screen().sentences(f"\n{explanation}\n{explanation.legend}")
