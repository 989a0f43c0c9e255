"""What an evaluator of many positions at once gets and returns: the interface between the search and a network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games import Game


@dataclass(frozen=True)
class Positions:
    """Leaves to be evaluated. `states` has one state a row; `moves` the legal moves, -1 behind the last; `counts` says
    how many there are."""

    game: Game
    states: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.counts)


Evaluator = Callable[[Positions], tuple[Any, Any]]
"""``evaluator(positions) -> (values, priors)``: values from -1 (lost for the side to move) to 1, one a position;
priors of the shape of `positions.moves`, not negative, or None where all moves are alike."""
