"""Singh 2023, opening books: tic-tac-toe by iterations, and two ways to use a book."""

from dataclasses import asdict
from typing import Any

from plyout.engine import Limits
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.report.page import Block, Cell, Table
from plyout.lab.reproduce.elo import number
from plyout.lab.reproduce.experiment import LEVEL, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.verdict import DIFFERS, UNDECIDED, Number, Row, claim
from plyout.lab.statistics.estimate import estimate_of_counts
from plyout.lab.studies import tictactoe
from plyout.progress import Progress

PLAIN = "MCTS"
TIC_TAC_TOE_GAMES = 20  # the paper's shares are all multiples of 5 %
# White's wins, draws and losses in percent: the plain engine with White, then with Black; and games of each.
DIRECT = ("DM-MCTS", (34, 21, 45), (56, 26, 18), 100)
EXPLORED = ("IEC-MCTS", (35, 50, 15), (15, 75, 10), 20)


def _tictactoe(bench: Bench, games: int) -> dict[str, Any]:
    """At the paper's iterations a move: its times would be other iterations here."""
    rows = []
    with Progress("games", games * len(tictactoe.PAPER), bench.quiet) as progress:
        for paper in tictactoe.PAPER.values():
            limit = f"{paper[0]:,} iterations"
            found = tictactoe.play_games("UCT", limit, games, bench.seed, paper, progress, Limits(nodes=paper[0]))
            rows.append(asdict(found))
    return {"rows": rows}


def _say_tictactoe(found: dict[str, Any]) -> Findings:
    rows, drawn = [], []
    for one in found["singh-4.1"]["rows"]:
        _, won, level, lost = one["paper"]
        for what, paper, ours in (
            ("won", won, one["won"]),
            ("drawn", level, one["drawn"]),
            ("lost", lost, one["lost"]),
        ):
            theirs = Number.percent(paper / 100 * TIC_TAC_TOE_GAMES, TIC_TAC_TOE_GAMES)
            rows.append(Row(f"{one['limit']}: {what}", theirs, Number.percent(ours, one["games"])))
        drawn.append((one["limit"], rows[-2].ours))
    (most, best), (least, worst) = drawn[0], drawn[-1]
    claims = [claim(f"with {most} four of five games are drawn at least", best, above=80.0)]
    if best and worst:
        claims.append(claim(f"more are drawn with {most} than with {least}", best.less(worst), above=0.0))
    claims += [claim(f"the first player wins more than a tenth with {least}", rows[-3].ours, above=10.0)]
    return Findings(rows, claims, unit="% of games", digits=0)


def _match(name: str, preset: str, book: tuple[str, Any, Any, int]) -> list[Tournament]:
    rival, _, _, games = book
    engines = [f"nnue-mcts?name={PLAIN}", f"{preset}?name={rival}"]
    return [Tournament(name, engines, {**LEVEL, "games": 24, "movetime": 30}, {"games": 2 * games, "movetime": 5_000},
                       {"book": "start"})]  # fmt: skip


def _counts(games: list[Game]) -> tuple[int, int, int]:
    points = [game.points for game in games]
    return points.count(1.0), points.count(0.5), points.count(0.0)


def _of_paper(book: tuple[str, Any, Any, int]) -> Number:
    """The rival's Elo from the paper's own counts."""
    _, (_, d1, l1), (w2, d2, _), games = book
    shares = ((l1 + w2), (d1 + d2))
    wins, draws = (round(games * share / 100) for share in shares)
    return number(estimate_of_counts(wins, draws, 2 * games - wins - draws))


def _say_match(name: str, book: tuple[str, Any, Any, int]) -> Any:
    rival, as_black, as_white, _ = book

    def say(found: dict[str, Any]) -> Findings:
        results: Results = found[name]
        lines: list[list[str | Cell]] = []
        for (white, black), paper in (((PLAIN, rival), as_black), ((rival, PLAIN), as_white)):
            met = _counts([game for game in results.games if game.white == white])
            shares = (
                f"{100 * count / max(1, sum(met)):.0f} ({theirs})" for count, theirs in zip(met, paper, strict=True)
            )
            lines.append([f"{white} v {black}", *shares, f"{sum(met)}"])
        blocks: list[Block] = [Table(["White's share in %, ours (paper)", "won", "drawn", "lost", "games"], lines)]
        ours = number(results.of(rival))
        rows = [Row(f"{rival} over {PLAIN}", _of_paper(book), ours, none=0.0)]
        claims = [claim(f"{rival} is stronger than {PLAIN}", ours, above=0)] if book is DIRECT else []
        return Findings(rows, claims, blocks)

    return say


EXPERIMENTS = (
    Experiment("singh-4.1", "Table 4.1: tic-tac-toe against itself, by iterations",
               [Study("singh-4.1", _tictactoe, {"games": 20}, {"games": 100})], _say_tictactoe, seconds=20),
    Experiment("singh-4.2", "Table 4.2: book moves played at once (DM-MCTS)", _match("singh-4.2", "dm-mcts", DIRECT),
               _say_match("singh-4.2", DIRECT), seconds=50, needs=("stockfish's network",),
               why={DIFFERS: "The network is of a later Stockfish than the paper's, and the book is ours."}),
    Experiment("singh-4.3", "Table 4.3: book moves explored more (IEC-MCTS)",
               _match("singh-4.3", "iec-mcts", EXPLORED), _say_match("singh-4.3", EXPLORED), seconds=50,
               needs=("stockfish's network",),
               why={UNDECIDED: "The paper has forty games itself, and its difference is within its error."}),
)  # fmt: skip
