"""What the commands share: options that several of them have, and how an option's text is read."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from plyout.errors import InputError, did_you_mean

Number = TypeVar("Number", int, float)
_MOST_COMPLAINTS = 10


def _check_seed(seed: int) -> int:
    """Kernels keep it in 64 bits; an option's own range would print both ends in ``--help``."""
    if not -(2**63) <= seed < 2**63:
        raise typer.BadParameter("a seed has at most 64 bits")
    return seed


def preset_names(incomplete: str) -> list[str]:
    """For a shell that completes the name of a preset; nothing is loaded for it, as somebody waits."""
    names = sorted(path.stem for path in (Path(__file__).parents[1] / "presets").glob("*.toml"))
    return [name for name in names if name.startswith(incomplete)]


Fen = Annotated[str, typer.Option("--fen", help="The position; in tic-tac-toe rows like 'xo./.x./...'.")]
ChessFen = Annotated[str, typer.Option("--fen", help="The position.")]
Moves = Annotated[str, typer.Option(help="Moves from there on, as in 'e2e4 e7e5' or 'e4 e5'.")]
Variant = Annotated[str, typer.Option(help="chess (Chess960 too), crazyhouse or tictactoe.")]
Seed = Annotated[int, typer.Option(callback=_check_seed, help="Same seed, same result.")]
Concurrency = Annotated[int, typer.Option("--concurrency", "-j", min=1, help="Games at the same time.")]
Processes = Annotated[int, typer.Option("--concurrency", "-j", min=0, help="How many work at once; 0: one a core.")]
Nodes = Annotated[int, typer.Option(min=1, help="Nodes (iterations) of each search.")]
Positions = Annotated[Path | None, typer.Option(help="An EPD file of positions.  [default: a few of ours]")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter or rule; may be repeated."),
]
Level = Annotated[
    int | None,
    typer.Option(metavar="ELO", help="Play like somebody of so many Elo, 500 to 2400; see docs/levels.md."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")]


def print_json(answer: dict[str, Any]) -> None:
    """The answer of a command to ``--json``: one object on one line."""
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # escaped, and not written by look-alikes: programs get what is meant
        text = json.dumps(answer)
    print(text)


def complain(what: str, complaints: Sequence[str]) -> None:
    """Warnings on standard error, a line each; of many, the first few."""
    for text in complaints[:_MOST_COMPLAINTS]:
        print(f"{what}: {text}", file=sys.stderr)
    if len(complaints) > _MOST_COMPLAINTS:
        print(f"{what}: {len(complaints) - _MOST_COMPLAINTS} more", file=sys.stderr)


def parse_settings(settings: Iterable[str] | None) -> dict[str, str]:
    """What ``--set name=value`` changes, by name; the engine checks names and values."""
    changes = {}
    for text in settings or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set wants name=value, not {text!r}")
        changes[name.strip()] = value.strip()
    if changes:
        _check_spelling(changes)
    return changes


def _check_spelling(names: Iterable[str]) -> None:
    """Names that are like a parameter's, and none: the engine, which knows all, would list them all."""
    from plyout.parameters import BY_NAME, RENAMED, SETTING_BY_NAME
    from plyout.presets import RULES

    known = {*BY_NAME, *SETTING_BY_NAME, *RULES, "level"}
    for name in names:
        if name not in known and name not in RENAMED and (hint := did_you_mean(name, known)):
            raise InputError(f"no parameter is called {name!r}: {hint}")


def parse_numbers(
    text: str, option: str, form: str, kind: Callable[[str], Number], count: int | None = None
) -> tuple[Number, ...]:
    """Numbers with commas between them, `count` of them if it is given; a mistake is told by the `form` wanted.

    >>> parse_numbers("4,600", "--resign", "moves,centipawns", int, 2)
    (4, 600)
    """
    try:
        found = tuple(kind(word) for word in text.split(","))
    except ValueError:
        found = ()
    if not found or len(found) != (count or len(found)) or not all(isfinite(number) for number in found):
        raise InputError(f"{option} wants {form}, not {text!r}")
    return found


def parse_position(variant: str, fen: str, moves: str = "") -> Any:
    """The board, or in games other than chess the state, after `moves` from `fen`."""
    from plyout.games import game
    from plyout.games.chess.border import parse_board
    from plyout.uci.options import BOARDS

    if variant not in BOARDS:
        if moves:
            raise InputError("--moves works for chess and crazyhouse")
        return game(variant).parse(fen)
    board = parse_board(fen, BOARDS[variant])
    for text in moves.split():
        try:
            board.push_uci(text)
        except ValueError:
            try:
                board.push_san(text)
            except ValueError:
                raise InputError(f"{text!r} is no legal move in {board.fen()}") from None
    return board
