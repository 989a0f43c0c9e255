"""Games for the tests of analyses, and a way to analyse them."""

import io
import random
from pathlib import Path

import chess
import chess.pgn
import chess.variant

from plyout.lab.analyse.analyse import Report, analyse, report
from plyout.lab.analyse.games import read_games
from plyout.lab.analyse.settings import Settings

LEGAL = """[Event "Paris"]
[White "Légal"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
"""
BLUNDER = """[White "who puts his queen en prise"]
[Black "who takes it"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 d6 5. Qe2 Nf6 6. Qe3 Bxe3 7. Bxe3 O-O *
"""
MISSED = """[White "who does not see it"]
[Black "?"]
[SetUp "1"]
[FEN "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"]
[Result "*"]

1. Ra7 { [%eval 9.99] [%clk 0:01:00] What next? } $1 ( 1. Ra8# ) 1... h6 2. Ra8+ Kh7 *
"""
REPEATED = """[White "who claims nothing"]
[Black "nor he"]
[Annotator "somebody"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 6. Nf3 Nc6 7. Ng1 Nb8 8. Nf3 Nc6 9. Ng1 Nb8 1/2-1/2
"""
FAST = {"hash_mb": 16}


def random_game(board: chess.Board, plies: int, seed: int) -> str:
    """A game of random moves, which castles where it can."""
    chance = random.Random(seed)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        castling = [move for move in moves if board.is_castling(move)]
        board.push(chance.choice(castling or moves))
    return str(chess.pgn.Game.from_board(board)) + "\n"


def chess960_game(plies: int = 24) -> str:
    """With castling in it."""
    for seed in range(1000):
        text = random_game(chess.Board.from_chess960_pos(seed), plies, seed)
        if " O-O" in text:
            return text
    raise AssertionError("nobody castles")


def crazyhouse_game(plies: int = 30) -> str:
    """With drops in it."""
    for seed in range(1000):
        text = random_game(chess.variant.CrazyhouseBoard(), plies, seed)
        if "@" in text:
            return text
    raise AssertionError("nobody drops")


def collection(folder: Path, *games: str) -> Path:
    path = folder / "games.pgn"
    path.write_text("\n".join(games), encoding="utf-8")
    return path


def analysed(path: Path, out: Path, nodes: int = 100, jobs: int = 1, why: int = 2) -> Report:
    """A file analysed, and its results written."""
    settings = Settings(nodes=nodes, why=why, changes=dict(FAST))
    found = report(analyse(read_games(path), settings, out, jobs, quiet=True), settings)
    found.write(out, path.name)
    return found


def read_back(text: str) -> list[chess.pgn.Game]:
    file, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        assert game.errors == []
        games.append(game)
    return games
