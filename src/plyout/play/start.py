"""The position that a game begins from."""

import random
from collections.abc import Callable

import chess
import chess.variant

from plyout.errors import InputError
from plyout.games.chess.border import parse_board

BOARDS: dict[str, type[chess.Board]] = {
    "chess": chess.Board, "chess960": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard,
}  # fmt: skip
_POSITIONS = 960


def starts(variant: str, fen: str, choice: random.Random) -> Callable[[], chess.Board]:
    """What makes the first position of each game: that of a FEN, or the variant's; Chess960 draws one."""
    if variant not in BOARDS:
        raise InputError(f"games are of {', '.join(BOARDS)}, not of {variant[:20]!r}")
    if fen != "startpos":
        board = parse_board(fen, BOARDS[variant])
        board.chess960 |= variant == "chess960"
        return board.copy
    if variant == "chess960":
        return lambda: chess.Board.from_chess960_pos(choice.randrange(_POSITIONS))
    return BOARDS[variant]
