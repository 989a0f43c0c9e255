"""One search: what the engine hands to the searcher that is to do it."""

from collections.abc import Callable
from dataclasses import dataclass

from plyout.engine.history import Watch
from plyout.engine.result import Result
from plyout.games import State
from plyout.search.limits import Limits
from plyout.search.threads import Stop


@dataclass(frozen=True)
class Task:
    state: State
    """a position that is not over"""
    limits: Limits
    stop: Stop
    moves: list[int] | None = None
    """only these are searched; None: all that are legal"""
    chess960: bool = False
    """how castling is written"""
    on_progress: Callable[[Result], None] | None = None
    """gets the result so far"""
    every: float = 0.25
    """so many seconds"""
    drawn_by_rule: bool = False
    """nobody claims the draw: what is known of the position is of no use"""
    lines: int | None = None
    """so many of the best moves get a line; None: all"""
    watch: Watch | None = None
    """looks on"""
