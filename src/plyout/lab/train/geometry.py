"""What stands where and attacks what, for many boards at once, as JAX computes it.

Two squares are a *pair* if a queen or a knight on an empty board could go from one to the other: 1,792 of them. With
a table of who attacks along a pair, and one of the squares between, attacks and moves of a whole batch are a few
products of matrices. Boards are as `plyout.lab.train.replay` makes them.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from plyout.lab.train.layers import precision
from plyout.lab.train.replay import ENEMY, FLIP, KING, MIRROR, SWAPPED

PAWN, QUEEN = 1, 5
LEVELS = 4
"""of attack on a square: 0 none, 1 by one piece, 2 by a pawn (and whatever else), 3 by more than one piece"""
CODES = 12 * LEVELS * LEVELS
"""what a square can hold: piece (12) × how the other side attacks it × how its own defends it"""
FEATURES = 64 * CODES
"""a feature is square × CODES + code; none for an empty square"""
KING_PLACES = 32
"""of a king that is brought to the files a to d"""
VIEW = KING_PLACES * 64 * 12
"""features of a view: (place of the own king × 64 + square) × 12 + piece"""


def _pairs() -> dict[str, Any]:
    """The pairs, who attacks along them, what lies between."""
    ends, between, attackers = [], [], []
    for start in range(64):
        for to in range(64):
            right, up = (to & 7) - (start & 7), (to >> 3) - (start >> 3)
            steps = max(abs(right), abs(up))
            knight = {abs(right), abs(up)} == {1, 2}
            diagonal, straight = abs(right) == abs(up), right == 0 or up == 0
            if start == to or not (knight or diagonal or straight):
                continue
            mask = np.zeros(64, bool)
            if not knight:
                mask[[start + k * (to - start) // steps for k in range(1, steps)]] = True
            line = not knight
            kinds = [knight, line and diagonal, line and straight, line, line and steps == 1]
            pawns = [abs(right) == 1 and up == forward for forward in (1, -1)]
            ends.append((start, to))
            between.append(mask)
            attackers.append([False, pawns[0], *kinds, pawns[1], *kinds])
    return {"ends": np.array(ends), "between": np.array(between), "attackers": np.array(attackers)}


_PAIRS = _pairs()
FROM, TO = _PAIRS["ends"].T
PAIRS = len(FROM)
PAIR_OF = np.full(4096, -1)
"""by from | to << 6"""
PAIR_OF[FROM | TO << 6] = np.arange(PAIRS)
_BETWEEN = _PAIRS["between"].T.astype(np.float32)  # by square and pair
_ATTACKS = _PAIRS["attackers"]  # by pair and piece
_ENDS_AT = np.eye(64, dtype=np.float32)[TO]
_PUSH = (TO - FROM == 8) | ((TO - FROM == 16) & (FROM >> 3 == 1))
CASTLE = (FROM >> 3 == 0) & (TO >> 3 == 0) & (abs(FROM - TO) == 2)
"""pairs along which a king castles; the rook would have to go along"""


class Seen(NamedTuple):
    codes: Array
    """(n, 64): what each square holds, with attack and defence; -1 for an empty one"""
    moves: Array
    """(n, PAIRS): whether the side to move may go there, but for what leaves its king in check"""
    danger: Array
    """(n, 64): 0 safe, 1 attacked by the enemy, 2 by a pawn of his"""


def look(boards: Array) -> Seen:
    """Attacks and moves on every board."""
    held = boards.astype(jnp.int32)
    mover, target = held[:, FROM], held[:, TO]
    blocked = _any((held > 0), _BETWEEN)
    attack = jnp.asarray(_ATTACKS)[jnp.arange(PAIRS), mover] & ~blocked
    own, other = attack & (mover <= ENEMY), attack & (mover > ENEMY)
    by_own, by_other = _levels(own, mover == PAWN), _levels(other, mover == PAWN + ENEMY)
    mine = held <= ENEMY
    attacked, defended = jnp.where(mine, by_other, by_own), jnp.where(mine, by_own, by_other)
    codes = jnp.where(held > 0, held - 1 + 12 * (attacked + LEVELS * defended), -1)
    moves = own & ~((target > 0) & (target <= ENEMY)) & ((mover != PAWN) | (target > ENEMY))
    moves |= (mover == PAWN) & _PUSH & (target == 0) & ~blocked
    moves |= (mover == KING) & CASTLE & (target == 0) & ~blocked
    return Seen(codes, moves, jnp.where(by_other == 3, 1, by_other))


def _levels(attack: Array, by_pawn: Array) -> Array:
    """(n, 64): of LEVELS, how each square is attacked."""
    count = _count(attack, _ENDS_AT)
    pieces = jnp.where(count > 1, 3, count.astype(jnp.int32))
    return jnp.where(_any(attack & by_pawn, _ENDS_AT), 2, pieces)


def _any(which: Array, table: Any) -> Array:
    """Whether any of a row's marks has one in a column of `table`."""
    return _count(which, table) > 0


def _count(which: Array, table: Any) -> Array:
    """How many of a row's marks have one in a column of `table`: few enough for half floats."""
    return which.astype(precision()) @ jnp.asarray(table, precision())


def features(codes: Array) -> Array:
    """(n, FEATURES) zeros and ones."""
    return jax.nn.one_hot(codes, CODES, dtype=precision()).reshape(len(codes), FEATURES)


def views(boards: Array) -> tuple[Array, Array]:
    """The board as the side to move sees it, and as the other does: (n, VIEW) zeros and ones each."""
    turned = jnp.asarray(SWAPPED)[boards[:, FLIP].astype(jnp.int32)]
    right = (jnp.argmax(turned == KING, axis=1) & 7) > 3
    return _view(boards), _view(jnp.where(right[:, None], turned[:, MIRROR], turned))


def _view(boards: Array) -> Array:
    king = jnp.argmax(boards == KING, axis=1)
    place = jax.nn.one_hot(4 * (king >> 3) + (king & 3), KING_PLACES, dtype=precision())
    return (place[:, :, None] * planes(boards).reshape(-1, 1, 64 * 12)).reshape(-1, VIEW)


def planes(boards: Array) -> Array:
    """(n, 8, 8, 12): a plane for each piece, own first."""
    return jax.nn.one_hot(boards.astype(jnp.int32) - 1, 12, dtype=precision()).reshape(-1, 8, 8, 12)


def after(boards: Array, pair: Array) -> tuple[Array, Array]:
    """Each board after a move of its side, seen by the other, and whether that was legal; castling is not to be had."""
    rows = jnp.arange(len(boards))
    start, to = jnp.asarray(FROM)[pair], jnp.asarray(TO)[pair]
    piece = boards[rows, start]
    piece = jnp.where((piece == PAWN) & (to >= 56), QUEEN, piece).astype(boards.dtype)
    moved = boards.at[rows, start].set(0).at[rows, to].set(piece)
    moved = jnp.asarray(SWAPPED)[moved[:, FLIP].astype(jnp.int32)]
    right = (jnp.argmax(moved == KING, axis=1) & 7) > 3
    moved = jnp.where(right[:, None], moved[:, MIRROR], moved)
    takes_king = (look(moved).moves & (moved[:, TO] == KING + ENEMY)).any(1)
    kings = ((moved == KING).sum(1) == 1) & ((moved == KING + ENEMY).sum(1) == 1)
    return moved, ~takes_king & kings
