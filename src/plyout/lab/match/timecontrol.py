"""How long a player may think: a clock with an increment, a time, nodes or evaluations for each move; and the clock."""

import re
from dataclasses import dataclass, replace

from plyout.errors import InputError

MOST_SECONDS, _MOST_NODES = 1e8, 1e15  # three years; more is a slip, and inf no number
_DIGITS = 6  # of the moves of a period
MARGIN = 0.05  # seconds that a move may come late, for what the machine itself takes on the way


@dataclass(frozen=True)
class TimeControl:
    """What limits a player's moves; times are seconds. Without a clock or `movetime` there is no time to overstep.

    >>> TimeControl.parse("10+0.1")
    TimeControl(base=10.0, increment=0.1, moves=0, movetime=None, nodes=None, evaluations=None)
    >>> str(TimeControl.parse("40/60"))
    '40/60+0'
    """

    base: float | None = None
    increment: float = 0.0
    moves: int = 0  # a new period begins after so many moves; 0: the base is for the whole game
    movetime: float | None = None
    nodes: int | None = None
    evaluations: int | None = None  # leaves judged: what a network costs, where nodes that are met again cost nothing

    def __post_init__(self) -> None:
        if all(limit is None for limit in (self.base, self.movetime, self.nodes, self.evaluations)):
            raise InputError("a time control needs a clock (10+0.1), a movetime (milliseconds), nodes or evaluations")
        seconds = {"the clock": self.base, "movetime": self.movetime, "the increment": self.increment or None}
        for what, value in seconds.items():
            if value is not None and not 0 < value < MOST_SECONDS:  # nan is neither
                shown = 1000 * value if what == "movetime" else value
                raise InputError(f"{what} must be a number above 0, and is {shown:g}")
        for what, count in (("nodes", self.nodes), ("evaluations", self.evaluations)):
            if count is not None and not 0 < count < _MOST_NODES:
                raise InputError(f"{what} must be a number above 0, and is {count:g}")

    @classmethod
    def parse(
        cls, text: str, movetime: float | None = None, nodes: int | None = None, evaluations: int | None = None
    ) -> "TimeControl":
        """A clock from ``seconds``, ``seconds+increment`` or ``moves/seconds+increment``."""
        found = re.fullmatch(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text.strip())
        if not found:
            raise InputError(f"a clock is seconds+increment, as in 10+0.1 or 40/60+0.5, not {text!r}")
        moves = found[1] or "0"
        if len(moves) > _DIGITS:
            raise InputError(f"a clock is for fewer moves than {moves[:_DIGITS]}…")
        return cls(float(found[2]), float(found[3] or 0), int(moves), movetime, nodes, evaluations)

    @classmethod
    def of(
        cls, tc: str | None, movetime: float | None, nodes: int | None, evaluations: int | None = None
    ) -> "TimeControl | None":
        """From options, `movetime` in milliseconds as everywhere on the command line; None if there is none."""
        seconds = None if movetime is None else movetime / 1000
        if tc is not None:
            return cls.parse(tc, seconds, nodes, evaluations)
        if seconds is None and nodes is None and evaluations is None:
            return None
        return cls(movetime=seconds, nodes=nodes, evaluations=evaluations)

    def scaled(self, pace: float) -> "TimeControl":
        """All times so many times as long.

        >>> str(TimeControl.parse("40/10+0.1", nodes=500).scaled(1.5))
        '40/15+0.15, 500 nodes a move'
        """
        if pace == 1:
            return self
        base, movetime = (None if time is None else pace * time for time in (self.base, self.movetime))
        return replace(self, base=base, increment=pace * self.increment, movetime=movetime)

    def __str__(self) -> str:
        clock = f"{self.base:g}+{self.increment:g}" if self.base is not None else ""
        parts = [f"{self.moves}/{clock}" if self.moves else clock]
        parts += [f"{1000 * self.movetime:g} ms a move" if self.movetime is not None else ""]
        parts += [f"{self.nodes:,} nodes a move" if self.nodes is not None else ""]
        parts += [f"{self.evaluations:,} evaluations a move" if self.evaluations is not None else ""]
        return ", ".join(filter(None, parts))


class Clock:
    """One player's time in one game, kept by the runner."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left: float | None = control.base
        self._to_go = control.moves

    @property
    def budget(self) -> float | None:
        """Seconds that the next move may take; None: as long as it likes."""
        times = [t for t in (self.left, self.control.movetime) if t is not None]
        return min(times) if times else None

    @property
    def moves_to_go(self) -> int | None:
        return self._to_go or None

    def spend(self, seconds: float) -> None:
        """A move was made in so many seconds."""
        if self.left is None:
            return
        self.left = max(0.0, self.left - seconds) + self.control.increment
        if self.control.moves:
            self._to_go -= 1
            if self._to_go == 0:
                self._to_go = self.control.moves
                self.left += self.control.base or 0.0
