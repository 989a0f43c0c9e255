"""What an engine is made of: a preset, and what the user changes in it."""

from dataclasses import dataclass
from typing import Any

from plyout.games import CHESS, Game
from plyout.games import game as game_named
from plyout.parameters import Values, texts, values
from plyout.presets import Preset, preset

_FOR_CHESS = ("tables", "ahead")  # a preset's are for chess and its evaluation: elsewhere it goes without


@dataclass(frozen=True)
class System:
    preset: Preset
    game: Game
    rules: dict[str, Any]
    """the preset's, or the user's own functions in their place"""
    numbers: Values
    texts: dict[str, str]
    """the parameters that are texts"""
    weights: Any = None
    """a file of evaluation weights; None: those that come with Plyout"""
    evaluator: Any = None
    """what evaluates many leaves at once, if anything does"""


def system_of(preset_name: str, game: Game | str, changes: dict[str, Any]) -> System:
    """The system that a preset is with these changes; `InputError` says what is wrong with them."""
    found, changes = preset(preset_name), dict(changes)
    game = game_named(game) if isinstance(game, str) else game
    rules = {name: changes.pop(name, rule) for name, rule in found.rules.items()}
    evaluator, weights = changes.pop("evaluator", None), changes.pop("weights", None)
    wanted = found.parameters | changes
    for name in _FOR_CHESS:
        elsewhere = game is not CHESS or (name == "ahead" and evaluator is not None)
        if elsewhere and name not in changes:
            wanted[name] = 0
    return System(found, game, rules, values(wanted), texts(wanted), weights, evaluator)
