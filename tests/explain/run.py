"""Explanations of positions by chance, every sentence checked: ``python -m tests.explain.run``.

Half of the positions come from random games, half are set up with few pieces, and full of mates.
"""

import argparse
import random
import sys
from collections import Counter

from plyout import Engine, Limits
from tests.explain.sentences import verify
from tests.sampling import positions, set_up

_FEWEST, _MOST = 100, 3000  # iterations of a search
SECOND = 200  # of a second one


def by_chance(count: int, seed: int, preset: str = "plyout") -> Counter[str]:
    """Search and explain so many positions, and verify every sentence; how many there were of each type."""
    rng, seen = random.Random(seed), Counter[str]()
    first, second = (Engine(preset, hash_mb=32, seed=n) for n in (1, 2))

    def fresh() -> Engine:
        second.new_game()
        return second

    games, sparse = positions(count, seed, every=7), set_up(count, seed)
    for i in range(count):
        board = next(games).copy(stack=False) if i % 2 else next(sparse)
        first.new_game()
        result = first.search(board, Limits(nodes=round(_FEWEST * (_MOST / _FEWEST) ** rng.random())))
        if result.move is not None:
            named = [rng.choice(list(board.legal_moves))]
            seen.update(verify(result, fresh, result.explain(named, nodes=SECOND, engine=fresh), SECOND))
            seen["explanations"] += 1
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    left, done, seen = arguments.positions, 0, Counter[str]()
    while left > 0:
        try:
            seen += by_chance(min(left, 50), arguments.seed + done)
        except AssertionError as error:
            print(f"seed {arguments.seed + done}: {error}")
            return 1
        left, done = left - 50, done + 1
        print(", ".join(f"{n} {name}" for name, n in seen.most_common()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
