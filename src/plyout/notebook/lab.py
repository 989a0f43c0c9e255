"""Matches, gauntlets, tuning and studies in a cell."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from plyout.lab.gauntlet.standing import Row, Standing
from plyout.lab.match.results import Results
from plyout.lab.report.page import Figures, Heading
from plyout.lab.report.report import sections
from plyout.lab.studies import positions, tictactoe
from plyout.lab.studies.answer import Answer
from plyout.lab.traps import show as traps
from plyout.lab.traps.study import Study, tables
from plyout.lab.tune.result import Tuned
from plyout.lab.tune.show import table as tuning
from plyout.notebook.blocks import blocks_html
from plyout.notebook.picture import Cell, heading, note, table

_TINT = 0.9  # of a cell whose score is as far as can be from what was expected


def results_html(results: Results) -> str:
    """A match or tournament: the report's tables and plots, but for each player's course in a tournament."""
    if not results.games:
        return note("no game has ended yet")
    blocks = sections(results.games)
    shown = [
        block
        for block, after in zip(blocks, [*blocks[1:], None], strict=True)
        if not isinstance(block, Figures) and not (isinstance(block, Heading) and isinstance(after, Figures))
    ]
    return blocks_html(shown)


def standing_html(found: Standing) -> str:
    """A gauntlet: the rating, and a row for each rung from the strongest down."""
    name, games = found.ladder.name, f"{len(found.results.games)} games at {found.control}"
    if found.rating is None:
        words = heading(name, f"{games}, none of them against a rung of known rating")
    else:
        elo, low, high = found.rating
        words = heading(f"{name}: Elo {elo:.0f}", f"95 %: {low:.0f} to {high:.0f}, {games}")
    rows = [_rung(row) for row in sorted(found.rows, key=lambda row: -row.rating.elo)]
    head = ["rung", "Elo (95 %)", "games", "+", "=", "−", "score", "expected"]
    faults = "; ".join(found.results.fault_lines()) or "no time losses, crashes, stalls or illegal moves"
    notes = [found.beyond, faults] if found.beyond else [faults]
    return words + (table(head, rows) if rows else "") + "".join(map(note, notes))


def _rung(row: Row) -> list[str | Cell]:
    elo, low, high = row.rating
    rated = f"{elo:.0f}" if row.rung.elo is not None else f"{elo:.0f} ({low:.0f} to {high:.0f})"
    e = row.met
    counts = map(str, (e.games, e.wins, e.draws, e.losses))
    score = Cell(f"{100 * e.score:.1f} %", tint=_TINT * (e.score - row.expected) if e.games else 0.0)
    return [row.rung.name, rated, *counts, score, f"{100 * row.expected:.1f} %"]


def tuned_html(tuned: Tuned) -> str:
    return heading(f"{tuned.plan.preset}, tuned") + _of_terminal(tuning(tuned))


def trap_study_html(done: Study) -> str:
    return "".join(map(_of_terminal, traps.study_tables(done, tables(done))))


def answer_html(answer: Answer) -> str:
    """A study of one of the papers, beside the paper's figures."""
    return _of_terminal((tictactoe if answer["study"] == "tictactoe" else positions).table(answer))


def _of_terminal(shown: object) -> str:
    """What is made for the terminal, as HTML."""
    if isinstance(shown, Table):
        title = heading(_plain(shown.title)) if shown.title else ""
        columns = list(shown.columns)
        left = next((i for i, column in enumerate(columns) if column.justify == "right"), len(columns))
        return title + table([_plain(c.header) for c in columns], list(_rows(shown)), left)
    if isinstance(shown, Group):
        return "".join(map(_of_terminal, shown.renderables))
    return note(_plain(shown))


def _rows(shown: Table) -> Iterator[list[str | Cell]]:
    for cells in zip(*(column.cells for column in shown.columns), strict=True):
        yield [_plain(cell) for cell in cells]


def _plain(words: object) -> str:
    return words.plain if isinstance(words, Text) else str(words)
