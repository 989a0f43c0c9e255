"""``plyout trap-study``: do traps persist where positions stay alike? Topolewski 2019, chapter 5, repeated.

Two modes, as in the thesis: pairs of positions from a file, or a position with all its grandchildren, the positions
that the same side may face at its next turn. A trap *persists* if the second position has one again, of whatever move:
of all readings that we tried this alone gives the thesis' tables, to their last digit.
"""

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.games import CHESS, State
from plyout.in_notebooks import InNotebooks
from plyout.lab.traps.paper import SCALED, TABLE_5_1, TABLE_5_2, TABLE_5_3, TABLE_5_5, TABLE_5_6, Features
from plyout.lab.traps.suite import Check, check
from plyout.progress import Progress
from plyout.search.similarity import MEASURES, Settings, similarities
from plyout.search.similarity.scaling import squashed
from plyout.search.traps.hard import has_trap

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"
"""Légal's trap, the position of the thesis."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Two positions of one side's turns, and how the second came about, if that is known."""

    first: State
    second: State
    labels: tuple[str, str]


@dataclass(frozen=True)
class Study(InNotebooks):
    """What was observed: for each pair the similarities, and whether a trap persisted; and how the measures fared in
    their unit test, on pairs of its own."""

    pairs: list[Pair]
    level: int
    observed: dict[str, Values]
    persists: npt.NDArray[np.bool_]
    checks: dict[str, Check]


def grandchildren(fen: str) -> list[Pair]:
    """A position with every position that two plies lead to."""
    root = CHESS.parse(fen)
    pairs = []
    for move in CHESS.moves(root):
        child = CHESS.after(root, move)
        if CHESS.result(child) is None:
            for reply in CHESS.moves(child):
                labels = CHESS.move_text(root, move), CHESS.move_text(child, reply)
                pairs.append(Pair(root, CHESS.after(child, reply), labels))
    if not pairs:
        raise InputError(f"the position has no grandchildren: the game is over, or is after any move: {fen!r}")
    return pairs


def pairs_in(path: Path) -> list[Pair]:
    """The pairs of FENs in a CSV file, two to a line; a line of column names may come first."""
    pairs = []
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    for number, row in enumerate(rows, 1):
        if not row or (number == 1 and "/" not in row[0]):
            continue
        if len(row) < 2:
            raise InputError(f"{path}, line {number}: expected two FENs with a comma between them")
        fens = row[0].strip(), row[1].strip()
        try:
            pairs.append(Pair(CHESS.parse(fens[0]), CHESS.parse(fens[1]), fens))
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
    if not pairs:
        raise InputError(f"{path} has no pairs of FENs")
    return pairs


def study(pairs: list[Pair], level: int, settings: Settings, quiet: bool = False) -> Study:
    """Compare the positions of every pair by every measure, and look for the traps that both have."""
    firsts, seconds = (np.concatenate([getattr(p, name) for p in pairs]) for name in ("first", "second"))
    observed: dict[str, Values] = {}
    checks: dict[str, Check] = {}
    with Progress("measures", len(MEASURES), quiet, keep=lambda: None) as progress:
        for measure in MEASURES:
            checks[measure] = check(measure, settings)
            observed[measure] = similarities(CHESS, firsts, seconds, measure, settings)
            progress.step()
    persists: list[bool] = []

    def done() -> Study:
        count = len(persists)
        seen = {measure: values[:count] for measure, values in observed.items()}
        return Study(pairs[:count], level, seen, np.array(persists, bool), checks)

    with Progress("pairs", len(pairs), quiet, keep=lambda: done() if persists else None) as progress:
        for pair in pairs:
            persists.append(_persists(pair, level))
            progress.step()
    return done()


def _persists(pair: Pair, level: int) -> bool:
    """Whether both positions have a trap."""
    return _has_trap(pair.first.tobytes(), level) and has_trap(pair.second, level)


@lru_cache(maxsize=16)  # the grandchildren of a position share it
def _has_trap(state: bytes, level: int) -> bool:
    return has_trap(np.frombuffer(state, np.int64), level)


def features(values: Values) -> Features | None:
    """AVG, STD, MAX, MIN and SKW of observations, if there are any; the skewness is the plain one, as in the thesis."""
    count = len(values)
    if count == 0:
        return None
    mean, deviation = float(values.mean()), float(values.std(ddof=1)) if count > 1 else 0.0
    spread = float(values.std())
    skew = float((((values - mean) / spread) ** 3).mean()) if spread > 1e-12 else 0.0
    return Features(mean, deviation, float(values.max()), float(values.min()), skew)


def tables(done: Study) -> dict[str, list[dict[str, Any]]]:
    """The tables of the thesis: a row a measure, our figures and the paper's."""
    subsets = {"persists": done.persists, "gone": ~done.persists}
    answer: dict[str, list[dict[str, Any]]] = {"5.1": [_check(m, done.checks[m]) for m in MEASURES]}
    for name, subset, paper in (("5.2", "persists", TABLE_5_2), ("5.3", "gone", TABLE_5_3)):
        answer[name] = [_row(m, done.observed[m][subsets[subset]], paper[m]) for m in MEASURES]
    for name, subset, paper in (("5.5", "persists", TABLE_5_5), ("5.6", "gone", TABLE_5_6)):
        answer[name] = [_row(m, squashed(done.observed[m])[subsets[subset]], paper[m]) for m in SCALED]
    return answer


def _check(measure: str, found: Check) -> dict[str, Any]:
    paper = TABLE_5_1[measure]
    faster = None if paper is None else paper / found.microseconds
    return {"measure": measure} | asdict(found) | {"paper": paper, "times_faster": faster}


def _row(measure: str, values: Values, paper: Features) -> dict[str, Any]:
    ours = features(values)
    return {"measure": measure, "ours": ours._asdict() if ours else None, "paper": paper._asdict()}


def rows(done: Study) -> Iterator[dict[str, Any]]:
    """The observations as lines of a CSV file: the schema of the thesis."""
    for i, pair in enumerate(done.pairs):
        labels = dict(zip(("first", "second"), pair.labels, strict=True))
        values = {measure: f"{done.observed[measure][i]:.6f}" for measure in MEASURES}
        yield labels | values | {"trap": int(done.persists[i])}


def write(done: Study, folder: Path) -> list[Path]:
    """Write ``observations.csv`` and one CSV file a table into a folder; what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [_write_csv(folder / "observations.csv", list(rows(done)))]
    for name, table in tables(done).items():
        flat = [_flat(row) for row in table]
        written.append(_write_csv(folder / f"table-{name}.csv", flat))
    return written


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    if "ours" not in row:
        return row
    blank = dict.fromkeys(Features._fields, "")
    ours, paper = row["ours"] or blank, row["paper"]
    return {"measure": row["measure"]} | ours | {f"paper_{name}": value for name, value in paper.items()}


def _write_csv(path: Path, lines: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return path
