"""Presets: each system of the papers as one TOML file, with what it changes from the defaults."""

import sys
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from plyout.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


_RULES = {  # unless a preset says otherwise
    "select": "uct", "evaluate": "playout", "prior": "none", "choose": "robust", "similarity": "legal-actions",
    "scaling": "none",
}  # fmt: skip


@dataclass(frozen=True)
class Preset:
    name: str
    description: str
    paper: str
    search: str = "mcts"
    """How it searches: "mcts", or "alphabeta", which uses none of the rules."""
    rules: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)


@cache
def presets() -> dict[str, Preset]:
    """All presets by name."""
    found = {}
    for file in sorted(resources.files(__name__).iterdir(), key=lambda f: f.name.removesuffix(".toml")):
        if file.name.endswith(".toml"):
            name = file.name.removesuffix(".toml")
            content = tomllib.loads(file.read_text(encoding="utf-8"))
            content["rules"] = _RULES | content.get("rules", {})
            found[name] = Preset(name, **content)
    return found


def preset(name: str) -> Preset:
    """The preset called `name`."""
    if name not in presets():
        raise InputError(f"no preset is called {name!r}: there are {', '.join(presets())}")
    return presets()[name]
