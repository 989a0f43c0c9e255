"""Crazyhouse: a captured piece changes sides and may be dropped on an empty square instead of a move.

Chess with two more words of state: the pockets, and the promoted pieces, which
turn back into pawns when they are captured. Repetitions are detected over the
last 127 plies: there is no fifty-move rule to bound the history.
"""

from typing import NamedTuple

import chess.variant
import numpy as np

from plyout.games.chess.attacks import BETWEEN
from plyout.games.chess.board import (
    ENDS, KEY, POCKET_BITS, POCKETS, PROMOTED, SIZE, B, Board, K, N, P, Q, R, in_check, load, make, sides, store,
)  # fmt: skip
from plyout.games.chess.border import check_state, from_board, move_text, parse_board, same_game, to_board
from plyout.games.chess.keys import ep_key, house_key, key_change, piece_key, piece_at, turn_key
from plyout.games.chess.move import DROP, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.games.chess.moves import PAWN_STEP, STEP, add, draw_from, find, safe_steps, write
from plyout.games.chess.rules import MOVES, ROOM, check, occurrences, ply, remember, repeats
from plyout.games.chess.rules import pieces as pieces_on_board
from plyout.games.contract import Game
from plyout.kernel import Ints, at, inlined, kernel, low, popcount, put, shr, tail

_COUNT = (1 << POCKET_BITS) - 1


class House(NamedTuple):
    """A crazyhouse position without its history."""

    board: Board
    pockets: int
    promoted: int


@inlined
def load_house(state: Ints) -> House:
    return House(load(state), state[POCKETS], state[PROMOTED])


@inlined
def _place(turn: int, piece: int) -> int:
    """The lowest bit of a piece's count in the pockets."""
    return POCKET_BITS * (5 * turn + piece)


@inlined
def in_pocket(pockets: int, turn: int, piece: int) -> int:
    return shr(pockets, _place(turn, piece)) & _COUNT


@inlined
def find_house(h: House, sets: Ints) -> tuple[int, int, int, int]:
    """All legal moves but the king's steps, as `plyout.games.chess.moves.find` gives them, and the drops."""
    n, total, steps, checkers = find(h.board, sets)
    n, total = add_drops(h, sets, n, total, checkers)
    return n, total, steps, checkers


@inlined
def add_drops(h: House, sets: Ints, n: int, total: int, checkers: int) -> tuple[int, int]:
    """Note the legal drops: (number of sets, number of moves)."""
    b = h.board
    if not checkers & (checkers - 1):
        own, enemies = sides(b)
        empty = ~(own | enemies)
        if checkers:
            empty &= at(BETWEEN, low(b.kings & own) * 64 + low(checkers))
        for piece in range(P, K):
            if in_pocket(h.pockets, b.turn, piece):
                # start and target of a drop are the same square: the step of a pawn's move
                squares = empty & ~ENDS if piece == P else empty
                n, total = add(sets, n, total, squares, piece << 12 | DROP, PAWN_STEP)
    return n, total


@inlined
def list_house(h: House, moves: Ints, sets: Ints) -> int:
    own, _ = sides(h.board)
    n, total, steps, _ = find_house(h, sets)
    n, total = add(sets, n, total, safe_steps(h.board, steps), low(h.board.kings & own) | K << 12, STEP)
    return write(sets, n, moves)


@inlined
def draw_house(h: House, sets: Ints, rng: int) -> tuple[int, int, int]:
    """(a uniformly random legal move or -1 if there is none, checkers, rng)"""
    _, total, steps, checkers = find_house(h, sets)
    move, rng = draw_from(h.board, sets, total, steps, rng)
    return move, checkers, rng


@inlined
def _drop(b: Board, move: int) -> Board:
    bit, piece = 1 << from_square(move), piece_of(move)
    return Board(
        b.pawns | (bit if piece == P else 0),
        b.knights | (bit if piece == N else 0),
        b.bishops | (bit if piece == B else 0),
        b.rooks | (bit if piece == R else 0),
        b.queens | (bit if piece == Q else 0),
        b.kings,
        b.white | (bit if b.turn == 0 else 0),
        b.black | (bit if b.turn == 1 else 0),
        b.rights,
        0,
        1 - b.turn,
        b.clock + 1,
    )


@inlined
def make_house(h: House, move: int) -> House:
    """The position after `move`, which must be legal."""
    b, pockets, promoted = h.board, h.pockets, h.promoted
    if move & DROP:
        pockets -= 1 << _place(b.turn, piece_of(move))
        return House(_drop(b, move), pockets, promoted)
    start, target = 1 << from_square(move), 1 << to_square(move)
    _, enemies = sides(b)
    if enemies & target:
        taken = P if promoted & target else piece_at(b, low(target))
        pockets += 1 << _place(b.turn, taken)
    elif move & EN_PASSANT:
        pockets += 1 << _place(b.turn, P)
    stays_promoted = promoted & start or promotion_of(move)
    promoted &= ~(start | target)
    if stays_promoted:
        promoted |= target
    return House(make(b, move), pockets, promoted)


@inlined
def insufficient(h: House) -> bool:
    """At most three pieces on the board and in the pockets together, and none that could mate alone."""
    b = h.board
    minors = 0
    for turn in range(2):
        for piece in range(P, K):
            count = in_pocket(h.pockets, turn, piece)
            if count and piece != N and piece != B:
                return False
            minors += count
    return not (b.pawns | b.rooks | b.queens | h.promoted) and popcount(b.white | b.black) + minors <= 3


@kernel
def legal(state: Ints, moves: Ints) -> int:
    return list_house(load_house(state), moves, tail(moves, MOVES))


@kernel
def play(state: Ints, move: int) -> None:
    before = load_house(state)
    after = make_house(before, move)
    b = before.board
    remember(state, b, 1)  # a captured piece can be dropped: positions recur across captures
    if move & DROP:
        change = turn_key() ^ ep_key(b) ^ piece_key(piece_of(move), b.turn, from_square(move))
    else:
        change = key_change(b, move, after.board)
    change ^= house_key(before.pockets, before.promoted) ^ house_key(after.pockets, after.promoted)
    put(state, KEY, state[KEY] ^ change)
    store(state, after.board)
    put(state, POCKETS, after.pockets)
    put(state, PROMOTED, after.promoted)


@kernel
def outcome(state: Ints, count: int) -> float:
    h = load_house(state)
    if count == 0:
        return 0.0 if in_check(h.board) else 0.5
    if insufficient(h) or occurrences(state, h.board) >= 3:  # there is no fifty-move rule
        return 0.5
    return -1.0


@kernel
def pieces(state: Ints, counts: Ints) -> int:
    """The pieces on the board as in chess, and then those in the pockets, White's first."""
    kinds = pieces_on_board(state, counts)
    for turn in range(2):
        for piece in range(P, K):
            put(counts, kinds, in_pocket(state[POCKETS], turn, piece))
            kinds += 1
    return kinds


@kernel
def _perft(h: House, depth: int, buffer: Ints) -> int:
    moves = tail(buffer, depth * ROOM)
    sets = tail(moves, MOVES)
    if depth == 1:
        _, total, steps, _ = find_house(h, sets)
        return total + popcount(safe_steps(h.board, steps))
    total = 0
    for i in range(list_house(h, moves, sets)):
        total += _perft(make_house(h, at(moves, i)), depth - 1, buffer)
    return total


@kernel
def perft(state: Ints, depth: int) -> int:
    if depth == 0:
        return 1
    return _perft(load_house(state), depth, np.empty((depth + 1) * ROOM, np.int64))


_Board = chess.variant.CrazyhouseBoard

CRAZYHOUSE = Game(
    name="crazyhouse",
    size=SIZE,
    room=ROOM,
    legal=legal,
    play=play,
    outcome=outcome,
    start=lambda: from_board(parse_board("startpos", _Board), play),
    parse=lambda fen: from_board(parse_board(fen, _Board), play),
    show=lambda state: to_board(state, _Board).fen(en_passant="xfen"),
    move_text=move_text,
    same=same_game,
    valid=lambda state: check_state(state, _Board),
    check=check,
    repeats=repeats,
    fast_perft=perft,
    ply=ply,
    pieces=pieces,
)
