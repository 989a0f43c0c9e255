"""Under which conditions games are played: the keywords of ``match(…, games=40, nodes=2000)``."""

from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from plyout.errors import InputError
from plyout.lab.match.adjudicate import Adjudication
from plyout.lab.match.game import Rules
from plyout.lab.match.openings import BUILT_IN, check_variant
from plyout.lab.match.timecontrol import MARGIN, MOST_SECONDS, TimeControl

KINDS = ("round-robin", "gauntlet")
DEFAULT_CLOCK = "1+0.01"


@dataclass(frozen=True)
class Conditions:
    """All that decides which games are played and how, but for the players themselves.

    >>> Conditions(nodes=500, max_plies=200).control
    TimeControl(base=None, increment=0.0, moves=0, movetime=None, nodes=500, evaluations=None)
    """

    games: int = 40
    """of each pairing: an even number, as each opening is played with both colours"""
    kind: str = KINDS[0]
    tc: str | None = None
    """a clock, seconds+increment; without any time control it is DEFAULT_CLOCK"""
    movetime: float | None = None
    """milliseconds for each move"""
    nodes: int | None = None
    """nodes, or iterations, for each move"""
    evaluations: int | None = None
    """leaves evaluated for each move: equal work of a network, though one search meets more positions again"""
    book: str = BUILT_IN
    """where games begin: see `openings`"""
    variant: str = "chess"
    seed: int = 1
    """decides the order of the openings; 0 leaves it"""
    resign: tuple[int, int] | None = None
    draw: tuple[int, int, int] | None = None
    tables: str | None = None
    max_plies: int | None = None
    """`resign` to `max_plies` end games early: see `Adjudication`"""
    margin: float = 1000 * MARGIN
    """milliseconds that a move may come late"""
    patience: float | None = None
    """seconds after its time before a silent engine has stalled: see `Rules`"""

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise InputError(f"the games of a pairing must be even, as each opening is played twice, not {self.games}")
        if self.kind not in KINDS:
            raise InputError(f"a tournament is one of {', '.join(KINDS)}, not {self.kind!r}")
        check_variant(self.variant)
        for name in ("margin", "patience"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < MOST_SECONDS:  # nan is neither
                raise InputError(f"{name} must be a number from 0 on, and is {value:g}")
        _ = self.control, self.rules  # a wrong one is an InputError now

    @classmethod
    def of(cls, given: dict[str, Any], *others: str) -> "Conditions":
        """From keywords; one that is unknown, and not among `others`, is an `InputError` that names the likely one."""
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                near = get_close_matches(name, [*known, *others], 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join([*known, *others])}"
                raise InputError(f"a match has no option {name!r}: {hint}")
        return cls(**given)

    @cached_property
    def control(self) -> TimeControl:
        """What limits the moves of players that have no time control of their own."""
        return TimeControl.of(self.tc, self.movetime, self.nodes, self.evaluations) or TimeControl.parse(DEFAULT_CLOCK)

    @cached_property
    def rules(self) -> Rules:
        adjudication = Adjudication(self.resign, self.draw, self.tables, self.max_plies)
        return Rules(self.variant, adjudication, self.margin / 1000, self.patience)
