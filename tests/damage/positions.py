"""Files of games and positions: how to make one, and how to read it and use what it says."""

from functools import cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np

from plyout.errors import InputError
from plyout.knowledge.books.games import Counts, Reading, count_games
from plyout.lab.match.openings import openings
from plyout.lab.match.read import read_games
from plyout.lab.puzzles.read import read_puzzles
from plyout.lab.puzzles.read import shipped as shipped_puzzles
from plyout.lab.statistics.ratings import ratings
from plyout.lab.traps.density import sample
from plyout.lab.traps.positions import load as load_traps
from plyout.lab.traps.study import pairs_in
from tests.damage.making import text

FROM_AN_ENDING = """[Event "e"]
[White "b"]
[Black "a"]
[Result "1/2-1/2"]
[Round "9"]
[PlyCount "2"]
[Opening "Grob"]
[FEN "8/8/8/8/8/5k2/7p/5K2 w - - 0 1"]
[SetUp "1"]

1. Ke1 { [%eval -9.2] } h1=Q+ 1/2-1/2"""
LINES = ("e2e4 e7e5 g1f3 b8c6 f1b5", "d2d4 d7d5 c2c4 e7e6", "e2e4 c7c5 g1f3 d7d6", "g1f3 d7d5 g2g3")


@cache
def boards() -> list[chess.Board]:
    found = [chess.Board()]
    for line in LINES:
        board = chess.Board()
        for uci in line.split():
            board.push_uci(uci)
            found.append(board.copy())
    return found


def games(folder: Path) -> Path:
    texts = []
    for number, line in enumerate(LINES):
        game = chess.pgn.Game({"Event": "e", "Round": str(number), "White": "a", "Black": "b", "Result": "1-0"})
        node: chess.pgn.GameNode = game
        for uci in line.split():
            node = node.add_variation(chess.Move.from_uci(uci), comment="+0.3/8 0.1s")
        texts.append(str(game))
    path = folder / "games.pgn"
    path.write_text("\n\n".join([*texts, FROM_AN_ENDING]) + "\n")
    return path


def read_rated(path: Path) -> Any:
    found = read_games(path)
    try:
        ratings(found[0])
    except InputError as error:  # which is about the players, whatever file they come from
        raise InputError(f"{path}: {error}") from None
    return found


def read_for_traps(path: Path) -> Any:
    return sample(path, 10, 1)


def read_openings(path: Path) -> Any:
    return [opening.board().fen() for opening in openings(str(path), seed=0)]


def read_for_a_book(path: Path) -> Any:
    counts = count_games([path], path.with_suffix(".part"))
    return len(counts.book("games", min_games=1))


def half_read(folder: Path) -> Path:
    """What an interrupted reading of games has saved."""
    source = games(folder)
    reading = Reading([source], folder / "book.part", Counts(24))
    reading.counts = count_games([source], folder / "other.part")
    reading.save()
    return reading.part


def read_the_rest(path: Path) -> Any:
    reading = Reading([path.with_name("games.pgn")], path, Counts(24))
    reading.resume()
    reading.read(quiet=True)
    book = reading.counts.book("games", min_games=1)
    assert np.isfinite(book.weights).all()
    return len(book)


def positions(folder: Path) -> Path:
    path = folder / "openings.epd"
    lines = [f'{board.epd()} id "line {i}";' for i, board in enumerate(boards()[1:])]
    path.write_text("\n".join([*lines, boards()[-1].fen()]) + "\n")
    return path


def puzzles(folder: Path) -> Path:
    text = resources.files("plyout.lab.puzzles").joinpath(shipped_puzzles()[0]).read_text(encoding="utf-8")
    path = folder / "puzzles.epd"
    path.write_text("\n".join(text.splitlines()[:8]) + "\n")
    return path


solutions = text(
    "puzzles.txt",
    "A mate\n6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n1. Ra8#\n\nAnother\n7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n1. Qg7#\n",
)


def read_asked(path: Path) -> Any:
    return [(p.name, p.board.fen(), p.asked) for p in read_puzzles(str(path))]


def traps(folder: Path) -> Path:
    path = folder / "traps.epd"
    path.write_text("".join(record.epd + "\n" for record in load_traps(None)[:8]))
    return path


def read_traps(path: Path) -> Any:
    return [(record.epd, record.level) for record in load_traps(path)]


def pairs(folder: Path) -> Path:
    path = folder / "pairs.csv"
    fens = [board.fen() for board in boards()]
    path.write_text("before,now\n" + "".join(f"{a},{b}\n" for a, b in pairwise(fens)))
    return path


def read_pairs(path: Path) -> Any:
    return [pair.labels for pair in pairs_in(path)]
