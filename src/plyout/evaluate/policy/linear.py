"""A linear softmax policy: how likely a strong engine is to play each move, from static features of the move.

Scores are hundredths of a nat: ``softmax(score / 100)`` over the legal moves is the probability. The weights of chess
were fitted by `tools/fit_policy.py`. Crazyhouse uses them for the moves on the board. There is no large set of labelled
crazyhouse positions: the few numbers for drops below are rounded from a small fit to what Fairy-Stockfish played in
2,009 positions, those for the pocket are set by hand.
"""

from typing import Any

import numpy as np

from plyout.evaluate.policy.attack_maps import AttackMaps, attack_maps, attacks, most_valuable
from plyout.evaluate.policy.move_features import (
    PARTS, MovingPiece, check_squares, danger, features, moving_piece, worth_attacking,
)  # fmt: skip
from plyout.evaluate.policy.weights import FITTED
from plyout.games.chess.attacks import KING
from plyout.games.chess.board import PROMOTED, Board, P, load
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import DROP, EN_PASSANT, from_square, piece_of, to_square
from plyout.kernel import Ints, at, inlined, kernel, popcount, shr
from plyout.parameters import Expansion

_WEIGHTS = np.concatenate([np.array(FITTED[part], np.int16) for part in PARTS])

# Crazyhouse, in hundredths of a nat, by piece: pawn, knight, bishop, rook, queen.
_IN_HAND = np.array([20, 40, 50, 40, 50], np.int64)  # for a captured piece, which comes to the pocket
_DROPPED = np.array([-310, -390, -360, -380, -360], np.int64)  # there are many drops, and most are bad
_DANGER = np.array(
    [
        -30, 60, -130, -130,  # safe, attacked and defended, attacked and not defended, attacked by a lesser piece
        100, 70, -160, -190,
        70, 70, -130, -160,
        20, 120, -140, -170,
        70, 180, -140, -250,
    ],
    np.int64,
)  # fmt: skip
_THREAT = np.array([70, 100, 100, 110, 160, 0, 0], np.int64)  # the best of the pieces `worth_attacking` that it attacks
_CHECK, _NO_FLIGHT, _NEAR_KING, _PARRY = 240, 40, 70, 70


@inlined
def _score(b: Board, maps: AttackMaps, moving: MovingPiece, move: int) -> int:
    """The sum of the weights of a move's features."""
    f = features(b, maps, moving, move)
    return (
        at(_WEIGHTS, f[0]) + at(_WEIGHTS, f[1]) + at(_WEIGHTS, f[2]) + at(_WEIGHTS, f[3])
        + at(_WEIGHTS, f[4]) + at(_WEIGHTS, f[5]) + at(_WEIGHTS, f[6]) + at(_WEIGHTS, f[7])
        + at(_WEIGHTS, f[8]) + at(_WEIGHTS, f[9]) + at(_WEIGHTS, f[10]) + at(_WEIGHTS, f[11])
        + at(_WEIGHTS, f[12]) + at(_WEIGHTS, f[13]) + at(_WEIGHTS, f[14]) + at(_WEIGHTS, f[15])
        + at(_WEIGHTS, f[16]) + at(_WEIGHTS, f[17]) + at(_WEIGHTS, f[18])
    )  # fmt: skip


@kernel
def policy_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """Chess, Chess960 too: the score of each of the first `count` moves, in hundredths of a nat."""
    b = load(state)
    maps = attack_maps(b)
    i = 0
    while i < count:
        moving = moving_piece(b, maps, moves[i])
        while i < count and from_square(moves[i]) == moving.square:  # the moves of a piece are listed together
            scores[i] = float(_score(b, maps, moving, moves[i]))
            i += 1


@inlined
def _drop_score(b: Board, maps: AttackMaps, piece: int, to: int) -> int:
    """Checks, attacks on the king and on more valuable pieces are good; a piece that can be captured is bad, the more
    it is worth."""
    targets = attacks(piece, to, b.turn, maps.own | maps.enemies)
    danger_there = danger(maps.attacked, piece, to, maps.defended.once)
    threat = most_valuable(b, targets & worth_attacking(b, maps, piece))
    score = at(_DROPPED, piece) + at(_DANGER, piece * 4 + danger_there) + at(_THREAT, threat)
    if shr(check_squares(maps, piece), to) & 1:
        flights = popcount(maps.checks.flights & ~targets)
        score += _CHECK + _NO_FLIGHT * max(3 - flights, 0)
    if at(KING, maps.enemy_king) & (targets | 1 << to):
        score += _NEAR_KING
    if maps.threats.in_check or shr(maps.threats.parry, to) & 1:
        score += _PARRY
    return score


@kernel
def crazyhouse_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """Crazyhouse: moves as in `policy_prior`, with a bonus for the captured piece, which comes to the pocket; drops."""
    b = load(state)
    maps = attack_maps(b)
    for i in range(count):
        move = moves[i]
        to = to_square(move)
        if move & DROP:
            scores[i] = float(_drop_score(b, maps, piece_of(move), to))
            continue
        score = _score(b, maps, moving_piece(b, maps, move), move)
        if move & EN_PASSANT:
            score += at(_IN_HAND, P)
        elif shr(maps.enemies, to) & 1:
            score += at(_IN_HAND, P if shr(state[PROMOTED], to) & 1 else piece_at(b, to))
        scores[i] = float(score)
