"""``plyout presets``: the systems of the papers, listed and shown."""

import typer

from plyout.cli.common import Json, print_json

app = typer.Typer(help="The systems of the papers, each with what it changes.", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def presets(context: typer.Context, as_json: Json = False) -> None:
    """List the presets, or show one: 'plyout presets show NAME'."""
    from plyout.presets import presets as all_presets

    if context.invoked_subcommand is not None:
        return
    if as_json:
        print_json({"presets": [{"name": p.name, "description": p.description} for p in all_presets().values()]})
        return
    for p in all_presets().values():
        print(f"{p.name:18} {p.description}")


@app.command()
def show(name: str, as_json: Json = False) -> None:
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
        print(f"{mark} {p.name:14} {value:10} {p.help}")
    for s in SETTINGS:
        mark = "*" if s.name in found.parameters else " "
        print(f"{mark} {s.name:14} {settings[s.name] or '-':10} {s.help}")
    print("\n* set by this preset; 'plyout search --set name=value' changes any parameter or rule")
