"""Experiments that are on disk: found, compared, exported."""

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import hypot
from pathlib import Path
from typing import IO, Any

from plyout.errors import InputError
from plyout.lab.match.results import Results
from plyout.lab.match.store import FILE, Store
from plyout.lab.statistics.estimate import Z, normal

FORMS = ("csv", "json", "pgn")


@dataclass(frozen=True)
class Experiment:
    """One store, read."""

    name: str
    settings: dict[str, Any]
    results: Results


def experiments(paths: Sequence[str | Path]) -> list[Experiment]:
    """The experiments at some places; a folder that is none stands for those in it."""
    found: list[Experiment] = []
    for path in map(Path, paths):
        inside = sorted(path.glob(f"*/{FILE}")) if path.is_dir() and not (path / FILE).is_file() else [path]
        if not inside:
            raise InputError(f"no experiments are in {path}: give folders that --out made")
        found += [_read(place) for place in inside]
    return found


def _read(place: Path) -> Experiment:
    with Store.read(place) as store:
        settings = store.settings()
        name = place.parent if place.name == FILE else place
        return Experiment(str(name), settings, Results(settings["names"], store.games()))


def compare(found: Sequence[Experiment]) -> list[dict[str, Any]]:
    """One row an experiment, its first player's; `better` is how sure it is that it beats the first experiment's row.

    Two experiments are independent: the errors of their Elo add up in squares.
    """
    rows: list[dict[str, Any]] = []
    for one in found:
        row = {"experiment": one.name, "time control": one.settings["time control"], **one.results.as_dict()}
        if rows:
            error = hypot(row["elo_error"], rows[0]["elo_error"])
            difference = row["elo"] - rows[0]["elo"]
            row |= {"difference": difference, "difference_error": error, "better": normal(Z * difference / error)}
        rows.append(row)
    return rows


def exported(found: Sequence[Experiment], form: str, to: IO[str] | None = None) -> None:
    """Write all games as CSV, JSON or PGN."""
    to = to or sys.stdout
    if form not in FORMS:
        raise InputError(f"games are exported as one of {', '.join(FORMS)}, not {form!r}")
    games = [(one.name, game) for one in found for game in one.results.games]
    if form == "pgn":
        for _, game in games:
            print(game.pgn, end="\n\n", file=to)
        return
    rows = [{"experiment": name, **asdict(game)} for name, game in games]
    if form == "json":
        json.dump({"games": rows}, to, ensure_ascii=False)
        print(file=to)
        return
    columns = ["experiment", "pair", "white", "black", "result", "reason", "opening", "plies", "seconds", "ended"]
    writer = csv.DictWriter(to, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
