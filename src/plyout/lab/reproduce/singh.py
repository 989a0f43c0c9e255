"""Singh 2023, opening books: tic-tac-toe by iterations, and two ways to use a book."""

from dataclasses import asdict
from typing import Any

from plyout.engine import Limits
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.report.page import Text
from plyout.lab.reproduce.elo import number
from plyout.lab.reproduce.experiment import BOOK, LEVEL, SHORT_LEVEL, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.verdict import Number, Quote, Row, claim
from plyout.lab.statistics.estimate import estimate_of_counts
from plyout.lab.studies import tictactoe
from plyout.progress import Progress

PLAIN = "MCTS"
TIC_TAC_TOE_GAMES = 20  # the paper's shares are all multiples of 5 %
GAMES = 100  # with each colour: "evaluated over 200 games against MCTS", p. 34
# White's wins, draws and losses in percent: the plain engine with White, then with Black.
DIRECT = ("DM-MCTS", (34, 21, 45), (56, 26, 18))
EXPLORED = ("IEC-MCTS", (35, 50, 15), (15, 75, 10))

FEWER = (
    "The paper's intervals are those of 200 games, as it says (p. 34). All shares of this table are multiples of 5 %, "
    "from which one may infer forty games, and then they would be wider; it is nowhere said."
)

# fmt: off
FIRST_MOVE = Quote("it is giving an advantage to the player making the first move", "p. 27")
FAVOURS = Quote("the algorithm favours the player who moves first", "p. 28")
OVER_HALF = Quote("the clear superiority of Direct Move MCTS, which won over 50% of games against MCTS", "p. 34")
NOT_SIMILAR = Quote("the IEC-MCTS engine … does not show a similar advantage", "pp. 30, 31")
# fmt: on
ADVANTAGE = {1: FIRST_MOVE, 3: FAVOURS, 4: FAVOURS}  # by the line of Table 4.1


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
    rows, claims = [], []
    for i, one in enumerate(found["singh-4.1"]["rows"]):
        _, *paper = one["paper"]
        ours = [Number.percent(one[what], one["games"]) for what in ("won", "drawn", "lost")]
        for what, percent, seen in zip(("won", "drawn", "lost"), paper, ours, strict=True):
            theirs = Number.percent(percent / 100 * TIC_TAC_TOE_GAMES, TIC_TAC_TOE_GAMES)
            rows.append(Row(f"{one['limit']}: {what}", theirs, seen))
        if i in ADVANTAGE:
            claims.append(claim(ADVANTAGE[i], f"{one['limit']}: won less lost", ours[0].less(ours[2]), above=0.0))
    note = Text(f"The paper's shares are multiples of 5 %: {TIC_TAC_TOE_GAMES} games are assumed.")
    return Findings(rows, claims, [note], unit="% of games", digits=0)


def _match(name: str, preset: str, book: tuple[str, Any, Any]) -> Tournament:
    engines = [f"nnue-mcts?name={PLAIN}", f"{preset}?book={BOOK}&name={book[0]}"]
    return Tournament(
        name, engines,
        ({**SHORT_LEVEL, "games": 24, "movetime": 30}, {**LEVEL, "games": 2 * GAMES, "movetime": 100},
         {"games": 2 * GAMES, "movetime": 5_000}),
        {"book": "start"},
    )  # fmt: skip


def _counts(games: list[Game]) -> tuple[int, int, int]:
    points = [game.points for game in games]
    return points.count(1.0), points.count(0.5), points.count(0.0)


def _of_paper(book: tuple[str, Any, Any]) -> Number:
    """The rival's Elo from the paper's own counts."""
    _, (_, d1, l1), (w2, d2, _) = book
    wins, draws = l1 + w2, d1 + d2  # of a hundred games with each colour
    return number(estimate_of_counts(wins, draws, 2 * GAMES - wins - draws))


def _rows(results: Results, book: tuple[str, Any, Any]) -> list[Row]:
    """The paper's table line by line, and the Elo that it means."""
    rival, as_black, as_white = book
    rows = [Row(f"{rival} over {PLAIN}", _of_paper(book), number(results.of(rival)), none=0.0)]
    for (white, black), paper in (((PLAIN, rival), as_black), ((rival, PLAIN), as_white)):
        met = _counts([game for game in results.games if game.white == white])
        for what, percent, count in zip(("won", "drawn", "lost"), paper, met, strict=True):
            ours = Number.percent(count, sum(met)) if sum(met) else None
            rows.append(Row(f"{white} v {black}: {what}", Number.percent(percent, GAMES), ours, unit="%"))
    return rows


def _say_direct(found: dict[str, Any]) -> Findings:
    results: Results = found["singh-4.2"]
    met = results.of(DIRECT[0])
    won = Number.percent(met.wins, met.games)
    claims = [claim(OVER_HALF, f"games that {DIRECT[0]} won", won, above=50.0, unit="%")]
    return Findings(_rows(results, DIRECT), claims)


def _say_explored(found: dict[str, Any]) -> Findings:
    direct, explored = number(found["singh-4.2"].of(DIRECT[0])), number(found["singh-4.3"].of(EXPLORED[0]))
    what = f"gain of {DIRECT[0]} less that of {EXPLORED[0]}"
    claims = [claim(NOT_SIMILAR, what, direct.less(explored), above=0)]
    return Findings(_rows(found["singh-4.3"], EXPLORED), claims, [Text(FEWER)])


_DIRECT, _EXPLORED = _match("singh-4.2", "dm-mcts", DIRECT), _match("singh-4.3", "iec-mcts", EXPLORED)
EXPERIMENTS = (
    Experiment("singh-4.1", "Table 4.1: tic-tac-toe against itself, by iterations", "p. 26, Table 4.1",
               [Study("singh-4.1", _tictactoe, ({"games": 20}, {"games": 100}, {"games": 100}))], _say_tictactoe,
               seconds=(20, 100)),
    Experiment("singh-4.2", "Table 4.2: book moves played at once (DM-MCTS)", "p. 28, Table 4.2", [_DIRECT],
               _say_direct, seconds=(50, 1400), needs=("stockfish's network",)),
    Experiment("singh-4.3", "Table 4.3: book moves explored more (IEC-MCTS)", "p. 28, Table 4.3",
               [_DIRECT, _EXPLORED], _say_explored, seconds=(50, 1400), needs=("stockfish's network",)),
)  # fmt: skip
