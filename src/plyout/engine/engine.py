"""The engine: a preset, a position and limits give a result.

>>> import chess
>>> from plyout import Engine, Limits
>>> engine = Engine("mcc-combined", hash_mb=16)
>>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
>>> result = engine.search(board, Limits(nodes=2000))
>>> board.san(result.move), result.proof, result.mate
('Ra8#', 'win', 1)
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import chess
import numpy as np

from plyout.engine.alphabeta import AlphaBeta
from plyout.engine.history import Watch
from plyout.engine.memory import as_much_as_fits
from plyout.engine.montecarlo import MonteCarlo
from plyout.engine.opening import Opening, opening_of
from plyout.engine.result import Result, without_search
from plyout.engine.system import system_of
from plyout.engine.task import Task
from plyout.engine.tree import Tree, empty_tree
from plyout.errors import InputError
from plyout.games import CHESS, Game, State, state_of
from plyout.games.chess.border import check_board, to_board
from plyout.parameters import Values, values
from plyout.presets.levels import Level
from plyout.search.limits import Limits
from plyout.search.root import numbers_of
from plyout.search.threads import Stop

Position = chess.Board | str | State


class Engine:
    """A searcher with a memory: consecutive positions of one game reuse what was found.

    `preset` names the system. Keywords change it: a parameter (``c=0.7``, ``threads=2``), a rule by name
    (``choose="max"``), a file of evaluation weights (``weights="mine.toml"``, which `plyout fit` makes), an
    `evaluator` of many leaves at once (`plyout.networks.positions`), or a rule of one's own, a plain Python function
    that is compiled here:
    ``select(graph, node, parameters) -> edge``, ``evaluate(state, scratch, parameters) -> score``,
    ``prior(state, moves, count, scores, parameters)`` (see `plyout.search.rules`). What such a rule returns is checked,
    unless ``unchecked=True`` (see `plyout.search.own`). `syzygy_path` and `gaviota_path` are
    folders with tables of your own, several of them with the separator of ``$PATH`` between. `level` makes the default
    preset play like somebody of so many Elo (`plyout.presets.levels`).

    >>> Engine("mcc", c=0.7).parameters["c"]
    0.7
    >>> Engine("mcc", C=0.7)
    Traceback (most recent call last):
    plyout.errors.InputError: no parameter is called 'C': there are advice, ahead, ...
    """

    def __init__(self, preset_name: str = "plyout", game: Game | str = CHESS, **changes: Any) -> None:
        system = system_of(preset_name, game, changes)
        self.preset, self.game, self.settings = system.preset, system.game, system.texts
        self.level: Level | None = system.level
        self.opening: Opening | None = opening_of(self.game, system.texts["book"], system.numbers["book_use"])

        def searcher(megabytes: float) -> tuple[AlphaBeta | MonteCarlo, Values]:
            given = replace(system, numbers=values({**system.numbers, "hash_mb": megabytes}))
            made = AlphaBeta(given) if self.preset.search == "alphabeta" else MonteCarlo(given, self.opening)
            return made, given.numbers

        self._searcher, self._numbers = as_much_as_fits(system.numbers["hash_mb"], searcher)
        self._stop = Stop()
        self.watch: Watch | None = None
        """looks on, if there is one, at every snapshot: see `plyout.engine.history.Watch`"""

    @property
    def parameters(self) -> Values:
        """Every parameter that is a number, by name. They cannot be changed, but for the seed by `new_game`."""
        return self._numbers

    def new_game(self, seed: int | None = None) -> None:
        """Forget everything: the next search is as the first, or as the first of an engine with another seed."""
        if seed is not None:
            self._numbers = values({**self._numbers, "seed": seed})
        self._searcher.new_game(self._numbers)

    def prepare(self) -> None:
        """Compile, or load, everything that a search needs; `search` does it before its clock starts."""
        self._searcher.prepare()

    def stop(self) -> None:
        """End the search that is going on, from any thread; it takes effect within milliseconds.

        One that has not begun is not ended: give it a `Stop` of your own if it might not have.
        """
        self._stop.set()

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        moves: Sequence[chess.Move | int] | None = None,
        on_progress: Callable[[Result], None] | None = None,
        every: float = 0.25,
        stop: Stop | None = None,
        play_on: bool = False,
        lines: int | None = None,
    ) -> Result:
        """Search a position (a board, a FEN, or a state of the engine's game) until the first limit is reached.

        `on_progress` gets the result so far, `every` so many seconds. Ctrl-C raises KeyboardInterrupt; `stop` ends it
        with a result. Only `moves` are searched, where they are given. A position that is drawn by rule gets no move
        unless `play_on` is set: nobody may claim the draw. Where only so many `lines` are wanted, the other moves get
        none, and no distance to mate: a result is made sooner.

        >>> Engine("mcc", hash_mb=4).search(chess.STARTING_FEN, Limits(nodes=100)).nodes
        100
        """
        state, limits = self.state_of(position), self._limited(limits)
        chess960 = isinstance(position, chess.Board) and position.chess960
        self.prepare()
        self._stop = stop if stop is not None else Stop()
        ended = self.game.result(state)
        drawn_by_rule = ended == 0.5 and play_on and bool(self.game.moves(state))
        if ended is not None and not drawn_by_rule:
            return without_search(self._empty_tree(state, chess960), ended)
        if self.opening and ended is None and moves is None:
            board = position if isinstance(position, chess.Board) else to_board(state)
            known = self.opening.move(board, limits, int(self._numbers["seed"]))
            if known is not None:
                return without_search(self._empty_tree(state, chess960), None, known)
        allowed = None if moves is None else numbers_of(self.game, state, moves, chess960)
        task = Task(state, limits, self._stop, allowed, chess960, on_progress, every, drawn_by_rule, lines, self.watch)
        return self._searcher.search(task)

    def _limited(self, limits: Limits) -> Limits:
        """The limits of a search at the engine's level: whichever is reached first."""
        if self.level is None or self.level.nodes is None:
            return limits
        return replace(limits, nodes=self.level.nodes if limits.nodes is None else min(limits.nodes, self.level.nodes))

    def _empty_tree(self, state: State, chess960: bool) -> Tree:
        return empty_tree(state, self.game, self.preset.name, self._numbers, chess960)

    def state_of(self, position: Position) -> State:
        """The state that a board, a FEN or a state means in the engine's game; `InputError` if it means none."""
        if isinstance(position, chess.Board):
            if position.uci_variant != self.game.name:
                raise InputError(f"this engine plays {self.game.name}, and the board is one of {position.uci_variant}")
            check_board(position, position.fen())
            return state_of(position)
        if isinstance(position, str):
            return self.game.parse(position)
        if not isinstance(position, np.ndarray):
            raise InputError(f"a position is a chess.Board, a FEN or a state, not {type(position).__name__}")
        self.game.check_state(position)
        return position
