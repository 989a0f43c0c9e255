"""``plyout solve``: puzzles put to an engine.

A mate in N counts as solved if the engine, moving at every turn, mates within N moves against the defence that holds
out longest, and after each of its moves the mate is still forced: that is proven by trying everything, whatever the
engine may think. Elsewhere the first move decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import decode
from plyout.lab.puzzles.read import Puzzle
from plyout.progress import Progress
from plyout.search.proof.mate import Budget, forced, shortest_mate

# Xu 2024, Table 4: how many of 219 mates in two alpha-beta solved, in percent, by depth.
PAPER_MATES = {1: 8.7, 2: 14.6, 3: 100.0, 4: 100.0}

_POSITIONS = 100_000_000


@dataclass(frozen=True)
class Attempt:
    """What an engine did with a puzzle."""

    puzzle: Puzzle
    solved: bool
    line: list[chess.Move]
    nodes: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.puzzle.name, "fen": self.puzzle.board.fen(), "asked": self.puzzle.asked,
            "solved": self.solved, "line": self.puzzle.board.variation_san(self.line), "nodes": self.nodes,
            "seconds": self.seconds,
        }  # fmt: skip


def longest_defence(state: State, plies: int) -> int:
    """The reply after which the mate within `plies` takes longest."""
    budget = Budget(_POSITIONS)
    return max(CHESS.moves(state), key=lambda m: shortest_mate(CHESS.after(state, m), plies - 1, budget) or 0)


def attempt(engine: Engine, puzzle: Puzzle, limits: Limits) -> Attempt:
    """Put one puzzle to the engine; `limits` are those of the search for each move."""
    engine.new_game()
    board, line = puzzle.board.copy(stack=False), []
    nodes, seconds = 0, 0.0
    left = 2 * (puzzle.mate or 1) - 1
    solved = False
    while True:
        result = engine.search(board, limits)
        nodes, seconds = nodes + result.nodes, seconds + result.seconds
        if result.move is None:
            break
        line.append(result.move)
        board.push(result.move)
        if puzzle.mate is None:
            solved = result.move in puzzle.best if puzzle.best else result.move not in puzzle.avoid
            break
        if board.is_checkmate():
            solved = True
            break
        left -= 2
        if left < 1 or not forced(state_of(board), left + 1, False, Budget(_POSITIONS)):
            break
        reply = decode(longest_defence(state_of(board), left + 1), board.chess960)
        line.append(reply)
        board.push(reply)
    return Attempt(puzzle, solved, line, nodes, seconds)


def solve(engine: Engine, puzzles: list[Puzzle], limits: Limits, step: Callable[[Attempt], None]) -> list[Attempt]:
    """Put all puzzles to the engine; `step` sees each attempt."""
    engine.prepare()
    attempts = []
    for puzzle in puzzles:
        attempts.append(attempt(engine, puzzle, limits))
        step(attempts[-1])
    return attempts


def solve_each(engine: Engine, puzzles: list[Puzzle], limits: list[Limits], quiet: bool = False) -> list[list[Attempt]]:
    """Put all puzzles to the engine under each of the limits; the attempts of one after those of the other."""
    found: list[list[Attempt]] = []
    with Progress("puzzles", len(puzzles) * len(limits), quiet, keep=lambda: found) as progress:

        def tried(attempt: Attempt) -> None:
            found[-1].append(attempt)
            progress.step()

        for limit in limits:
            found.append([])
            solve(engine, puzzles, limit, tried)
    return found


def summary(attempts: list[Attempt]) -> dict[str, Any]:
    """What ``--json`` says of the attempts of one run, which may have been cut short."""
    return {
        "solved": sum(a.solved for a in attempts), "puzzles": len(attempts), "nodes": sum(a.nodes for a in attempts),
        "seconds": sum(a.seconds for a in attempts), "failed": [a.as_dict() for a in attempts if not a.solved],
    }  # fmt: skip
