"""Tic-tac-toe: small enough to be searched whole, so every answer of a search can be checked."""

import numpy as np

from plyout.errors import InputError
from plyout.games.contract import Game, State
from plyout.kernel import Ints, inlined, kernel, low, popcount
from plyout.kernel.random import mix

TURN, KEY, CROSSES, NOUGHTS, SIZE = range(5)
FULL = 0b111_111_111
_LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)


@inlined
def _won(stones: int) -> bool:
    for line in _LINES:
        if stones & line == line:
            return True
    return False


@kernel
def _key(state: Ints) -> int:
    return mix(state[CROSSES] | state[NOUGHTS] << 9)


@kernel
def legal(state: Ints, moves: Ints) -> int:
    if _won(state[CROSSES + 1 - state[TURN]]):
        return 0
    free = FULL & ~(state[CROSSES] | state[NOUGHTS])
    n = 0
    while free:
        moves[n] = low(free)
        n += 1
        free &= free - 1
    return n


@kernel
def play(state: Ints, move: int) -> None:
    state[CROSSES + state[TURN]] |= 1 << move
    state[TURN] ^= 1
    state[KEY] = _key(state)


@kernel
def outcome(state: Ints, count: int) -> float:
    if count:
        return -1.0
    return 0.0 if _won(state[CROSSES + 1 - state[TURN]]) else 0.5


@kernel
def ply(state: Ints) -> int:
    return popcount(state[CROSSES] | state[NOUGHTS])


@kernel
def pieces(state: Ints, counts: Ints) -> int:
    counts[0], counts[1] = popcount(state[CROSSES]), popcount(state[NOUGHTS])
    return 2


def start() -> State:
    return np.zeros(SIZE, np.int64)


def parse(text: str) -> State:
    """A position as three rows, top row first; crosses move first.

    >>> show(parse("xox/.o./..."))
    'xox/.o./...'
    """
    text = text.strip()
    if text == "startpos":
        return start()
    rows = text.split("/")
    if len(rows) != 3 or any(len(row) != 3 or set(row) - set("xo.") for row in rows):
        raise InputError(f"not a tic-tac-toe position: expected three rows like 'xo./.x./...', not {text[:100]!r}")
    cells = "".join(rows)
    turn = cells.count("x") - cells.count("o")
    if turn not in (0, 1):
        raise InputError(f"illegal position: x moves first, so it has as many stones as o or one more: {text!r}")
    state = start()
    for cell, mark in enumerate(cells):
        if mark != ".":
            state[CROSSES + "xo".index(mark)] |= 1 << cell
    won = [any(int(state[side]) & line == line for line in map(int, _LINES)) for side in (CROSSES, NOUGHTS)]
    if won[turn]:
        raise InputError(f"illegal position: the side to move has won already: {text!r}")
    state[TURN] = turn
    state[KEY] = _key(state)
    return state


def show(state: State) -> str:
    cells = ["x" if state[CROSSES] >> c & 1 else "o" if state[NOUGHTS] >> c & 1 else "." for c in range(9)]
    return "/".join("".join(cells[r : r + 3]) for r in (0, 3, 6))


def move_text(state: State, move: int) -> str:
    return "abc"[move % 3] + "321"[move // 3]


def check_state(state: State) -> None:
    """An `InputError` if a state that came from elsewhere is no position."""
    words = [TURN, CROSSES, NOUGHTS]
    if not np.array_equal(parse(show(state))[words], state[words]):
        raise InputError(f"not a state of tic-tac-toe: {state.tolist()}")


TICTACTOE = Game(
    name="tictactoe",
    size=SIZE,
    room=9,
    legal=legal,
    play=play,
    outcome=outcome,
    start=start,
    parse=parse,
    show=show,
    move_text=move_text,
    valid=check_state,
    ply=ply,
    pieces=pieces,
)
