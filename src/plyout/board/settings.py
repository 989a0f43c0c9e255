"""What a page has chosen: who plays, how strong, with what; checked, since it comes from outside."""

from dataclasses import dataclass, replace
from typing import Any

from plyout.errors import InputError
from plyout.parameters import BY_NAME
from plyout.presets import presets
from plyout.presets.levels import HIGHEST, LOWEST, PRESET, Level, level

MODES = ("analyse", "play", "compare")
COLOURS = ("white", "black")
MOST_MINUTES, MOST_INCREMENT = 180.0, 180.0


@dataclass(frozen=True)
class Settings:
    mode: str = "analyse"
    preset: str = PRESET
    other: str = "mcc"
    """the preset to compare with"""
    colour: str = "white"
    """the user's"""
    level: int = HIGHEST
    """Elo of the opponent, where the preset has levels"""
    minutes: float = 0.0
    """on each clock; 0: none"""
    increment: float = 0.0
    threads: int = 1
    memory: int = int(BY_NAME["hash_mb"].default)
    """MB for each tree"""
    seed: int | None = None
    """None: one for all analyses, and another for every game"""

    def changed(self, wanted: dict[str, Any], most_threads: int) -> "Settings":
        """The settings with some of them changed."""
        numbers = {
            "level": (LOWEST, HIGHEST), "minutes": (0.0, MOST_MINUTES), "increment": (0.0, MOST_INCREMENT),
            "threads": (1, most_threads), "memory": (4, 4096), "seed": (-(2**53), 2**53),
        }  # fmt: skip
        names = {"mode": MODES, "preset": tuple(presets()), "other": tuple(presets()), "colour": COLOURS}
        for name, value in wanted.items():
            if name in names:
                if value not in names[name]:
                    raise InputError(f"{name} must be one of {', '.join(names[name])}, not {str(value)[:40]!r}")
            elif (name, value) == ("seed", None):
                continue
            elif name in numbers:
                low, high = numbers[name]
                whole = isinstance(low, int)
                fits = isinstance(value, int) if whole else isinstance(value, int | float)
                if not fits or isinstance(value, bool) or not low <= value <= high:
                    kind = "whole number" if whole else "number"
                    raise InputError(f"{name} must be a {kind} from {low:g} to {high:g}, not {str(value)[:40]}")
            else:
                raise InputError(f"no setting is called {str(name)[:40]!r}")
        return replace(self, **wanted)

    def level_in(self, variant: str) -> Level | None:
        """The level at which the opponent plays; None where it plays as well as it can."""
        has_levels = self.preset == PRESET and variant in ("chess", "chess960")
        return level(self.level) if has_levels and self.level < HIGHEST else None
