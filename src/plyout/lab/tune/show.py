"""A run on the terminal: the parameters as a table, and what may be made of them."""

from typing import Any

from rich.console import Group
from rich.table import Column, Table
from rich.text import Text

from plyout.lab.tune.plan import PLUS
from plyout.lab.tune.result import Tuned


def table(tuned: Tuned) -> Any:
    """Every parameter: where it began, where it is, how far that is; below, how many games say so."""
    spsa = tuned.plan.spsa
    names = ("start", "now", "change", "in steps", "range", "step")
    grid = Table(Column("parameter", no_wrap=True), *(Column(name, justify="right", no_wrap=True) for name in names))
    for axis, value, moved in tuned.rows:
        change = value - axis.start
        cells = (axis.text(axis.start), axis.text(value), f"{change:+.4g}", f"{moved:+.2f}")
        grid.add_row(axis.name, *cells, f"{axis.low:g} to {axis.high:g}", f"{axis.step:g}", style=_style(tuned, moved))
    lines = [f"{spsa.done} of {spsa.gains.pairs} pairs; {_score(tuned)}"]
    if spsa.done:
        lines.append(
            f"by chance alone a parameter would have moved by ± {spsa.chance:.2f} steps (a standard deviation)"
        )
    if words := tuned.results.fault_words():
        lines.append(words)
    return Group(grid, *map(Text, lines))


def _style(tuned: Tuned, moved: float) -> str:
    """What stands out from chance is bold."""
    return "bold" if abs(moved) > 2 * tuned.plan.spsa.chance > 0 else ""


def _score(tuned: Tuned) -> str:
    e = tuned.results.of(PLUS)
    draws = 100 * e.draws / e.games if e.games else 0.0
    return f"plus against minus: +{e.wins} ={e.draws} -{e.losses}, {draws:.0f} % drawn"
