"""How a search went, in a cell: the values and the shares of the root's moves over its iterations, and the events."""

from collections.abc import Callable
from math import log2
from typing import Any, NamedTuple

import chess
import numpy as np

from plyout.board.packing import Names
from plyout.engine.events import Event
from plyout.engine.history import History
from plyout.engine.result import Result
from plyout.engine.tree import Tree, mate_in, proof_text
from plyout.notebook.picture import LINES, Picture, escape, heading, note, svg, text
from plyout.search.graph import UNPROVEN

_WIDTH, _HEIGHT, _GAP = 430.0, 230.0, 20.0
_PROVEN = {"win": " ✓", "draw": " =", "loss": " ✗"}
_ENOUGH = 4  # visits before a value shapes the scale
_SIGNS = {"lead": "▲", "proof": "◆", "refutation": "✗", "collapse": "▼", "trap": "⚠"}
_MOST_EVENTS = 14


class _Curve(NamedTuple):
    name: str
    colour: str
    points: list[tuple[int, float]]  # iterations and a value


def draw_history(searched: Result | Tree | History) -> Picture:
    """Values and shares of the most visited root moves over the iterations, whose scale is logarithmic."""
    history, name = _named(searched)
    if not len(history) or not len(history.moves):
        return Picture(svg(_WIDTH, 40, "no history", [text(8, 24, "nothing was searched")]))
    columns = [int(c) for c in np.argsort(-history.visits[-1], kind="stable")[: len(LINES)]]
    columns = [c for c in columns if history.visits[-1, c] > 0]
    totals = np.maximum(history.visits.sum(axis=1), 1.0)
    values, shares = [], []
    for colour, c in zip(LINES, columns, strict=False):
        seen = np.flatnonzero(history.visits[:, c] > 0)
        n = history.n[seen].tolist()
        sign = _PROVEN.get(proof_text(int(history.proofs[-1, c])) or "", "")
        names = f"{name(history.moves[c])}{sign}", colour
        part = history.visits[seen, c] / totals[seen]
        shares.append(_Curve(*names, list(zip(n, part.tolist(), strict=True))))
        known = history.values[seen, c][history.proofs[seen, c] == UNPROVEN].tolist()  # after a proof it says nothing
        values.append(_Curve(*names, list(zip(n, known or [0.5], strict=False))))
    settled = [history.values[history.visits[:, c] >= _ENOUGH, c] for c in columns]
    ends = [float(v) for column in settled for v in column]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    pad = max(0.02, 0.1 * (high - low))
    last = int(history.n[-1])
    parts = _panel("value for the side to move", values, (max(0.0, low - pad), min(1.0, high + pad)), last)
    parts += [f'<g transform="translate({_WIDTH + _GAP} 0)">', *_panel("share of the visits", shares, (0.0, 1.0), last)]
    label = f"values and shares of the root moves over {last} iterations"
    return Picture(svg(2 * _WIDTH + _GAP, _HEIGHT, label, [*parts, "</g>"]))


def _panel(title: str, curves: list[_Curve], ends: tuple[float, float], last: int) -> list[str]:
    left, right, top, bottom = 42.0, _WIDTH - 58, 24.0, _HEIGHT - 22
    low, high = ends
    widest = log2(max(2, last))

    def x(n: float) -> float:
        return left + (right - left) * log2(max(1.0, n)) / widest

    def y(value: float) -> float:
        return bottom - (bottom - top) * (min(max(value, low), high) - low) / (high - low)

    parts = [text(left, 14, title, more='fill-opacity=".75"')]
    for i in range(5):
        value = low + (high - low) * i / 4
        at = f'y1="{y(value):.1f}" x2="{right:.1f}" y2="{y(value):.1f}"'
        parts.append(f'<line x1="{left:.1f}" {at} stroke="currentColor" stroke-opacity=".15"/>')
        parts.append(text(left - 6, y(value) + 4, f"{100 * value:.0f} %", "end", 'fill-opacity=".7" font-size="11"'))
    n = 1
    while n <= last:
        parts.append(text(x(n), _HEIGHT - 6, f"{n:,}", "middle", 'fill-opacity=".7" font-size="11"'))
        n *= 10
    for i, curve in reversed(list(enumerate(curves))):
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in curve.points)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{curve.colour}" stroke-width="{2.4 if not i else 1.5}" '
            'stroke-linejoin="round"/>'
        )
    return parts + _names(curves, y, right, (top, bottom))


def _names(curves: list[_Curve], y: Callable[[float], float], right: float, ends: tuple[float, float]) -> list[str]:
    """The names of curves at their ends, out of each other's way."""
    placed = sorted(((y(c.points[-1][1]) + 4, c) for c in curves), key=lambda pair: pair[0])
    at, below = [], ends[0] + 8
    for wanted, _ in placed:
        at.append(max(wanted, below))
        below = at[-1] + 12
    above = ends[1] + 4
    for i in reversed(range(len(at))):
        at[i] = min(at[i], above)
        above = at[i] - 12
    return [
        text(right + 5, at[i], curve.name, more=f'fill="{curve.colour}" font-weight="600"')
        for i, (_, curve) in enumerate(placed)
    ]


def history_html(history: History) -> str:
    """The curves, and below them what happened."""
    _, name = _named(history)
    lines = [_line(event, _told(event, name)) for event in history.events[-_MOST_EVENTS:]]
    earlier = len(history.events) - _MOST_EVENTS
    rest = note(f"and {earlier} before: history.events has all") if earlier > 0 else ""
    events = f'{heading("what happened")}{rest}<div style="font-size:13px">{"".join(lines)}</div>' if lines else ""
    return draw_history(history)._repr_html_() + events


def _line(event: Event, words: str) -> str:
    when = f'<span style="display:inline-block;min-width:64px;text-align:right;opacity:.7">{event.n:,}</span>'
    sign = f'<span style="display:inline-block;width:18px;text-align:center">{_SIGNS[event.kind]}</span>'
    return f"<div>{when} {sign}{escape(words)}</div>"


def _told(event: Event, name: Callable[..., str]) -> str:
    """What an event says, true of the search only."""
    move = name(event.move)
    fell = ""
    if event.before is not None and event.after is not None:
        fell = f" ({100 * event.before:.0f} → {100 * event.after:.0f} %)"
    mate = mate_in(event.proof)
    if event.kind == "lead":
        return f"{move} leads, before it {name(event.other)}"
    if event.kind == "trap":
        return f"{move} is left out as a trap"
    if event.kind == "collapse":
        return f"{move} falls{fell}"
    if event.kind == "refutation":
        reply = "" if event.other is None else name(event.other, event.move)
        if proof_text(event.proof) != "loss":
            return f"{move} falls{fell} to {reply}"
        mated = "" if mate is None else f", mated in {-mate}"
        return f"{move} is proven lost{mated}" + (f": {reply}" if reply else "")
    result = {"win": "won", "draw": "drawn", "loss": "lost"}[proof_text(event.proof) or "draw"]
    return f"{move} is proven {result}" + ("" if mate is None else f", mate{'d' if mate < 0 else ''} in {abs(mate)}")


def _named(searched: Result | Tree | History) -> tuple[History, Callable[..., str]]:
    """A history, and what names its moves: ``name(move)``, or ``name(reply, move)``."""
    if isinstance(searched, History):
        owner = getattr(searched.name, "__self__", None)  # a history names its moves as its tree does
        history, board = searched, owner.board() if isinstance(owner, Tree) else None
    else:
        tree = searched if isinstance(searched, Tree) else searched.tree
        history, board = tree.history, tree.board()
    names = None if board is None else Names(board)

    def name(move: Any, after: chess.Move | None = None) -> str:
        if names is None:
            return str(move)
        if after is None:
            return names.san(move)
        line = names.line([after, move])
        return line[1] if len(line) > 1 else str(move)

    return history, name
