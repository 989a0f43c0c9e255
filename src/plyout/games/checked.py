"""A user's own game, watched: what its rules return is checked by kernels around them."""

from dataclasses import replace
from functools import cache
from typing import Any

from plyout.errors import InputError
from plyout.games.contract import Game
from plyout.kernel import Ints, own_kernel

MOST = 2**31 - 1
"""The greatest number of a move: the graph keeps them as int32."""


class WrongCount(InputError):
    """`legal` counted more moves than there is room for, or fewer than none."""

    def __str__(self) -> str:
        game, count, room = self.args
        return f"legal of {game} returned {count}, and a position has 0 to {room} moves"


class WrongMove(InputError):
    """`legal` wrote something that is not the number of a move."""

    def __str__(self) -> str:
        game, move, place = self.args
        return f"legal of {game} wrote {move} into moves[{place}], and a move is a number from 0 to {MOST}"


class WrongOutcome(InputError):
    """`outcome` returned something else than a result."""

    def __str__(self) -> str:
        game, score = self.args
        return f"outcome of {game} returned {score:.17g}, and it is 0, 0.5 or 1, or -1 while the game goes on"


@cache
def checked_game(game: Game) -> Game:
    """The same game with checks around what its rules return."""
    name, legal, outcome = game.name, game.legal, game.outcome

    def checked_legal(state: Ints, moves: Ints) -> int:
        count = legal(state, moves)
        if not 0 <= count <= moves.size:
            raise WrongCount(name, count, moves.size)
        for i in range(count):
            if not 0 <= moves[i] <= MOST:
                raise WrongMove(name, moves[i], i)
        return count

    def checked_outcome(state: Ints, count: int) -> float:
        score = outcome(state, count)
        if score != 0.0 and score != 0.5 and score != 1.0 and score != -1.0:
            raise WrongOutcome(name, score)
        return score

    return replace(game, legal=_kernel(checked_legal, legal), outcome=_kernel(checked_outcome, outcome))


def _kernel(function: Any, around: Any) -> Any:
    function.__name__ = getattr(around, "__name__", function.__name__)  # errors of the compiler name the user's
    return own_kernel(function, checked=True)
