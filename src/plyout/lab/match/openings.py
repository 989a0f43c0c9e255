"""Where games begin: built-in lines, a file of positions (EPD) or of games (PGN), or random Chess960 positions.

The built-in lines (`openings.tsv`) begin with well-known ones written by hand; `tools/make_openings.py` has gone on
from each in several ways and kept what Stockfish finds level.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import chess
import chess.pgn
import chess.variant

from plyout.errors import InputError
from plyout.games.chess.border import check_board, parse_board

BUILT_IN = "built-in"
BOARDS: dict[str, type[chess.Board]] = {
    "chess": chess.Board,
    "chess960": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
}
"""The variants that can be played, each with its kind of board."""


@dataclass(frozen=True)
class Opening:
    """A position, reached by `moves` from `fen`, or from the start where that is empty."""

    name: str = ""
    fen: str = ""
    moves: tuple[chess.Move, ...] = ()

    def board(self, variant: str = "chess") -> chess.Board:
        kind, chess960 = BOARDS[variant], variant == "chess960"
        board = kind(self.fen, chess960=chess960) if self.fen else kind(chess960=chess960)
        for move in self.moves:
            board.push(move)
        return board


def check_variant(variant: str) -> None:
    if variant not in BOARDS:
        raise InputError(f"no variant is called {variant!r}: there are {', '.join(BOARDS)}")


def openings(source: str = BUILT_IN, variant: str = "chess", seed: int = 1) -> list[Opening]:
    """The openings of a source in the order that `seed` gives; 0 leaves them in their own."""
    check_variant(variant)
    if source == BUILT_IN:
        found = _start_positions() if variant == "chess960" else list(built_in(variant))
    elif source == "start":
        found = [Opening()]
    else:
        found = _from_file(Path(source), variant)
    if seed:
        random.Random(seed).shuffle(found)
    return found


def _start_positions() -> list[Opening]:
    boards = ((number, chess.Board.from_chess960_pos(number)) for number in range(960))
    return [Opening(f"Chess960 position {number}", board.fen()) for number, board in boards]


@cache
def built_in(variant: str) -> tuple[Opening, ...]:
    """The lines that come with Plyout."""
    found = []
    rows = resources.files(__package__).joinpath("openings.tsv").read_text(encoding="utf-8").splitlines()
    for kind, name, moves in (row.split("\t") for row in rows):
        if kind == variant:
            board = BOARDS[variant]()
            found.append(Opening(name, "", tuple(board.push_san(san) for san in moves.split())))
    return tuple(found)


# -- names ------------------------------------------------------------------------------------------------------


@cache
def _names() -> dict[str, str]:
    """Positions of the built-in lines with what all the lines through them are called: ``Sicilian, Najdorf``."""
    found: dict[str, list[str]] = {}
    for opening in built_in("chess"):
        board = chess.Board()
        for move in opening.moves:
            board.push(move)
            parts = opening.name.split(", ")
            so_far = found.setdefault(board.epd(), parts)
            same = [a == b for a, b in zip(so_far, parts, strict=False)]
            found[board.epd()] = parts[: [*same, False].index(False)]
    return {epd: ", ".join(parts) for epd, parts in found.items()}


def name_of(board: chess.Board) -> str:
    """What the opening of a game is called, by the last of its positions that has a name; or nothing."""
    if type(board) is not chess.Board or board.chess960:
        return ""
    board, names = board.copy(), _names()
    while not names.get(board.epd()) and board.move_stack:
        board.pop()
    return names.get(board.epd(), "")


# -- files ------------------------------------------------------------------------------------------------------


def _from_file(path: Path, variant: str) -> list[Opening]:
    if not path.is_file():
        raise InputError(f"no file is called {str(path)!r}: openings are '{BUILT_IN}', 'start', or an EPD or PGN file")
    try:
        if path.suffix.lower() == ".pgn":
            found = list(_from_pgn(path, variant))
        else:
            found = list(_from_epd(path, variant))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not found:
        raise InputError(f"{path} has no openings")
    return found


def _checked(opening: Opening, variant: str, where: str) -> Opening:
    """The opening with a name if it had none; `InputError` if nothing can be played from it."""
    board = opening.board(variant)
    if board.is_game_over():
        raise InputError(f"{where}: the game is over in {board.fen()}")
    return Opening(opening.name or name_of(board), opening.fen, opening.moves)


def _from_epd(path: Path, variant: str) -> Iterator[Opening]:
    """One position a line: a FEN, or an EPD, whose ``id`` is the name."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split(";")[0].split()
        if not words or line.startswith("#"):
            continue
        counters = words[4:6] if all(word.isdigit() for word in words[4:6]) and len(words) >= 6 else ["0", "1"]
        where = f"{path}, line {number}"
        try:
            board = parse_board(" ".join(words[:4] + counters), BOARDS[variant])
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        found = re.search(r'\bid "([^"]*)"', line)
        yield _checked(Opening(found[1] if found else "", board.fen()), variant, where)


def _from_pgn(path: Path, variant: str) -> Iterator[Opening]:
    """One game an opening: all its moves, named by its headers."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        number = 0
        while True:
            number += 1
            where = f"{path}, game {number}"
            try:
                game = chess.pgn.read_game(file)
            except IndexError:  # as python-chess answers brackets that were never opened
                raise InputError(f"{where}: it is not PGN") from None
            if game is None:
                return
            if game.errors:
                raise InputError(f"{where}: {game.errors[0]}")
            start = game.board()
            if type(start) is not BOARDS[variant]:
                raise InputError(f"{where}: it is a game of {start.uci_variant}, and not of {variant}")
            check_board(start, start.fen())
            fen = "" if start.fen() == type(start)().fen() else start.fen()
            name = game.headers.get("Opening", "").strip("?")
            yield _checked(Opening(name, fen, tuple(game.mainline_moves())), variant, where)
