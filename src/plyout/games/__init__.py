"""The games that Plyout knows, by name."""

from chess import Board

from plyout.errors import InputError
from plyout.games.chess import CHESS
from plyout.games.chess.border import from_board
from plyout.games.contract import Game, State
from plyout.games.crazyhouse import CRAZYHOUSE
from plyout.games.tictactoe import TICTACTOE

GAMES = {game.name: game for game in (CHESS, CRAZYHOUSE, TICTACTOE)}

__all__ = ["CHESS", "CRAZYHOUSE", "GAMES", "TICTACTOE", "Game", "State", "game", "state_of"]


def game(name: str) -> Game:
    """The game called `name`."""
    if name not in GAMES:
        raise InputError(f"no variant is called {name!r}: there are {', '.join(GAMES)}")
    return GAMES[name]


def state_of(board: Board) -> State:
    """The state of a python-chess board, with the history that matters for repetition."""
    return from_board(board, (CRAZYHOUSE if board.uci_variant == "crazyhouse" else CHESS).play)
