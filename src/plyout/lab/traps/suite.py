"""The unit test of Topolewski 2019, section 5.3 and Table 5.1: what a measure keeps and costs on a hundred pairs.

The thesis has fifty pairs of consecutive positions and fifty by chance, which it does not print. Ours come from the
positions that are shipped: each of fifty with one that two plies of chance lead to, at the same side's next turn; and
each of fifty others with one of another game.
"""

import random
import time
from dataclasses import dataclass
from functools import cache

import numpy as np

from plyout.games import CHESS, TICTACTOE, State, state_of
from plyout.games.contract import TURN
from plyout.lab.traps.positions import shipped
from plyout.search.similarity import Settings, similarities

_HALF = 50
_SEED = 1
_RUNS = 20  # over all pairs, which takes milliseconds: the fastest was disturbed least


@dataclass(frozen=True)
class Check:
    """What a measure has shown of itself."""

    symmetric: bool
    normalised: bool
    microseconds: float
    """a call"""


@cache
def pairs() -> tuple[State, State]:
    """The first positions of all pairs, one behind the other, and the second ones."""
    chance, states = random.Random(_SEED), [state_of(record.board) for record in shipped()]
    firsts = states[: 2 * _HALF]
    seconds = [_next_turn(state, chance) for state in firsts[:_HALF]]
    seconds += [chance.choice([s for s in states[2 * _HALF :] if s[TURN] == state[TURN]]) for state in firsts[_HALF:]]
    return np.concatenate(firsts), np.concatenate(seconds)


def _next_turn(state: State, chance: random.Random) -> State:
    """A position in which the same side is to move again."""
    after = CHESS.after(state, chance.choice(CHESS.moves(state)))
    return CHESS.after(after, chance.choice(CHESS.moves(after))) if CHESS.moves(after) else _next_turn(state, chance)


def aheuristic(measure: str) -> bool:
    """Whether a measure knows nothing of chess: it says of another game, too, that positions are alike."""
    start = TICTACTOE.start()
    later = [TICTACTOE.after(TICTACTOE.after(start, 0), move) for move in (4, 8)]
    value = float(similarities(TICTACTOE, later[0], later[1], measure)[0])
    return 0 <= value <= 1 and float(similarities(TICTACTOE, start, start, measure)[0]) >= value


def check(measure: str, settings: Settings) -> Check:
    firsts, seconds = pairs()
    forth = similarities(CHESS, firsts, seconds, measure, settings)  # compiled, or loaded, by the way
    back = similarities(CHESS, seconds, firsts, measure, settings)
    times = []
    for _ in range(_RUNS):
        began = time.perf_counter()
        similarities(CHESS, firsts, seconds, measure, settings)
        times.append(time.perf_counter() - began)
    normalised = bool(((forth >= 0) & (forth <= 1)).all())
    return Check(np.array_equal(forth, back), normalised, 1e6 * min(times) / len(forth))
