"""One parameter that is tuned: where it begins, how far it may go, and by how much it is tried."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from plyout.errors import InputError
from plyout.parameters import BY_NAME, SETTING_BY_NAME, Parameter, values

FORM = "name, name=start, name=start:low:high or name=start:low:high:step"
_OF_START, _OF_RANGE = 5, 10  # a step is this part of the start, and no more than that part of the range
_LEAST_WHOLE = 0.5  # so that the two values that meet are a whole number apart


@dataclass(frozen=True)
class Axis:
    """A parameter with its start, its range, and its step: how far from the middle it is tried at the end of a run."""

    name: str
    start: float
    low: float
    high: float
    step: float
    whole: bool = False

    def within(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def played(self, value: float, chance: float) -> float:
        """The value as it is played; one that must be whole is rounded up or down, by `chance` from 0 to 1.

        On average that is the value itself. If it were always the nearest, a value of 2.2 that is tried 0.2 higher and
        lower would be 2 both times, and its games tell nothing.
        """
        value = self.within(value)
        return self.within(floor(value + chance)) if self.whole else value

    def final(self, value: float) -> float:
        """The value with as many digits as can mean anything: a hundredth of a step, or the nearest whole number."""
        digits = 0 if self.whole else max(0, 2 - floor(log10(self.step)))
        return self.within(round(value, digits))

    def text(self, value: float) -> str:
        """The value for people, and for an engine."""
        return f"{value:.0f}" if self.whole else f"{value:.8g}"

    def __str__(self) -> str:
        """As on the command line."""
        return f"{self.name}={':'.join(f'{number:.8g}' for number in (self.start, self.low, self.high, self.step))}"


def default_step(start: float, low: float, high: float, whole: bool) -> float:
    """A step where none is given: a fifth of the start, at most a tenth of the range, and where the start is 0 that.

    The ranges of the table say what makes sense at all (0 to 1e9), not where to look, so the start is the better
    guide. A fifth is much: a few hundred pairs cannot tell smaller changes apart.

    >>> default_step(1.5, 0, 100, whole=False), default_step(1.5, 1, 2, whole=False), default_step(2, 1, 1e9, True)
    (0.3, 0.1, 0.5)
    """
    step = min((high - low) / _OF_RANGE, abs(start) / _OF_START or float("inf"))
    return max(step, _LEAST_WHOLE) if whole else step


def axes_of(texts: Iterable[str], preset: Mapping[str, object]) -> list[Axis]:
    """What is to be tuned, from texts as on the command line; starts that are not given are those of the preset."""
    starts = values(preset)
    axes = [_axis(text, starts) for text in texts]
    if not axes:
        raise InputError(f"nothing is to be tuned: -p wants {FORM}, and may be repeated")
    for name in (axis.name for axis in axes):
        if sum(axis.name == name for axis in axes) > 1:
            raise InputError(f"-p {name} is given twice")
    return axes


def _axis(text: str, starts: Mapping[str, float]) -> Axis:
    name, _, rest = text.partition("=")
    parameter = _parameter(name.strip())
    given = _numbers(rest, text)
    start = parameter.check(given[0]) if given[0] is not None else starts[parameter.name]
    low = float(parameter.low if given[1] is None else given[1])
    high = float(parameter.high if given[2] is None else given[2])
    if not parameter.low <= low < high <= parameter.high:
        within = f"between {parameter.low:g} and {parameter.high:g}"
        raise InputError(f"{parameter.name} is tuned {within}, the lower end first, not from {low:g} to {high:g}")
    if parameter.whole and not (low.is_integer() and high.is_integer()):
        raise InputError(f"{parameter.name} is a whole number, and so are the ends of its range")
    if not low <= start <= high:
        raise InputError(f"{parameter.name} starts at {start:g}, which is not between {low:g} and {high:g}")
    step = given[3] if given[3] is not None else default_step(start, low, high, parameter.whole)
    if not 0 < step <= (high - low) / 2:
        raise InputError(f"{parameter.name}: a step is above 0 and at most half the range, not {step:g}")
    if parameter.whole and step < _LEAST_WHOLE:
        raise InputError(f"{parameter.name} is a whole number: its step is {_LEAST_WHOLE:g} at least, not {step:g}")
    return Axis(parameter.name, float(start), low, high, float(step), parameter.whole)


def _parameter(name: str) -> Parameter:
    """The parameter of a name, if it is one that has more and less."""
    if name in SETTING_BY_NAME:
        raise InputError(f"{name} is a text, and only numbers can be tuned: a match compares two of them")
    if name not in BY_NAME:
        values({name: 0})  # an InputError that says which there are
    parameter = BY_NAME[name]
    if parameter.names:
        raise InputError(f"{name} is one of {', '.join(parameter.names)}: a match compares two of them")
    if parameter.whole and parameter.high - parameter.low <= 1:
        raise InputError(f"{name} is on or off, with nothing between: a match compares the two")
    return parameter


def _numbers(rest: str, text: str) -> Sequence[float | None]:
    """Start, low, high and step, None where nothing is given."""
    words = [word.strip() for word in rest.split(":")]
    try:
        found = [float(word) if word else None for word in words]
    except ValueError:
        found = []
    if not found or len(found) > 4 or not all(number is None or isfinite(number) for number in found):
        raise InputError(f"-p wants {FORM}, not {text!r}")
    return found + [None] * (4 - len(found))
