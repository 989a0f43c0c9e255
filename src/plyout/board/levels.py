"""How strong an opponent on the board plays: fewer iterations, and moves drawn by their visits."""

from typing import NamedTuple

from plyout.search.limits import Limits


class Level(NamedTuple):
    nodes: int | None
    temperature: float


LEVELS = (
    Level(30, 2.0), Level(60, 1.4), Level(120, 1.0), Level(300, 0.7), Level(1_000, 0.5), Level(5_000, 0.25),
    Level(30_000, 0.0), Level(None, 0.0),
)  # fmt: skip
"""From a beginner to the whole engine."""
_PLIES_A_NODE = 20  # alpha-beta's nodes are cheaper, and so is what they are worth
_WITHOUT_CLOCK = 2000.0  # milliseconds for a move where neither a clock nor the level ends the search


def limits_of(level: int, alphabeta: bool, clock: tuple[float, float] | None) -> Limits:
    """The limits of one move; `clock` is (milliseconds left, increment)."""
    nodes = LEVELS[level - 1].nodes
    if nodes is not None and alphabeta:
        nodes *= _PLIES_A_NODE
    if clock is not None:
        return Limits(nodes=nodes, clock=max(clock[0], 1.0), increment=clock[1])
    return Limits(nodes=nodes, movetime=_WITHOUT_CLOCK)
