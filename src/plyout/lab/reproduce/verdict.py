"""Whether our numbers agree with a paper's: one rule for all experiments, and no taste in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot, inf, sqrt
from typing import NamedTuple

from plyout.lab.statistics.estimate import Z, wilson

AGREES, DIFFERS, UNDECIDED = "agrees", "differs", "undecided"

RULE = (
    "The rule: a number differs if our 95 % interval and the paper's have no point in common. It is undecided if they "
    "meet, but ours is more than twice as wide as the paper's, or holds 'no effect' where the paper's does not. "
    "Otherwise it agrees. Where the paper gives no interval, the tolerance shown in its place is ours. A statement, in "
    "the paper's words, agrees if our whole interval bears out what it was tested as, differs if none of it does, and "
    "is undecided in between. An experiment differs if one of its statements or numbers does, agrees if all of them "
    "do, and is undecided otherwise. What is undecided comes with the number of games or samples that would decide it, "
    "if our value stayed as it is. Where more than a quarter of the games were cut short by their length, and so count "
    "as drawn, nothing is decided. A reason is given only where it was tested."
)

NOT_KNOWN = "Reason: not known."
ENDLESS = 2300.0  # Elo beyond which an interval's end means that there is none
MOST = 1_000  # times as many samples: with more nobody will decide anything


class Quote(NamedTuple):
    """The words of a paper, and where they stand."""

    words: str
    where: str


@dataclass(frozen=True)
class Number:
    """A number and where it lies with 95%; an end may be infinite."""

    value: float
    low: float
    high: float
    samples: int = 0  # games, playouts, positions … that it comes from; 0 where more would change nothing

    @classmethod
    def about(cls, value: float, error: float = 0.0, samples: int = 0) -> "Number":
        """A number with the same error on both sides."""
        return cls(value, value - error, value + error, samples)

    @classmethod
    def mean(cls, values: Sequence[float]) -> "Number":
        """The mean of a sample, within the 95% of Student's distribution (by its expansion about the normal one).

        >>> abs(Number.mean([0.0, 1.0, 2.0, 3.0, 4.0]).high - 3.963) < 0.02
        True
        """
        count = len(values)
        middle = sum(values) / count
        spread = sqrt(sum((v - middle) ** 2 for v in values) / max(1, count - 1))
        freedom = max(1, count - 1)
        wider = Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
        wider += (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
        return cls.about(middle, wider * spread / sqrt(count), count)

    @classmethod
    def percent(cls, part: float, whole: int) -> "Number":
        """A share in percent, within Wilson's interval.

        >>> Number.percent(20, 20).low > 80
        True
        """
        low, high = wilson(part, whole)
        return cls(100 * part / whole, 100 * low, 100 * high, whole)

    def less(self, other: "Number") -> "Number":
        """The difference of two independent numbers; their errors add up as squares do."""
        below, above = (
            hypot(self.value - self.low, other.high - other.value),
            hypot(self.high - self.value, other.value - other.low),
        )
        value = self.value - other.value
        return Number(value, value - below, value + above, self.samples + other.samples)

    def after(self, times: float) -> "Number":
        """The same from so many times the samples: the errors shrink by the root."""
        below, above = (self.value - self.low) / sqrt(times), (self.high - self.value) / sqrt(times)
        return Number(self.value, self.value - below, self.value + above, round(times * self.samples))

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        return self.high - self.low


@dataclass(frozen=True)
class Row:
    """One number of a paper beside ours; `none` is the value at which there would be no effect, if there is one."""

    what: str
    paper: Number | None
    ours: Number | None
    none: float | None = None
    unit: str = ""  # where it is another than that of the experiment
    quote: Quote | None = None  # of a statement: the paper's "number" is then a range that ours is said to lie in
    cut: bool = False  # ours comes from games of which too many were cut short: it decides nothing

    @property
    def verdict(self) -> str:
        """What the rule says; nothing where one of the two numbers is missing.

        >>> Row("Elo", Number.about(150, 60), Number.about(200, 50), none=0).verdict
        'agrees'
        >>> Row("Elo", Number.about(150, 60), Number.about(10, 50), none=0).verdict
        'differs'
        >>> Row("Elo", Number.about(150, 60), Number.about(80, 100), none=0).verdict
        'undecided'
        """
        if self.paper is None or self.ours is None:
            return ""
        if self.cut:
            return UNDECIDED
        paper, ours = self.paper, self.ours
        if ours.low > paper.high or ours.high < paper.low:
            return DIFFERS
        if self.quote is not None:
            above, below = paper.low == -inf or paper.low < ours.low, paper.high == inf or ours.high < paper.high
            return AGREES if above and below else UNDECIDED
        if self.none is not None and ours.holds(self.none) and not paper.holds(self.none):
            return UNDECIDED
        return UNDECIDED if ours.width > 2 * paper.width else AGREES

    @property
    def deciding(self) -> int | None:
        """How many samples would decide what is undecided, if our value stayed; None if it is not, or too many.

        >>> Row("Elo", Number.about(150, 60), Number.about(80, 100, 40), none=0).deciding
        63
        >>> Row("Elo", Number.about(150, 60), Number.about(0, 100, 40), none=0).deciding
        50
        """
        if self.verdict != UNDECIDED or self.ours is None or not self.ours.samples or self.cut:
            return None
        ours, low, high = self.ours, 1.0, float(MOST)
        if replace(self, ours=ours.after(high)).verdict == UNDECIDED:
            return None
        while high > 1.0001 * low:  # what is decided by some samples is decided by more, one way or the other
            middle = sqrt(low * high)
            decided = replace(self, ours=ours.after(middle)).verdict != UNDECIDED
            low, high = (low, middle) if decided else (middle, high)
        return ceil(high * ours.samples)


def claim(quote: Quote, what: str, ours: Number | None, above: float = -inf, below: float = inf, unit: str = "") -> Row:
    """A statement of a paper, and what it is tested as: our number lies `above` one and `below` another.

    >>> claim(Quote("A is stronger than B", "p. 1"), "A over B", Number(30, -5, 65), above=0).verdict
    'undecided'
    """
    return Row(what, Number(above, above, below), ours, unit=unit, quote=quote)


def overall(rows: Iterable[Row]) -> str:
    """The verdict on an experiment by all its numbers and statements; nothing if there is nothing to compare."""
    found = [row.verdict for row in rows if row.verdict]
    if not found:
        return ""
    if DIFFERS in found:
        return DIFFERS
    return UNDECIDED if UNDECIDED in found else AGREES
