"""Presets: each system of the papers as one TOML file, with what it changes from the defaults.

A file of a user's own, such as `plyout tune` writes, is named by its path, which ends in ``.toml``.
"""

import sys
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from plyout.errors import InputError, did_you_mean
from plyout.parameters import values

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


RULES = {  # unless a preset says otherwise
    "select": "uct", "evaluate": "playout", "prior": "none", "choose": "robust", "similarity": "legal-actions",
    "scaling": "none",
}  # fmt: skip

_TEXTS = {"description": "A preset of your own.", "paper": "", "search": "mcts"}  # likewise, in a user's file
SEARCHES = ("mcts", "alphabeta")
SUFFIX = ".toml"


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
            content["rules"] = RULES | content.get("rules", {})
            found[name] = Preset(name, **content)
    return found


def preset(name: str) -> Preset:
    """The preset called `name`, or the one in the file of that path."""
    if name.endswith(SUFFIX):
        return _own(name)
    if name not in presets():
        hint = did_you_mean(name, presets()) or "a file of your own ends in .toml;"
        raise InputError(f"no preset is called {name!r}: {hint} 'plyout presets' lists all {len(presets())}")
    return presets()[name]


def _own(path: str) -> Preset:
    """The preset in a user's file; the values of rules are the engine's to check."""
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the preset {path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RecursionError) as error:  # no TOML, no text, or no name of a file
        raise InputError(f"{path} is no preset: {' '.join(str(error).split())[:200]}") from None
    texts = {name: content.pop(name, default) for name, default in _TEXTS.items()}
    rules, parameters = content.pop("rules", {}), content.pop("parameters", {})
    for name in content:
        raise InputError(f"{path} is no preset: {name!r} is none of {', '.join([*_TEXTS, 'rules', 'parameters'])}")
    if not isinstance(rules, dict) or not isinstance(parameters, dict):
        raise InputError(f"{path} is no preset: rules and parameters are tables, as in [parameters]")
    for name, value in (texts | rules).items():
        if not isinstance(value, str):
            raise InputError(f"{path} is no preset: {name} is a text, not {value!r}")
    for name in rules.keys() - RULES.keys():
        raise InputError(f"{path} is no preset: {name!r} is none of the rules {', '.join(RULES)}")
    if texts["search"] not in SEARCHES:
        raise InputError(f"{path} is no preset: search is one of {', '.join(SEARCHES)}, not {texts['search']!r}")
    try:
        values(parameters)
    except InputError as error:
        raise InputError(f"{path} is no preset: {error}") from None
    return Preset(path, **texts, rules=RULES | rules, parameters=parameters)
