"""Lessons of games that a teacher plays on: chess, mostly by the teacher's moves, and mostly new."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plyout.lab.train.geometry import CASTLE, FROM, PAIRS, TO, look
from plyout.lab.train.lessons import Data, begun, split, taught
from plyout.lab.train.replay import positions
from tests.lab.train.made import random_games
from tests.lab.train.test_geometry import as_chess
from tests.lab.train.test_replay import as_seen, numbers

BATCH = 256
FAVOURS = jax.random.normal(jax.random.key(7), (PAIRS,)) * 50  # one move is as good as certain


def teacher(boards: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Finds all positions even, and one legal move far better than the next."""
    return jnp.zeros(len(boards)), jnp.broadcast_to(FAVOURS, (len(boards), PAIRS))


@pytest.fixture(scope="module")
def data() -> Data:
    return split(positions(random_games(100, 60, seed=3)))[0]


def test_games_are_played_on_by_legal_moves_three_of_four_the_teachers(data: Data) -> None:
    before = begun(jax.random.key(1), data, BATCH)
    lesson, after = taught(jax.random.key(2), data, jnp.arange(BATCH), before, teacher)
    assert np.array_equal(lesson.boards[BATCH // 8 :], before), "they are asked about where they stand"
    beginnings = {bytes(row) for row in np.asarray(data.boards)}
    favourite = jnp.argmax(jnp.where(look(before).moves & ~CASTLE, FAVOURS, -1e9), 1)
    anew = stayed = as_told = 0
    for row, now, pair in zip(np.asarray(before), np.asarray(after), np.asarray(favourite), strict=True):
        board, ways = as_chess(row), {}
        for move in board.legal_moves:
            board.push(move)
            ways[move.from_square, move.to_square] = numbers(as_seen(board)[0])
            board.pop()
        if now.tolist() in ways.values():
            as_told += now.tolist() == ways.get(ends(pair))
        elif np.array_equal(row, now):
            stayed += 1
        else:
            anew += 1
            assert bytes(now) in beginnings, board.fen()
    played = len(before) - anew - stayed
    assert 0.03 * len(before) < anew < 0.25 * len(before)
    assert played > 0.7 * len(before)
    assert 0.65 < as_told / played < 0.9, "three of four, and those that chance finds"


def ends(pair: int) -> tuple[int, int]:
    return int(FROM[pair]), int(TO[pair])


def test_decided_games_begin_anew_sooner(data: Data) -> None:
    before = begun(jax.random.key(1), data, BATCH)

    def anew(value: float) -> int:
        def sure(boards: jax.Array) -> tuple[jax.Array, jax.Array]:
            return jnp.full(len(boards), value), teacher(boards)[1]

        games = taught(jax.random.key(2), data, jnp.arange(BATCH), before, sure)[1]
        return sum(bytes(row) in beginnings for row in np.asarray(games))

    beginnings = {bytes(row) for row in np.asarray(data.boards)}
    assert anew(9.0) > anew(0.0) + BATCH // 10
