"""The blocks of the laboratory's reports in a cell: the same tables and plots, with their colours written into them."""

import re
from collections.abc import Sequence

from plyout.lab.report.page import Block, Facts, Figure, Figures, Heading, Table, Text
from plyout.lab.report.page import Cell as Reported
from plyout.notebook.picture import BAD, FONT, GOOD, SOFT, Cell, escape, heading, note, table

_ATTRIBUTES = {
    "": "",
    "number": "",
    "soft": 'fill-opacity=".7" font-size="12"',
    "rule": 'stroke="currentColor" stroke-opacity=".15"',
    "zero": 'stroke="currentColor" stroke-opacity=".5" stroke-dasharray="3 3"',
    "range": f'fill="{GOOD}" fill-opacity=".3"',
    "dot": f'fill="{GOOD}"',
    "ring": f'fill="none" stroke="{BAD}" stroke-width="2"',
    "band": f'fill="{GOOD}" fill-opacity=".18"',
    "curve": f'fill="none" stroke="{GOOD}" stroke-width="2" stroke-linejoin="round"',
    "good": f'fill="{GOOD}" fill-opacity=".75"',
    "bad": f'fill="{BAD}"',
}
"""What the classes of the page's style sheet mean."""
_CLASS = re.compile(r'class="(\w*)"')


def blocks_html(blocks: Sequence[Block]) -> str:
    """Blocks one below the other."""
    return "".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Heading(words):
            return heading(words)
        case Text(words):
            return note(words)
        case Facts(facts):
            cells = (
                f'<div><span style="{SOFT}">{escape(what)}</span> <b>{escape(is_)}</b></div>' for what, is_ in facts
            )
            return f'<div style="display:flex;flex-wrap:wrap;gap:2px 18px;font-size:13px">{"".join(cells)}</div>'
        case Table(head, rows, left):
            inside = table(head, [[_cell(cell) for cell in row] for row in rows], left)
            return f'<div style="overflow-x:auto">{inside}</div>'
        case Figure(svg, caption):
            return plot_html(svg) + (note(caption) if caption else "")
        case Figures(figures):
            return "".join(map(_html, figures))


def _cell(cell: str | Reported) -> Cell:
    return Cell(cell) if isinstance(cell, str) else Cell(cell.text, tint=cell.tint, hint=cell.hint)


def plot_html(svg: str) -> str:
    """A plot that needs no style sheet."""
    style = "max-width:760px;width:100%;height:auto;display:block"
    look = f'<svg fill="currentColor" {FONT} font-size="13" style="{style}" '
    return _CLASS.sub(lambda found: _ATTRIBUTES[found[1]], svg).replace("<svg ", look, 1)
