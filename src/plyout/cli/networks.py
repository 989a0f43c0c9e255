"""``plyout networks …``: networks listed, shown and checked, and Stockfish's taken out of its program."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyout.cli.common import Json, print_json
from plyout.cli.output import output_file
from plyout.errors import InputError

if TYPE_CHECKING:
    from plyout.networks.describe import Description

app = typer.Typer(help="Networks: list, show, check, extract Stockfish's.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME|PATH", help="A network's name, or its file.")]


@app.command("list")
def list_networks(as_json: Json = False) -> None:
    """List the networks that have names: those that come with Plyout, and your own."""
    from plyout.networks.library import networks, networks_folder

    rows: list[dict[str, Any]] = []
    for path in networks():
        found = _described_or_damaged(path)
        row: dict[str, Any] = {"name": path.stem, "path": str(path), "bytes": path.stat().st_size}
        if isinstance(found, str):
            rows.append(row | {"kind": None, "about": None, "damage": found})
        else:
            rows.append(row | {"kind": found.kind, "about": found.about, "damage": None})
    if as_json:
        print_json({"folder": str(networks_folder()), "networks": rows})
        return
    print(f"your own: {networks_folder()}\n")
    for row in rows:
        print(f"{row['name']:12} {row['kind'] or '-':12} {row['bytes'] / 1e6:7.2f} MB  {row['about'] or row['damage']}")
    if not rows:
        print("none")


@app.command()
def show(name: Name, as_json: Json = False) -> None:
    """Show a network: its kind, its file, and all that it says of itself."""
    from plyout.networks.describe import describe
    from plyout.networks.library import find

    found = describe(find(name))
    if as_json:
        print_json(asdict(found) | {"path": str(found.path)})
        return
    print(f"{found.name}: {found.kind}, {found.bytes:,} bytes, {found.path}\n")
    for key, value in found.header.items():
        print(f"  {key:14} {value}")


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME|PATH]...", help="Names or files.  [default: all]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Read networks whole, with their checksums; exit code 1 if one is damaged."""
    from plyout.networks.library import find, networks

    paths = [find(name) for name in names] if names else list(networks())
    answers = {path: _described_or_damaged(path) for path in paths}
    bad = {str(path): said for path, said in answers.items() if isinstance(said, str)}
    if as_json:
        print_json({"checked": [str(path) for path in paths], "damaged": bad})
    else:
        for path, said in answers.items():
            print(f"{path}: damaged: {said}" if isinstance(said, str) else f"{path}: whole: {said.about}")
        print(f"{len(paths)} network{'' if len(paths) == 1 else 's'} checked, {len(bad)} damaged")
    if bad:
        raise typer.Exit(1)


@app.command()
def extract(
    what: Annotated[str, typer.Argument(metavar="stockfish", help="Whose network: Stockfish's.")],
    program: Annotated[str | None, typer.Option(help="The program file.  [default: the installed one]")] = None,
    out: Annotated[Path | None, typer.Option(help="The file.  [default: 'stockfish' among your networks]")] = None,
    as_json: Json = False,
) -> None:
    """Take the network out of an installed Stockfish 15.1, as Debian 12 has it, and write it to a file of its own."""
    from plyout.knowledge.books.writing import replaced
    from plyout.networks.library import STOCKFISH, networks_folder
    from plyout.networks.nnue.extract import extract as extracted
    from plyout.networks.nnue.extract import find_stockfish

    if what != STOCKFISH:
        raise InputError(f"only Stockfish's network can be extracted: 'stockfish', not {what!r}")
    source = find_stockfish(Path(program) if program else None)
    path = output_file(out) if out else output_file(networks_folder() / f"{STOCKFISH}.nnue", "PLYOUT_NETWORKS")
    header, content = extracted(source)
    with replaced(path) as file:
        file.write(content)
    if as_json:
        print_json({"path": str(path), "program": str(source), "name": header.name, "stockfish": header.release,
                    "bytes": header.size})  # fmt: skip
        return
    release = f"Stockfish {header.release}" if header.release else "no Stockfish that we know"
    print(f"{header.name} of {release}, {header.size / 1e6:.1f} MB, found in {source}: {path}")


def _described_or_damaged(path: Path) -> "Description | str":
    """What a network is, or what is wrong with it."""
    from plyout.networks.describe import describe

    try:
        return describe(path)
    except InputError as error:
        return str(error)
