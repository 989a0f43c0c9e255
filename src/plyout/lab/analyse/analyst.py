"""Who searches: every answer depends on the position, its past and the settings, and on nothing searched before.

So analyses may be made in any order, by several at once or on several machines, and be kept one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import chess

from plyout.engine import Engine, Limits
from plyout.engine.result import MoveStatistics, Result
from plyout.explain import explain
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import Record
from plyout.lab.analyse.traps import traps_of
from plyout.lab.match.belongings import OnePlayersWork, moved
from plyout.lab.match.players import Spec
from plyout.lab.run.work import Halted, Here

LONGEST = 12
"""Plies of a line; one that ends in mate is kept whole."""
_SEEN = 32  # visits of a move before its value says anything


class Task(NamedTuple):
    """Something to be found out about a position; `board` has its past."""

    kind: str
    """position; without: what is left without the move; why: why the best move and not this one"""
    key: str
    board: chess.Board
    move: chess.Move | None = None
    nodes: int | None = None
    """why: the iterations of the search that is explained"""

    @property
    def name(self) -> str:
        """What the answer is called in the store."""
        return name_of(self.kind, self.key, self.move)


def name_of(kind: str, key: str, move: chess.Move | None = None) -> str:
    return f"{kind} {key}" + (f" {move.uci()}" if move else "")


@dataclass(frozen=True)
class Analysis(OnePlayersWork):
    """What all tasks have in common."""

    settings: Settings
    starts: Sequence[chess.Board]
    """one for each variant that there is"""

    @classmethod
    def of(cls, settings: Settings, starts: Sequence[chess.Board]) -> "Analysis":
        changes = {name: str(value) for name, value in settings.changes.items()}
        return cls(Spec(settings.preset, settings.preset, settings.preset, settings=changes), settings, starts)

    def prepare(self, here: Here) -> None:
        analyst = self.worker(here)
        for board in self.starts:
            analyst.prepare(board)

    def worker(self, here: Here) -> "Analyst":
        settings = self.settings
        if here.places:
            spec = moved(self.spec, here.places)
            settings = replace(settings, preset=spec.preset, changes=spec.settings or {})
        if settings.movetime is not None:
            settings = replace(settings, movetime=here.pace * settings.movetime)
        return Analyst(settings)


class Analyst:
    """Answers tasks, with engines of its own: one for each variant, and one more for second searches."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engines: dict[tuple[str, str], Engine] = {}
        self._halted = False

    def _engine(self, board: chess.Board, use: str = "first") -> Engine:
        variant = board.uci_variant or "chess"
        if (variant, use) not in self._engines:
            self._engines[variant, use] = self._settings.engine(variant)
        return self._engines[variant, use]

    def prepare(self, board: chess.Board) -> None:
        """Load what positions like this one need; `InputError` says what is wrong with the settings."""
        self._engine(board).prepare()

    def do(self, task: Task) -> Record:
        record = self.answer(task)
        if self._halted:  # a search that was stopped is none
            raise Halted
        return record

    def stop(self) -> None:
        self._halted = True
        for engine in tuple(self._engines.values()):
            engine.stop()

    def close(self) -> None:
        """Engines in this process need no farewell."""

    def answer(self, task: Task) -> Record:
        if task.kind == "position":
            return self._position(task.board)
        assert task.move is not None
        if task.kind == "without":
            others = [move for move in task.board.legal_moves if move != task.move]
            return {"value": self._search(task.board, self._settings.limits, moves=others, lines=1).value}
        return self._why(task)

    def _search(self, board: chess.Board, limits: Limits, **options: Any) -> Result:
        """A search as in a new game. Where a draw could be claimed nobody has: the game goes on."""
        engine = self._engine(board)
        engine.new_game()
        return engine.search(board, limits, play_on=True, **options)

    def _position(self, board: chess.Board) -> Record:
        result = self._search(board, self._settings.limits)
        best = result.moves[0]
        return {
            "value": result.value, "cp": result.score.get("cp"), "mate": result.mate, "proof": result.proof,
            "nodes": result.nodes, "move": best.move.uci(), "line": line_of(best),
            "prior": best.prior, "rank": 1 + sum(m.prior > best.prior for m in result.moves),
            "second": _second(result), "legal": board.legal_moves.count(), "traps": traps_of(result, board),
        }  # fmt: skip

    def _why(self, task: Task) -> Record:
        result = self._search(task.board, Limits(nodes=task.nodes))
        nodes, second = self._settings.nodes or task.nodes or 1, partial(self._engine, task.board, "second")
        return explain(result, [task.move] if task.move else [], nodes=nodes, most=0, engine=second).as_dict()


def line_of(move: MoveStatistics) -> list[str]:
    """The line that begins with a move."""
    whole = move.mate is not None
    return [m.uci() for m in (move.pv if whole else move.pv[:LONGEST])]


def _second(result: Result) -> float | None:
    """The value of the best other move that was looked at enough; None where there is none."""
    others = [m.known_value for m in result.moves[1:] if m.visits >= _SEEN or m.proof]
    return max(others, default=None)
