"""Lines: beside every root move stands a legal one that ends with the game, and beside every mate the line that proves
it. python-chess is the judge."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import chess
import pytest

from plyout import Engine, Limits
from plyout.lab.puzzles.read import read_puzzles
from tests.engine.judge import judge
from tests.sampling import positions, set_up

LEGALS_TRAP = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


def puzzles(every: int) -> Iterator[chess.Board]:
    """Mates in two and three from games, and the same after the first move: the side to move is mated, then."""
    for name in ("mate-in-2.epd", "mate-in-3.epd"):
        for puzzle in read_puzzles(name)[::every]:
            yield puzzle.board.copy()
            mated = puzzle.board.copy()
            mated.push(puzzle.best[0])
            yield mated


def endings() -> Iterator[chess.Board]:
    for fen in ("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", "8/8/8/3k4/8/8/8/R3K3 b - - 0 1", "7k/8/5K2/8/8/8/8/R7 b - - 0 1",
                "8/1P1k4/8/8/8/8/8/4K3 w - - 0 1", "7k/R7/8/8/8/1P6/8/1R2K3 w - - 98 90"):  # fmt: skip
        yield chess.Board(fen)


def corpus(size: int) -> Iterator[chess.Board]:
    """Positions with mates, with proofs by tables, and from random games with their history."""
    yield chess.Board(LEGALS_TRAP)
    yield from endings()
    yield from puzzles(every=max(1, 640 // size))
    for board in chain(set_up(size // 3, seed=61, pieces="QRBNPP"), positions(size // 3, seed=62, every=9)):
        if not board.is_game_over(claim_draw=True):
            yield board.copy()


@pytest.mark.parametrize(
    "preset, nodes",
    [("plyout", 1500), ("mcc-combined", 1500), ("mcgs-solver", 1500), ("alphabeta", 4000), ("alphabeta-v1", 4000)],
)
def test_every_line_is_legal_ends_with_the_game_and_proves_what_is_said(preset: str, nodes: int) -> None:
    engine = Engine(preset, hash_mb=16)
    seen, wrong = Counter[str](), []
    for board in corpus(size=60):
        engine.new_game()
        wrong += judge(board, engine.search(board, Limits(nodes=nodes)), seen)
    assert not wrong, "\n".join(wrong[:10])
    assert seen["win with its distance"] >= 20 and seen["loss with its distance"] >= 20, seen
    assert seen["proven by trying everything"] >= 20, seen
