"""A result in a few lines of text: what `print` shows, and pieces of the command line's table."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import chess

from plyout.engine.tree import Move

if TYPE_CHECKING:
    from plyout.engine.result import Result

_WHOLE = 20  # plies: a line to mate is shown whole, but for the longest
_PLIES = 6  # of any other


def line_text(board: chess.Board | None, moves: list[Move], mate: int | None) -> str:
    """A variation in standard algebraic notation; in games other than chess, the moves' numbers."""
    longest = _PLIES if mate is None else _WHOLE
    first = moves[:longest]
    text = " ".join(str(m) for m in first) if board is None else line_san(board, first)
    return text + (" …" if len(moves) > longest else "")


def line_san(board: chess.Board, moves: Iterable[chess.Move]) -> str:
    """A line in standard algebraic notation, with no space after the numbers: it has to fit into tables."""
    return board.variation_san(moves).replace(". ", ".")


def value_text(proof: str | None, mate: int | None, value: float) -> str:
    if mate is not None:
        return f"mate in {mate}" if mate > 0 else f"mated in {-mate}"
    return proof or f"{100 * value:.1f} %"


def result_text(result: "Result", rows: int = 5) -> str:
    """The best moves with visits, shares, values and lines."""
    if result.move is None:
        return {"loss": "the side to move is mated", "draw": "the game is drawn"}.get(result.proof or "", "it is won")
    board = result.tree.board()
    unit = "iterations" if result.plies is None else "nodes"
    work = "from the book" if result.book else f"{result.nodes:,} {unit} in {result.seconds:.1f} s"
    told = [f"{_name(board, result.move)}, {value_text(result.proof, result.mate, result.value)} ({result.preset}, "
            f"seed {result.seed}, {work})"]  # fmt: skip
    total = max(1.0, sum(m.visits for m in result.moves))
    cells = [("move", "visits", "share", "value", "line")]
    for m in result.moves[:rows]:
        cells.append((
            _name(board, m.move), f"{m.visits:,.0f}", f"{100 * m.visits / total:.1f} %",
            value_text(m.proof, m.mate, m.value), line_text(board, m.pv, m.mate),
        ))  # fmt: skip
    if len(result.moves) > rows:
        rest = sum(m.visits for m in result.moves[rows:])
        cells.append((f"{len(result.moves) - rows} more", f"{rest:,.0f}", f"{100 * rest / total:.1f} %", "", ""))
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    for move, *numbers, line in cells:
        row = [move.ljust(widths[0])] + [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
        told.append("  ".join([*row, line]).rstrip())
    return "\n".join(told)


def _name(board: chess.Board | None, move: Move) -> str:
    return board.san(move) if board is not None else str(move)
