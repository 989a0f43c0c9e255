"""A prior: how likely a strong engine is to play each move, from what the move shows at a glance.

Ratings are hundredths of a nat: ``softmax(rating / 100)`` over the legal moves is the probability. The weights of
chess were fitted by `tools/fit_policy.py`. Crazyhouse uses them for the moves on the board. There is no large set of
labelled crazyhouse positions: the few numbers for drops below are rounded from a small fit to what Fairy-Stockfish
played in 2,009 positions, those for the pocket are set by hand.
"""

from typing import Any

import numpy as np

from plyout.evaluate.policy.move_features import PARTS, Man, check_squares, danger, features, man_of, prizes
from plyout.evaluate.policy.weights import FITTED
from plyout.evaluate.policy.attack_maps import Sight, attacks, look, most_valuable
from plyout.games.chess.attacks import KING
from plyout.games.chess.board import PROMOTED, Board, P, load
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import DROP, EN_PASSANT, from_square, piece_of, to_square
from plyout.kernel import Ints, at, inlined, kernel, popcount, shr
from plyout.parameters import Expansion

_WEIGHTS = np.concatenate([np.array(FITTED[part], np.int16) for part in PARTS])

# Crazyhouse, in hundredths of a nat, by kind of man: pawn, knight, bishop, rook, queen.
_IN_HAND = np.array([20, 40, 50, 40, 50], np.int64)  # for a man taken, which comes to the pocket
_DROPPED = np.array([-310, -390, -360, -380, -360], np.int64)  # there are many drops, and most are bad
_DANGER = np.array(
    [
        -30, 60, -130, -130,  # safe, struck and guarded, struck and not guarded, struck by a lesser man
        100, 70, -160, -190,
        70, 70, -130, -160,
        20, 120, -140, -170,
        70, 180, -140, -250,
    ],
    np.int64,
)  # fmt: skip
_AIMED = np.array([70, 100, 100, 110, 160, 0, 0], np.int64)  # the best man it strikes that is loose or worth more
_CHECKING, _NO_FLIGHT, _NEAR, _BLOCKS = 240, 40, 70, 70


@inlined
def _rating(b: Board, s: Sight, man: Man, move: int) -> int:
    """The sum of the weights of a move's features."""
    f = features(b, s, man, move)
    return (
        at(_WEIGHTS, f[0]) + at(_WEIGHTS, f[1]) + at(_WEIGHTS, f[2]) + at(_WEIGHTS, f[3])
        + at(_WEIGHTS, f[4]) + at(_WEIGHTS, f[5]) + at(_WEIGHTS, f[6]) + at(_WEIGHTS, f[7])
        + at(_WEIGHTS, f[8]) + at(_WEIGHTS, f[9]) + at(_WEIGHTS, f[10]) + at(_WEIGHTS, f[11])
        + at(_WEIGHTS, f[12]) + at(_WEIGHTS, f[13]) + at(_WEIGHTS, f[14]) + at(_WEIGHTS, f[15])
        + at(_WEIGHTS, f[16]) + at(_WEIGHTS, f[17]) + at(_WEIGHTS, f[18])
    )  # fmt: skip


@kernel
def policy_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """Chess, Chess960 too: the rating of each of the first `count` moves, in hundredths of a nat."""
    b = load(state)
    s = look(b)
    i = 0
    while i < count:
        man = man_of(b, s, moves[i])
        while i < count and from_square(moves[i]) == man.start:  # the moves of a piece stand together
            scores[i] = float(_rating(b, s, man, moves[i]))
            i += 1


@inlined
def _drop_rating(b: Board, s: Sight, piece: int, to: int) -> int:
    """Checks, attacks on the king and on men worth more are good; what can be taken is bad, the more it is worth."""
    sees = attacks(piece, to, b.turn, s.own | s.enemies)
    there = danger(s.struck, piece, to, s.guarded.once)
    aim = most_valuable(b, sees & prizes(b, s, piece))
    rating = at(_DROPPED, piece) + at(_DANGER, piece * 4 + there) + at(_AIMED, aim)
    if shr(check_squares(s, piece), to) & 1:
        flights = popcount(s.checks.flights & ~sees)
        rating += _CHECKING + _NO_FLIGHT * max(3 - flights, 0)
    if at(KING, s.king) & (sees | 1 << to):
        rating += _NEAR
    if s.plight.checked or shr(s.plight.relief, to) & 1:
        rating += _BLOCKS
    return rating


@kernel
def crazyhouse_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """Crazyhouse: as `policy_prior`, and drops by hand; a man taken counts once more, as what it is in the pocket."""
    b = load(state)
    s = look(b)
    for i in range(count):
        move = moves[i]
        to = to_square(move)
        if move & DROP:
            scores[i] = float(_drop_rating(b, s, piece_of(move), to))
            continue
        rating = _rating(b, s, man_of(b, s, move), move)
        if move & EN_PASSANT:
            rating += at(_IN_HAND, P)
        elif shr(s.enemies, to) & 1:
            rating += at(_IN_HAND, P if shr(state[PROMOTED], to) & 1 else piece_at(b, to))
        scores[i] = float(rating)
