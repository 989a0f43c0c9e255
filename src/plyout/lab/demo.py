"""``plyout demo``: the rules at work on a famous position."""

import time

import chess
from rich.console import Console
from rich.table import Table

from plyout.games import CHESS
from plyout.playout.random import Tally, random_games

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
GAMES_A_MOVE = 4_000


def run() -> None:
    console = Console()
    board = chess.Board(LEGAL)
    console.print(f"Légal's trap: {LEGAL}\n{board.unicode(empty_square='·')}\n")
    state = CHESS.parse(LEGAL)
    for depth in range(1, 6):
        began = time.perf_counter()
        nodes = CHESS.perft(state, depth)
        console.print(f"perft {depth}: {nodes:>12,} in {time.perf_counter() - began:.3f} s")
    began = time.perf_counter()
    rows: list[tuple[float, str, Tally]] = []
    for move in CHESS.moves(state):
        tally = random_games(CHESS, CHESS.after(state, move), 1, 0, GAMES_A_MOVE)
        score = (tally.black + tally.draw / 2) / GAMES_A_MOVE
        rows.append((score, board.san(chess.Move.from_uci(CHESS.move_text(state, move))), tally))
    seconds = time.perf_counter() - began
    table = Table("move", "Black wins", "drawn", "White wins", "score", title="after each move, random games")
    for score, san, tally in sorted(rows, reverse=True)[:8]:
        shares = [f"{100 * games / GAMES_A_MOVE:.1f} %" for games in (tally.black, tally.draw, tally.white)]
        table.add_row(san, *shares, f"{score:.3f}")
    console.print(table)
    games = len(rows) * GAMES_A_MOVE
    console.print(f"{games:,} games in {seconds:.1f} s: {games / seconds:,.0f} a second")
