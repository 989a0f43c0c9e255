"""``plyout mine mates``: mates in N with one solution, out of our own games, proven by trying everything."""

from collections.abc import Iterator

import chess
import numpy as np

from plyout.evaluate.quiescence import QUIET_ROOM, quiet_value
from plyout.evaluate.tapered import evaluate
from plyout.games import CHESS, State
from plyout.games.chess.board import load, make
from plyout.games.chess.border import decode, to_board
from plyout.games.contract import KEY
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, kernel
from plyout.lab.puzzles.own_games import own_games
from plyout.search.proof.mate import Budget, forced, shortest_mate

_POSITIONS = 30_000_000  # to be searched for one puzzle; where they do not suffice, it is none
_A_PAWN = 100
_REACH = {1: 300, 2: 300, 3: 12, 4: 8}  # plies from the end of a game that are searched: trying all moves takes time


@kernel
def _gives_up(state: Ints, move: int, scratch: Ints, nodes: Ints) -> int:
    """Centipawns that a move costs: the static evaluation before it, less quiescence search's after it."""
    b = load(state)
    return evaluate(b) + quiet_value(House(make(b, move), 0, 0), 0, 0, 6, scratch, nodes)


def is_sacrifice(state: State, move: int) -> bool:
    scratch, nodes = np.empty(QUIET_ROOM, np.int64), np.zeros(1, np.int64)
    return int(_gives_up(state, np.int64(move), scratch, nodes)) >= _A_PAWN


def single_solution(state: State, moves: int) -> int | None:
    """The only move that mates in `moves`, if there is no shorter mate and no second one."""
    budget, plies = Budget(_POSITIONS), 2 * moves - 1
    if shortest_mate(state, plies, budget) != plies:
        return None
    solution = None
    for move in CHESS.moves(state):
        answer = forced(CHESS.after(state, move), plies - 1, False, budget)
        if answer is None or (answer and solution is not None):
            return None
        solution = move if answer else solution
    return solution


def mates(moves: int, seed: int, sacrifice: bool = False) -> Iterator[str | None]:
    """For each game of the seed: an EPD with ``bm`` and ``dm``, or None where none was found.

    It does not matter whether the players saw the mate. With `sacrifice` its first move must cost a pawn or more, as
    far as captures show: such mates are found by search and not by a static evaluation.
    """
    seen: set[int] = set()
    for number, game in enumerate(own_games(seed)):
        epd = None
        for state in game[-_REACH[moves] : -1]:
            if int(state[KEY]) in seen or CHESS.result(state) is not None:
                continue
            solution = single_solution(state, moves)
            if solution is None or (sacrifice and not is_sacrifice(state, solution)):
                continue
            seen.add(int(state[KEY]))
            epd = as_epd(to_board(state), solution, moves, f"mate in {moves}, game {number} of seed {seed}")
            break
        yield epd


def as_epd(board: chess.Board, solution: int, moves: int, name: str) -> str:
    return board.epd(bm=[decode(solution, board.chess960)], dm=moves, id=name)
