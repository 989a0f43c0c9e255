"""A gauntlet's standing on the terminal."""

from rich.table import Column, Table

from plyout.lab.gauntlet.standing import Row, Standing
from plyout.lab.report.terminal import terminal


def show(found: Standing) -> None:
    """A row for each rung, from the strongest down, and the rating below."""
    console = terminal()
    if not found.results.games:
        console.print("no game has ended yet")
        return
    right = ("Elo (95%)", "games", "+", "=", "-", "score", "expected")
    grid = Table(
        Column("rung", overflow="fold", min_width=10), *(Column(n, justify="right", no_wrap=True) for n in right)
    )
    for row in sorted(found.rows, key=lambda row: -row.rating.elo):
        e = row.met
        counts = map(str, (e.games, e.wins, e.draws, e.losses))
        grid.add_row(row.rung.name, _elo(row), *counts, f"{100 * e.score:.1f} %", f"{100 * row.expected:.1f} %")
    console.print(grid)
    name, games = found.ladder.name, f"{len(found.results.games)} games at {found.control}"
    if found.rating is None:
        console.print(f"{name}: {games}, none of them against a rung of known rating")
    else:
        elo, low, high = found.rating
        console.print(f"{name}: Elo {elo:.0f} (95%: {low:.0f} to {high:.0f}), {games}", style="bold")
    if found.beyond:
        console.print(found.beyond)
    if any(row.rung.elo is None for row in found.rows):
        console.print("an Elo with an interval is estimated from these games, all others are given", style="dim")
    faults = found.results.fault_lines()
    for line in faults:
        console.print(line, style="bold red")
    if not faults:
        console.print("no time losses, crashes, stalls or illegal moves")


def _elo(row: Row) -> str:
    elo, low, high = row.rating
    return f"{elo:.0f}" if row.rung.elo is not None else f"{elo:.0f} ({low:.0f} to {high:.0f})"
