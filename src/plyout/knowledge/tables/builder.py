"""Building the tables of a folder, and verifying them. Only who builds or verifies needs to compile the generator."""

import os
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np

from plyout.knowledge.tables.endings import Ending, endings, needed
from plyout.knowledge.tables.files import tables_folder, try_folder, write
from plyout.knowledge.tables.generate import Workers, generate, inconsistent_entry
from plyout.knowledge.tables.library import Library, Table, forget_opened, position, read_tables
from plyout.progress import Progress, warn


def build(
    pieces: int, folder: Path | None = None, only: list[Ending] | None = None, threads: int | None = None,
    quiet: bool = False, report: Callable[[str], None] = warn,
) -> list[Ending]:  # fmt: skip
    """Build what is missing or damaged, and return what was built; each table is on disk as soon as it is made.

    `only` restricts it to some endings, and those that they lead to. `report` is told of damaged files.
    """
    folder = folder or tables_folder()
    wanted = endings(pieces) if only is None else needed(only)
    tables = [table for table in read_tables(folder, pieces) if table.ending in wanted]
    for table in tables:
        if table.damaged:
            report(f"{table.path} is {table.state}; it is built anew")
    library, built = Library(tables), []
    todo = [table.ending for table in tables if not table.usable]
    if todo:
        try_folder(folder)
    work = sum(e.entries for e in todo) / 1e6
    with Workers(threads or os.cpu_count() or 1) as workers, Progress("tables", work, quiet) as progress:
        for ending in todo:
            progress.describe(f"{ending.name:5} (MB)")
            advance = _Advance(progress, ending.entries / 1e6)
            codes = generate(ending, library.directory, workers, advance)
            write(folder, ending, codes)
            library.add(ending, codes)
            built.append(ending)
            advance(1.0)
    if built:
        forget_opened()
    return built


class _Advance:
    """Moves a progress bar by the share of one table that is done."""

    def __init__(self, progress: Progress, megabytes: float) -> None:
        self._progress, self._megabytes, self._done = progress, megabytes, 0.0

    def __call__(self, share: float) -> None:
        self._progress.step((share - self._done) * self._megabytes)
        self._done = share


def check(table: Table, library: Library, workers: Workers) -> chess.Board | None:
    """Whether each entry of a table is what the moves from it lead to: None, or a position where it is not."""
    shape = np.array(table.ending.shape, np.int64)
    answers = workers.round(inconsistent_entry, shape, table.codes, library.directory)
    wrong = [entry for entry in answers if entry >= 0]
    return position(table.ending, wrong[0]) if wrong else None
