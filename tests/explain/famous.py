"""Famous positions explained, and every sentence checked: ``python -m tests.explain.famous`` prints docs/why.md's.

With words behind it, only those with one of them in their names.
"""

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
    "Lasker – Bauer, Amsterdam 1889, both bishops given": (
        "r4r2/1b2bp1k/ppq1p3/2pp4/5PQ1/1P2P3/P1PP2PP/R4RK1 w - - 2 19", ("Rf3",),
    ),
    "Schulder – Boden, London 1853": (
        "2k1rb1r/ppp3pp/2n2q2/3B1b2/5P2/2P1BQ2/PP1N1P1P/2KR3R b - - 0 14", ("Qxc3+",),
    ),
    "Réti – Tartakower, Vienna 1910": ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9", ("Qd8+", "Qxe4")),
    "Edward Lasker – Thomas, London 1912": (
        "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 6 11", ("Qxh7+", "Nxf6+"),
    ),
    "Anastasia's mate": ("5rk1/1b3ppp/8/2RN4/8/8/2Q2PPP/6K1 w - - 0 1", ("Ne7+",)),
    "Damiano's mate": ("5rk1/6p1/4p1P1/8/8/8/8/2KQ3R w - - 0 1", ("Rh8+",)),
    "Emanuel Lasker's trap in the Albin counter-gambit: the knight, not the queen": (
        "rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 1 7", ("fxg1=N+", "fxg1=Q"),
    ),
    "The trébuchet: who is to move loses": ("8/8/8/4pK2/3kP3/8/8/8 w - - 0 1", ("Kf6",)),
}  # fmt: skip
GAMES: dict[str, tuple[str, str]] = {
    "Légal – Saint Brie, Paris 1750": ("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6", "Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"),
    "The Elephant trap": ("d4 d5 c4 e6 Nc3 Nf6 Bg5 Nbd7 cxd5 exd5", "Nxd5 Nxd5 Bxd8 Bb4+ Qd2 Bxd2+ Kxd2 Kxd8"),
    "Morphy at the opera, Paris 1858": (
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 "
        "Rxd7 Rd1 Qe6 Bxd7+ Nxd7", "Qb8+ Nxb8 Rd8#",
    ),
    "Lasker – Bauer, Amsterdam 1889, both bishops given": (
        "f4 d5 e3 Nf6 b3 e6 Bb2 Be7 Bd3 b6 Nc3 Bb7 Nf3 Nbd7 O-O O-O Ne2 c5 Ng3 Qc7 Ne5 Nxe5 Bxe5 Qc6 Qe2 a6 Nh5 Nxh5 "
        "Bxh7+ Kxh7 Qxh5+ Kg8 Bxg7 Kxg7 Qg4+ Kh7", "Rf3 e5 Rh3+ Qh6 Rxh6+ Kxh6 Qd7",
    ),
    "Schulder – Boden, London 1853": (
        "e4 e5 Nf3 d6 c3 f5 Bc4 Nf6 d4 fxe4 dxe5 exf3 exf6 Qxf6 gxf3 Nc6 f4 Bd7 Be3 O-O-O Nd2 Re8 Qf3 Bf5 O-O-O d5 "
        "Bxd5", "Qxc3+ bxc3 Ba3#",
    ),
    "Réti – Tartakower, Vienna 1910": (
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4", "Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
    ),
    "Edward Lasker – Thomas, London 1912": (
        "d4 e6 Nf3 f5 Nc3 Nf6 Bg5 Be7 Bxf6 Bxf6 e4 fxe4 Nxe4 b6 Ne5 O-O Bd3 Bb7 Qh5 Qe7",
        "Qxh7+ Kxh7 Nxf6+ Kh6 Neg4+ Kg5 h4+ Kf4 g3+ Kf3 Be2+ Kg2 Rh2+ Kg1 Kd2#",
    ),
    "Emanuel Lasker's trap in the Albin counter-gambit: the knight, not the queen": (
        "d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3 Bxb4 exf2+ Ke2", "fxg1=N+ Ke1 Qh4+",
    ),
}  # fmt: skip
"""How positions came up that are from games or openings, and how these went on."""
NODES = 20_000
PRESET = "plyout-tactics"
"""What it has beside the default's parts is there for sacrifices, which many of these are."""


def main() -> int:
    first, second = (Engine(PRESET, seed=1, hash_mb=64) for _ in range(2))

    def fresh() -> Engine:
        second.new_game()
        return second

    for name, (fen, named) in FAMOUS.items():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        assert chess.Board(fen).is_valid(), name
        first.new_game()
        result = first.search(fen, Limits(nodes=NODES))
        explanation = result.explain(named, nodes=NODES, most=1, engine=fresh)
        print(f"### {name}\n\n`{fen}`\n\n```\n{explanation}\n```\n", flush=True)
        verify(result, fresh, explanation, NODES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
