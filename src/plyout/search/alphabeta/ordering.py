"""Move ordering: the better the first move, the more of the others are cut off.

In these bands, from the first to the last: the hash move, captures and promotions (MVV-LVA), killer moves, and quiet
moves by the history heuristic, checks and gain in the piece-square tables. Without killers and history this is the
order of Xu's AlphaOne.
"""

from plyout.evaluate.quiescence import mvv_lva
from plyout.evaluate.sums import Sums, raised, tapered
from plyout.evaluate.tapered import gain
from plyout.games.chess.attacks import KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import B, Board, N, P, Q, R, sides
from plyout.games.chess.move import EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, low, put
from plyout.search.alphabeta.stack import HISTORIES, HISTORY, KILLER, KILLERS, SWITCHES

_HASH_MOVE, _CAPTURE, _KILLER = 1 << 30, 1 << 24, 1 << 20  # the bands: the rest lies below
_CHECK = 1 << 9
_MAX_HISTORY = 1 << 16
_MOVE = (1 << 24) - 1


@inlined
def is_quiet(b: Board, move: int) -> bool:
    """Neither a capture nor a promotion."""
    _, enemies = sides(b)
    return not (enemies & 1 << to_square(move) or move & EN_PASSANT or promotion_of(move))


@inlined
def _gives_check(b: Board, move: int) -> bool:
    """Whether the piece that moves attacks the enemy king from its target; discovered checks are not seen."""
    own, enemies = sides(b)
    king, to = low(b.kings & enemies), 1 << to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    landed = promotion if promotion else piece
    occupied = (own | enemies) & ~(1 << from_square(move))
    if landed == P:
        return at(PAWN, (1 - b.turn) * 64 + king) & to != 0
    if landed == N:
        return at(KNIGHT, king) & to != 0
    lines = 0
    if landed == B or landed == Q:  # noqa: SIM109 (a kernel would build the tuple)
        lines = bishop_attacks(king, occupied)
    if landed == R or landed == Q:  # noqa: SIM109
        lines |= rook_attacks(king, occupied)
    return lines & to != 0


@inlined
def _history_place(turn: int, move: int) -> int:
    return HISTORIES + turn * 384 + piece_of(move) * 64 + to_square(move)


@inlined
def _is_killer(stack: Ints, ply: int, move: int) -> bool:
    return at(stack, KILLERS + 2 * ply) == move or at(stack, KILLERS + 2 * ply + 1) == move


@inlined
def _ordering_score(b: Board, sums: Sums, move: int, static: int, ply: int, stack: Ints) -> int:
    """A number to sort by, of a move that is not the hash move; `static` is the evaluation before it."""
    score = tapered(raised(sums, gain(b, move))) - static
    if not is_quiet(b, move):
        return _CAPTURE + (mvv_lva(House(b, 0, 0), move) << 12) + score
    switches = at(stack, SWITCHES)
    if switches & KILLER and _is_killer(stack, ply, move):
        return _KILLER
    if switches & HISTORY:
        score += at(stack, _history_place(b.turn, move))
    return score + (_CHECK if _gives_check(b, move) else 0)


@inlined
def score_moves(b: Board, sums: Sums, hash_move: int, ply: int, moves: Ints, count: int, stack: Ints) -> None:
    """Write the score of each of `count` moves into the bits above it: numbers that compare as the moves do."""
    static = tapered(sums)
    for i in range(count):
        move = at(moves, i)
        score = _HASH_MOVE if move == hash_move else _ordering_score(b, sums, move, static, ply, stack)
        put(moves, i, (score << 24) + move)


@inlined
def next_move(moves: Ints, first: int, last: int) -> int:
    """Bring the scored move that is best from `first` on to the front and return it: after a cut-off nobody needs the
    rest in order."""
    best = first
    for j in range(first + 1, last):
        if at(moves, j) > at(moves, best):
            best = j
    packed = at(moves, best)
    put(moves, best, at(moves, first))
    put(moves, first, packed)
    return packed & _MOVE


@inlined
def is_late(packed: int) -> bool:
    """Whether a scored move stands in the last band, that of quiet moves without merit: depth may be reduced there."""
    return packed < _KILLER << 24


@inlined
def note_cutoff(b: Board, move: int, ply: int, depth: int, stack: Ints) -> None:
    """A quiet move failed high: as a killer it comes early at this ply, by its history everywhere."""
    if not is_quiet(b, move):
        return
    switches = at(stack, SWITCHES)
    if switches & KILLER and at(stack, KILLERS + 2 * ply) != move:
        put(stack, KILLERS + 2 * ply + 1, at(stack, KILLERS + 2 * ply))
        put(stack, KILLERS + 2 * ply, move)
    if switches & HISTORY:
        i = _history_place(b.turn, move)
        put(stack, i, min(at(stack, i) + depth * depth, _MAX_HISTORY))
