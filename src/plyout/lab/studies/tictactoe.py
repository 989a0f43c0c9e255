"""``plyout study tictactoe``: tic-tac-toe against itself by time a move (Singh 2023, Table 4.1 and Figure 4.1).

The paper's engine is plain UCT; ours plays so, and once more with the solver. Machines differ, so the paper's numbers
of iterations are repeated, too, beside its times.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.games import TICTACTOE
from plyout.lab.report.pyplot import pyplot
from plyout.lab.report.terminal import terminal
from plyout.lab.studies.answer import Answer
from plyout.lab.statistics.estimate import wilson
from plyout.progress import Progress

# Seconds a move: iterations a move, and wins, draws and losses of the first player in percent.
PAPER = {
    1.0: (78_530, 0.0, 100.0, 0.0),
    0.1: (7_051, 30.0, 70.0, 0.0),
    0.01: (539, 45.0, 40.0, 15.0),
    0.001: (12, 60.0, 30.0, 10.0),
    0.0001: (1, 100.0, 0.0, 0.0),
}
SECONDS = (1.0, 0.1, 0.01, 0.001)  # a search of ours lasts a millisecond at least
SYSTEMS: dict[str, tuple[str, dict[str, float]]] = {
    "UCT": ("mcc", {}),
    "UCT, solver": ("mcc-solver", {"draw_floor": 1}),
}


@dataclass(frozen=True)
class Row:
    """Games of a system against itself at one time or one number of iterations a move."""

    system: str
    limit: str
    iterations: float  # a move
    games: int
    won: int  # by the first player
    drawn: int
    lost: int
    proven: int  # games in which the first search proved what the empty board is worth
    paper: tuple[float, float, float, float]

    @property
    def percent(self) -> tuple[float, float, float]:
        return 100 * self.won / self.games, 100 * self.drawn / self.games, 100 * self.lost / self.games

    @property
    def drawn_interval(self) -> tuple[float, float]:
        """Where the share of draws lies with 95%, in percent (Wilson's interval)."""
        low, high = wilson(self.drawn, self.games)
        return 100 * low, 100 * high


def play(engine: Engine, limits: Limits) -> tuple[float, int, int, bool]:
    """One game against itself: (the first player's score, iterations, moves, whether its first search proved it)."""
    state, iterations, moves, proven = TICTACTOE.start(), 0, 0, False
    while True:
        score = TICTACTOE.result(state)
        if score is not None:
            return (score if state[0] == 0 else 1 - score), iterations, moves, proven
        engine.new_game()  # each move is thought out anew, as if by another player
        result = engine.search(state, limits)
        assert result.move is not None
        proven = proven or (moves == 0 and result.proof is not None)
        iterations, moves = iterations + result.nodes, moves + 1
        state = TICTACTOE.after(state, result.move)


def play_games(
    system: str, limit: str, games: int, seed: int, paper: Any, progress: Progress, limits: Limits
) -> Row:  # fmt: skip
    """So many games of a system against itself, each with a seed of its own; `limit` names the limits in words."""
    preset, changes = SYSTEMS[system]
    tally: dict[float, int] = {1.0: 0, 0.5: 0, 0.0: 0}
    iterations = moves = proven = 0
    for game in range(games):
        engine = Engine(preset, TICTACTOE, hash_mb=64, seed=seed + game, **changes)
        engine.prepare()
        score, thought, plies, known = play(engine, limits)
        tally[score] += 1
        iterations, moves, proven = iterations + thought, moves + plies, proven + known
        progress.step()
    return Row(system, limit, iterations / moves, games, tally[1.0], tally[0.5], tally[0.0], proven, paper)


def tictactoe(games: int, seed: int, quiet: bool = False) -> Answer:
    """Every system at the paper's times a move and at its iterations a move."""
    rows: list[Row] = []

    def answer() -> Answer:
        told = [asdict(row) | {"percent": row.percent, "drawn_interval": row.drawn_interval} for row in rows]
        return Answer({"study": "tictactoe", "games": games, "seed": seed, "rows": told})

    total = games * len(SYSTEMS) * (len(SECONDS) + len(PAPER))
    with Progress("games", total, quiet, keep=lambda: answer() if rows else None) as progress:
        for system in SYSTEMS:
            for s in SECONDS:
                rows.append(play_games(system, f"{s:g} s", games, seed, PAPER[s], progress, Limits(movetime=1000 * s)))
            for paper in PAPER.values():
                limit = f"{paper[0]:,} it."
                rows.append(play_games(system, limit, games, seed, paper, progress, Limits(nodes=paper[0])))
    return answer()


def show(answer: dict[str, Any]) -> None:
    """The answer on the terminal."""
    terminal().print(table(answer))


def table(answer: dict[str, Any]) -> Table:
    """The answer as the paper's table, with ours beside."""
    grid = Table(
        "a move", "iterations", "won, drawn, lost %", "drawn, 95 %", "proven", "paper", "won, drawn, lost %",
        title=f"tic-tac-toe against itself, {answer['games']} games each; results of the first player",
    )  # fmt: skip
    for column in grid.columns[1:]:
        column.justify = "right"
    system = ""
    for row in answer["rows"]:
        if row["system"] != system:
            system = row["system"]
            grid.add_section()
            grid.add_row(system, style="bold")
        ours = " ".join(f"{n:4.0f}" for n in row["percent"])
        low, high = row["drawn_interval"]
        theirs = " ".join(f"{n:4.0f}" for n in row["paper"][1:])
        proven = f"{row['proven']} of {row['games']}" if row["proven"] else ""
        grid.add_row(
            row["limit"], f"{row['iterations']:,.0f}", ours, f"{low:.0f} to {high:.0f}", proven,
            f"{row['paper'][0]:,}", theirs,
        )  # fmt: skip
    return grid


def plot(answer: dict[str, Any], path: Path) -> None:
    """Wins, draws and losses of the first player by iterations a move, ours and the paper's."""
    figure, panels = pyplot().subplots(1, len(SYSTEMS), figsize=(11, 4.5), sharey=True)
    theirs = sorted((p[0], p[1:]) for p in PAPER.values())
    for axes, system in zip(panels, SYSTEMS, strict=True):
        rows = [row for row in answer["rows"] if row["system"] == system]
        timed = [(row["iterations"], row["percent"]) for row in rows if row["limit"].endswith(" s")]
        ours = sorted((row["iterations"], row["percent"]) for row in rows if not row["limit"].endswith(" s"))
        for i, (name, colour) in enumerate((("won", "#2a7f3f"), ("drawn", "#444444"), ("lost", "#b03030"))):
            x, y = [n for n, _ in ours], [p[i] for _, p in ours]
            axes.plot(x, y, "o-", color=colour, label=f"{name}, ours")
            x, y = [n for n, _ in timed], [p[i] for _, p in timed]
            axes.plot(x, y, "o", color=colour, fillstyle="none", label=f"{name}, ours by time")
            x, y = [n for n, _ in theirs], [p[i] for _, p in theirs]
            axes.plot(x, y, "s:", color=colour, alpha=0.5, label=f"{name}, paper")
        axes.set(xscale="log", ylim=(-3, 103), xlabel="iterations a move", title=system)
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("games of the first player, %")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
    figure.suptitle(f"Tic-tac-toe against itself, {answer['games']} games a point")
    figure.tight_layout()
    try:
        figure.savefig(path, bbox_inches="tight", dpi=120)
    except (OSError, ValueError) as error:
        raise InputError(f"the plot cannot be written to {path}: {error}") from None
    pyplot().close(figure)
