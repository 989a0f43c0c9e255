"""Hard traps: moves after which the opponent can force mate (Topolewski 2019, sections 2.6 and 2.7.2).

A *trap of level k* is a legal move after which the opponent mates within k plies, whatever is replied. The thesis'
Algorithm 6 finds mates in one only, which is level 1; Légal's trap is of level 3.
"""

from dataclasses import dataclass

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.games.chess.board import load, make
from plyout.games.chess.moves import list_moves
from plyout.games.chess.rules import MOVES, ROOM
from plyout.kernel import Ints, at, keep, kernel, borrowed, put, tail
from plyout.search.proof.mate import (
    ATTACK, ENDLESS, FORCED, FRAME, UNKNOWN, Budget, forced, mates_within, shortest_mate,
)  # fmt: skip

LEVELS = (1, 3, 5, 7)


@dataclass(frozen=True)
class Trap:
    """A move that loses by force, and in how many plies after it the opponent mates at the latest."""

    move: int
    level: int


@kernel
def _find(state: Ints, level: int, moves: Ints, levels: Ints, budget: Ints) -> int:
    """Write every legal move to `moves`, and to `levels` the level of the trap that it is, 0 if it is none up to
    `level`; return how many moves there are. If the budget runs out the deepest levels may be missing."""
    b = load(state)
    words = np.empty((level + 1) * FRAME, np.int64)
    buffer, budget = borrowed(words), borrowed(budget)
    count = list_moves(b, moves, tail(moves, MOVES))
    for i in range(count):
        put(levels, i, 0)
    for plies in range(1, level + 1, 2):
        for i in range(count):
            if at(levels, i) == 0:
                verdict = mates_within(make(b, at(moves, i)), plies, np.int64(ATTACK), buffer, budget)
                if verdict == UNKNOWN:
                    keep(words)
                    return count
                if verdict == FORCED:
                    put(levels, i, plies)
    keep(words)
    return count


def check_level(level: int) -> int:
    if level not in LEVELS:
        raise InputError(f"a trap's level is one of {', '.join(map(str, LEVELS))}, not {level}: mates take odd plies")
    return level


def hard_traps(state: State, level: int = 3, budget: Budget | None = None) -> list[Trap]:
    """The moves in a chess position that allow a forced mate within `level` plies, in the order of the move generator.

    >>> legal = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"
    >>> state = CHESS.parse(legal)
    >>> [(CHESS.move_text(state, trap.move), trap.level) for trap in hard_traps(state)]
    [('h5d1', 3), ('h5e2', 3), ('h5f3', 3), ('h5g4', 3), ('g7g6', 3)]
    """
    moves, levels = np.empty(ROOM, np.int64), np.empty(MOVES, np.int64)
    count = _find(state, check_level(level), moves, levels, (budget or Budget(ENDLESS)).left)
    return [Trap(int(m), int(n)) for m, n in zip(moves[:count], levels[:count], strict=True) if n]


def has_trap(state: State, level: int) -> bool:
    """Whether a move allows the opponent a mate that takes `level` plies.

    There may be a quicker one, too; a move that allows quicker ones only is no trap of this level.
    """
    return any(t.level == level or _mates_in(CHESS.after(state, t.move), level) for t in hard_traps(state, level))


def _mates_in(state: State, plies: int) -> bool:
    """Whether a move leads to mate within `plies`, whatever is replied; it is no mate itself if more is asked for."""
    for move in CHESS.moves(state):
        after = CHESS.after(state, move)
        if (plies == 1 or len(CHESS.moves(after))) and _loses(after, plies - 1):
            return True
    return False


def refutation(state: State, trap: Trap) -> list[int]:
    """The moves that punish a trap, from the opponent's reply on: the shortest mate against the longest defence."""
    line: list[int] = []
    position, plies = CHESS.after(state, trap.move), trap.level
    while True:
        attack = next(move for move in CHESS.moves(position) if _loses(CHESS.after(position, move), plies - 1))
        line.append(attack)
        position = CHESS.after(position, attack)
        replies = [(_plies_to_mate(CHESS.after(position, reply), plies), -i, reply)
                   for i, reply in enumerate(CHESS.moves(position))]  # fmt: skip
        if not replies:
            return line
        plies, _, defence = max(replies)
        line.append(defence)
        position = CHESS.after(position, defence)


def _loses(state: State, plies: int) -> bool:
    return bool(forced(state, plies, False, Budget(ENDLESS)))


def _plies_to_mate(state: State, plies: int) -> int:
    return shortest_mate(state, plies, Budget(ENDLESS)) or 0
