"""The options of the UCI engine: made from the one table of parameters, and a few of UCI's own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plyout.errors import InputError
from plyout.parameters import TABLE, Parameter, values
from plyout.presets import Preset, presets

# Parameters that chess programs know by other names.
_KNOWN_AS = {"threads": "Threads", "hash_mb": "Hash", "seed": "Seed", "overhead": "Move Overhead"}
_SPIN_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Option:
    name: str
    kind: str  # the rest of UCI's "option name … type"
    default: str
    check: Callable[[str], str]  # the value as it is kept, or an `InputError`
    parameter: Parameter | None = None


def name_of(parameter: str) -> str:
    """The option that a parameter is."""
    return _KNOWN_AS.get(parameter, parameter)


def _text(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _of_parameter(p: Parameter, default: float) -> Option:
    name = name_of(p.name)

    def check(text: str) -> str:
        if p.whole and p.low == 0 and p.high == 1:
            text = {"true": "1", "false": "0"}.get(text.lower(), text)
        return _text(p.check(text))

    if p.whole and (p.low, p.high) == (0, 1):
        return Option(name, f"check default {'true' if default else 'false'}", _text(default), check, p)
    if p.whole:
        low, high = max(p.low, -_SPIN_LIMIT), min(p.high, _SPIN_LIMIT)
        kind = f"spin default {_text(default)} min {_text(low)} max {_text(high)}"
        return Option(name, kind, _text(default), check, p)
    return Option(name, f"string default {_text(default)}", _text(default), check, p)


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


def options(preset: Preset) -> Iterator[Option]:
    """All options, with the defaults of `preset`."""
    yield _combo("Preset", preset.name, list(presets()))
    yield _spin("MultiPV", 1, 1, 500)
    yield _check("Ponder")
    yield _check("UCI_Chess960")
    yield _combo("UCI_Variant", "chess", ["chess", "crazyhouse"])
    yield _check("UCI_ShowWDL")
    yield Option("Debug Log File", "string default <empty>", "", lambda text: "" if text == "<empty>" else text)
    defaults = values(preset.parameters)
    for p in TABLE:
        yield _of_parameter(p, defaults[p.name])
