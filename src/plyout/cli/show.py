"""A search shown to people: the live table of ``plyout search``."""

import chess
from rich.console import Group
from rich.table import Table
from rich.text import Text

from plyout.engine.result import Result
from plyout.engine.tree import Move


def _san(board: chess.Board | None, moves: list[Move], longest: int) -> str:
    """A line in the notation of chess players, or the moves' numbers."""
    shown = moves[:longest]
    if board is None:
        text = " ".join(str(m) for m in shown)
    else:
        text = board.variation_san(shown)
    return text + (" …" if len(moves) > longest else "")


def _value(proof: str | None, mate: int | None, value: float) -> str:
    if mate is not None:
        return f"mate in {mate}" if mate > 0 else f"mated in {-mate}"
    return proof or f"{100 * value:.1f} %"


def table(result: Result, board: chess.Board | None, rows: int = 8) -> Group:
    """The best moves with visits, values and lines; speed and memory below."""
    grid = Table("move", "visits", "share", "value", "line", title=f"{result.preset}, seed {result.seed}", min_width=72)
    for column in (1, 2, 3):
        grid.columns[column].justify = "right"
    total = max(1.0, sum(m.visits for m in result.moves))
    for m in result.moves[:rows]:
        name = board.san(m.move) if board is not None else str(m.move)
        share = f"{100 * m.visits / total:.1f} %"
        grid.add_row(name, f"{m.visits:,.0f}", share, _value(m.proof, m.mate, m.value), _san(board, m.pv, 6))
    left = len(result.moves) - rows
    if left > 0:
        rest = sum(m.visits for m in result.moves[rows:])
        grid.add_row(f"{left} more", f"{rest:,.0f}", f"{100 * rest / total:.1f} %", "", "", style="dim")
    unit = "iterations" if result.plies is None else "nodes"
    speed = f"{result.nodes:,} {unit} in {result.seconds:.1f} s: {result.nps:,} a second"
    memory = f"{result.graph['nodes']:,} nodes, {result.graph['edges']:,} edges, {result.graph['bytes'] / 1e6:.1f} MB"
    deep = f"depth {result.depth:.1f} on average, {result.deepest} at most"
    return Group(grid, Text(f"{speed} · {memory} · {deep}"))
