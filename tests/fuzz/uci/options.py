"""The options that an engine advertises, and lines that set them: right, at the border, absurd."""

import random
import re
from dataclasses import dataclass

_ADVERTISED = re.compile(r"option name (.+) type (check|spin|combo|string)(?: default (.*?))?(?: min (\S+) max (\S+))?")
_ABSURD = (
    "", "abc", "nan", "-1", "-99999999999999999999", "1e999", "true true", "<none>", "１２", "x" * 3000, "value",
    "name", "0x10", "1_0", "/nonexistent/a/b", ".",
)  # fmt: skip
_UNHEARD = ("Contempt", "Skill Level", "hash_mb", "", "value", "name", "UCI_Elo", "Hash Hash", "é")

# What takes long, or needs much memory, gets values of its own: beside them only what must be refused.
BOUNDED: dict[str, tuple[str, ...]] = {
    "Hash": ("1", "2", "4", "8", "16", "32"),
    "Threads": ("1", "2", "3"),
    "MultiPV": ("1", "2", "4", "500"),
    "UCI_Variant": (),  # the grammar sets it itself, as compiling for it takes long
    "UCI_Chess960": (),
    "checks": ("0", "1", "2", "8", "64"),
    "trap_level": ("0", "1"),
    "top_bfs": ("0", "1", "4"),
    "ahead": ("0", "1", "6"),
    "mixed_plies": ("0", "2", "5"),
    "max_depth": ("0", "1", "9"),
    "draw_repeats": ("1", "2"),
    "quiet_depth": ("0", "1", "6", "9"),
    "tables": ("0", "4"),
    "batch": ("1", "8", "64"),
    "Move Overhead": ("0", "1", "20"),
    "time_fraction": ("0.01", "0.05", "0.2"),
    "Debug Log File": ("<empty>", "/dev/null", "/dev/full", "/nonexistent/a.log"),
    "Book": ("<empty>", "/nonexistent/book.bin", "/dev/null", "own"),
    "SyzygyPath": ("<empty>", "/nonexistent", "/"),
    "GaviotaTbPath": ("<empty>", "/nonexistent", "<none>"),
}
HUGE_HASH = ("1000000", "60000")
_SELDOM = 0.02


@dataclass(frozen=True)
class Option:
    name: str
    kind: str
    default: str
    low: str | None
    high: str | None
    choices: tuple[str, ...]


def advertised(line: str) -> Option | None:
    """The option that a line of the answer to ``uci`` tells of."""
    text, *choices = line.split(" var ")
    found = _ADVERTISED.fullmatch(text)
    if not found:
        return None
    return Option(found[1], found[2], found[3] or "<empty>", found[4], found[5], tuple(choices))


class Options:
    def __init__(self, lines: list[str], presets: tuple[str, ...]) -> None:
        self._options = [option for option in map(advertised, lines) if option]
        self._presets = presets

    def setting(self, rng: random.Random) -> tuple[Option | None, str]:
        """A line that sets an option, and the option if the line may change it."""
        if rng.random() < 0.04:
            return None, f"setoption name {rng.choice(_UNHEARD)} value {rng.choice(('1', 'true', ''))}"
        option = rng.choice(self._options)
        kind = rng.random()
        if kind < 0.3:
            return option, f"setoption name {option.name} value {rng.choice(_ABSURD)}"
        if kind < 0.34:
            return None, f"setoption name {option.name}"
        name = option.name
        if kind < 0.4:
            name = rng.choice((name.upper(), name.lower(), name.replace(" ", "  ")))
        value = self._value(option, rng)
        return option, f"setoption name {name} value {value}"

    def _value(self, option: Option, rng: random.Random) -> str:
        if option.name == "Preset":
            return rng.choice(self._presets) if rng.random() < 0.2 else self._presets[0]
        if option.name == "Hash" and rng.random() < _SELDOM:
            return rng.choice(HUGE_HASH)
        if option.name in BOUNDED:
            return rng.choice((*BOUNDED[option.name], option.default))
        if option.kind == "check":
            return rng.choice(("true", "false"))
        if option.kind == "combo":
            return rng.choice(option.choices)
        if option.kind == "spin":
            assert option.low is not None and option.high is not None
            return rng.choice((option.low, option.high, option.default, str(int(option.low) + 1)))
        return rng.choice(("0", "0.5", "1", "2", option.default))
