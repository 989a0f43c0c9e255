"""A search shown on the terminal while it runs: the board, then the best moves in a table that is kept up to date."""

import signal
import sys
from typing import Any

import chess
from rich.text import Text

from plyout.cli.common import complain
from plyout.engine import Engine, Limits
from plyout.engine.result import Result
from plyout.engine.shown import line_text, value_text
from plyout.knowledge.books.openings import opening_name
from plyout.play.drawing import Look, drawn, in_hand, look_of


def run(engine: Engine, where: Any, limits: Limits, rows: int, show: bool) -> Result:
    """Search, with a live table of `rows` moves if `show`; Ctrl-C ends the search, not the program."""
    engine.prepare()
    former = signal.signal(signal.SIGINT, lambda *_: engine.stop())
    try:
        return _shown(engine, where, limits, rows) if show else engine.search(where, limits)
    finally:
        signal.signal(signal.SIGINT, former)


def _shown(engine: Engine, where: Any, limits: Limits, rows: int) -> Result:
    from rich.live import Live

    from plyout.lab.report.terminal import terminal

    console = terminal()
    board = where if isinstance(where, chess.Board) else None
    if board is not None:
        console.print(board.fen(), board_text(board, look_of(console)), "", sep="\n", soft_wrap=True)
        if name := opening_name(board):
            console.print(f"opening: {name[0]} {name[1]}\n")
    if engine.opening:
        complain("left out of the book", engine.opening.book.complaints)
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
    console.print(Text.assemble("best: ", (best, "bold"), " (from the book)" if result.book else ""))
    return result


def board_text(board: chess.Board, look: Look) -> Text:
    """The board as White sees it, with its coordinates; in crazyhouse each side's pieces in hand, on its side."""
    held = [Text(text) if (text := in_hand(board, colour, look)) else None for colour in chess.COLORS]
    return Text("\n").join(filter(None, [held[1], *drawn(board, chess.WHITE, look), held[0]]))


def table(result: Result, board: chess.Board | None, rows: int = 8) -> Any:
    """The best moves with visits, values and principal variations; speed and memory below."""
    from rich.console import Group
    from rich.table import Table

    grid = Table("move", "visits", "share", "value", "line", title=f"{result.preset}, seed {result.seed}", min_width=72)
    for column in (1, 2, 3):
        grid.columns[column].justify = "right"
    total = max(1.0, sum(m.visits for m in result.moves))
    for m in result.moves[:rows]:
        name = board.san(m.move) if board is not None else str(m.move)
        share = f"{100 * m.visits / total:.1f} %"
        value, line = value_text(m.proof, m.mate, m.value), line_text(board, m.pv, m.mate)
        grid.add_row(name, f"{m.visits:,.0f}", share, value, line, style="bold" if m is result.moves[0] else None)
    left = len(result.moves) - rows
    if left > 0:
        rest = sum(m.visits for m in result.moves[rows:])
        grid.add_row(f"{left} more", f"{rest:,.0f}", f"{100 * rest / total:.1f} %", "", "", style="dim")
    unit = "iterations" if result.plies is None else "nodes"
    speed = f"{result.nodes:,} {unit} in {result.seconds:.1f} s: {result.nps:,} a second"
    memory = f"{result.graph['nodes']:,} nodes, {result.graph['edges']:,} edges, {result.graph['bytes'] / 1e6:.1f} MB"
    deep = f"depth {result.depth:.1f} on average, {result.deepest} at most"
    return Group(grid, Text(f"{speed} · {memory} · {deep}"))
