"""Independent references for the tables: Gaviota's and Syzygy's tables, and published statistics.

``python -m tests.knowledge.tables.oracle`` compares everything with them (``make tables``); the tests take samples.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.gaviota
import chess.syzygy
import pytest

from plyout.knowledge.tables import ENDINGS, Ending, Library, open_tables
from plyout.knowledge.tables.fetch import syzygy_folder
from plyout.knowledge.tables.library import longest, position
from plyout.knowledge.tables.probe import IMPOSSIBLE
from plyout.progress import Progress

GAVIOTA = Path("/usr/share/gaviotatb/gtb4")

# The longest mates in moves, by White and by Black, each when to move: Nalimov's tables, as Scid's file tb.tcl lists
# their statistics; 0 where that side cannot win by force.
LONGEST = {
    "KQK": (10, 0), "KRK": (16, 0), "KBK": (0, 0), "KNK": (0, 0), "KPK": (28, 0),
    "KQKQ": (13, 13), "KQKR": (35, 19), "KQKB": (17, 0), "KQKN": (21, 0), "KQKP": (28, 29),
    "KRKR": (19, 19), "KRKB": (29, 0), "KRKN": (40, 1), "KRKP": (26, 43), "KBKB": (1, 1), "KBKN": (1, 1),
    "KBKP": (1, 29), "KNKN": (1, 1), "KNKP": (7, 29), "KPKP": (33, 33),
    "KQQK": (4, 0), "KQRK": (6, 0), "KQBK": (8, 0), "KQNK": (9, 0), "KQPK": (10, 0), "KRRK": (7, 0),
    "KRBK": (16, 0), "KRNK": (16, 0), "KRPK": (16, 0), "KBBK": (19, 0), "KBNK": (33, 0), "KBPK": (31, 0),
    "KNNK": (1, 0), "KNPK": (27, 0), "KPPK": (32, 0),
}  # fmt: skip


def open_gaviota() -> chess.gaviota.PythonTablebase:
    """Gaviota's 3-piece tables, from Debian's package."""
    if not GAVIOTA.is_dir():
        pytest.skip(f"Gaviota's tables are not in {GAVIOTA}: install Debian's gaviotatb")
    tables = chess.gaviota.PythonTablebase()
    tables.add_directory(str(GAVIOTA))
    return tables


def syzygy_path() -> Path:
    folder = Path(os.environ.get("PLYOUT_SYZYGY", syzygy_folder()))
    if not folder.is_dir():
        pytest.skip(f"Syzygy's tables are not in {folder}: 'plyout tables fetch-syzygy' puts them there")
    return folder


def open_syzygy() -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(str(syzygy_path()))


def image(board: chess.Board, rng: random.Random) -> chess.Board:
    """The same position turned, mirrored and with colours changed at random, as far as that changes nothing."""
    if rng.random() < 0.5:
        board = board.mirror()
    if rng.random() < 0.5:
        board = board.transform(chess.flip_horizontal)
    if not board.pawns:
        for flip in (chess.flip_vertical, chess.flip_diagonal):
            if rng.random() < 0.5:
                board = board.transform(flip)
    return board


def all_positions(ending: Ending, table: Any, share: float, rng: random.Random) -> Iterator[chess.Board]:
    """A share of the entries of a table, each as one of its images."""
    for entry in range(ending.entries):
        if table[entry] != IMPOSSIBLE and (share == 1.0 or rng.random() < share):
            yield image(position(ending, entry), rng)


def random_position(ending: Ending, rng: random.Random) -> chess.Board:
    """A random legal position of an ending, of either colour; with the right to take en passant wherever it can be."""
    while True:
        board = chess.Board(None)
        white, black = ending.name[1:].split("K")
        for letter, colour in [("K", True), ("K", False), *((m, True) for m in white), *((m, False) for m in black)]:
            board.set_piece_at(rng.randrange(64), chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), colour))
        board.turn = rng.random() < 0.5
        if board.occupied.bit_count() != ending.pieces or not board.is_valid():
            continue
        if white == black == "P":
            pawn = next(iter(board.pieces(chess.PAWN, not board.turn)))
            behind = pawn + (8 if board.turn else -8)
            board.ep_square = behind if chess.square_rank(pawn) == (4 if board.turn else 3) else None
            if not board.has_legal_en_passant() or not board.is_valid():
                board.ep_square = None
        return image(board, rng)


def en_passant_position(rng: random.Random) -> chess.Board:
    """A random position of KPKP where taking en passant is legal."""
    while True:
        board = chess.Board(None)
        file, side = rng.randrange(8), rng.choice((-1, 1))
        if not 0 <= file + side < 8:
            continue
        board.set_piece_at(32 + file, chess.Piece(chess.PAWN, True))
        board.set_piece_at(32 + file + side, chess.Piece(chess.PAWN, False))
        for colour in chess.COLORS:
            board.set_piece_at(rng.randrange(64), chess.Piece(chess.KING, colour))
        board.ep_square = 40 + file + side
        if board.occupied.bit_count() == 4 and board.is_valid() and board.has_legal_en_passant():
            return board.mirror() if rng.random() < 0.5 else board


def signed_plies(library: Library, board: chess.Board) -> int:
    """The distance as Gaviota gives it: positive for a win, negative for a loss, 0 for a draw and where mated."""
    answer = library.probe(board)
    assert answer is not None, board.fen()
    return 0 if answer.plies is None else answer.plies if answer.result == "win" else -answer.plies


def compare_distances(library: Library, theirs: chess.gaviota.PythonTablebase, boards: Iterable[chess.Board]) -> int:
    count = 0
    for board in boards:
        ours, expected = signed_plies(library, board), theirs.probe_dtm(board)
        assert ours == expected, f"{board.fen()}: the table says {ours}, Gaviota {expected}"
        count += 1
    return count


def compare_results(library: Library, theirs: chess.syzygy.Tablebase, boards: Iterable[chess.Board]) -> int:
    """A win that the fifty-move rule may spoil (±1) counts as a win here, as our tables ignore the rule."""
    count = 0
    for board in boards:
        answer, wdl = library.probe(board), theirs.probe_wdl(board)
        assert answer is not None
        expected = "win" if wdl > 0 else "loss" if wdl < 0 else "draw"
        assert answer.result == expected, f"{board.fen()}: the table says {answer.result}, Syzygy {expected}"
        count += 1
    return count


def longest_mates(ending: Ending, table: Any) -> tuple[int, int]:
    mates = {side: moves for side, (moves, _) in longest(ending, table).items()}
    white = mates.get("white", 0)
    return white, white if ending.even else mates.get("black", 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=240_000, help="random 4-piece positions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, library = random.Random(options.seed), open_tables(4)
    wrong = [name for name in ENDINGS if longest_mates(ENDINGS[name], library.tables[name]) != LONGEST[name]]
    assert not wrong, f"the longest mate is not the published one in {wrong}"
    print(f"longest mates of {len(LONGEST)} endings: all as published")
    threes = [e for e in ENDINGS.values() if e.pieces == 3]
    fours = [e for e in ENDINGS.values() if e.pieces == 4]
    gaviota_tables, syzygy_tables = open_gaviota(), open_syzygy()
    began, distances, results = time.perf_counter(), 0, 0
    for ending in threes:
        boards = list(all_positions(ending, library.tables[ending.name], 1.0, rng))
        distances += compare_distances(library, gaviota_tables, boards)
        results += compare_results(library, syzygy_tables, boards)
    print(f"all {distances:,} 3-piece positions: distances are Gaviota's, {results:,} results Syzygy's")
    each, results = -(-options.random // len(fours)), 0
    with Progress("positions", each * len(fours)) as progress:
        for ending in fours:
            results += compare_results(library, syzygy_tables, (random_position(ending, rng) for _ in range(each)))
            progress.step(each)
    passing = compare_results(library, syzygy_tables, (en_passant_position(rng) for _ in range(20_000)))
    print(f"{results:,} random 4-piece positions and {passing:,} en passant: results are Syzygy's")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except pytest.skip.Exception as reason:
        sys.exit(str(reason))
