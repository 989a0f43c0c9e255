"""``plyout search``: a search with a live table."""

import signal
import sys
from typing import Any

import chess
import chess.variant
from rich.console import Console
from rich.live import Live

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.games import game as game_named
from plyout.games.chess.border import parse_board
from plyout.knowledge.books.openings import opening_name
from plyout.engine.result import Result
from plyout.cli.show import table

_BOARDS: dict[str, type[chess.Board]] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}


def position(variant: str, fen: str, moves: str) -> Any:
    """The board, or in other games the state, after `moves` from `fen`."""
    if variant not in _BOARDS:
        if moves:
            raise InputError("--moves works for chess and crazyhouse")
        return game_named(variant).parse(fen)
    board = parse_board(fen, _BOARDS[variant])
    for text in moves.split():
        try:
            board.push_uci(text)
        except ValueError:
            try:
                board.push_san(text)
            except ValueError:
                raise InputError(f"{text!r} is no legal move in {board.fen()}") from None
    return board


def opening_of(where: Any) -> dict[str, Any]:
    """What the opening of a game of chess is called, for JSON."""
    name = opening_name(where) if isinstance(where, chess.Board) else None
    return {"opening": {"eco": name[0], "name": name[1]} if name else None}


def run(engine: Engine, where: Any, limits: Limits, rows: int, show: bool) -> Result:
    """Search, with a live table if `show`; Ctrl-C ends the search, not the program."""
    board = where if isinstance(where, chess.Board) else None
    engine.prepare()
    former = signal.signal(signal.SIGINT, lambda *_: engine.stop())  # Ctrl-C: stop, and tell what was found
    try:
        if not show:
            return engine.search(where, limits)
        console = Console()
        if board is not None:
            console.print(f"{board.fen()}\n{board.unicode(empty_square='·')}\n")
            if name := opening_name(board):
                console.print(f"opening: {name[0]} {name[1]}\n")
        for text in engine.opening.book.complaints if engine.opening else ():
            print(f"left out of the book: {text}", file=sys.stderr)
        if engine.game.result(engine.state_of(where)) is not None:
            result = engine.search(where, limits)
            ending = {"loss": "the side to move is mated", "draw": "it is drawn"}.get(result.proof or "", "it is won")
            console.print(f"the game is over: {ending}")
            return result
        if not sys.stdout.isatty():
            result = engine.search(where, limits)
            if not result.book:
                console.print(table(result, board, rows))
        else:
            with Live(console=console, auto_refresh=False) as live:

                def update(result: Result) -> None:
                    live.update(table(result, board, rows), refresh=True)

                result = engine.search(where, limits, on_progress=update)
                update(result)
        best = board.san(result.moves[0].move) if board else str(result.move)
        console.print(f"best: [bold]{best}[/bold]" + (" (from the book)" if result.book else ""))
        return result
    finally:
        signal.signal(signal.SIGINT, former)
