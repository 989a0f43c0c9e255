"""Play random games in Plyout and python-chess side by side and compare them at every position.

Uniformly random games from the start position hardly ever repeat a position, castle, or meet a pinned
en passant taker, so some games start from sparse or crafted positions and some prefer certain moves.

    python tests/fuzz/differential.py --positions 1000000 --seed 1 --jobs 2
"""

import argparse
import itertools
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import chess
import chess.polyglot
import chess.variant
import numpy as np

from plyout.games import CHESS, CRAZYHOUSE, Game, State, state_of
from plyout.games.chess.board import HISTORY, KEY, MEMORY, NUMBER, PAST, TURN
from plyout.games.chess.border import decode, encode
from plyout.games.chess.keys import key_from_scratch
from plyout.kernel import signed

SLICE = 5_000  # positions that one worker compares before it reports
THOROUGH = 1 / 5  # the share of positions where the slow comparisons are made too

VARIANTS: dict[str, Game] = {"chess": CHESS, "chess960": CHESS, "crazyhouse": CRAZYHOUSE}


class Difference(AssertionError):
    """Plyout and python-chess disagree."""


@dataclass
class Report:
    """What a run has met."""

    positions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "Report") -> "Report":
        self.positions += other.positions
        self.ends += other.ends
        self.moves += other.moves
        return self


# --- comparing -------------------------------------------------------------------------------------------------------


def ending(board: chess.Board, legal: list[chess.Move]) -> str | None:
    """Why the game is over by python-chess's rules, if it is."""
    if not legal:
        return "checkmate" if board.is_check() else "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_fifty_moves():
        return "fifty moves"
    return "repetition" if board.is_repetition(3) else None


def same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Difference(f"{what}: Plyout has {ours}, python-chess {theirs}")


def compare(game: Game, state: State, board: chess.Board) -> str | None:
    """Check all that is cheap to check; return why the game is over, if it is."""
    legal = list(board.legal_moves)
    moves = game.moves(state)
    ours = {decode(move, board.chess960) for move in moves}
    same("legal moves", sorted(map(str, ours - set(legal))), [])
    same("missing moves", [], sorted(map(str, set(legal) - ours)))
    same("number of moves", len(moves), len(legal))
    same("check", game.outcome(state, 0) == 0.0, board.is_check())
    same("FEN", game.show(state), board.fen(en_passant="xfen"))
    same("key from scratch", int(key_from_scratch(state)), int(state[KEY]))
    if game is CHESS:
        same("Polyglot key", int(state[KEY]), signed(chess.polyglot.zobrist_hash(board)))
    end = ending(board, legal)
    score = {None: -1.0, "checkmate": 0.0}.get(end, 0.5)
    same(f"outcome ({end or 'the game goes on'})", float(game.outcome(state, len(moves))), score)
    return end


def compare_thoroughly(game: Game, state: State, board: chess.Board) -> None:
    """Check what is slow: the border in both directions, with and without history."""
    for move in game.moves(state):
        same("encoded move", encode(board, decode(move, board.chess960)), move)
    replayed = state_of(board)
    same("words of the replayed state", replayed[:HISTORY].tolist(), state[:HISTORY].tolist())
    same("history of the replayed state", remembered(replayed), remembered(state))
    read = game.parse(board.fen(en_passant="xfen"))
    same("FEN read and shown", game.show(read), board.fen(en_passant="xfen"))
    if board.has_legal_en_passant() == board.has_pseudo_legal_en_passant():
        same("words of the FEN read", read[:PAST].tolist(), state[:PAST].tolist())


def remembered(state: State) -> list[int]:
    """The keys of the earlier positions that may repeat, latest first."""
    ply = 2 * int(state[NUMBER]) + int(state[TURN])
    return [int(state[HISTORY + (ply - back) % MEMORY]) for back in range(1, int(state[PAST]) + 1)]


# --- where games start -----------------------------------------------------------------------------------------------


def scattered(rng: random.Random, board: chess.Board, pieces: str, turn: chess.Color) -> chess.Board:
    """`board` with `pieces` added on random free squares, so that the position is legal."""
    while True:
        trial = board.copy()
        trial.turn = turn
        for symbol in pieces:
            squares = chess.SquareSet(~trial.occupied & ~(chess.BB_BACKRANKS if symbol in "Pp" else 0))
            trial.set_piece_at(rng.choice(list(squares)), chess.Piece.from_symbol(symbol))
        if trial.is_valid():
            return trial


def few_pieces(rng: random.Random, empty: chess.Board) -> chess.Board:
    """Kings and one to four more pieces: mates, stalemates, bare kings."""
    pieces = "".join(rng.choices("PNBRQpnbrq", k=rng.randint(1, 4)))
    board = scattered(rng, empty, "Kk" + pieces, rng.choice(chess.COLORS))
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for _ in range(rng.choice((0, 0, 2, 4))):
            board.pockets[rng.randrange(2)].add(rng.choice(chess.PIECE_TYPES[:5]))
    return board


def passing_pawns(rng: random.Random, empty: chess.Board) -> chess.Board:
    """Black may pass a white pawn by a double step; sliders and the king often stand on the lines it opens."""
    board = empty.copy()
    taker, beside = rng.choice([(file, file + step) for file in range(2, 6) for step in (-1, 1)])
    board.set_piece_at(chess.square(taker, 4), chess.Piece.from_symbol("P"))
    board.set_piece_at(chess.square(beside, 6), chess.Piece.from_symbol("p"))
    pieces = "Kk"
    if rng.random() < 0.5:
        outer = [rng.randrange(min(taker, beside)), rng.randrange(max(taker, beside) + 1, 8)]
        for symbol, file in zip(rng.choice(("Kr", "Kq", "rK", "qK")), outer, strict=True):
            board.set_piece_at(chess.square(file, 4), chess.Piece.from_symbol(symbol))
        pieces = "k"
    board = scattered(rng, board, pieces + "".join(rng.choices("rqbpPN", k=rng.randint(1, 3))), chess.BLACK)
    return board if rng.random() < 0.5 else board.mirror()


def castling_rooks(rng: random.Random, empty: chess.Board) -> chess.Board:
    """Kings and rooks at home with few pieces about: castling through, out of and into check."""
    board = empty.copy()
    for rank in (0, 7):
        files = sorted(rng.sample(range(8), 3)) if board.chess960 else (0, 4, 7)
        for file, symbol in zip(files, "RKR", strict=True):
            piece = chess.Piece.from_symbol(symbol if rank == 0 else symbol.lower())
            board.set_piece_at(chess.square(file, rank), piece)
    board.castling_rights = board.rooks
    return scattered(rng, board, "PPpp" + "".join(rng.choices("NBQnbq", k=3)), rng.choice(chess.COLORS))


def home(rng: random.Random, empty: chess.Board) -> chess.Board:
    """The start position; in Chess960 each side has its own."""
    board = type(empty)(chess960=empty.chess960)
    if board.chess960:
        back = [chess.Board.from_chess960_pos(rng.randrange(960)).board_fen().split("/")[7] for _ in chess.COLORS]
        board.set_board_fen(f"{back[0].lower()}/pppppppp/8/8/8/8/PPPPPPPP/{back[1]}")
        board.castling_rights = board.rooks
    return board


# --- how moves are chosen --------------------------------------------------------------------------------------------


def uniform(rng: random.Random, board: chess.Board, legal: list[chess.Move]) -> chess.Move:
    return rng.choice(legal)


def quiet(rng: random.Random, board: chess.Board, legal: list[chess.Move]) -> chess.Move:
    """Rarely a capture or a pawn move: the fifty-move rule."""
    for move in rng.choices(legal, k=8):
        if not board.is_zeroing(move):
            return move
    return rng.choice(legal)


def to_and_fro(rng: random.Random, board: chess.Board, legal: list[chess.Move]) -> chess.Move:
    """Often back to where the piece came from: repetitions."""
    if len(board.move_stack) > 1 and rng.random() < 0.8:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in legal:
            return back
    return quiet(rng, board, legal)


def special(rng: random.Random, board: chess.Board, legal: list[chess.Move]) -> chess.Move:
    """Often castling, en passant, or a pawn's double step."""

    def is_special(move: chess.Move) -> bool:
        double = board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16
        return double or board.is_castling(move) or board.is_en_passant(move)

    chosen = [move for move in legal if is_special(move)]
    return rng.choice(chosen if chosen and rng.random() < 0.7 else legal)


def cornering(rng: random.Random, board: chess.Board, legal: list[chess.Move]) -> chess.Move:
    """The one of a few moves that leaves the fewest replies: mates and stalemates."""

    def replies(move: chess.Move) -> int:
        board.push(move)
        count = board.legal_moves.count()
        board.pop()
        return count

    return min(rng.sample(legal, min(5, len(legal))), key=replies)


Start = Callable[[random.Random, chess.Board], chess.Board]
Choice = Callable[[random.Random, chess.Board, list[chess.Move]], chess.Move]

# How often games start there, and after how many plies they are cut short: what the crafted positions are
# made for happens soon or never, and crazyhouse has no fifty-move rule.
STARTS: dict[Start, tuple[int, int]] = {
    home: (1, 600),
    few_pieces: (5, 300),
    passing_pawns: (25, 6),
    castling_rooks: (5, 30),
}
CHOICES: tuple[Choice, ...] = (uniform, quiet, to_and_fro, special, cornering)


# --- running ---------------------------------------------------------------------------------------------------------


def kinds_of(board: chess.Board, move: chess.Move) -> Iterator[str]:
    """What is special about a move and its position, for the report."""
    if move.drop:
        yield "drop"
    if move.promotion:
        yield "promotion"
    if board.is_castling(move):
        yield "castling"
    if board.is_en_passant(move):
        yield "en passant"
    elif board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant():
        yield "en passant forbidden by a pin or check"


def play_one(variant: str, rng: random.Random, start: Start, choose: Choice) -> Report:
    """Play a game to its end and compare at every ply."""
    game = VARIANTS[variant]
    kind = chess.variant.CrazyhouseBoard if game is CRAZYHOUSE else chess.Board
    board = start(rng, kind(None, chess960=variant == "chess960"))
    origin = board.fen()
    state = state_of(board)
    report = Report()
    played: list[str] = []
    _, longest = STARTS[start]
    try:
        while len(played) < longest:
            report.positions += 1
            end = compare(game, state, board)
            if end or rng.random() < THOROUGH:
                compare_thoroughly(game, state, board)
            if end:
                report.ends[end] += 1
                return report
            move = choose(rng, board, list(board.legal_moves))
            report.moves.update(kinds_of(board, move))
            played.append(move.uci())
            game.play(state, np.int64(encode(board, move)))
            board.push(move)
            if game is CRAZYHOUSE and len(board.move_stack) == MEMORY - 1:
                # Plyout remembers so many plies; python-chess would find older repetitions. Let both forget.
                board.clear_stack()
                state = state_of(board)
    except Difference as difference:
        raise Difference(f"{difference}\n  at    {board.fen()}\n  from  {origin}\n  moves {' '.join(played)}") from None
    report.ends["cut short"] += 1
    return report


def run_slice(variant: str, seed: int, job: tuple[int, int]) -> Report:
    """Slice number `job[0]` of a run: games until `job[1]` positions are compared."""
    number, positions = job
    report = Report()
    for game in itertools.count():
        if report.positions >= positions:
            return report
        rng = random.Random(f"{variant} {seed} {number} {game}")
        try:
            start = rng.choices(list(STARTS), [often for often, _ in STARTS.values()])[0]
            report += play_one(variant, rng, start, rng.choice(CHOICES))
        except Difference as difference:
            raise Difference(f"{variant}, seed {seed}, slice {number}, game {game}: {difference}") from None
    raise AssertionError("the games never run out")


def run(variant: str, positions: int, seed: int, jobs: int = 1) -> Iterator[Report]:
    """Compare at least `positions` positions; yields the report of each slice when it is done."""
    slices = [(i, min(SLICE, positions - i * SLICE)) for i in range(-(-positions // SLICE))]
    work = partial(run_slice, variant, seed)
    if jobs == 1:
        yield from map(work, slices)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(work, slices)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare Plyout's rules with python-chess's on random games.")
    parser.add_argument("--positions", type=int, default=100_000, help="positions to compare (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=VARIANTS, help="default: all of them, one after the other")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    variants = [options.variant] if options.variant else list(VARIANTS)
    for variant in variants:
        total, began = Report(), time.perf_counter()
        try:
            for report in run(variant, -(-options.positions // len(variants)), options.seed, options.jobs):
                total += report
                rate = total.positions / (time.perf_counter() - began)
                print(f"{variant}: {total.positions:,} positions agree, {rate:,.0f} a second", flush=True)
        except Difference as difference:
            print(f"DIFFERENCE in {difference}", file=sys.stderr)
            return 1
        for title, counts in (("games ended by", total.ends), ("moves:", total.moves)):
            print(f"{variant}: {title} " + ", ".join(f"{what} {n:,}" for what, n in counts.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
