"""``plyout study``: the three position studies of Arenz 2012, with the paper's figures beside ours."""

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any

import chess
from rich.table import Table

from plyout.engine import Engine, Limits
from plyout.engine.result import Result
from plyout.games import CHESS
from plyout.lab.report.terminal import terminal
from plyout.lab.studies.answer import Answer
from plyout.lab.statistics.estimate import Z
from plyout.playout.random import random_games
from plyout.progress import Progress

# The pieces on the squares where they begin a game: the thesis shows its position only as a picture.
QUEEN_ENDING = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
RETI = "8/6p1/1kP2p1p/7K/8/8/8/8 w - - 0 1"
ACCURACY = "e4 Nf6 e5 c5 exf6"
ACCURACY_LINE = (("gxf6", 49.81), ("g4", 50.02), ("d5", 49.78), ("f4", 49.81), ("Bxg4", 49.33), ("Qxg4", 49.96))


def queen_ending(playouts: int, seconds: float, seed: int, quiet: bool) -> Answer:
    """How often random play wins with king and queen against king (Figure 6)."""
    state, wins, draws, done = CHESS.parse(QUEEN_ENDING), 0, 0, 0

    def answer() -> Answer | None:
        return _queen_ending(done, wins, draws, seed) if done else None

    with Progress("playouts", playouts, quiet, keep=answer) as progress:
        while done < playouts:
            last = min(done + 5_000, playouts)
            tally = random_games(CHESS, state, seed, done, last)
            wins, draws, by = wins + tally.white, draws + tally.draw, last - done
            done = last
            progress.step(by)
    return _queen_ending(done, wins, draws, seed)


def _queen_ending(playouts: int, wins: int, draws: int, seed: int) -> Answer:
    share = wins / playouts
    error = Z * sqrt(share * (1 - share) / playouts)
    return Answer({
        "study": "queen-ending", "fen": QUEEN_ENDING, "playouts": playouts, "seed": seed,
        "white_wins_percent": 100 * share, "error_percent": 100 * error,
        "white_score_percent": 100 * (wins + draws / 2) / playouts,
        "paper": {"white_wins_percent": 0.4988, "white_score_percent": 50.2494, "playouts": 1_000_000},
    })  # fmt: skip


def placements(count: int, playouts: int, seed: int) -> list[float]:
    """The share of such games that White wins, in percent, from so many other squares of the three pieces."""
    chance, shares = Random(seed), list[float]()
    while len(shares) < count:
        board = chess.Board(None)
        for square, piece in zip(chance.sample(chess.SQUARES, 3), "KQk", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid():
            tally = random_games(CHESS, CHESS.parse(board.fen()), seed, 0, playouts)
            shares.append(100 * tally.white / playouts)
    return shares


def _seconds_to_find(engine: Engine, fen: str, wanted: chess.Move, seconds: float) -> dict[str, Any]:
    """Search for so long; when the engine settled on the wanted move for good, if it did."""
    found: list[float | None] = [None]

    def watch(result: Result) -> None:
        if result.move != wanted:
            found[0] = None
        elif found[0] is None:
            found[0] = result.seconds

    result = engine.search(fen, Limits(movetime=1000 * seconds), on_progress=watch, every=0.02)
    watch(result)
    return {"found_after_s": found[0], "answer": str(result.move), "nodes": result.nodes, "nps": result.nps}


def reti(playouts: int, seconds: float, seed: int, quiet: bool) -> Answer:
    """Réti's study: only 1.Kg6 draws (Figure 7); repeating drawn playouts helps to see it.

    The engine is the thesis' MCC_Combined with the 3-piece tables.
    """
    runs: list[dict[str, Any]] = []
    answer = Answer({"study": "reti", "fen": RETI, "seconds": seconds, "seed": seed, "runs": runs})
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("mcc-combined, 3-piece tables", {}, "about 2 minutes"),
        ("the same, drawn playouts repeated", {"draw_repeats": 6}, "within 10 s"),
    ]
    with Progress("searches", len(cases), quiet, keep=lambda: answer if runs else None) as progress:
        for name, changes, paper in cases:
            engine = Engine("mcc-combined", tables=3, seed=seed, **changes)
            engine.prepare()
            runs.append(
                {"engine": name, **_seconds_to_find(engine, RETI, chess.Move.from_uci("h5g6"), seconds), "paper": paper}
            )
            progress.step()
    return answer


def accuracy(playouts: int, seconds: float, seed: int, quiet: bool) -> Answer:
    """What random playouts think of a line in which White is winning (Figures 8, 9): the root alone is expanded."""
    board = chess.Board()
    for san in ACCURACY.split():
        board.push_san(san)
    engine = Engine("mcc", depth=1, seed=seed)
    rows: list[dict[str, Any]] = []
    answer = Answer({"study": "accuracy", "start": ACCURACY, "playouts": playouts, "seed": seed, "rows": rows})
    with Progress("positions", len(ACCURACY_LINE), quiet, keep=lambda: answer if rows else None) as progress:
        for san, paper in ACCURACY_LINE:
            engine.new_game()
            result = engine.search(board, Limits(nodes=playouts))
            move = board.parse_san(san)
            ours = next(m for m in result.moves if m.move == move)
            value = ours.value if board.turn else 1 - ours.value
            error = Z * 0.2 / sqrt(max(1, ours.visits))  # 85% of the games are drawn: a deviation of 0.2
            rows.append({
                "move": san, "white_percent": 100 * value, "error_percent": 100 * error,
                "visits": int(ours.visits), "rank": 1 + [m.move for m in result.moves].index(move),
                "our_choice": board.san(result.moves[0].move), "paper_percent": paper,
            })  # fmt: skip
            board.push(move)
            progress.step()
    return answer


STUDIES: dict[str, Callable[[int, float, int, bool], Answer]] = {
    "reti": reti,
    "queen-ending": queen_ending,
    "accuracy": accuracy,
}


def show(answer: dict[str, Any]) -> None:
    """A study's answer on the terminal."""
    terminal().print(table(answer))


def table(answer: dict[str, Any]) -> Table:
    """A study's answer as a table."""
    if answer["study"] == "queen-ending":
        grid = Table("king and queen against king, random play", "ours", "Arenz 2012")
        paper = answer["paper"]
        ours = f"{answer['white_wins_percent']:.4f} % ± {answer['error_percent']:.4f}"
        grid.add_row("won by White", ours, f"{paper['white_wins_percent']:.4f} %")
        grid.add_row("White's score", f"{answer['white_score_percent']:.4f} %", f"{paper['white_score_percent']:.4f} %")
        grid.add_row("playouts", f"{answer['playouts']:,}", f"{paper['playouts']:,}")
    elif answer["study"] == "reti":
        grid = Table("Réti: 1.Kg6 draws", "settled on it after", "answer", "iterations/s", "Arenz 2012")
        for run in answer["runs"]:
            after = run["found_after_s"]
            when = f"not within {answer['seconds']:.0f} s" if after is None else f"{after:.2f} s"
            grid.add_row(run["engine"], when, run["answer"], f"{run['nps']:,}", run["paper"])
    else:
        grid = Table("after", "White's score, ours", "Arenz 2012", "visits", "rank", "our choice there")
        for row in answer["rows"]:
            ours = f"{row['white_percent']:.2f} % ± {row['error_percent']:.2f}"
            cells = (ours, f"{row['paper_percent']:.2f} %", f"{row['visits']:,}", str(row["rank"]), row["our_choice"])
            grid.add_row(row["move"], *cells)
    return grid
