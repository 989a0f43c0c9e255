"""Positions with published move counts, and positions chosen for what is hard about them."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE_IN_1 = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"

CHESS_COUNTS: dict[str, list[int]] = {
    # Chess Programming Wiki, "Perft Results": depth 1, 2, 3 …
    START: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333, 15833292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487, 89941194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890, 3894594, 164075551],
    # the same, "Chess960 Perft Results"
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672, 8146062],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002, 667366, 16253601],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [20, 479, 10471, 273318, 6417013],
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": [22, 593, 13440, 382958, 9183776],
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9": [28, 1120, 31058, 1171749, 34030312],
}

CRAZYHOUSE_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"

CRAZYHOUSE_COUNTS: dict[str, list[int]] = {
    # python-chess's and shakmaty's test-suites
    CRAZYHOUSE_START: [20, 400, 8902, 197281, 4888832],
    "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1": [301, 75353],
    "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1": [67, 3083, 88634, 932554],
    "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1": [42, 1347, 58057, 2083382],
    "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1": [20, 360, 5445, 132758],
}

CASTLING_960 = {
    "the rook is pinned on the first rank": "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
    "the rook shields the king only after castling": "4k3/8/8/8/8/8/8/r1RK4 w C - 0 1",
    "the king stays, a-side": "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
    "the king stays, h-side": "6kr/8/8/8/8/8/8/4K3 b h - 0 1",
    "the rook stays": "4k3/8/8/8/8/8/8/3RK3 w D - 0 1",
    "king and rook swap, h-side": "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "king and rook swap, a-side": "2rk4/8/8/8/8/8/8/4K3 b c - 0 1",
    "both go across the board": "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    "the king passes an attacked square": "4k3/8/8/4r3/8/8/8/1K5R w H - 0 1",
    "the king arrives on an attacked square": "4k3/8/8/6r1/8/8/8/1K5R w H - 0 1",
    "the rook passes an attacked square": "4k3/1r6/8/8/8/8/8/R3K3 w A - 0 1",
    "another rook stands in the way": "4k3/8/8/8/8/8/8/RR1K4 w B - 0 1",
    "the inner rook has the right": "7k/8/8/8/8/8/8/1K2R1R1 w E - 0 1",
    "the castling rook unmasks nothing": "1r2k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
    "the king stands in check": "4k3/8/8/8/1b6/8/8/R3K2R w HA - 0 1",
    "an enemy stands on the rook's goal": "4k3/8/8/8/8/8/8/RK3n1R w HA - 0 1",
}

CRAZYHOUSE_CASES = {
    "full pockets": "r2q1rk1/pp3ppp/8/8/8/8/PPP2PPP/R2Q1RK1[QRBNPPqrbnpp] w - - 0 20",
    "a check that drops can parry": "4k3/8/8/8/4r3/8/8/4K3[QNP] w - - 0 1",
    "a contact check that no drop can parry": "4k3/8/8/8/8/8/4q3/4KB2[QNP] w - - 0 1",
    "a knight's check": "4k3/8/8/8/8/3n4/8/4K3[QNP] w - - 0 1",
    "double check": "4k3/8/8/8/1b2r3/8/8/4K3[QNP] w - - 0 1",
    "promoted men are taken": "r~n~2k3/1P6/8/8/8/8/1p6/R~N~2K3[] w - - 0 1",
    "a promoted man moves on": "4k3/8/8/8/8/8/q~7/4K3[p] b - - 0 1",
    "castling with promoted rooks about": "r3k2r/8/8/8/8/8/8/R~3K2R[Pp] w Kkq - 0 1",
    "en passant fills the pocket": "4k3/8/8/3pP3/8/8/8/4K3[n] w - d6 0 2",
    "a pin": "4k3/4r3/8/8/8/4N3/8/4K3[B] w - - 0 1",
    "more men than a side has": "qqqqkqqq/pppppppp/pp6/8/8/8/8/K7[Nn] b - - 0 1",
}

# What makes drawing a random move hard: sets of very different sizes and king's steps that prove illegal.
DRAWS = {
    "start": START,
    "many kinds of moves": KIWIPETE,
    "pins on all lines": "4r2k/8/7b/8/q3N2K/4P3/5B2/4r2b w - - 0 1",
    "pinned sliders": "4r2k/8/8/8/1b5b/4R3/3Q1B2/r1B1KR1r w - - 0 1",
    "check": "4k3/8/8/8/4r3/8/3P1P2/R2QKBN1 w - - 0 1",
    "a knight's check": "4k3/8/8/8/8/3n4/2P5/R2QKB1R w KQ - 0 1",
    "double check": "4k3/8/8/8/1b2r3/8/3N4/R2QKB1R w KQ - 0 1",
    "en passant by two pawns": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "en passant pin on the rank": "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2",
    "en passant pin of one taker": "2r4k/8/8/2PpP3/8/8/8/2K5 w - d6 0 2",
    "castling": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "castling in Chess960": "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    "promotions": "1n1n4/P1P1P2k/8/8/8/8/8/4K3 w - - 0 1",
    "king with many illegal steps": "3r1r1k/8/8/4K3/8/3r4/8/8 w - - 0 1",
    "king alone": "7k/8/8/3qK3/8/8/8/8 w - - 0 1",
    "black to move": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
}

CRAZYHOUSE_DRAWS = {"start": CRAZYHOUSE_START, **CRAZYHOUSE_CASES}
