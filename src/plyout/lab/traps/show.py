"""The trap laboratory's answers as tables on the screen."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from plyout.lab.report.terminal import terminal
from plyout.lab.traps.paper import Features
from plyout.lab.traps.study import Study
from plyout.lab.traps.visits import Visits

_TITLES = {
    "5.2": "Table 5.2: traps that persist",
    "5.3": "Table 5.3: traps that are gone",
    "5.5": "Table 5.5: traps that persist, scaled",
    "5.6": "Table 5.6: traps that are gone, scaled",
}


def study(done: Study, tables: dict[str, list[dict[str, Any]]]) -> None:
    console = terminal()
    for part in study_tables(done, tables):
        console.print(part)


def study_tables(done: Study, tables: dict[str, list[dict[str, Any]]]) -> Iterator[str | Table]:
    """The study's tables, and what else is to be said."""
    persist = int(done.persists.sum())
    yield f"{len(done.pairs):,} pairs, a trap of level {done.level} persists in {persist:,}"
    title = "Table 5.1, on a hundred pairs of its own"
    speed = Table(
        "measure", "symmetric", "normalised", "µs a call", "Topolewski 2019", "times faster", title=title,
        title_justify="left",
    )  # fmt: skip
    for row in tables["5.1"]:
        paper, faster = row["paper"], row["times_faster"]
        speed.add_row(
            row["measure"], *("yes" if row[name] else "no" for name in ("symmetric", "normalised")),
            f"{row['microseconds']:.2f}", f"{paper:,.1f}" if paper else "out of memory",
            f"{faster:,.0f}" if faster else "",
        )  # fmt: skip
    yield speed
    for name, title in _TITLES.items():
        grid = Table("measure", *(f.upper() for f in Features._fields), title=title, title_justify="left")
        for row in tables[name]:
            ours = row["ours"] or dict.fromkeys(Features._fields)
            cells = (_beside(ours[f], row["paper"][f]) for f in Features._fields)
            grid.add_row(row["measure"], *cells)
        yield grid
    yield "ours (Topolewski 2019)"


def _beside(ours: float | None, paper: float) -> str:
    return f"{'–' if ours is None else format(ours, '.3f')} ({paper:.3f})"


def density(rows: list[dict[str, Any]]) -> None:
    levels = list(rows[0]["share_with_trap"])
    grid = Table("plies played", "positions", *(f"level {k}" for k in levels), "cut short")
    for row in rows:
        shares = (row["share_with_trap"][k] for k in levels)
        cells = ("–" if share is None else f"{100 * share:.1f} %" for share in shares)
        grid.add_row(row["plies"], str(row["positions"]), *cells, str(row["cut_short"]))
    terminal().print(grid)


def visits(measured: list[Visits], asked: list[int]) -> None:
    grid = Table("preset", "left for good", "median iterations", "still trapped at " + f"{asked[0]}, {asked[-1]:,}")
    for one in sorted(measured, key=lambda m: (m.curve(asked)[-1], sum(m.curve(asked)))):
        told, curve = one.as_dict(), one.curve(asked)
        median = f"more than {asked[-1]:,}" if told["median"] is None else f"{told['median']:,}"
        trapped = f"{100 * curve[0]:.0f} %, {100 * curve[-1]:.0f} %"
        grid.add_row(one.preset, f"{told['left']} of {told['positions']}", median, trapped)
    terminal().print(grid)
