"""How alike two positions are: eight measures, for every game (Topolewski 2019, section 3.4).

>>> from plyout.games import CHESS
>>> before = CHESS.start()
>>> after = CHESS.after(CHESS.after(before, CHESS.moves(before)[0]), CHESS.moves(before)[0])
>>> similarity(CHESS, before, before), similarity(CHESS, before, before, "constant")
(1.0, 0.5)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.games import Game, State
from plyout.search.similarity import measures
from plyout.search.similarity.measures import compare_moves, compare_pieces, compare_shapes, statistical

MEASURES = {
    "constant": measures.CONSTANT,
    "depth-breadth": measures.DEPTH_BREADTH,
    "pieces": measures.PIECE_COUNTS,
    "legal-actions": measures.ACTIONS,
    "recursive-legal-actions": measures.RECURSIVE_ACTIONS,
    "expandable-states": measures.STATES,
    "recursive-expandable-states": measures.RECURSIVE_STATES,
}
"""The measures that need nothing but the two positions; the eighth compares the statistics of two searches."""

STATISTICAL = "statistical-evaluation"
NAMES = (*MEASURES, STATISTICAL)


@dataclass(frozen=True)
class Settings:
    """What the measures are tuned by; as in the thesis, where it says."""

    constant: float = 0.5
    depth_weight: float = 0.7
    breadth_weight: float = 0.6
    threshold: float = 0.6
    """Recursive measures: positions at most this alike do not match. The thesis does not print its own: with 0.6 its
    tables come out."""
    one_to_one: bool = False
    """Recursive measures: a position matches one other at most, and two that match are one in the union (section 3.4.5
    and Figure 3.5); else, as the appendix prints it, every one that resembles any counts, and the union stays."""

    def __post_init__(self) -> None:
        if not (0 <= self.constant <= 1 and 0 <= self.threshold <= 1):
            raise InputError("the constant and the threshold of a similarity lie between 0 and 1")
        if not (self.depth_weight >= 0 and self.breadth_weight >= 0 and self.depth_weight + self.breadth_weight > 0):
            raise InputError("the weights of depth and breadth must not be negative, and not both 0")


PAPER = Settings()


def measure_named(name: str) -> int:
    if name not in MEASURES:
        raise InputError(f"no measure of similarity is called {name!r}: there are {', '.join(NAMES)}")
    return MEASURES[name]


def similarities(
    game: Game, firsts: Any, seconds: Any, measure: str = "legal-actions", settings: Settings = PAPER
) -> npt.NDArray[np.float64]:
    """The similarity of each of `firsts` to its fellow in `seconds`, which are sequences of states of `game`."""
    number = measure_named(measure)
    a, b = (np.ascontiguousarray(states, np.int64).reshape(-1) for states in (firsts, seconds))
    if len(a) != len(b):
        raise InputError("every first position needs a second one")
    answers = np.full(len(a) // game.size, settings.constant, np.float64)
    if number == measures.DEPTH_BREADTH:
        if game.ply is None:
            raise InputError(f"{game.name} does not say how many moves were played: give the game a `ply`")
        weights = float(settings.depth_weight), float(settings.breadth_weight)
        compare_shapes(a, b, game.room, game.legal, game.ply, *weights, answers)
    elif number == measures.PIECE_COUNTS:
        if game.pieces is None:
            raise InputError(f"{game.name} does not say what pieces there are: give the game `pieces`")
        compare_pieces(a, b, game.pieces, answers)
    elif number != measures.CONSTANT:
        tuning = np.array([settings.threshold, settings.one_to_one], np.float64)
        compare_moves(number, a, b, game.room, game.legal, game.play, tuning, answers)
    return answers


def similarity(
    game: Game, first: State, second: State, measure: str = "legal-actions", settings: Settings = PAPER
) -> float:
    """How alike two positions of `game` are: 1 equal, 0 nothing in common.

    Recursive measures as printed are not symmetric: `first` comes before `second` in the game.
    """
    return float(similarities(game, first, second, measure, settings)[0])


Statistics = dict[int, float]
"""What a search found the moves of a position to be worth, by their numbers."""


def similarity_of_statistics(first: Statistics, second: Statistics) -> float:
    """How alike two positions are by what searches found their moves to be worth.

    >>> similarity_of_statistics({1: 0.5, 2: 0.6}, {2: 0.6, 3: 0.1})
    1.0
    """
    columns: list[Any] = []
    for statistics in (first, second):
        moves = sorted(statistics)
        columns += [np.array(moves, np.int64), np.array([statistics[m] for m in moves], np.float64)]
    return float(statistical(*columns))
