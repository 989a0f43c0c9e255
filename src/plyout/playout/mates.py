"""Decisive moves: is there a mate in one?

Only checking moves are tried, and they are found without making them: the squares from which each kind of piece
would attack the enemy king, and the pieces whose move discovers a check.
"""

from plyout.evaluate.policy.attack_maps import discoverers
from plyout.games.chess.attacks import KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import B, Board, K, N, P, R, attackers, make, sides
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of
from plyout.games.chess.moves import PAWN_STEP, find, set_at
from plyout.kernel import Ints, at, inlined, kernel, low


@kernel
def is_mate(b: Board, sets: Ints) -> bool:
    """Whether the side to move is checkmated."""
    own, enemies = sides(b)
    king = low(b.kings & own)
    occupied = own | enemies
    if not attackers(b, king, enemies, occupied):
        return False
    steps = at(KING, king) & ~own
    while steps:
        if not attackers(b, low(steps), enemies, occupied ^ 1 << king):
            return False
        steps &= steps - 1
    _, total, _, _ = find(b, sets)
    return total == 0


@inlined
def mating_move(b: Board, sets: Ints, n: int, steps: int, more_sets: Ints) -> int:
    """A move that mates at once, or -1; `sets`, `n` and `steps` are what `find` found in `b`."""
    own, enemies = sides(b)
    occupied = own | enemies
    king = low(b.kings & enemies)
    diagonal, straight = bishop_attacks(king, occupied), rook_attacks(king, occupied)
    pawn, knight = at(PAWN, (1 - b.turn) * 64 + king), at(KNIGHT, king)
    discovering = discoverers(b, king, own, occupied)
    for i in range(n):
        targets, base, step = set_at(sets, i)
        move = base + step * low(targets)
        landed, promotion = piece_of(move), promotion_of(move)
        starts = b.pawns if step == PAWN_STEP else 1 << from_square(base)
        if discovering & starts or promotion or move & (CASTLE | EN_PASSANT):
            candidates = targets  # a promoted piece may attack through the square that the pawn has left
        elif landed == P:
            candidates = targets & pawn
        elif landed == N:
            candidates = targets & knight
        elif landed == B:
            candidates = targets & diagonal
        elif landed == R:
            candidates = targets & straight
        else:
            candidates = targets & (diagonal | straight)
        while candidates:
            move = base + step * low(candidates)
            if is_mate(make(b, move), more_sets):
                return move
            candidates &= candidates - 1
    if discovering & b.kings:
        while steps:
            to = low(steps)
            steps &= steps - 1
            if not attackers(b, to, enemies, occupied ^ b.kings & own):
                move = low(b.kings & own) | to << 6 | K << 12
                if is_mate(make(b, move), more_sets):
                    return move
    return -1


@kernel
def mate_in_one(b: Board, sets: Ints, more_sets: Ints) -> int:
    """A move that mates at once, or -1."""
    n, _, steps, _ = find(b, sets)
    return mating_move(b, sets, n, steps, more_sets)


@kernel
def allows_mate(b: Board, sets: Ints, more_sets: Ints) -> bool:
    """Whether the side to move has a mate in one."""
    return mate_in_one(b, sets, more_sets) >= 0
