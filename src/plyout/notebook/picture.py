"""Pieces of HTML and SVG for a cell. Everything that has a colour or a place says so itself: a cell's style sheet would
change the whole notebook, and many viewers remove it. Text has the notebook's own colour, be it dark or light."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as _escape
from pathlib import Path

GOOD, EVEN, BAD = "#1b74c4", "#9aa0a6", "#d9541e"
"""The colours of values, those of the board in the browser."""
LINES = ("#1b74c4", "#d9541e", "#3a9d5d", "#9b59b6", "#c9a227", "#4fb3bf")
"""The colours of curves."""
FONT = "font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\""
_PAPER = "var(--jp-layout-color0, var(--vscode-editor-background, Canvas))"
HALO = f'style="paint-order:stroke;stroke:{_PAPER};stroke-width:3px;stroke-linejoin:round"'
"""Keeps names readable where they lie on lines."""
SOFT = "opacity:.7"
_LONGEST = 1000  # characters of a text that somebody else wrote


@dataclass(frozen=True)
class Picture:
    """An SVG that a notebook shows."""

    svg: str

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'

    def save(self, path: str | Path) -> None:
        Path(path).write_text(self.svg, encoding="utf-8")


def escape(text: object) -> str:
    """Text that shows itself and nothing else, on one line."""
    printable = "".join(sign if sign.isprintable() else " " for sign in str(text))
    return _escape(printable if len(printable) <= _LONGEST else printable[: _LONGEST - 1] + "…")


def svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'role="img" aria-label="{escape(label)}" fill="currentColor" {FONT} font-size="12" '
        f'style="max-width:100%;height:auto;display:block">{"".join(parts)}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{" " if more else ""}{more}>{escape(words)}</text>'


def colour_of(value: float) -> str:
    """The colour of a value from 0 to 1.

    >>> colour_of(0.5), colour_of(1.0)
    ('#9aa0a6', '#1b74c4')
    """
    apart = max(-1.0, min(1.0, (value - 0.5) * 2.6))
    end, part = GOOD if apart > 0 else BAD, abs(apart) ** 0.7
    mixed = (round(a + (b - a) * part) for a, b in zip(_rgb(EVEN), _rgb(end), strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@dataclass(frozen=True)
class Cell:
    """A cell of a table; `tint` from -1 to 1 colours it, `bar` from 0 to 1 fills it from the left."""

    text: str
    tint: float = 0.0
    bar: float | None = None
    hint: str = ""


def table(head: Sequence[str], rows: Sequence[Sequence[str | Cell]], left: int = 1, wide: int | None = None) -> str:
    """A table whose first `left` columns hold words; the column `wide` may fill more than a line."""
    top = "".join(_cell("th", Cell(name), i < left or i == wide, False) for i, name in enumerate(head))
    lines = []
    for row in rows:
        cells = (cell if isinstance(cell, Cell) else Cell(cell) for cell in row)
        lines.append("".join(_cell("td", cell, i < left or i == wide, i == wide) for i, cell in enumerate(cells)))
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<table style="border-collapse:collapse;margin:4px 0;font-size:13px;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(tag: str, cell: Cell, left: bool, wraps: bool) -> str:
    style = f"text-align:{'left' if left else 'right'};padding:2px 10px 2px 4px;vertical-align:top"
    style += "" if wraps else ";white-space:pre"
    if tag == "th":
        style += f";font-weight:500;{SOFT}"
    if cell.tint:
        style += f";background:{GOOD if cell.tint > 0 else BAD}{round(255 * min(abs(cell.tint), 1.0)):02x}"
    if cell.bar is not None:
        style += f";background:linear-gradient(to right,{GOOD}40 {100 * cell.bar:.0f}%,transparent 0)"
    hint = f' title="{escape(cell.hint)}"' if cell.hint else ""
    return f'<{tag} style="{style}"{hint}>{escape(cell.text)}</{tag}>'


def heading(words: str, note: str = "") -> str:
    more = f' <span style="font-weight:400;font-size:13px;{SOFT}">{escape(note)}</span>' if note else ""
    return f'<div style="font-weight:600;font-size:15px;margin:6px 0 4px">{escape(words)}{more}</div>'


def note(words: str) -> str:
    return f'<div style="font-size:13px;max-width:100ch;margin:2px 0;{SOFT}">{escape(words)}</div>'


def side_by_side(*parts: str) -> str:
    inside = "".join(f'<div style="min-width:0">{part}</div>' for part in parts)
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px 20px;align-items:flex-start">{inside}</div>'
