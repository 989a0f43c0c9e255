"""``plyout cache``: the compiled kernels on disk, shown, checked and cleared."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyout.cli.common import Json, print_json
from plyout.cli.output import reason
from plyout.errors import InputError

if TYPE_CHECKING:
    from plyout.cache.survey import Place

app = typer.Typer(help="The compiled kernels on disk: shown, checked, cleared.", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def cache(context: typer.Context, as_json: Json = False) -> None:
    """Show where the compiled kernels are kept; 'check' verifies them, 'clear' removes them."""
    if context.invoked_subcommand is not None:
        return
    from datetime import datetime

    from plyout.cache.survey import places

    found = places()
    if as_json:
        print_json({"places": [_described(place) for place in found]})
        return
    for place in found:
        files, size = sum(f.files for f in place.folders), sum(f.bytes for f in place.folders)
        print(f"{place.root}: {_counted(len(place.folders), 'folder')}, {_counted(files, 'file')}, {size / 1e6:.1f} MB")
        if place.objection:
            print(f"  not used, because {place.objection}")
        for f in place.folders:
            used = datetime.fromtimestamp(f.last_used).strftime("%Y-%m-%d %H:%M")
            mark = ", the present sources" if f.current else ""
            print(f"  {f.path.name}  {f.files:4} files  {f.bytes / 1e6:7.1f} MB  last used {used}{mark}")


@app.command()
def check(as_json: Json = False) -> None:
    """Verify the owner and the checksum of every file; exit code 1 if one, or a folder, cannot be used."""
    from plyout.cache.store import damage, files_of
    from plyout.cache.survey import places

    found = places()
    refused = {str(place.root): place.objection for place in found if place.objection}
    files = 0
    bad: dict[str, str] = {}
    for folder in (folder for place in found for folder in place.folders):
        try:
            bad |= {str(path): why for path, why in damage(folder.path).items()}
            files += sum(1 for _ in files_of(folder.path))
        except OSError as error:
            bad[str(folder.path)] = reason(error)
    if as_json:
        print_json({"files": files, "damaged": bad, "not_used": refused})
    else:
        for path, why in (refused | bad).items():
            print(f"{path}: {why}")
        print(f"{_counted(files, 'file')} checked, {len(bad)} damaged")
    if bad or refused:
        raise typer.Exit(1)


@app.command()
def clear(
    old: Annotated[bool, typer.Option("--old", help="Only what other sources were compiled to.")] = False,
    as_json: Json = False,
) -> None:
    """Remove the compiled kernels; the next start compiles anew."""
    import shutil

    from plyout.cache.survey import places
    from plyout.cache.trust import is_ours

    removed = []
    for folder in (folder for place in places() for folder in place.folders if not (old and folder.current)):
        try:
            if not is_ours(folder.path.lstat()):
                raise InputError(f"{folder.path} is not removed: it belongs to another user")
            shutil.rmtree(folder.path)
        except FileNotFoundError:
            continue  # another process was faster
        except OSError as error:
            raise InputError(f"cannot remove {folder.path}: {reason(error)}") from None
        removed.append(folder)
    size = sum(folder.bytes for folder in removed)
    if as_json:
        print_json({"removed": [str(folder.path) for folder in removed], "bytes": size})
    else:
        print(f"{_counted(len(removed), 'folder')} removed, {size / 1e6:.1f} MB")


def _described(place: "Place") -> dict[str, Any]:
    folders = [asdict(folder) | {"path": str(folder.path)} for folder in place.folders]
    return {"root": str(place.root), "usable": not place.objection, "objection": place.objection, "folders": folders}


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
