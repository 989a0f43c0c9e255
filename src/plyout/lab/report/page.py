"""A report's blocks, and how they are written: as Markdown, and as one HTML page that needs nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as _escape


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Facts:
    """Numbers to be seen first: (what, value)."""

    facts: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Cell:
    """A table's cell; `tint` from -1 to 1 colours it."""

    text: str
    tint: float = 0.0
    hint: str = ""


@dataclass(frozen=True)
class Table:
    """`left` columns hold words, the others numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    left: int = 1
    dense: bool = False  # small cells, as of a heat map


@dataclass(frozen=True)
class Figure:
    """A plot; Markdown shows the table instead, if there is one."""

    svg: str
    caption: str = ""
    table: Table | None = None


@dataclass(frozen=True)
class Figures:
    """Small plots side by side; Markdown goes without them."""

    figures: Sequence[Figure]


Block = Heading | Text | Figure | Figures | Facts | Table


def markdown(title: str, blocks: Sequence[Block]) -> str:
    """The whole report in Markdown."""
    told = [(block, text) for block in blocks if (text := _markdown(block))]
    lines = [f"# {_plain(title)}"]
    for i, (block, text) in enumerate(told):
        empty = i + 1 == len(told) or isinstance(told[i + 1][0], Heading)
        if not (isinstance(block, Heading) and empty):
            lines.append(text)
    return "\n\n".join(lines) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"## {_plain(text)}"
        case Text(text):
            return _plain(text)
        case Facts(facts):
            return "\n".join(f"- {_plain(what)}: **{_plain(value)}**" for what, value in facts)
        case Figure(table=Table() as table):
            return _markdown(table)
        case Table(head, rows, left):
            marks = [":--" if i < left else "--:" for i in range(len(head))]
            lines = [head, marks, *([_words(cell) for cell in row] for row in rows)]
            return "\n".join("| " + " | ".join(map(_plain, line)) + " |" for line in lines)
    return ""


# what Markdown, or GitHub's reading of it, would take for more than text: links and pictures among them
_MARKUP = re.compile(r"[\\|*_`<>\[\]!~#$^@]|:(?=//)|(?<=www)\.")


def _plain(text: str) -> str:
    """Text as Markdown that shows just this text, on one line."""
    return _MARKUP.sub(r"\\\g<0>", _printable(text).replace("&", "&amp;"))


def _printable(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def escape(text: str) -> str:
    return _escape(_printable(text))


def _words(cell: str | Cell) -> str:
    return cell.text if isinstance(cell, Cell) else cell


def html(title: str, blocks: Sequence[Block]) -> str:
    """The whole report as a page."""
    body = "\n".join(map(_html, blocks))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
</body>
</html>
"""


def _html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Figure(svg, caption):
            below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
            return f"<figure>{svg}{below}</figure>"
        case Figures(figures):
            return '<div class="grid">' + "".join(map(_html, figures)) + "</div>"
        case Facts(facts):
            items = (f"<div><dt>{escape(what)}</dt><dd>{escape(value)}</dd></div>" for what, value in facts)
            return '<dl class="facts">' + "".join(items) + "</dl>"
        case Table(head, rows, left, dense):
            top = "".join(_cell("th", text, i < left) for i, text in enumerate(head))
            lines = ("".join(_cell("td", cell, i < left) for i, cell in enumerate(row)) for row in rows)
            inside = "".join(f"<tr>{line}</tr>" for line in lines)
            kind = ' class="dense"' if dense else ' class="words"' if left == len(head) else ""
            return f'<div class="wide"><table{kind}><thead><tr>{top}</tr></thead><tbody>{inside}</tbody></table></div>'


def _cell(tag: str, cell: str | Cell, left: bool) -> str:
    cell = Cell(cell) if isinstance(cell, str) else cell
    kind = ' class="left"' if left else ""
    hint = f' title="{escape(cell.hint)}"' if cell.hint else ""
    colour = "var(--up)" if cell.tint > 0 else "var(--down)"
    tint = (
        f' style="background: color-mix(in srgb, {colour} {100 * abs(cell.tint):.0f}%, transparent)"'
        if cell.tint
        else ""
    )
    return f"<{tag}{kind}{hint}{tint}>{escape(cell.text)}</{tag}>"


_STYLE = """
:root {
  --ground: #fbfbfa; --card: #ffffff; --ink: #1d2430; --soft: #667085; --edge: #e4e7ec;
  --main: #2f6fdb; --up: #4c8df0; --down: #e8894a; --bad: #d1493f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --card: #1b1f26; --ink: #e6e9ef; --soft: #98a2b3; --edge: #2d333d;
    --main: #7aa8ff; --up: #3f78d6; --down: #b8642c; --bad: #ef7368;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 20px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 40px 0 12px; }
p { color: var(--soft); margin: 8px 0 14px; max-width: 68ch; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 10px; margin: 0; }
.facts div { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 10px 12px; }
.facts dt { color: var(--soft); font-size: 13px; }
.facts dd { margin: 2px 0 0; font-size: 17px; font-weight: 600; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
figure, .wide { margin: 0 0 16px; background: var(--card); border: 1px solid var(--edge); border-radius: 10px; }
figure { padding: 14px; overflow-x: auto; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 6px; overflow-wrap: anywhere; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 14px; }
.grid figure { margin: 0; min-width: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--edge); }
tbody tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-size: 13px; font-weight: 500; }
.left { text-align: left; }
.words td:not(:first-child) { white-space: normal; }
.words td:last-child { overflow-wrap: anywhere; min-width: 17em; }
.dense { font-size: 14px; }
.dense th, .dense td { padding: 6px 8px; text-align: center; }
.dense .left { text-align: left; padding-left: 12px; }
figure > svg { display: block; width: 100%; min-width: 520px; height: auto; }
.grid svg { min-width: 0; }
svg { font: 13px/1 system-ui, -apple-system, "Segoe UI", Roboto,
  "Noto Sans", "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); font-size: 12px; }
svg .number { font-variant-numeric: tabular-nums; }
svg .rule { stroke: var(--edge); }
svg .zero { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .range { fill: var(--main); opacity: 0.3; }
svg .dot { fill: var(--main); }
svg .ring { fill: none; stroke: var(--down); stroke-width: 2; }
svg .band { fill: var(--main); opacity: 0.18; }
svg .curve { fill: none; stroke: var(--main); stroke-width: 2; stroke-linejoin: round; }
svg .good { fill: var(--main); opacity: 0.75; }
svg .bad { fill: var(--bad); }
@media (max-width: 600px) {
  th, td { padding: 6px; font-size: 13px; }
  tbody td:first-child { white-space: normal; min-width: 8em; }
  .words th:not(:first-child), .words td:empty { display: none; }
  .words tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--edge); }
  .words tbody tr:last-child { border-bottom: 0; }
  .words td, .words td:last-child { display: block; border: 0; padding: 2px 12px; font-size: 15px; white-space: normal;
    min-width: 0; overflow-wrap: anywhere; }
  .words th { border: 0; padding: 2px 12px; }
  .words td:first-child { font-weight: 600; }
}
@media print { figure, .wide, .facts div { break-inside: avoid; } }
"""
