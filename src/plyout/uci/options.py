"""The options of the UCI engine: made from the one table of parameters, and a few of UCI's own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from secrets import randbelow
from typing import Any

import chess
import chess.variant

from plyout.errors import InputError
from plyout.parameters import SETTINGS, TABLE, Parameter, Setting, texts, values
from plyout.presets import Preset, presets
from plyout.presets.levels import HIGHEST, LOWEST
from plyout.uci.parse import shown

# Parameters that chess programs know by other names.
_KNOWN_AS = {"threads": "Threads", "hash_mb": "Hash", "seed": "Seed", "overhead": "Move Overhead"}
_KNOWN_AS |= {"book": "Book", "book_use": "Book Use"}
_KNOWN_AS |= {"syzygy_path": "SyzygyPath", "gaviota_path": "GaviotaTbPath"}
_KNOWN_AS |= {"level": "UCI_Elo", "value_net": "EvalFile", "policy_net": "PolicyFile", "network": "NetworkFile"}
BOARDS: dict[str, type[chess.Board]] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
_SPIN_LIMIT = 2**31 - 1
_USUAL_ELO = 1500


@dataclass(frozen=True)
class Option:
    name: str
    kind: str  # the rest of UCI's "option name … type"
    default: str
    check: Callable[[str], str]  # the value as it is kept, or an `InputError`
    parameter: Parameter | Setting | None = None


def name_of(parameter: str) -> str:
    """The name of the option that sets a parameter."""
    return _KNOWN_AS.get(parameter, parameter)


def _text(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _of_parameter(p: Parameter, default: float) -> Option:
    name = name_of(p.name)
    if p.names:
        return replace(_combo(name, p.names[int(default)], list(p.names)), parameter=p)

    def check(text: str) -> str:
        if p.whole and p.low == 0 and p.high == 1:
            text = {"true": "1", "false": "0"}.get(text.lower(), text)
        return _text(replace(p, name=name).check(text))

    if p.whole and (p.low, p.high) == (0, 1):
        return Option(name, f"check default {'true' if default else 'false'}", _text(default), check, p)
    if p.whole:
        low, high = max(p.low, -_SPIN_LIMIT), min(p.high, _SPIN_LIMIT)
        kind = f"spin default {_text(default)} min {_text(low)} max {_text(high)}"
        return Option(name, kind, _text(default), check, p)
    return Option(name, f"string default {_text(default)}", _text(default), check, p)


def _of_setting(s: Setting, default: str) -> Option:
    return replace(_path(name_of(s.name), default), parameter=s)


def _spin(name: str, default: int, low: int, high: int) -> Option:
    parameter = Parameter(name, default, low, high, "", whole=True)
    kind = f"spin default {default} min {low} max {high}"
    return Option(name, kind, str(default), lambda text: _text(parameter.check(text)))


def _check(name: str, default: bool = False) -> Option:
    def check(text: str) -> str:
        if text.lower() not in ("true", "false"):
            raise InputError(f"{name} must be true or false, not {text!r}")
        return text.lower()

    word = str(default).lower()
    return Option(name, f"check default {word}", word, check)


def _combo(name: str, default: str, choices: list[str]) -> Option:
    def check(text: str) -> str:
        found = next((c for c in choices if c.lower() == text.lower()), None)
        if found is None:
            raise InputError(f"{name} must be one of {', '.join(choices)}, not {text!r}")
        return found

    return Option(name, f"combo default {default} " + " ".join(f"var {c}" for c in choices), default, check)


def _path(name: str, default: str = "") -> Option:
    kind = f"string default {default or '<empty>'}"
    return Option(name, kind, default, lambda text: "" if text == "<empty>" else text)


def options(preset: Preset) -> Iterator[Option]:
    """All options, with the defaults of `preset`."""
    yield _combo("Preset", preset.name, list(dict.fromkeys([*presets(), preset.name])))  # one may be a user's file
    yield _spin("MultiPV", 1, 1, 500)
    yield _check("Ponder")
    yield _check("OwnBook", True)
    yield _check("UCI_Chess960")
    yield _combo("UCI_Variant", "chess", list(BOARDS))
    yield _check("UCI_ShowWDL")
    yield _check("UCI_LimitStrength")
    yield _spin("UCI_Elo", _USUAL_ELO, LOWEST, HIGHEST)
    yield _path("Debug Log File")
    defaults = values(preset.parameters)
    for p in TABLE:
        yield _of_parameter(p, defaults[p.name])
    for s in SETTINGS:
        yield _of_setting(s, texts(preset.parameters)[s.name])


class Settings:
    """The options, and what they are set to."""

    def __init__(self, preset: Preset) -> None:
        self.options = list(options(preset))
        self._by_name = {option.name.lower(): option for option in self.options}
        self._changed: dict[str, str] = {}  # by the option's name: what differs from the defaults
        self._own_seed = False  # somebody has set one

    def __getitem__(self, name: str) -> str:
        return self._changed.get(name, self._by_name[name.lower()].default)

    def on(self, name: str) -> bool:
        return self[name] == "true"

    def set(self, name: str, value: str) -> Option:
        """Set the option of this name, however it is capitalised."""
        option = self._by_name.get(name.lower())
        if option is None:
            raise InputError(f"no option is called {shown(name)}")
        kept = option.check(value)
        self._own_seed |= option.name == name_of("seed")
        self._changed.pop(option.name, None)
        if kept != option.default:
            self._changed[option.name] = kept
        return option

    @property
    def variant(self) -> type[chess.Board]:
        return BOARDS[self["UCI_Variant"]]

    def first_board(self) -> chess.Board:
        """The board at the start of a game."""
        return self.variant(chess960=self.on("UCI_Chess960"))

    def changes(self) -> dict[str, Any]:
        """The parameters that differ from the preset, for `Engine`, in the order in which they were set."""
        named = ((self._by_name[name.lower()].parameter, value) for name, value in list(self._changed.items()))
        changes: dict[str, Any] = {parameter.name: value for parameter, value in named if parameter}
        if not self.on("OwnBook"):
            changes["book"] = ""
        if self.on("UCI_LimitStrength"):
            changes["level"] = self["UCI_Elo"]
            if (seed := self.another_seed()) is not None:
                changes["seed"] = seed
        return changes

    def limit_strength(self, elo: int) -> None:
        """Play like somebody of so many Elo."""
        self.set("UCI_LimitStrength", "true")
        self.set("UCI_Elo", str(elo))

    def another_seed(self) -> int | None:
        """What the next game begins with where people play, who do not want the same one again; None: the Seed, as it
        was set, or as the whole engine has it."""
        return randbelow(_SPIN_LIMIT) if self.on("UCI_LimitStrength") and not self._own_seed else None
