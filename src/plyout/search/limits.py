"""When to stop: nodes, playouts, time, clocks, a mate; or never."""

from dataclasses import dataclass, replace
from typing import Any

from plyout.errors import InputError

FOREVER = float("inf")
DEPTH_0 = 5  # depth d of a Monte-Carlo search: 2^(d + 5) iterations
_WHOLE_GAME = 40  # moves to plan for where the time control does not say


@dataclass(frozen=True)
class Limits:
    """A search ends at the first of these that is reached; times are milliseconds, as in UCI."""

    nodes: int | None = None
    """iterations of the search"""
    playouts: int | None = None
    """leaves evaluated"""
    movetime: float | None = None
    clock: float | None = None
    """left on the mover's clock"""
    increment: float = 0.0
    moves_to_go: int | None = None
    mate: int | None = None
    """look for a mate, with the solver, and stop when one is proven: if it is longer there is none in so many moves"""
    depth: int | None = None
    """plies of alpha-beta; in a Monte-Carlo search it grows by one when the iterations have doubled"""
    infinite: bool = False
    """no other limit is needed"""

    def __post_init__(self) -> None:
        for name in ("nodes", "playouts", "movetime", "clock", "increment", "moves_to_go", "mate", "depth"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, int | float):
                raise InputError(f"{name} must be a number, and is {value!r}")
            if value is not None and not value >= 0:
                raise InputError(f"{name} must not be negative, and is {value!r}")
        given = (self.nodes, self.playouts, self.movetime, self.clock, self.mate, self.depth)
        if all(value is None for value in given) and not self.infinite:
            raise InputError("a search needs a limit: nodes, playouts, movetime, clock, mate, depth or infinite")

    def for_iterations(self) -> "Limits":
        """The same for a search that knows iterations only: depth 10 is about a second's work."""
        if self.depth is None:
            return self
        return replace(self, depth=None, nodes=min(self.nodes or 1 << 60, 1 << min(self.depth + DEPTH_0, 60)))

    def after(self, nodes: int, playouts: int, seconds: float) -> "Limits":
        """What is left of the limits when a part of the work is done, and something in any case."""

        def left(limit: float | None, done: float) -> Any:
            return None if limit is None else max(1, limit - done)

        return replace(
            self, nodes=left(self.nodes, nodes), playouts=left(self.playouts, playouts),
            movetime=left(self.movetime, 1000 * seconds), clock=left(self.clock, 1000 * seconds),
        )  # fmt: skip

    def seconds(self, fraction: float, overhead: float = 0.0) -> float:
        """Seconds to think: the time for this move, or a fixed `fraction` of the clock and most of the increment."""
        move = FOREVER if self.movetime is None else max(self.movetime, 1.0) / 1000
        if self.clock is None:
            return move
        share = self.clock * fraction
        if self.moves_to_go is not None:
            share = max(min(share, self.clock / 2), self.clock / (min(self.moves_to_go, _WHOLE_GAME) + 1))
        # The overhead comes off every move, or a clock with a small increment would run down to nothing.
        share += 0.8 * self.increment - overhead
        return min(move, max(min(share, 0.8 * (self.clock - overhead)), 1.0) / 1000)
