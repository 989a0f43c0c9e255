"""Legal chess moves, found as sets and then counted, listed or drawn from.

A *set of moves* is a bitboard of target squares with one rule that makes each of
them a move: ``base + step * target``. A piece's moves are one set (the target
stands in bits 6 to 11: step 64), and so are all single pawn pushes (the start
square goes along with the target: step 65). Counting is then a popcount, and
drawing one uniformly random move needs no list.
"""

from plyout.games.chess.attacks import BETWEEN, KING, KNIGHT, LINE, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import B, ENDS, FILE_A, FILE_H, K, N, Q, R, WHITE, Board, attackers, castled, sides
from plyout.games.chess.move import CASTLE, DOUBLE, EN_PASSANT
from plyout.kernel import Ints, at, inlined, low, nth, popcount, put, rotl, signed
from plyout.kernel.random import below

# Four columns of a scratch array hold the sets: how many moves there are up to and with this set,
# the targets, the base, the step.
COLUMN = 128
_TARGETS, _BASES, _STEPS = COLUMN, 2 * COLUMN, 3 * COLUMN
SETS_SIZE = 4 * COLUMN
STEP, PAWN_STEP = 64, 65

_RANK_3, _RANK_6 = signed(0xFF << 16), signed(0xFF << 40)


@inlined
def add(sets: Ints, n: int, total: int, targets: int, base: int, step: int) -> tuple[int, int]:
    """Note one set, if it has any move: (number of sets, number of moves)."""
    total += popcount(targets)
    put(sets, n, total)
    put(sets, n + _TARGETS, targets)
    put(sets, n + _BASES, base)
    put(sets, n + _STEPS, step)
    return n + (1 if targets else 0), total


@inlined
def _add_promotions(sets: Ints, n: int, total: int, targets: int, base: int) -> tuple[int, int]:
    for piece in range(N, K):
        n, total = add(sets, n, total, targets, base + (piece << 15), PAWN_STEP)
    return n, total


@inlined
def _add_pawns(
    sets: Ints, n: int, total: int, pawns: int, allowed: int, enemies: int, empty: int, turn: int
) -> tuple[int, int]:
    """The moves of `pawns` to `allowed` squares; turning by 56 to the left is a step down the board."""
    up, forward, third = (8, 8, _RANK_3) if turn == WHITE else (56, -8, _RANK_6)
    one = rotl(pawns, up) & empty
    two = rotl(one & third, up) & empty & allowed
    one &= allowed
    victims = enemies & allowed
    west = rotl(pawns & ~FILE_A, up - 1) & victims
    east = rotl(pawns & ~FILE_H, up + 1) & victims
    n, total = add(sets, n, total, one & ~ENDS, -forward, PAWN_STEP)
    n, total = add(sets, n, total, two, DOUBLE - 2 * forward, PAWN_STEP)
    if west | east:
        n, total = add(sets, n, total, west & ~ENDS, 1 - forward, PAWN_STEP)
        n, total = add(sets, n, total, east & ~ENDS, -1 - forward, PAWN_STEP)
    if (one | west | east) & ENDS:
        n, total = _add_promotions(sets, n, total, one & ENDS, -forward)
        n, total = _add_promotions(sets, n, total, west & ENDS, 1 - forward)
        n, total = _add_promotions(sets, n, total, east & ENDS, -1 - forward)
    return n, total


@inlined
def _add_castling(
    b: Board, sets: Ints, n: int, total: int, king: int, enemies: int, occupied: int, pinned: int
) -> tuple[int, int]:
    own = occupied ^ enemies
    rooks = b.rights & own
    while rooks:
        rook = low(rooks)
        rooks &= rooks - 1
        king_to, rook_to = castled(king, rook)
        path = at(BETWEEN, king * 64 + king_to) | 1 << king_to
        others = occupied & ~(1 << king | 1 << rook)
        # A pinned rook stands between its king and an enemy on the first rank: Chess960 only.
        if others & (path | at(BETWEEN, king * 64 + rook) | at(BETWEEN, rook * 64 + rook_to) | 1 << rook_to):
            continue
        if not pinned & 1 << rook and safe(b, path, enemies, occupied ^ 1 << king) == path:
            n, total = add(sets, n, total, 1 << rook, king | K << 12 | CASTLE, STEP)
    return n, total


@inlined
def safe(b: Board, squares: int, enemies: int, occupied: int) -> int:
    """Those of `squares` that no enemy attacks."""
    kept = squares
    while squares:
        if attackers(b, low(squares), enemies, occupied):
            kept ^= squares & -squares
        squares &= squares - 1
    return kept


@inlined
def en_passant_takers(b: Board) -> int:
    """The pawns that may take en passant.

    Two pawns leave one rank at once, which pins and checks do not account for: the capture is legal if the king is not
    attacked after it.
    """
    if not b.ep:
        return 0
    own, enemies = sides(b)
    king = low(b.kings & own)
    victim = rotl(b.ep, 56 if b.turn == WHITE else 8)
    takers = at(PAWN, (1 - b.turn) * 64 + low(b.ep)) & b.pawns & own
    kept = takers
    while takers:
        taker = takers & -takers
        takers ^= taker
        if attackers(b, king, enemies ^ victim, (own | enemies) ^ taker ^ victim | b.ep):
            kept ^= taker
    return kept


@inlined
def _checkers_and_pinned(b: Board, king: int, own: int, enemies: int) -> tuple[int, int]:
    """(the enemies that give check, the own pieces that are pinned to the king)"""
    checkers = (at(KNIGHT, king) & b.knights | at(PAWN, b.turn * 64 + king) & b.pawns) & enemies
    pinned = 0
    snipers = (
        rook_attacks(king, enemies) & (b.rooks | b.queens) | bishop_attacks(king, enemies) & (b.bishops | b.queens)
    ) & enemies
    while snipers:
        blockers = at(BETWEEN, king * 64 + low(snipers)) & own
        if not blockers:
            checkers |= snipers & -snipers
        elif not blockers & (blockers - 1):
            pinned |= blockers
        snipers &= snipers - 1
    return checkers, pinned


@inlined
def find(b: Board, sets: Ints) -> tuple[int, int, int, int]:
    """All legal moves but the king's steps: (number of sets, number of moves, the king's steps, checkers).

    The king's steps are the squares next to the king that its own side does not occupy; whether an enemy attacks
    them is left to the caller.
    """
    own, enemies = sides(b)
    occupied = own | enemies
    king = low(b.kings & own)
    checkers, pinned = _checkers_and_pinned(b, king, own, enemies)
    n = 0
    total = 0
    if not checkers & (checkers - 1):  # in double check only the king can move
        allowed = ~own
        if checkers:
            allowed &= checkers | at(BETWEEN, king * 64 + low(checkers))
        pieces = b.knights & own & ~pinned
        while pieces:
            start = low(pieces)
            pieces &= pieces - 1
            n, total = add(sets, n, total, at(KNIGHT, start) & allowed, start | N << 12, STEP)
        pieces = (b.bishops | b.queens) & own
        while pieces:
            start = low(pieces)
            bit = pieces & -pieces
            pieces ^= bit
            targets = bishop_attacks(start, occupied)
            piece = B
            if bit & b.queens:
                targets |= rook_attacks(start, occupied)
                piece = Q
            targets &= allowed
            if bit & pinned:
                targets &= at(LINE, king * 64 + start)
            n, total = add(sets, n, total, targets, start | piece << 12, STEP)
        pieces = b.rooks & own
        while pieces:
            start = low(pieces)
            bit = pieces & -pieces
            pieces ^= bit
            targets = rook_attacks(start, occupied) & allowed
            if bit & pinned:
                targets &= at(LINE, king * 64 + start)
            n, total = add(sets, n, total, targets, start | R << 12, STEP)
        pawns = b.pawns & own
        if pawns:
            n, total = _add_pawns(sets, n, total, pawns & ~pinned, allowed, enemies, ~occupied, b.turn)
            pieces = pawns & pinned
            while pieces:
                line = at(LINE, king * 64 + low(pieces))
                n, total = _add_pawns(sets, n, total, pieces & -pieces, allowed & line, enemies, ~occupied, b.turn)
                pieces &= pieces - 1
            takers = en_passant_takers(b)
            while takers:
                n, total = add(sets, n, total, b.ep, low(takers) | EN_PASSANT, STEP)
                takers &= takers - 1
        if b.rights & own and not checkers:
            n, total = _add_castling(b, sets, n, total, king, enemies, occupied, pinned)
    return n, total, at(KING, king) & ~own, checkers


@inlined
def safe_steps(b: Board, steps: int) -> int:
    """Those of the king's `steps` that are legal; the king itself does not block a slider on its line."""
    own, enemies = sides(b)
    return safe(b, steps, enemies, (own | enemies) ^ b.kings & own)


@inlined
def count_moves(b: Board, sets: Ints) -> int:
    """How many legal moves there are."""
    _, total, steps, _ = find(b, sets)
    return total + popcount(safe_steps(b, steps))


@inlined
def set_at(sets: Ints, i: int) -> tuple[int, int, int]:
    """(targets, base, step) of set number `i`"""
    return at(sets, i + _TARGETS), at(sets, i + _BASES), at(sets, i + _STEPS)


@inlined
def write(sets: Ints, n: int, moves: Ints) -> int:
    """Write the moves of the first `n` sets to `moves`; return how many there are."""
    k = 0
    for i in range(n):
        targets, base, step = set_at(sets, i)
        while targets:
            put(moves, k, base + step * low(targets))
            k += 1
            targets &= targets - 1
    return k


@inlined
def list_moves(b: Board, moves: Ints, sets: Ints) -> int:
    """Write the legal moves to `moves`; return how many there are."""
    own, _ = sides(b)
    n, total, steps, _ = find(b, sets)
    n, total = add(sets, n, total, safe_steps(b, steps), low(b.kings & own) | K << 12, STEP)
    return write(sets, n, moves)


@inlined
def pick(sets: Ints, r: int) -> int:
    """Move number `r` of the sets."""
    i = 0
    before = 0
    while at(sets, i) <= r:
        before = at(sets, i)
        i += 1
    return at(sets, i + _BASES) + at(sets, i + _STEPS) * nth(at(sets, i + _TARGETS), r - before)


@inlined
def draw_from(b: Board, sets: Ints, total: int, steps: int, rng: int) -> tuple[int, int]:
    """(one of the `total` moves in `sets` or of the legal king's `steps`, or -1 if there is none; rng).

    Exactly uniform, by rejection: a step that proves illegal is removed and the draw repeated, which leaves every
    legal move the same chance. Most draws never have to find out which steps are legal.
    """
    own, enemies = sides(b)
    king = b.kings & own
    while total or steps:
        r, rng = below(rng, total + popcount(steps))
        if r < total:
            return pick(sets, r), rng
        to = nth(steps, r - total)
        if not attackers(b, to, enemies, (own | enemies) ^ king):
            return low(king) | to << 6 | K << 12, rng
        steps ^= 1 << to
    return -1, rng


@inlined
def draw(b: Board, sets: Ints, rng: int) -> tuple[int, int, int]:
    """(a uniformly random legal move or -1 if there is none, checkers, rng)"""
    _, total, steps, checkers = find(b, sets)
    move, rng = draw_from(b, sets, total, steps, rng)
    return move, checkers, rng
