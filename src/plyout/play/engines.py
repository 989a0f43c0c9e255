"""The engines of a game: the one that plays, and the one that advises."""

from collections.abc import Sequence
from secrets import randbelow
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.engine.result import Result
from plyout.engine.shown import line_text, value_text
from plyout.explain import Explanation, explain
from plyout.play.game import Game
from plyout.search.threads import Stop

_MEMORY = 64  # MB, of each engine that advises
_HINT = Limits(movetime=2000.0)
_SECOND_LOOK = 20_000  # iterations
_SEEDS = 2**31


class Opponent:
    """Plays one side. `changes` are the engine's; without a seed every game is another."""

    def __init__(self, preset: str, variant: str, limits: Limits, changes: dict[str, Any]) -> None:
        self._preset, self._variant, self._limits, self._changes = preset, variant, limits, dict(changes)
        self._own_seed = "seed" in changes
        self.engine = self._made(self._changes)

    def _made(self, changes: dict[str, Any]) -> Engine:
        chance = {} if self._own_seed else {"seed": randbelow(_SEEDS)}
        engine = Engine(self._preset, self._variant, **changes | chance)
        engine.prepare()
        return engine

    @property
    def name(self) -> str:
        shown = "Plyout" if self._preset == "plyout" else f"Plyout ({self._preset})"
        return shown if self.engine.level is None else f"{shown}, level {self.engine.level.elo}"

    def set_level(self, elo: str) -> None:
        """Play like somebody of so many Elo from now on."""
        changes = self._changes | {"level": elo}
        self.engine = self._made(changes)
        self._changes = changes

    def new_game(self) -> None:
        self.engine.new_game(None if self._own_seed else randbelow(_SEEDS))

    def think(self, game: Game, stop: Stop) -> Result:
        """Search for a move; `stop` ends the search with what it has found."""
        return self.engine.search(game.board, self._limits_in(game), stop=stop)

    def _limits_in(self, game: Game) -> Limits:
        left = game.left(game.board.turn)
        if left is None or game.control is None:
            return self._limits
        return Limits(
            nodes=self._limits.nodes, movetime=self._limits.movetime, clock=max(1000 * left, 1.0),
            increment=1000 * game.control.increment, moves_to_go=game.moves_to_go,
        )  # fmt: skip


class Adviser:
    """Gives hints and explains: the default preset as strong as it is, whoever plays. It is made when it is asked."""

    def __init__(self, variant: str, limits: Limits = _HINT, second_look: int = _SECOND_LOOK) -> None:
        self._variant, self._limits, self._second_look = variant, limits, second_look
        self._engine: Engine | None = None
        self._second: Engine | None = None

    def hint(self, board: chess.Board, stop: Stop) -> Result:
        """What it would play."""
        if self._engine is None:
            self._engine = self._made()
        return self._engine.search(board, self._limits, stop=stop)

    def explain(self, result: Result, named: Sequence[chess.Move], most: int) -> Explanation:
        """Why a move, and why not those that are named and `most` others. What was searched too little is searched by
        an engine of its own: the trees of the others stay."""
        return explain(result, named, nodes=self._second_look, most=most, engine=self._for_second_looks)

    def _for_second_looks(self) -> Engine:
        if self._second is None:
            self._second = self._made()
        return self._second

    def _made(self) -> Engine:
        return Engine("plyout", self._variant, hash_mb=_MEMORY, seed=1)


def hint_text(board: chess.Board, result: Result) -> str:
    """A hint in a line: the move, its value for who is to move, and what might follow."""
    if result.move is None:
        return "there is no move to advise"
    told = f"hint: {board.san(result.move)}, {value_text(result.proof, result.mate, result.value)}"
    return f"{told}: {line_text(board, result.pv, result.mate)}" if len(result.pv) > 1 else told
