"""Results as tables on the terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Column, Table

from plyout.lab.match.results import Results
from plyout.lab.record import FAULT_KEYS, Game
from plyout.lab.report.terminal import terminal
from plyout.lab.statistics.sprt import Sprt


def show(results: Results, test: Sprt | None = None) -> None:
    """The players by score, how the games ended, and whose fault cost games."""
    console = terminal()
    if not results.games:
        console.print("no game has ended yet")
        return
    order = results.players
    if len(order) > 2:
        order = sorted(order, key=lambda p: -results.of(p).score)
    grid = Table(_left("player"), *map(_right, ("games", "+", "=", "-", "score", "Elo (95%)", "LOS")))
    for player in order:
        e = results.of(player)
        elo = f"{e.elo:+.0f} ({e.low:+.0f} to {e.high:+.0f})"
        counts = map(str, (e.games, e.wins, e.draws, e.losses))
        grid.add_row(player, *counts, f"{100 * e.score:.1f} %", elo, f"{100 * e.los:.1f} %")
    console.print(grid)
    if len(order) > 2:
        console.print("Elo is against the opponents met; 'plyout ratings' puts all on one scale", style="dim")
    else:
        five = results.of(order[0]).pentanomial
        console.print(f"pairs of {order[0]} with 0, ½, 1, 1½, 2 points: {', '.join(map(str, five))}")
    if test is not None:
        verdict = {"H1": "H1 is accepted", "H0": "H0 is accepted", None: "undecided"}[test.decision]
        console.print(f"sequential test: LLR {test.llr:.2f} ({test.lower:.2f} to {test.upper:.2f}), {verdict}")
    console.print("endings: " + ", ".join(f"{count} {reason}" for reason, count in results.endings().items()))
    faults = results.fault_lines()
    for line in faults:
        console.print(line, style="bold red")
    if not faults:
        console.print("no time losses, crashes, stalls or illegal moves")


def _left(name: str) -> Column:
    return Column(name, overflow="fold", min_width=10)


def _right(name: str) -> Column:
    return Column(name, justify="right", no_wrap=True)


def show_comparison(rows: Sequence[dict[str, Any]]) -> None:
    """Experiments side by side; differences are against the first."""
    right = ("games", "score", "Elo (95%)", "faults", "difference", "better")
    grid = Table(_left("experiment"), _left("player"), *map(_right, right))
    for row in rows:
        elo = f"{row['elo']:+.0f} ({row['low']:+.0f} to {row['high']:+.0f})"
        cells = [str(row["games"]), f"{100 * row['score']:.1f} %", elo, str(sum(row[f] for f in FAULT_KEYS.values()))]
        if "difference" in row:
            cells += [f"{row['difference']:+.0f} ± {row['difference_error']:.0f}", f"{100 * row['better']:.1f} %"]
        grid.add_row(Path(row["experiment"]).name, row["players"][0]["name"], *cells)
    terminal().print(grid)


def show_games(games: Sequence[Game]) -> None:
    """One line a game."""
    grid = Table(
        _right("pair"), *map(_left, ("white", "black", "result", "reason")), _right("plies"), _right("s"), "opening"
    )
    for g in games:
        cells = (str(g.pair + 1), g.white, g.black, g.result, g.reason, str(g.plies), f"{g.seconds:.1f}", g.opening)
        grid.add_row(*cells)
    terminal().print(grid)
