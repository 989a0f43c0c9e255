"""The games of a report on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from plyout.lab.analyse.analyse import Report
from plyout.lab.analyse.told import Data
from plyout.lab.report.terminal import terminal

SIGNS = ("??", "?", "?!", "!")


def show(report: Report, files: Sequence[Path]) -> None:
    """A row for each side of each game, and where the rest is."""
    console = terminal()
    if not report.games:
        console.print("no game is analysed to its end yet")
        return
    grid = Table("game", "player", "result", "accuracy", *SIGNS, "mates missed", "traps set", "fallen into", "opening")
    for column in range(3, 3 + 1 + len(SIGNS) + 3):
        grid.columns[column].justify = "right"
    for _, data in report.games:
        for side in ("White", "Black"):
            grid.add_row(*_row(data, side), end_section=side == "Black")
    console.print(grid)
    console.print("accuracy: 100 % for a move that loses nothing, half of it for each tenth of a point lost")
    console.print("\n".join(map(str, files)), soft_wrap=True)


def _row(data: Data, side: str) -> list[str]:
    own, headers, first = data[side.lower()], data["headers"], side == "White"
    accuracy = "" if own["accuracy"] is None else f"{own['accuracy']:.1f} %"
    counts = [own["mates_missed"], own["traps_set"], own["traps_fallen_into"]]
    opening = data["opening"]["name"] if data["opening"] and first else ""
    return [
        str(data["number"]) if first else "", headers.get(side, "?"), headers.get("Result", "*") if first else "",
        accuracy, *(str(own["marks"][sign] or "") for sign in SIGNS), *(str(count or "") for count in counts), opening,
    ]  # fmt: skip
