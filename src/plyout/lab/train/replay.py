"""Labelled games as positions that a network can learn from, all games a ply at a time.

A board is 64 numbers seen from the side to move: 0 empty, 1 … 6 its own pawn to king, 7 … 12 the enemy's. Black's is
turned upside down, and it is mirrored where that brings the mover's king to the files a to d: what is the same to a
player looks the same to a network.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.lab.train.games import UNLABELLED, LabelledGame

KING, ENEMY = 6, 6
"""the own king, and what is added to a piece of the other side"""
SWAPPED = np.array([0, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6], np.int8)
FLIP, MIRROR = np.arange(64) ^ 56, np.arange(64) ^ 7

Bytes = npt.NDArray[np.int8]


class Positions(NamedTuple):
    """A row for each labelled position."""

    boards: Bytes
    moves: npt.NDArray[np.int16]
    """the best move on that board: from | to << 6"""
    scores: npt.NDArray[np.int16]
    """centipawns for the side to move"""
    points: npt.NDArray[np.float16]
    """how the game ended for it"""
    games: npt.NDArray[np.int32]
    """the number of its game"""

    def __len__(self) -> int:
        return len(self.boards)


def start() -> Bytes:
    board = np.zeros(64, np.int8)
    board[:8] = 4, 2, 3, 5, 6, 3, 2, 4
    board[8:16], board[48:56] = 1, 1 + ENEMY
    board[56:] = board[:8] + ENEMY
    return board


def positions(games: Iterable[LabelledGame]) -> Positions:
    """Every labelled position of some games; `InputError` if a game cannot have been played so."""
    listed = list(games)
    lengths = np.array([len(game.plies) for game in listed])
    longest_first = np.argsort(-lengths, kind="stable")
    points = np.array([game.points for game in listed])[longest_first]
    plies = np.zeros((len(listed), max(lengths, default=0), 3), np.uint16)
    for row, number in enumerate(longest_first):
        plies[row, : lengths[number]] = listed[number].plies
    boards = np.tile(start(), (len(listed), 1))
    kept: list[Positions] = []
    for ply in range(plies.shape[1]):
        playing = int(np.count_nonzero(lengths > ply))  # the first rows: games of at least that length
        boards, now = boards[:playing], plies[:playing, ply]
        labelled = np.flatnonzero(now[:, 2] != UNLABELLED)
        black = bool(ply & 1)
        possible = _possible(boards, now[:, 0], black)
        possible[labelled] &= _possible(boards[labelled], now[labelled, 1], black)
        if not possible.all():
            number = int(longest_first[np.argmin(possible)])
            raise InputError(
                f"the games are damaged: no such move as in ply {ply + 1} of game {number + 1} can be made"
            )
        ends = 1 - points[labelled] if black else points[labelled]
        seen, moves = _seen(boards[labelled], now[labelled, 1].astype(np.int32), black)
        scores = now[labelled, 2].astype(np.int16)
        kept.append(Positions(seen, moves, scores, ends.astype(np.float16), longest_first[labelled].astype(np.int32)))
        _play(boards, now[:, 0].astype(np.int64))
    if not sum(map(len, kept)):
        raise InputError("there is not one labelled position in the games")
    return Positions(*(np.concatenate(column) for column in zip(*kept, strict=True)))


def _seen(boards: Bytes, moves: npt.NDArray[np.int32], black: bool) -> tuple[Bytes, npt.NDArray[np.int16]]:
    """Boards and moves on them as the side to move sees them."""
    start, to = moves & 63, moves >> 6 & 63
    if black:
        boards, start, to = SWAPPED[boards[:, FLIP]], start ^ 56, to ^ 56
    right = (np.argmax(boards == KING, axis=1) & 7) > 3
    boards = np.where(right[:, None], boards[:, MIRROR], boards)
    turned = np.where(right, 7, 0)
    return boards, ((start ^ turned) | (to ^ turned) << 6).astype(np.int16)


def _possible(boards: Bytes, moves: npt.NDArray[np.uint16], black: bool) -> npt.NDArray[np.bool_]:
    """Whether the side to move has a piece there, which may take what stands at the other end, if anything."""
    rows = np.arange(len(boards))
    piece, taken, promotion = boards[rows, moves & 63], boards[rows, moves >> 6 & 63], moves >> 12
    piece, taken = (SWAPPED[piece], SWAPPED[taken]) if black else (piece, taken)
    takes = (taken == 0) | (taken > ENEMY) & (taken != KING + ENEMY)
    possible: npt.NDArray[np.bool_] = (piece > 0) & (piece <= ENEMY) & takes & (promotion != 1) & (promotion < KING)
    return possible


def _play(boards: Bytes, moves: npt.NDArray[np.int64]) -> None:
    """Make a move on every board, White's pieces being 1 … 6."""
    rows = np.arange(len(boards))
    start, to, promotion = moves & 63, moves >> 6 & 63, moves >> 12
    piece, taken = boards[rows, start], boards[rows, to]
    colour = np.where(piece > ENEMY, ENEMY, 0).astype(np.int8)
    kind = piece - colour
    boards[rows, start] = 0
    boards[rows, to] = np.where(promotion > 0, promotion.astype(np.int8) + colour, piece)
    passing = np.flatnonzero((kind == 1) & ((start ^ to) & 7 != 0) & (taken == 0))
    boards[passing, (start[passing] & 56) | (to[passing] & 7)] = 0
    castling = np.flatnonzero((kind == KING) & (abs(start - to) == 2))
    rank, short = start[castling] & 56, to[castling] > start[castling]
    corner, beside = rank + np.where(short, 7, 0), rank + np.where(short, 5, 3)
    boards[castling, beside] = boards[castling, corner]
    boards[castling, corner] = 0
