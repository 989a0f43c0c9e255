"""``plyout solve``: puzzles put to an engine.

A mate in N counts as solved if the engine, moving at every turn, mates within N moves against the defence that holds
out longest, and after each of its moves the mate is still forced: that is proven by trying everything, whatever the
engine may think. Elsewhere the first move decides.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import decode
from plyout.lab.match.belongings import OnePlayersWork, moved
from plyout.lab.puzzles.read import Puzzle
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of
from plyout.lab.run.drive import drive
from plyout.lab.run.listed import Listed
from plyout.lab.run.work import Halted, Here
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


@dataclass(frozen=True)
class Solving(OnePlayersWork):
    """Puzzles to be put to a preset under each of the limits; a task is (limits, puzzle) by their places here."""

    puzzles: list[Puzzle]
    limits: list[Limits]

    def prepare(self, here: Here) -> None:
        self.engine(here).prepare()

    def engine(self, here: Here) -> Engine:
        spec = moved(self.spec, here.places)
        return Engine(spec.preset, **(spec.settings or {}))

    def worker(self, here: Here) -> "Solver":
        return Solver(self, here)


class Solver:
    """An engine before a puzzle."""

    def __init__(self, solving: Solving, here: Here) -> None:
        self._solving, self._pace = solving, here.pace
        self._engine = solving.engine(here)
        self._halted = False

    def do(self, task: tuple[int, int]) -> Attempt:
        limits = self._solving.limits[task[0]]
        if limits.movetime is not None:
            limits = replace(limits, movetime=self._pace * limits.movetime)
        found = attempt(self._engine, self._solving.puzzles[task[1]], limits)
        if self._halted:
            raise Halted
        return found

    def stop(self) -> None:
        self._halted = True
        self._engine.stop()

    def close(self) -> None:
        """An engine in this process needs no farewell."""


def solve_each(solving: Solving, quiet: bool = False, cluster: Cluster = LOCAL) -> list[list[Attempt]]:
    """Put all puzzles to the preset under each of the limits; the attempts of one after those of the other."""
    tasks = [(i, j) for i in range(len(solving.limits)) for j in range(len(solving.puzzles))]
    found: dict[tuple[int, int], Attempt] = {}

    def in_order() -> list[list[Attempt]]:
        return [[found[t] for t in tasks if t[0] == i and t in found] for i in range(len(solving.limits))]

    with Progress("puzzles", len(tasks), quiet, keep=in_order) as progress, runner_of(cluster, 1) as runner:

        def keep(task: tuple[int, int], result: Attempt) -> None:
            found[task] = result
            progress.step(note=runner.words())

        drive(solving, Listed(tasks, keep), runner)
    return in_order()


def summary(attempts: list[Attempt]) -> dict[str, Any]:
    """What ``--json`` says of the attempts of one run, which may have been cut short."""
    return {
        "solved": sum(a.solved for a in attempts), "puzzles": len(attempts), "nodes": sum(a.nodes for a in attempts),
        "seconds": sum(a.seconds for a in attempts), "failed": [a.as_dict() for a in attempts if not a.solved],
    }  # fmt: skip
