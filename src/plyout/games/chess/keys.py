"""Position keys, the same numbers as Polyglot's (and so as ``chess.polyglot.zobrist_hash``)."""

import chess.polyglot
import numpy as np

from plyout.games.chess.board import POCKETS, PROMOTED, WHITE, B, Board, K, N, P, Q, R, castled, load, sides
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.chess.moves import en_passant_takers
from plyout.kernel import Ints, at, inlined, kernel, low, rotl, signed
from plyout.kernel.random import mix

_POLYGLOT = np.array([signed(x) for x in chess.polyglot.POLYGLOT_RANDOM_ARRAY], np.int64)
_CASTLING, _FILES, _WHITE_TO_MOVE = 768, 772, 780


@inlined
def piece_at(b: Board, square: int) -> int:
    """What stands on `square`, or 6."""
    bit = 1 << square
    if b.pawns & bit:
        return P
    if b.knights & bit:
        return N
    if b.bishops & bit:
        return B
    if b.rooks & bit:
        return R
    if b.queens & bit:
        return Q
    return K if b.kings & bit else 6


@inlined
def piece_key(piece: int, turn: int, square: int) -> int:
    return at(_POLYGLOT, (2 * piece + 1 - turn) * 64 + square)


@inlined
def turn_key() -> int:
    return at(_POLYGLOT, _WHITE_TO_MOVE)


@inlined
def rights_key(b: Board) -> int:
    key = 0
    rooks = b.rights
    while rooks:
        rook = low(rooks)
        rooks &= rooks - 1
        turn = 0 if 1 << rook & b.white else 1
        king = low(b.kings & (b.white if turn == WHITE else b.black))
        key ^= at(_POLYGLOT, _CASTLING + 2 * turn + (0 if rook > king else 1))
    return key


@inlined
def ep_key(b: Board) -> int:
    return at(_POLYGLOT, _FILES + (low(b.ep) & 7)) if b.ep else 0


@inlined
def house_key(pockets: int, promoted: int) -> int:
    """Crazyhouse's part of the key, which Polyglot does not have: 0 in chess."""
    return mix(pockets) ^ mix(mix(promoted))


@inlined
def key_change(b: Board, move: int, after: Board) -> int:
    """What to add (exclusive or) to the key of `b` to get that of `after`, which `move` leads to."""
    start, to = from_square(move), to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    change = turn_key() ^ ep_key(b) ^ ep_key(after) ^ piece_key(piece, b.turn, start)
    if move & CASTLE:
        king_to, rook_to = castled(start, to)
        change ^= piece_key(K, b.turn, king_to) ^ piece_key(R, b.turn, to) ^ piece_key(R, b.turn, rook_to)
    else:
        change ^= piece_key(promotion if promotion else piece, b.turn, to)
        _, enemies = sides(b)
        if enemies & 1 << to:
            change ^= piece_key(piece_at(b, to), 1 - b.turn, to)
        elif move & EN_PASSANT:
            change ^= piece_key(P, 1 - b.turn, low(rotl(1 << to, 56 if b.turn == WHITE else 8)))
    if b.rights != after.rights:
        change ^= rights_key(b) ^ rights_key(after)
    return change


@inlined
def repetition_key(b: Board, key: int) -> int:
    """The key for "the same position": en passant counts only where it is a legal move.

    Polyglot's key counts it wherever a pawn stands ready, even a pinned one.
    """
    if b.ep and not en_passant_takers(b):
        return key ^ ep_key(b)
    return key


@kernel
def key_from_scratch(state: Ints) -> int:
    """The key of a state, computed from scratch."""
    b = load(state)
    key = rights_key(b) ^ ep_key(b) ^ house_key(state[POCKETS], state[PROMOTED])
    if b.turn == WHITE:
        key ^= turn_key()
    pieces = b.white | b.black
    while pieces:
        square = low(pieces)
        key ^= piece_key(piece_at(b, square), 0 if b.white & pieces & -pieces else 1, square)
        pieces &= pieces - 1
    return key
