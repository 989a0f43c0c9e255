"""Compare trap lists of levels 1 and 3 with an exhaustive search by python-chess: ``python -m tests.fuzz.traps``.

Half of the positions come from random games, as far as the search takes no more than seconds; half are set up with few
pieces, and full of mates.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

import chess

from tests.sampling import positions, set_up
from tests.search.traps.test_traps import by_brute_force, listed

MOST_MOVES = 22  # of either side, in a position of a random game


def boards(count: int, seed: int) -> Iterator[chess.Board]:
    games = (board for board in positions(10**9, seed, every=3) if board.legal_moves.count() <= MOST_MOVES)
    for i, sparse in enumerate(set_up(count, seed, pieces="QRBNPP")):
        turned = sparse.copy()
        turned.turn = not sparse.turn  # the side with fewer pieces is to move: many of its moves are traps
        yield next(games) if i % 2 else turned if turned.is_valid() and any(turned.legal_moves) else sparse


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    seen = Counter[int]()
    for number, board in enumerate(boards(arguments.positions, arguments.seed), 1):
        expected = by_brute_force(board, 3)
        if listed(board, 3) != expected:
            print(f"seed {arguments.seed}: {board.fen()}: {listed(board, 3)} should be {expected}")
            return 1
        seen.update(expected.values())
        if number % 20 == 0:
            print(f"{number} positions equal, {seen[1]} traps of level 1, {seen[3]} of level 3", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
