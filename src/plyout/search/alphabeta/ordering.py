"""Move ordering: the better the first move, the more of the others are cut off.

In these bands, from the first to the last: the hash move, captures and promotions (MVV-LVA), killer moves, and quiet
moves by the history heuristic, checks and gain in the piece-square tables. Without killers and history this is the
order of Xu's AlphaOne; with history, captures that lose material come last.

History is what became of a quiet move elsewhere: as such, and as the reply to the two moves before it. Who refutes
gains, who was tried before that loses, and both the less the more is known of them.
"""

from plyout.evaluate.exchange import exchange
from plyout.evaluate.quiescence import mvv_lva
from plyout.evaluate.sums import Sums, raised, tapered
from plyout.evaluate.tapered import gain
from plyout.games.chess.attacks import KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import B, Board, K, N, P, Q, R, sides
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.crazyhouse import House
from plyout.kernel import Ints, at, inlined, low, put
from plyout.search.alphabeta.stack import (
    CAME_BY, HISTORIES, HISTORY, KILLER, KILLERS, PLACES, REPLIES, SWITCHES,
)  # fmt: skip

_HASH_MOVE, _CAPTURE, _KILLER, _LOSING = 1 << 30, 1 << 24, 1 << 20, -(1 << 24)  # the bands: quiet moves lie between
_CHECK = 1 << 9
MOST = 1 << 14
"""that a move can have of each kind of history"""
MOVE = (1 << 24) - 1
"""of a scored move: the move itself"""


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
def place_of(move: int) -> int:
    """Piece and target: by them history knows a move."""
    return piece_of(move) * 64 + to_square(move)


@inlined
def _before(stack: Ints, ply: int) -> int:
    """Where the replies to the move that led to `ply` stand."""
    return REPLIES + (at(stack, CAME_BY + ply) if ply > 0 else PLACES) * PLACES


@inlined
def history(stack: Ints, turn: int, ply: int, move: int) -> int:
    """How a quiet move has fared elsewhere."""
    place = place_of(move)
    known = at(stack, HISTORIES + turn * PLACES + place) + at(stack, _before(stack, ply) + place)
    return known + at(stack, _before(stack, ply - 1) + place)


@inlined
def _learn(stack: Ints, i: int, bonus: int) -> None:
    known = at(stack, i)
    put(stack, i, known + bonus - known * abs(bonus) // MOST)


@inlined
def _fared(stack: Ints, turn: int, ply: int, move: int, bonus: int) -> None:
    """A quiet move has refuted, or has not."""
    place = place_of(move)
    _learn(stack, HISTORIES + turn * PLACES + place, bonus)
    _learn(stack, _before(stack, ply) + place, bonus)
    _learn(stack, _before(stack, ply - 1) + place, bonus)


@inlined
def _is_killer(stack: Ints, ply: int, move: int) -> bool:
    return at(stack, KILLERS + 2 * ply) == move or at(stack, KILLERS + 2 * ply + 1) == move


@inlined
def _loses(b: Board, move: int) -> bool:
    """Whether a capture loses material."""
    _, enemies = sides(b)
    piece, to = piece_of(move), to_square(move)
    safe = piece == K or (enemies & 1 << to and piece_at(b, to) >= piece)
    return not safe and exchange(b, move) < 0


@inlined
def _ordering_score(b: Board, sums: Sums, move: int, static: int, ply: int, stack: Ints) -> int:
    """A number to sort by, of a move that is not the hash move; `static` is the evaluation before it."""
    score = tapered(raised(sums, gain(b, move))) - static
    switches = at(stack, SWITCHES)
    if not is_quiet(b, move):
        band = _LOSING if switches & HISTORY and _loses(b, move) else _CAPTURE
        return band + (mvv_lva(House(b, 0, 0), move) << 12) + score
    if switches & KILLER and _is_killer(stack, ply, move):
        return _KILLER
    if switches & HISTORY:
        score += history(stack, b.turn, ply, move)
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
def next_move(moves: Ints, first: int, last: int) -> tuple[int, int]:
    """Bring the scored move that is best from `first` on to the front; the move, and it with its score. After a cut-off
    nobody needs the rest in order."""
    best = first
    for j in range(first + 1, last):
        if at(moves, j) > at(moves, best):
            best = j
    packed = at(moves, best)
    put(moves, best, at(moves, first))
    put(moves, first, packed)
    return packed & MOVE, packed


@inlined
def is_late(packed: int) -> bool:
    """Whether a scored move stands in the last bands, those of quiet moves without merit and of captures that lose:
    depth may be reduced there."""
    return packed < _KILLER << 24


@inlined
def note_cutoff(b: Board, moves: Ints, i: int, ply: int, depth: int, stack: Ints) -> None:
    """The scored move in place `i` failed high, and those before it did not: where it is quiet, it comes early at this
    ply as a killer, and all have their history."""
    move = at(moves, i) & MOVE
    if not is_quiet(b, move):
        return
    switches = at(stack, SWITCHES)
    if switches & KILLER and at(stack, KILLERS + 2 * ply) != move:
        put(stack, KILLERS + 2 * ply + 1, at(stack, KILLERS + 2 * ply))
        put(stack, KILLERS + 2 * ply, move)
    if switches & HISTORY:
        bonus = min(16 * depth * depth + 32 * depth, 1600)
        _fared(stack, b.turn, ply, move, bonus)
        for j in range(i):
            other = at(moves, j) & MOVE
            if is_quiet(b, other):
                _fared(stack, b.turn, ply, other, -bonus)
