"""What a player brings along: programs, networks, books, tables and presets of one's own, on whatever machine."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plyout.lab.match.players import Spec
from plyout.lab.run.work import Thing
from plyout.parameters import texts
from plyout.presets import SUFFIX, preset

_NETWORKS = ("value_net", "policy_net", "network")


def cores_of(spec: Spec) -> int:
    """How many cores a player keeps busy when it thinks."""
    settings = {name.lower(): value for name, value in (spec.settings or {}).items()}
    given = settings.get("threads")
    if given is None and spec.preset:
        given = str(preset(spec.preset).parameters.get("threads", 1))
    return max(1, int(given)) if given and given.isdecimal() else 1


def things_of(spec: Spec) -> Iterator[Thing]:
    """All that a player needs beside Plyout."""
    if spec.preset:
        if spec.preset.endswith(SUFFIX):
            yield Thing("file", spec.preset)
        for setting in _NETWORKS:
            if name := _texts(spec)[setting]:
                yield Thing("network", name)
        if int(_parameters(spec).get("tables", 0)):
            yield Thing("tables", "of endings")
    elif spec.command:
        yield Thing("program", spec.command[0])
        yield from _lying(spec.command[1:])
    yield from _lying(value for name, value in (spec.settings or {}).items() if name not in _NETWORKS)


def _parameters(spec: Spec) -> dict[str, Any]:
    return {**preset(spec.preset).parameters, **(spec.settings or {})}


def _texts(spec: Spec) -> dict[str, str]:
    return texts(_parameters(spec))


def _lying(words: Iterable[str]) -> Iterator[Thing]:
    """The files and folders among some words."""
    for word in words:
        for part in dict.fromkeys([word, *word.split(os.pathsep)]):  # a setting may name several folders
            path = Path(part)
            try:
                if path.suffix or path.parent != Path("."):
                    if path.is_file():
                        yield Thing("file", part)
                    elif path.is_dir():
                        yield Thing("folder", part)
            except (OSError, ValueError):  # no name of a file
                continue


def moved(spec: Spec, places: Mapping[Thing, str]) -> Spec:
    """The player with its belongings where this machine has them."""
    if spec.preset and spec.command:  # ours, in a process of its own
        spec = replace(spec, command=(sys.executable, *spec.command[1:]))
    if not places:
        return spec
    files = {thing.name: place for thing, place in places.items() if thing.kind != "network"}
    settings = {name: files.get(value, value) for name, value in (spec.settings or {}).items()}
    if spec.preset:
        for setting in _NETWORKS:
            if place := places.get(Thing("network", _texts(spec)[setting])):
                settings[setting] = place
    command = tuple(files.get(word, word) for word in spec.command)
    return replace(spec, preset=files.get(spec.preset, spec.preset), command=command, settings=settings)


@dataclass(frozen=True)
class OnePlayersWork:
    """What a work of one player is to a runner."""

    spec: Spec

    @property
    def cores(self) -> int:
        return cores_of(self.spec)

    def things(self) -> list[Thing]:
        return list(things_of(self.spec))
