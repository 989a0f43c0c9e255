"""Who played: presets as they were that day, and programs by the name that they give themselves."""

from collections.abc import Sequence
from typing import Any

from plyout.lab.match.players import specs_of
from plyout.lab.match.uci_player import UciPlayer
from plyout.presets import preset

CAST = "players.json"


def cast_of(engines: Sequence[str]) -> dict[str, Any]:
    """By the players' names: the program's own name, or the preset's rules and parameters, with what was changed."""
    found: dict[str, Any] = {}
    for spec in specs_of(engines):
        if spec.command:
            found[spec.name] = {"program": _greeted(spec.command)}
        else:
            known = preset(spec.preset)
            rules = {"search": known.search} if known.search != "mcts" else known.rules
            found[spec.name] = {"preset": known.name, **rules, **known.parameters, **(spec.settings or {})}
    return found


def _greeted(command: tuple[str, ...]) -> str:
    player = UciPlayer(command, {})
    try:
        player.prepare()
        return player.called
    finally:
        player.close()
