"""How ``--help`` looks: commands in sections, summaries whole, and values named by what they are."""

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer
from typer.core import TyperGroup

from plyout.cli.sections import SECTIONS

_VALUES = {
    "--fen": "FEN", "--moves": "MOVES", "--preset": "NAME", "--variant": "NAME", "--movetime": "MS", "--margin": "MS",
    "--tc": "CLOCK", "--engine": "ENGINE", "--minutes": "MINUTES", "--patience": "SECONDS",
}  # fmt: skip
"""What the values of options are called that many commands have; those of others by their types."""
_TYPES: dict[type, str] = {int: "N", float: "X", Path: "PATH", str: "TEXT"}


class Group(TyperGroup):
    """A group of commands that shows its help when it is named alone, unless it has something to say then."""

    sections: dict[str, dict[str, str]] = {}  # noqa: RUF012  (never changed)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            print(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Of all commands only the one that is wanted gets its values named: every start would wait for that."""
        found = super().get_command(ctx, cmd_name)
        return found and _with_named_values(found)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.commands[name] for name in self.list_commands(ctx)}
        sections = self.sections or {"Commands": dict.fromkeys(commands, "")}
        widest = max(map(len, commands))
        for title, listed in sections.items():
            rows = [
                (name.ljust(widest), listed[name] or summary(commands[name])) for name in listed if name in commands
            ]
            if rows:
                with formatter.section(typer.style(title, bold=True) if sys.stdout.isatty() else title):
                    formatter.write_dl(rows, col_max=widest)


class Root(Group):
    """All commands, in the sections that they belong to."""

    sections = SECTIONS

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the sections; one that is in none comes last, so that it can be found."""
        order = [name for listed in SECTIONS.values() for name in listed]
        return sorted(self.commands, key=lambda name: order.index(name) if name in order else len(order))


def summary(command: Any) -> str:
    """The first sentence of what a command says of itself."""
    text = " ".join(str(command.short_help or command.help or "").split())
    return re.split(r"(?<=[.?])\s", text)[0].removesuffix(".")


def _with_named_values(command: Any) -> Any:
    """The command, with options that show what their values are, and not the types of Python: ``--nodes N``."""
    for option in command.params:
        kind = value_type(command, option)
        if option.param_type_name == "option" and kind not in (None, bool) and option.metavar is None:
            option.metavar = _VALUES.get(option.opts[0], _TYPES.get(kind, "TEXT"))
        if option.param_type_name == "argument":  # newer Typers print the type beside its name
            option.display_type_rich = _nothing
    return command


def _nothing(ctx: Any) -> str:
    return ""


def value_type(command: Any, parameter: Any) -> Any:
    """The type of an option's or argument's value, or of each if it may be repeated; None if it is not ours."""
    if command.callback is None:
        return None
    hint = _hints(inspect.unwrap(command.callback)).get(parameter.name)
    while get_args(hint):  # int | None, list[int]
        hint = get_args(hint)[0]
    return hint


@cache
def _hints(function: Any) -> dict[str, Any]:
    return get_type_hints(function)


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """A command and all below it, each with the words that call it."""
    yield path, command
    if isinstance(command, TyperGroup):
        for name in command.list_commands(None):  # type: ignore[arg-type]
            yield from walk(command.get_command(None, name), (*path, name))  # type: ignore[arg-type]
