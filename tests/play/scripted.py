"""A session without an engine: the opponent plays what it is told, or the first legal move.

``python -m tests.play.scripted CLOCK MOVES`` is such a session on the terminal, for tests that have one.
"""

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import chess

from plyout.errors import InputError
from plyout.play.engines import Adviser
from plyout.play.game import Game, minutes
from plyout.play.keeping import Keeper
from plyout.play.screen import Screen
from plyout.play.session import Session, Setup


class Scripted:
    """Plays moves that were given beforehand."""

    def __init__(self, moves: Sequence[str] = ()) -> None:
        self.name, self.moves, self.games, self.on_move = "Script", list(moves), 1, lambda: None

    def set_level(self, elo: str) -> None:
        if not elo.isdigit():
            raise InputError(f"level must be a number, not {elo!r}")
        self.name = f"Script {elo}"

    def new_game(self) -> None:
        self.games += 1

    def think(self, game: Game, stop: Any) -> Any:
        self.on_move()
        san = self.moves.pop(0) if self.moves else ""
        move = game.board.parse_san(san) if san else next(iter(game.board.legal_moves))
        return SimpleNamespace(move=move)


def main() -> int:
    clock, *moves = sys.argv[1:]
    setup = Setup(chess.Board, control=None if clock == "-" else minutes(clock))
    return Session(setup, Scripted(moves), Adviser("chess"), Screen(), Keeper()).run()


if __name__ == "__main__":
    sys.exit(main())
