"""``plyout presets``: the systems of the papers, listed and shown."""

import shutil
import sys
import textwrap
from typing import Annotated, NamedTuple

import typer

from plyout.cli.common import Json, preset_names, print_json

app = typer.Typer(help="The systems that can search, grouped by paper.", rich_markup_mode=None)

DEFAULT = "plyout"


class Shelf(NamedTuple):
    """The presets of one paper: what they are for, and those to begin with."""

    paper: str
    title: str
    purpose: str
    first: tuple[str, ...]


SHELVES = (
    Shelf("Arenz 2012", "Monte Carlo Chess", "to see what each addition to UCT is worth", ("mcc", "mcc-combined")),
    Shelf("Xu 2024", "AlphaOne", "to see why a search fails, and what its alpha-beta rival does", ("alphaone",)),
    Shelf("Czech et al. 2021", "Graph search", "to see what shared positions and networks bring", ("mcts", "mcgs")),
    Shelf("Topolewski 2019", "Traps", "to see whether a search that knows traps avoids them", ("ta-mcc",)),
    Shelf("Singh 2023", "Opening books", "to see how a book can guide a search", ("nnue-mcts", "singh-mcts")),
)


@app.callback(invoke_without_command=True)
def presets(context: typer.Context, as_json: Json = False) -> None:
    """List the presets, the default first, then paper by paper; 'plyout presets show NAME' explains one."""
    from plyout.presets import presets as all_presets

    if context.invoked_subcommand is not None:
        return
    found = all_presets()
    if as_json:
        rows = [{"name": p.name, "description": p.description, "paper": p.paper} for p in found.values()]
        print_json({"default": DEFAULT, "presets": rows})
        return
    widest = max(map(len, found))
    _title("The default", "the strongest search with a tree, to play and to analyse")
    for name in (DEFAULT, *(name for name, p in found.items() if p.paper == found[DEFAULT].paper and name != DEFAULT)):
        _line(f"  {name:{widest}}  ", found[name].description)
    for shelf in SHELVES:
        _title(f"{shelf.title}, {shelf.paper}", shelf.purpose)
        others = [name for name, p in found.items() if p.paper == shelf.paper and name not in shelf.first]
        for name in (*shelf.first, *others):
            _line(f"  {name:{widest}}  ", found[name].description)
    print("\n'plyout presets show NAME' explains one; 'plyout search --preset NAME' uses it.")


def _title(title: str, purpose: str) -> None:
    typer.echo(f"{'' if title == 'The default' else chr(10)}{typer.style(title, bold=True)}: {purpose}")


def _line(start: str, text: str) -> None:
    """A name and what it is; in a terminal what is too long goes on below itself."""
    if not sys.stdout.isatty():
        print(start + text)
        return
    width = max(40, shutil.get_terminal_size().columns - 1)
    typer.echo(textwrap.fill(text, width, initial_indent=start, subsequent_indent=" " * len(start)))


@app.command()
def show(name: Annotated[str, typer.Argument(autocompletion=preset_names)], as_json: Json = False) -> None:
    """Show a preset: its rules, and every parameter with its meaning."""
    from dataclasses import asdict

    from plyout.parameters import SETTINGS, TABLE, texts, values
    from plyout.presets import preset

    found = preset(name)
    numbers, settings = values(found.parameters), texts(found.parameters)
    if as_json:
        print_json(asdict(found) | {"parameters": dict(numbers) | settings})
        return
    print(f"{found.name}: {found.description} ({found.paper})\n")
    for rule, choice in found.rules.items() if found.search == "mcts" else [("search", found.search)]:
        print(f"  {rule:14} {choice}")
    print()
    for p in TABLE:
        mark = "*" if p.name in found.parameters else " "
        value = p.names[int(numbers[p.name])] if p.names else f"{numbers[p.name]:g}"
        _line(f"{mark} {p.name:14} {value:10} ", p.help)
    for s in SETTINGS:
        mark = "*" if s.name in found.parameters else " "
        _line(f"{mark} {s.name:14} {settings[s.name] or '-':10} ", s.help)
    print("\n* set by this preset; 'plyout search --set name=value' changes any parameter or rule")
