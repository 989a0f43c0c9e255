"""The games to be analysed, read from a PGN file and checked before anything is searched."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from plyout.errors import InputError
from plyout.games.chess.border import check_board
from plyout.lab.match.read import pgn_games
from plyout.progress import warn

VARIANTS = ("chess", "crazyhouse")
"""Chess960 is chess to an engine."""
_CAN = "chess, Chess960 and crazyhouse can be analysed"


@dataclass(frozen=True)
class Given:
    """A game as the file has it; `number` counts from 1."""

    number: int
    game: chess.pgn.Game
    moves: tuple[chess.Move, ...]

    def start(self) -> chess.Board:
        return self.game.board()

    def boards(self) -> Iterator[tuple[str, chess.Board]]:
        """(key, board) of every position, from the first to the last; the board is the same one, moved on."""
        board = self.start()
        key = first_key(board)
        yield key, board
        for move in self.moves:
            key = next_key(key, move)
            board.push(move)
            yield key, board


def first_key(board: chess.Board) -> str:
    """What a position is called in the store, where a game begins."""
    return _digest(f"{board.uci_variant} {int(board.chess960)} {board.fen()}")


def next_key(key: str, move: chess.Move) -> str:
    """What the position after a move is called: its past belongs to it, as positions may repeat."""
    return _digest(f"{key} {move.uci()}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def read_games(path: Path) -> list[Given]:
    """The games of a file that have moves; `InputError` if one of them cannot be analysed, or there is none."""
    found, empty = [], 0
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for number, game in enumerate(pgn_games(file), 1):
                given = _checked(number, game, f"{path}, game {number}")
                found += [given] if given.moves else []
                empty += not given.moves
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    if not found:
        raise InputError(f"{path} has no games with moves in PGN")
    if empty:
        warn(f"{path}: {empty} without moves left out")
    return found


def _checked(number: int, game: chess.pgn.Game, where: str) -> Given:
    try:
        kind = game.headers.variant()
    except ValueError:
        raise InputError(f"{where} is one of {game.headers['Variant'][:40]!r}: {_CAN}") from None
    if kind.uci_variant not in VARIANTS:
        raise InputError(f"{where} is one of {kind.uci_variant}: {_CAN}")
    if game.errors:
        raise InputError(f"{where} cannot be read: {str(game.errors[0])[:200]}")
    board = game.board()
    try:
        check_board(board, board.fen())
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    moves = tuple(game.mainline_moves())
    for move in moves:
        if not move:
            raise InputError(f"{where} has a null move in {board.fen()}: nobody can be asked about it")
        board.push(move)
    return Given(number, game, moves)
