"""Plots as SVG, to be put into a page: colours come from the page, so that they suit its light and its dark face."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from plyout.lab.statistics.estimate import Floats

WIDTH = 760.0
_LETTER = 8.4  # about the width of one in the widest of the page's fonts


def signed(number: float) -> str:
    """A whole number with its sign; 0 has none.

    >>> signed(12.3), signed(-0.2), signed(-7)
    ('+12', '0', '−7')
    """
    whole = round(number)
    return f"{'−' if whole < 0 else '+'}{abs(whole):,}" if whole else "0"


def short(name: str, longest: int = 28) -> str:
    """A name that fits beside a plot: a long one keeps both its ends, where names of variants differ."""
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[: longest - 1 - half]}…{name[-half:]}"


def ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, about so many.

    >>> ticks(-130, 270)
    [-100.0, 0.0, 100.0, 200.0]
    """
    rough = max(high - low, 1e-9) / count
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    return [i * step for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{inside}\n</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def bars(names: Sequence[str], elo: Sequence[float], lows: Sequence[float], highs: Sequence[float]) -> str:
    """Elo of each player as a dot on the bar of its interval."""
    labels = [short(name) for name in names]
    left = 16 + _LETTER * max(map(len, labels))
    right, row, top = 84.0, 30.0, 12.0
    bottom = top + row * len(names)
    pad = max(max(highs) - min(lows), 20.0) * 0.04
    low, high = min(0.0, *lows) - pad, max(0.0, *highs) + pad

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * (WIDTH - left - right)

    parts = []
    for tick in ticks(low, high):
        parts.append(_line(at(tick), top, at(tick), bottom, "zero" if tick == 0 else "rule"))
        parts.append(_text(at(tick), bottom + 18, signed(tick), "middle", "soft"))
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        y, first, last = top + row * (i + 0.5), at(lows[i]), at(highs[i])
        parts += [
            f"<g><title>{escape(name)}: {signed(elo[i])} ({signed(lows[i])} to {signed(highs[i])})</title>",
            _text(left - 12, y + 4.5, label, "end"),
            f'<rect x="{first:.1f}" y="{y - 5:.1f}" width="{last - first:.1f}" height="10" rx="5" class="range"/>',
            f'<circle cx="{at(elo[i]):.1f}" cy="{y:.1f}" r="5" class="dot"/>',
            _text(WIDTH - 8, y + 4.5, signed(elo[i]), "end", "number"),
            "</g>",
        ]
    return _svg(WIDTH, bottom + 28, "Elo of each player with its 95% interval", parts)


def running(name: str, games: Floats, score: Floats, low: Floats, high: Floats, width: float = WIDTH) -> str:
    """The score after each game, within its interval; the first games, where it says nothing yet, may be cut off."""
    left, right, top, height = 46.0, 14.0, 10.0, 200.0
    settled = len(games) // 8
    least, most = min(float(low[settled:].min()), 0.45), max(float(high[settled:].max()), 0.55)
    step = 0.1 if most - least <= 0.45 else 0.25  # either way one line is at half the points
    first_line, last_line = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    least, most = first_line * step, last_line * step
    last = max(float(games[-1]), 2.0)

    def x(game: float) -> float:
        return left + (game - 1) / (last - 1) * (width - left - right)

    def y(value: float) -> float:
        return top + (most - value) / (most - least) * height

    parts = []
    for tick in (i * step for i in range(first_line, last_line + 1)):
        parts.append(_line(left, y(tick), width - right, y(tick), "zero" if abs(tick - 0.5) < 1e-9 else "rule"))
        parts.append(_text(left - 8, y(tick) + 4, f"{100 * tick:.0f} %", "end", "soft"))
    for tick in ticks(1, last, 6 if width > 500 else 4):
        if tick >= 1 and tick == round(tick):
            anchor = "end" if x(tick) > width - right - 12 else "middle"
            parts.append(_text(x(tick), top + height + 18, f"{tick:,.0f}", anchor, "soft"))
    above = [f"{x(g):.1f},{y(h):.1f}" for g, h in zip(games, high, strict=True)]
    below = [f"{x(g):.1f},{y(v):.1f}" for g, v in zip(games, low, strict=True)]
    middle = [f"{x(g):.1f},{y(s):.1f}" for g, s in zip(games, score, strict=True)]
    parts += [  # an SVG within hides what lies beyond its frame
        f'<svg x="{left}" y="{top}" width="{width - left - right}" height="{height}">'
        f'<g transform="translate({-left} {-top})">',
        f'<polygon points="{" ".join(above + below[::-1])}" class="band"/>',
        f'<polyline points="{" ".join(middle)}" class="curve"/>',
        "</g></svg>",
    ]
    parts.append(f'<circle cx="{x(float(games[-1])):.1f}" cy="{y(float(score[-1])):.1f}" r="4" class="dot"/>')
    return _svg(width, top + height + 28, f"Score of {name} after each game, with its 95% interval", parts)


def counts(names: Sequence[str], numbers: Sequence[int], bad: Sequence[bool]) -> str:
    """How often each thing happened, as bars; those that are `bad` stand out."""
    labels = [short(name) for name in names]
    left, row, right = 16 + _LETTER * max(map(len, labels)), 26.0, 110.0
    most, total = max(numbers), sum(numbers)
    parts = []
    for i, (label, number) in enumerate(zip(labels, numbers, strict=True)):
        y, length = 4 + row * i, max(number / most * (WIDTH - left - right), 2.0)
        parts += [
            _text(left - 12, y + 17, label, "end"),
            f'<rect x="{left:.1f}" y="{y + 4:.1f}" width="{length:.1f}" height="18" rx="3" '
            f'class="{"bad" if bad[i] else "good"}"/>',
            _text(left + length + 8, y + 17.5, f"{number:,} · {100 * number / total:.1f} %", kind="number"),
        ]
    return _svg(WIDTH, 8 + row * len(names), "How the games ended", parts)


def beside(
    rows: Sequence[tuple[str, tuple[float, float, float], float | None]],
    digits: int | None = None,
    widest: float = 1000.0,
) -> str:
    """Numbers as dots on the bars of their intervals, (name, (value, low, high), the paper's number as a ring).

    Without `digits` they are Elo, and an interval that has no end stops `widest` beyond the outermost number.
    """
    labels = [short(name, 36) for name, _, _ in rows]
    left = 16 + _LETTER * max(map(len, labels))
    right, row_height, top = 84.0, 26.0, 12.0
    bottom = top + row_height * len(rows)
    values = [v for _, (value, _, _), paper in rows for v in (value, paper) if v is not None]
    ends = [e for _, (_, first, last), _ in rows for e in (first, last)]
    if digits is None:
        ends = [min(max(e, min(values) - widest / 4), max(values) + widest / 4) for e in ends] + [0.0]
    low, high = min(*values, *ends), max(*values, *ends)
    pad = max(high - low, 10.0 ** -(digits or 0)) * 0.04
    low, high = low - pad, high + pad

    def at(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (WIDTH - left - right)

    def shown(value: float) -> str:
        return signed(value) if digits is None else f"{value:,.{digits}f}"

    parts = []
    for tick in ticks(low, high):
        parts.append(_line(at(tick), top, at(tick), bottom, "zero" if tick == 0 else "rule"))
        parts.append(_text(at(tick), bottom + 18, signed(tick) if digits is None else f"{tick:,.6g}", "middle", "soft"))
    for i, ((name, (value, first, last), paper), label) in enumerate(zip(rows, labels, strict=True)):
        y = top + row_height * (i + 0.5)
        parts += [
            f"<g><title>{escape(name)}: {shown(value)}</title>",
            _text(left - 12, y + 4.5, label, "end"),
            f'<rect x="{at(first):.1f}" y="{y - 4:.1f}" width="{max(at(last) - at(first), 1.0):.1f}" height="8" rx="4" '
            'class="range"/>',
            f'<circle cx="{at(value):.1f}" cy="{y:.1f}" r="4.5" class="dot"/>',
            _text(WIDTH - 8, y + 4.5, shown(value), "end", "number"),
        ]
        if paper is not None:
            parts.append(f'<circle cx="{at(paper):.1f}" cy="{y:.1f}" r="6.5" class="ring"/>')
        parts.append("</g>")
    return _svg(WIDTH, bottom + 28, "Our numbers with their 95% intervals, and the paper's", parts)
