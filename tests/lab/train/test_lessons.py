"""Lessons of games that a teacher plays on: chess, mostly by the teacher's moves, and mostly new."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plyout.lab.train import pool
from plyout.lab.train.geometry import CASTLE, FROM, PAIRS, TO, look
from plyout.lab.train.lessons import Data, begun, labelled, split, taught
from plyout.lab.train.replay import positions
from plyout.lab.train.student import Value, widened
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


def test_a_value_counts_less_where_the_best_move_is_a_capture_or_the_mover_in_check(data: Data) -> None:
    rows = jnp.arange(512)
    lesson = labelled(data, rows)
    for row, pair, counts in zip(np.asarray(lesson.boards), np.asarray(data.pairs[rows]), lesson.counts, strict=True):
        board = as_chess(row)
        noisy = board.is_check() or board.piece_at(ends(pair)[1]) is not None
        assert counts == (0.25 if noisy else 1.0), board.fen()
    assert 0.3 < float((lesson.counts == 1).mean()) < 0.99, "both kinds were seen"


def test_a_pool_gives_what_was_said_of_its_positions_and_asks_once_in_several_steps(data: Data) -> None:
    asked = []
    marks = jax.random.normal(jax.random.key(9), (64, 256))

    def ask(games: jax.Array) -> tuple[jax.Array, jax.Array]:
        values = (games.astype(jnp.float32)[:, :, None] * marks).sum((1, 2)) / 1000  # tells boards apart
        jax.debug.callback(lambda: asked.append(1))
        return values, teacher(games)[1]

    now = pool.new(jax.random.key(1), data, BATCH)
    step = jax.jit(
        lambda key, now: pool.lesson(key, now, BATCH, 4, lambda games: taught(key, data, jnp.arange(BATCH), games, ask))
    )
    known = {bytes(row) for row in np.asarray(data.boards)}  # of which the label has its share
    for i in range(12):
        lesson, now = step(jax.random.key(100 + i), now)
        fresh = np.array([bytes(row) not in known for row in np.asarray(lesson.boards)])
        said = jax.nn.sigmoid(ask(lesson.boards)[0])
        asked.pop()
        assert np.allclose(said[fresh], lesson.value[fresh], atol=1e-4)
        assert (np.asarray(lesson.boards) > 0).any(1).all(), "no position of a place that was never filled"
    jax.effects_barrier()
    assert len(asked) == 3
    assert fresh.any()


def test_a_wider_value_network_begins_as_the_narrower_one(data: Data) -> None:
    narrow, wide = Value(256), Value(512)
    known, new = narrow.new(jax.random.key(1)), wide.new(jax.random.key(2))
    boards = data.boards[:BATCH]
    seen = look(boards)
    began = wide.apply(widened(known, new), seen, boards)
    assert np.allclose(began, narrow.apply(known, seen, boards), atol=1e-5)
    assert not np.allclose(began, wide.apply(new, seen, boards), atol=1e-2), "by chance it would say something else"
    assert widened(new, new) is new
