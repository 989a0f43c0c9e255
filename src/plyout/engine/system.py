"""What an engine is made of: a preset, and what the user changes in it."""

from dataclasses import dataclass
from typing import Any

from plyout.engine.residual import network_of
from plyout.errors import InputError
from plyout.games import CHESS, GAMES, Game
from plyout.games import game as game_named
from plyout.games.checked import checked_game
from plyout.parameters import Values, texts, values
from plyout.presets import Preset, preset
from plyout.presets.levels import PRESET, Level, level
from plyout.search.own import name_of

_FOR_CHESS = ("tables", "ahead")  # a preset's are for chess and its evaluation: elsewhere it goes without
_NETWORKS_OF_CHESS = ("value_net", "policy_net")  # likewise


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
    checked: bool = True
    """whether what rules of the user's own return is checked"""
    level: Level | None = None
    """how strong it is to play; None: as strong as it can"""

    @property
    def own(self) -> dict[str, str]:
        """The kernels that are the user's own: how they are called in a message, and the names of the functions."""
        rules = {name: name_of(rule) for name, rule in self.rules.items() if callable(rule)}
        own = {f"{rule} rule {name!r}": name for rule, name in rules.items()}
        if GAMES.get(self.game.name) is not self.game:
            names = [name_of(rule) for rule in self.game.rules()]
            own |= {f"{name} of {self.game.name}": name for name in names}
        return own


def system_of(preset_name: str, game: Game | str, changes: dict[str, Any]) -> System:
    """The system that a preset is with these changes; `InputError` says what is wrong with them."""
    found, changes = preset(preset_name), dict(changes)
    game = game_named(game) if isinstance(game, str) else game
    checked = not changes.pop("unchecked", False)
    if checked and GAMES.get(game.name) is not game:
        game = checked_game(game)
    limited = _level_of(found, game, changes.pop("level", None))
    found = limited.preset(found) if limited else found
    rules = {name: changes.pop(name, rule) for name, rule in found.rules.items()}
    evaluator, weights = changes.pop("evaluator", None), changes.pop("weights", None)
    wanted = found.parameters | changes
    for name in _FOR_CHESS:
        by_leaves = evaluator is not None or bool(wanted.get("network"))
        elsewhere = game is not CHESS or (name == "ahead" and by_leaves)
        if elsewhere and name not in changes:
            wanted[name] = 0
    for name in _NETWORKS_OF_CHESS:
        if game is not CHESS and name not in changes:
            wanted[name] = ""
    numbers, named = values(wanted), texts(wanted)
    if evaluator is None and named["network"]:
        evaluator, numbers = network_of(named["network"], found, game, numbers)
    return System(found, game, rules, numbers, named, weights, evaluator, checked, limited)


def _level_of(found: Preset, game: Game, elo: Any) -> Level | None:
    if elo is None:
        return None
    if found.name != PRESET or game is not CHESS:
        raise InputError(f"a level is for the preset {PRESET} in chess, not for {found.name} in {game.name}")
    return level(elo)
