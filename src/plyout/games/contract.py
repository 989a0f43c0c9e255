"""What a game is: three kernels over a vector of int64, and a way to read and show it.

The search knows nothing else about the rules, so chess, crazyhouse and
tic-tac-toe are instances like a user's own game (`examples/connect_four.py`).

A **state** is an int64 vector of fixed length. Word 0 is the player to move, 0
or 1; word 1 is a key of the position, equal for equal positions; the rest is
the game's own.

- ``legal(state, moves) -> count`` writes the legal moves, as non-negative
  numbers, to `moves`, which has room for `room` words; it may use what is left
  of them as scratch.
- ``play(state, move)`` changes the state.
- ``outcome(state, count) -> score`` is -1.0 while the game goes on, else the
  score of the player to move: 1.0 won, 0.5 drawn, 0.0 lost. `count` is what
  `legal` said.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.kernel import Ints, entry, f64, i64, ints, kernel, pointer, tail, void

State = npt.NDArray[np.int64]

TURN, KEY = 0, 1  # the words of a state that all games share

_SLICE = 4  # plies of perft that take next to no time

LEGAL = i64(ints, ints)
PLAY = void(ints, i64)
OUTCOME = f64(ints, i64)
CHECK = i64(ints)
REPEATS = i64(ints, i64)
RULES = (pointer(LEGAL), pointer(PLAY), pointer(OUTCOME))
PLY = i64(ints)
PIECES = i64(ints, ints)


@kernel
def no_check(state: Ints) -> int:
    """A game without anything like a check."""
    return 0


@kernel
def no_repetition(state: Ints, plies: int) -> int:
    """A game in which no position returns, or it does not matter."""
    return 0


def _number(state: State, move: int) -> str:
    return str(move)


def _words(state: State) -> str:
    return " ".join(map(str, state))


def _no_text(text: str) -> State:
    raise InputError("this game reads no positions: leave the position out to begin at its start")


def _any_words(state: State) -> None:
    """Nothing is known to be wrong."""


@dataclass(frozen=True)
class Game:
    """A game: its rules as kernels, and its border to people."""

    name: str
    size: int
    room: int
    legal: Callable[[Ints, Ints], int]
    play: Callable[[Ints, int], None]
    outcome: Callable[[Ints, int], float]
    start: Callable[[], State]
    parse: Callable[[str], State] = _no_text
    """A position from its text; `InputError` says what is wrong with it."""
    show: Callable[[State], str] = _words
    """A position as text, such that `parse` gives it back."""
    move_text: Callable[[State, int], str] = _number
    same: Callable[[State, State], bool] = np.array_equal
    """Whether two states are the same, history included."""
    valid: Callable[[State], None] = _any_words
    """An `InputError` says what is wrong with a state that came from elsewhere, if anything is."""
    check: Callable[[Ints], int] = no_check
    """1 where the player to move is under a threat that must be met, as by a check in chess; else 0."""
    repeats: Callable[[Ints, int], int] = no_repetition
    """1 where the position was on the board within the last so many plies, or twice before; else 0."""
    fast_perft: Callable[[Ints, int], int] | None = None
    """A faster way to count than by listing all moves, where the game has one."""
    ply: Callable[[Ints], int] | None = None
    """A kernel: how many moves were played before this position; for measures of similarity that ask."""
    pieces: Callable[[Ints, Ints], int] | None = None
    """A kernel ``pieces(state, counts) -> kinds``: how many there are of each kind of piece, of 64 kinds at most."""

    def rules(self) -> tuple[Any, Any, Any]:
        return self.legal, self.play, self.outcome

    def moves(self, state: State) -> list[int]:
        """The legal moves as numbers."""
        buffer = np.empty(self.room, np.int64)
        return [int(m) for m in buffer[: self._asked(self.legal, state, buffer)]]

    def after(self, state: State, move: int) -> State:
        """The state after `move`; the given one is not changed."""
        copy: State = state.copy()
        self._asked(self.play, copy, np.int64(move))
        return copy

    def result(self, state: State) -> float | None:
        """The score of the player to move if the game is over, else None."""
        score = float(self._asked(self.outcome, state, len(self.moves(state))))
        return None if score < 0.0 else score

    def _asked(self, rule: Any, *arguments: Any) -> Any:
        """What a rule says; what goes wrong in one of a user's own is the user's to mend."""
        try:
            return rule(*arguments)
        except InputError:
            raise
        except Exception as error:
            name, text = getattr(rule, "__name__", "a rule"), " ".join(str(error).split())[:300]
            raise InputError(f"{name} of {self.name} raised {type(error).__name__}: {text}") from error

    def check_state(self, state: State) -> None:
        """An `InputError` if `state` is no state of this game; `valid` knows more than how long one is."""
        if not isinstance(state, np.ndarray) or state.dtype != np.int64 or state.shape != (self.size,):
            shape = f"{state.dtype} of shape {state.shape}" if isinstance(state, np.ndarray) else type(state).__name__
            raise InputError(f"a state of {self.name} is an array of {self.size} int64, not {shape}")
        self.valid(state)

    def perft_in_slices(self, state: State, depth: int) -> Iterator[int]:
        """The same count as `perft`, in slices short enough for a user to interrupt."""
        if depth <= _SLICE:
            yield self.perft(state, depth)
        else:
            for move in self.moves(state):
                yield from self.perft_in_slices(self.after(state, move), depth - 1)

    def perft(self, state: State, depth: int) -> int:
        """The number of move sequences of length `depth`, a published test of rules."""
        if self.fast_perft:
            return int(self.fast_perft(state, depth))
        buffer = np.empty((depth + 1) * (self.size + self.room), np.int64)
        return int(_perft(state, depth, self.size, self.room, *self.rules(), buffer))


@kernel
def _count(state: Ints, depth: int, size: int, room: int, legal: Any, play: Any, outcome: Any, buffer: Ints) -> int:
    if depth == 0:
        return 1
    frame = tail(buffer, depth * (size + room))
    child, moves = frame, tail(frame, size)
    count: int = legal(state, moves)
    if depth == 1:
        return count
    total = 0
    for i in range(count):
        for word in range(size):
            child[word] = state[word]
        play(child, moves[i])
        total += _count(child, depth - 1, size, room, legal, play, outcome, buffer)
    return total


@entry(i64(ints, i64, i64, i64, *RULES, ints))
def _perft(state: Ints, depth: int, size: int, room: int, legal: Any, play: Any, outcome: Any, buffer: Ints) -> int:
    return _count(state, depth, size, room, legal, play, outcome, buffer)
