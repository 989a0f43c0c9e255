"""Famous positions explained, and every sentence checked: ``python -m tests.explain.famous`` prints docs/why.md's."""

import sys

import chess

from plyout import Engine, Limits
from tests.explain.sentences import verify

FAMOUS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Légal's trap": ("r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1", ("Bxd1",)),
    "Légal – Saint Brie, Paris 1750": (
        "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5", ("Nxe5",),
    ),
    "Réti 1921, White draws": ("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", ("Kh7", "c7")),
    "Saavedra 1895, White wins": ("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", ("Kc7",)),
    "Saavedra, five moves on: the rook, not the queen": ("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", ("c8=Q",)),
    "Morphy at the opera, Paris 1858": ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16", ()),
    "Anderssen – Kieseritzky, London 1851": ("r1bk2nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 w - - 1 22", ()),
    "Anderssen – Dufresne, Berlin 1852": ("1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 0 21", ()),
    "A smothered mate": ("r6k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", ("Nf7+",)),
    "Levitsky – Marshall, Breslau 1912": ("5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1 b - - 1 23", ("Qg3",)),
    "The Elephant trap": ("r1bqkb1r/pppn1ppp/5n2/3p2B1/3P4/2N5/PP2PPPP/R2QKBNR w KQkq - 0 6", ("Nxd5",)),
    "A stalemate": ("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", ("Kb2",)),
}  # fmt: skip
NODES = 20_000


def main() -> int:
    first, second = (Engine("plyout", seed=1, hash_mb=64) for _ in range(2))

    def fresh() -> Engine:
        second.new_game()
        return second

    for name, (fen, named) in FAMOUS.items():
        assert chess.Board(fen).is_valid(), name
        first.new_game()
        result = first.search(fen, Limits(nodes=NODES))
        explanation = result.explain(named, nodes=NODES, most=1, engine=fresh)
        print(f"### {name}\n\n`{fen}`\n\n```\n{explanation}\n```\n", flush=True)
        verify(result, fresh, explanation)
    return 0


if __name__ == "__main__":
    sys.exit(main())
