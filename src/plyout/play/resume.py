"""A game that was left, read from its PGN."""

import io
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn

from plyout.errors import InputError
from plyout.games.chess.border import check_board
from plyout.lab.match.timecontrol import TimeControl
from plyout.play.game import USER


class Left(NamedTuple):
    """What is known of a game that was left."""

    board: chess.Board
    """with the moves that led there"""
    side: str
    """the user's"""
    control: TimeControl | None
    clocks: dict[chess.Color, float]
    """what was left on each"""

    @property
    def variant(self) -> str:
        return "chess960" if self.board.chess960 else str(self.board.uci_variant)


def read_left(path: Path) -> Left:
    """The last game of a file; an `InputError` says why it cannot be gone on with."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    file, last = io.StringIO(text), None
    while (game := chess.pgn.read_game(file)) is not None:
        last = game
    if last is None or not last.variations:
        raise InputError(f"{path} has no game to go on with")
    if last.errors:
        raise InputError(f"the last game in {path} cannot be read: {str(last.errors[0])[:120]}")
    board = last.end().board()
    if board.uci_variant not in ("chess", "crazyhouse"):
        raise InputError(f"the last game in {path} is one of {board.uci_variant}: chess and crazyhouse can be played")
    check_board(board, board.fen())
    clocks = {not node.turn(): left for node in last.mainline() if (left := node.clock()) is not None}
    control = None
    with suppress(InputError):  # "-" and "?" say that there is none
        control = TimeControl.parse(last.headers.get("TimeControl", "-"))
    sides = {last.headers.get("White"): "white", last.headers.get("Black"): "black"}
    return Left(board, sides.get(USER, "white" if board.turn else "black"), control, clocks)
