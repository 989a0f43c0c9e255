"""Lessons without end: labelled games are played through to a random place, and walked on from there.

A step of a walk is the policy network's, or random. What is learnt are quiet positions: nobody is in check, and no
capture betters what Stockfish's network says of the position. Captures are what a search plays out; a network that
learnt what they come to would learn the search's business.
"""

from collections.abc import Iterable
from math import exp
from typing import Any, NamedTuple

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS
from plyout.games.chess.board import Board, in_check, load, make, sides
from plyout.games.chess.move import CASTLE, from_square, promotion_of, to_square
from plyout.games.chess.moves import SETS_SIZE, list_moves
from plyout.games.chess.rules import MOVES, insufficient
from plyout.kernel import Ints, kernel, popcount
from plyout.kernel.random import below, stream
from plyout.knowledge.tables.probe import no_tables
from plyout.lab.train.games import MATE, UNLABELLED, LabelledGame
from plyout.networks.nnue.evaluate import PAWN, ROOM, nnue
from plyout.networks.small.policy import network_policy
from plyout.networks.small.value import CENTIPAWNS
from plyout.playout.scratch import Scratch, new_scratch
from plyout.playout.singh_network import captures

WORDS = 9
"""of a position: pawns … kings, White's men, Black's, whose turn it is"""
NO_LABEL = UNLABELLED
_HELD_BACK = 50  # every so many-th game is not learnt from, as in `plyout.lab.train.lessons`
_SHORTEST = 20  # plies of a game to learn from
_LONGEST_WALK = 12
_ANY_MOVE = 0.15  # of a walk's steps
_LABELLED = 1 / 12  # of the labelled positions on the way to where a walk begins
_DECIDED, _SELDOM = 400, 0.35  # centipawns from which on only so many are learnt
_PATIENCE = 10_000  # games without a lesson
_HOPELESS = 1500  # centipawns: not learnt at all, and a walk ends
_LABEL = 0.7  # its share, where there is one; the rest is what Stockfish's network says

# How Stockfish's network, in centipawns, is to be stretched to be on the scale of the labels: its search scales it by
# the material, too. By men on the board; found on 300,000 labelled positions.
_MEN = (3, 5, 6, 9, 15, 18, 21, 24, 32)
_STRETCH = (0.85, 1.1, 1.25, 1.2, 1.2, 1.25, 1.3, 1.35, 1.42)


_DAMAGED, _NONE = 1, 2
_FAULTS = {
    _DAMAGED: "the games are damaged: one has a move that cannot be made",
    _NONE: f"{_PATIENCE:,} games had no quiet position: is the network really Stockfish's?",
}


class Lessons(NamedTuple):
    """Positions and the expected scores that are right."""

    boards: Any
    scores: Any

    def __len__(self) -> int:
        return len(self.boards)


class _Source(NamedTuple):
    """What kernels make lessons of."""

    start: Ints
    plies: Any  # of all games, a row each: played, best, score
    begins: Ints  # the first ply of each game, and one more
    games: Ints  # the numbers of those to take
    policy: int
    stockfish: int


class _Out(NamedTuple):
    boards: Any
    told: Ints  # by Stockfish's network, centipawns
    labels: Ints  # likewise, or NO_LABEL


@kernel
def _chance(rng: int) -> tuple[float, int]:
    """(a number from 0 to 1, the next state)"""
    drawn, rng = below(rng, 1 << 30)
    return drawn / (1 << 30), rng


@kernel
def _labelled_move(word: int, moves: Ints, count: int) -> int:
    """The legal move that a labelled game means, or -1."""
    start, to, promotion = word & 63, word >> 6 & 63, word >> 12  # arithmetic
    for i in range(count):
        move = moves[i]
        if from_square(move) == start:
            end = to_square(move)
            if move & CASTLE:
                end = (start & 56) + (6 if end > start else 2)
            if end == to and (promotion == 0 or promotion_of(move) == promotion - 1):
                return int(move)
    return -1


@kernel
def _learn_from(
    b: Board, label: int, source: _Source, scratch: Scratch, out: _Out, n: int, rng: int
) -> tuple[int, int]:
    """Write a lesson on a position, if it is quiet; (how many there are now, the generator)."""
    if in_check(b) or insufficient(b):
        return n, rng
    value = np.int64(nnue(b, source.stockfish, scratch.accumulators))
    scratch.counters[0], scratch.counters[1] = 0, 1000
    if captures(b, value, value + 1, np.int64(0), np.int64(SETS_SIZE), source.stockfish, scratch) > value:
        return n, rng
    told = value * 100 // PAWN
    size, (drawn, rng) = abs(told), _chance(rng)
    if size > _HOPELESS or (size > _DECIDED and drawn > _SELDOM):
        return n, rng
    row = out.boards[n]
    row[0], row[1], row[2], row[3], row[4], row[5] = b.pawns, b.knights, b.bishops, b.rooks, b.queens, b.kings
    row[6], row[7], row[8] = b.white, b.black, b.turn
    out.told[n], out.labels[n] = told, label
    return n + 1, rng


@kernel
def _step(b: Board, moves: Ints, count: int, scores: Any, policy: int, softness: float, rng: int) -> tuple[int, int]:
    """(a move as the policy network would draw it, or any; the generator)"""
    drawn, rng = _chance(rng)
    if drawn < _ANY_MOVE:
        i, rng = below(rng, count)
        return moves[i], rng
    network_policy(b, policy, moves, count, scores)
    most, total = -1e300, 0.0
    for i in range(count):
        most = max(most, scores[i])
    for i in range(count):
        scores[i] = exp((scores[i] - most) / (100.0 * softness))
        total += scores[i]
    drawn, rng = _chance(rng)
    rest = drawn * total
    for i in range(count):
        rest -= scores[i]
        if rest <= 0.0:
            return moves[i], rng
    return moves[0], rng


@kernel
def _make_lessons(source: _Source, seed: int, index: int, scratch: Scratch, out: _Out) -> int:
    """Fill `out`; 0, or one of _DAMAGED and _NONE, where that cannot be done."""
    moves, scores = np.empty(MOVES, np.int64), np.empty(MOVES)
    rng = stream(seed, index)
    n, room = 0, out.told.size - _LONGEST_WALK
    before, idle = 0, 0
    while n < room:
        idle = idle + 1 if n == before else 0
        before = n
        if idle > _PATIENCE:
            return _NONE
        i, rng = below(rng, source.games.size)
        first, last = source.begins[source.games[i]], source.begins[source.games[i] + 1]
        plies, rng = below(rng, last - first)
        b = load(source.start)
        for ply in range(first, first + plies):
            count = list_moves(b, moves, scratch.sets)
            move = _labelled_move(np.int64(source.plies[ply, 0]), moves, count)
            if move < 0:
                return _DAMAGED
            score = np.int64(source.plies[ply, 2])
            drawn, rng = _chance(rng)
            if score != NO_LABEL and drawn < _LABELLED and n < room:
                best = _labelled_move(np.int64(source.plies[ply, 1]), moves, count)
                score = score if score < 1 << 15 else score - (1 << 16)
                _, enemies = sides(b)
                if best >= 0 and not enemies & 1 << to_square(best) and abs(score) < _HOPELESS:
                    n, rng = _learn_from(b, score, source, scratch, out, n, rng)
            b = make(b, move)
        steps, rng = below(rng, _LONGEST_WALK)
        softness, rng = _chance(rng)
        for _ in range(steps + 1):
            count = list_moves(b, moves, scratch.sets)
            if count == 0 or insufficient(b) or n >= room:
                break
            move, rng = _step(b, moves, count, scores, source.policy, 1.0 + softness, rng)
            b = make(b, move)
            n, rng = _learn_from(b, NO_LABEL, source, scratch, out, n, rng)
    return 0


@kernel
def _men(boards: Any, count: int, men: Ints) -> None:
    for i in range(count):
        men[i] = popcount(boards[i, 6] | boards[i, 7])


class Walks:
    """Makes lessons: those of number `index` of a seed are the same wherever they are made."""

    def __init__(self, games: Iterable[LabelledGame], policy: Any, stockfish: Any, seed: int) -> None:
        listed = [game.plies for game in games]
        self._plies = np.ascontiguousarray(np.concatenate(listed)) if listed else np.zeros((0, 3), np.uint16)
        self._begins = np.cumsum([0, *map(len, listed)], dtype=np.int64)
        self._numbers = np.array([i for i, game in enumerate(listed) if len(game) >= _SHORTEST], np.int64)
        self._policy, self._stockfish, self._seed = policy, stockfish, seed  # kept alive here
        back = self._numbers % _HELD_BACK == 0
        if back.all() or not back.any():
            what = "learn from" if back.all() else "test with"
            raise InputError(f"of {len(listed)} labelled games none is left to {what}: label more")
        self.games, self.positions = len(listed), len(self._plies)

    def lessons(self, index: int, count: int) -> Lessons:
        """So many of them, of the games to learn from."""
        return scored(*self._made(index, count, held_back=False))

    def told(self, count: int) -> tuple[Any, Any, Any]:
        """Of positions that are held back: boards, what Stockfish's network says, and the label or NO_LABEL."""
        return self._made(0, count, held_back=True)

    def _made(self, index: int, count: int, held_back: bool) -> tuple[Any, Any, Any]:
        back = self._numbers % _HELD_BACK == 0
        games = self._numbers[back == held_back]
        policy, stockfish = np.int64(self._policy.ctypes.data), np.int64(self._stockfish.address)
        source = _Source(CHESS.start(), self._plies, self._begins, games, policy, stockfish)
        size = count + _LONGEST_WALK
        out = _Out(np.zeros((size, WORDS), np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64))
        scratch = new_scratch(no_tables(), rave=False, accumulators=ROOM)
        fault = _make_lessons(source, np.int64(self._seed), np.int64(2 * index + held_back), scratch, out)
        if fault:
            raise InputError(_FAULTS[fault])
        return out.boards[:count], out.told[:count], out.labels[:count]


def scored(boards: Any, told: Any, labels: Any) -> Lessons:
    """Lessons: what Stockfish's network says, and the label where there is one, as the score that is right."""
    men = np.zeros(len(boards), np.int64)
    _men(boards, np.int64(len(boards)), men)
    known = score(told * np.interp(men, _MEN, _STRETCH))
    labelled = labels != NO_LABEL
    right = np.where(labelled, _LABEL * score(np.where(labelled, labels, 0)) + (1 - _LABEL) * known, known)
    return Lessons(boards, right.astype(np.float32))


def score(centipawns: Any) -> Any:
    """The expected score."""
    return 0.5 + 0.5 * np.tanh(np.clip(centipawns, -MATE, MATE) / (2.0 * CENTIPAWNS))
