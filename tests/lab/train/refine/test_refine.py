"""A value network that goes on learning: its lessons are quiet, its gradient is right, and it goes on where it was."""

from pathlib import Path

import chess
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.games import state_of
from plyout.games.chess.board import load
from plyout.games.chess.border import parse_board
from plyout.kernel import Ints, address_of, entry, i64, ints
from plyout.lab.train.checkpoint import Row
from plyout.lab.train.games import read_games
from plyout.lab.train.geometry import look
from plyout.lab.train.refine.floats import Learner
from plyout.lab.train.refine.lessons import NO_LABEL, Walks, scored
from plyout.lab.train.refine.refine import Plan, Taught, refine
from plyout.lab.train.replay import ENEMY, MIRROR
from plyout.lab.train.show import Show
from plyout.lab.train.student import Value
from plyout.networks.library import find
from plyout.networks.nnue.evaluate import PAWN, Evaluator
from plyout.networks.nnue.file import read as read_stockfish
from plyout.networks.small import value
from plyout.networks.small.file import read
from plyout.networks.small.image import image
from plyout.networks.small.quantise import floats_of, layers_of_value
from tests.lab.train.made import random_games, write_games
from tests.networks.nnue import made

POLICY, SHIPPED = find("policy"), find("value")
_OFF = 0.003  # added to sums of integers, lest they stand just where a slope ends
PLAN = Plan(steps=6, minutes=None, batch=64, rate=1e-3, portion=100)


@pytest.fixture(scope="module")
def stockfish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nnue") / "random.nnue"
    path.write_bytes(made.file_of(made.arrays(seed=1)))
    return path


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("labels"), random_games(120, 40))


@pytest.fixture(scope="module")
def walks(labels: Path, stockfish: Path) -> Walks:
    games = read_games(sorted(labels.iterdir()))
    return Walks(games, image(read(POLICY), "policy"), read_stockfish(stockfish), seed=1)


def as_chess(row: Ints) -> chess.Board:
    board = chess.Board(None)
    *pieces, white, _, turn = (int(word) & (1 << 64) - 1 for word in row)
    for piece, places in enumerate(pieces, start=1):
        for square in chess.scan_forward(places):
            board.set_piece_at(square, chess.Piece(piece, bool(white >> square & 1)))
    board.turn = turn == 0
    return board


def as_seen(row: Ints) -> np.ndarray:
    """The board as training with JAX has it."""
    chess_board = as_chess(row)
    board = chess_board if chess_board.turn else chess_board.mirror()
    seen = np.zeros(64, np.int8)
    for square, piece in board.piece_map().items():
        seen[square] = piece.piece_type + (0 if piece.color else ENEMY)
    right = chess.square_file(board.king(chess.WHITE)) > 3  # type: ignore[arg-type]
    return seen[MIRROR] if right else seen


@entry(i64(ints, i64, ints))
def _in_integers(state: Ints, net: int, kept: Ints) -> int:
    return value.network_value(load(state), net, address_of(kept))


def test_lessons_are_quiet_and_say_what_stockfishs_network_says(walks: Walks, stockfish: Path) -> None:
    boards, told, labels = walks.told(400)
    evaluator = Evaluator(read_stockfish(stockfish))
    for row, centipawns in zip(boards, told, strict=True):
        board = as_chess(row)
        assert board.is_valid()
        assert not board.is_check()
        mine = evaluator.value(board.fen())
        assert mine * 100 // PAWN == centipawns
        for move in board.generate_legal_captures():
            board.push(move)
            rest = any(board.generate_legal_captures())
            assert rest or board.is_insufficient_material() or -evaluator.value(board.fen()) <= mine, (board, move)
            board.pop()
    assert 0.02 < np.mean(labels != NO_LABEL) < 0.9, "some are labelled, some are not"
    assert len({row.tobytes() for row in boards}) > 200


def test_lessons_hang_on_their_number_alone(walks: Walks) -> None:
    first, other = walks.lessons(3, 50), walks.lessons(4, 50)
    again = walks.lessons(3, 50)
    assert np.array_equal(first.boards, again.boards)
    assert np.array_equal(first.scores, again.scores)
    assert not np.array_equal(first.boards, other.boards)


def test_a_label_counts_beside_what_is_told(walks: Walks) -> None:
    boards, _, _ = walks.told(2)
    one, other = (scored(boards, np.array([0, 0]), np.array([NO_LABEL, x])).scores for x in (300, -300))
    assert one[0] == other[0] == 0.5
    assert one[1] > 0.6
    assert one[1] + other[1] == pytest.approx(1.0)


def test_floats_say_what_the_integers_say(walks: Walks) -> None:
    network = read(SHIPPED)
    words = image(network, "value")
    kept = np.zeros(words[value.ROOM], np.int64)
    boards = walks.lessons(0, 300).boards
    found = Learner(layers_of_value(network)).logits(boards) * value.CENTIPAWNS
    fens = [as_chess(row).fen() for row in boards]
    right = [_in_integers(state_of(parse_board(fen)), words.ctypes.data, kept) for fen in fens]
    assert np.abs(found - right).max() < 3


def test_the_gradient_is_jaxs(walks: Walks) -> None:
    network = read(SHIPPED)
    lessons = walks.lessons(1, 40)
    layers = layers_of_value(network)
    layers["biases"] = layers["biases"] + _OFF
    error, ours = Learner(layers).gradient(lessons, np.arange(40))
    boards = jnp.asarray(np.array([as_seen(row) for row in lessons.boards]))
    student, seen = Value(network.header["width"]), look(boards)
    weights: dict[str, dict[str, jax.Array]] = {}
    for name, array in floats_of(network).items():
        layer, part = name.rsplit("_", 1)
        weights.setdefault(layer, {})[part] = jnp.asarray(array, jnp.float32)

    weights["wide"]["b"] += _OFF

    def loss(these: dict[str, dict[str, jax.Array]]) -> jax.Array:
        return jnp.mean((jax.nn.sigmoid(student.apply(these, seen, boards)) - lessons.scores) ** 2)

    expected, theirs = jax.value_and_grad(loss)(weights)
    assert error == pytest.approx(float(expected), rel=1e-3)
    pairs = {
        "table": (ours.table, theirs["wide"]["w"]), "biases": (ours.biases, theirs["wide"]["b"]),
        "two": (ours.two.reshape(-1, ours.two.shape[-1]).T, theirs["two"]["w"]),
        "three": (ours.three.reshape(-1, ours.three.shape[-1]).T, theirs["three"]["w"]),
        "out": (ours.out[:, 0].T, theirs["out"]["w"]), "out_biases": (ours.out_biases, theirs["out"]["b"]),
        "three_biases": (ours.three_biases.ravel(), theirs["three"]["b"]),
        "two_biases": (ours.two_biases.ravel(), theirs["two"]["b"]),
    }  # fmt: skip
    for name, (mine, right) in pairs.items():
        right = np.asarray(right)
        assert np.abs(right).max() > 0, name
        assert np.abs(mine - right).max() < 0.01 * np.abs(right).max(), name
    sums = ours.views.sum(dtype=np.float64), np.asarray(theirs["views"]["w"]).sum(dtype=np.float64)
    assert sums[0] == pytest.approx(sums[1], rel=0.01), "views stand in another order there"


def test_what_is_learnt_is_known_afterwards(walks: Walks) -> None:
    lessons = walks.lessons(2, 200)
    learner = Learner(layers_of_value(read(SHIPPED)))
    before = learner.error(lessons)
    for _ in range(30):
        learner.learn(lessons, np.arange(200), 1e-3)
    assert learner.error(lessons) < 0.3 * before
    assert np.abs(learner.weights.table).max() <= 1.0, "within what the integers hold"


def test_a_run_that_was_interrupted_ends_with_the_same_network(labels: Path, stockfish: Path, tmp_path: Path) -> None:
    taught = Taught(labels, SHIPPED, POLICY, stockfish)
    whole = refine(taught, tmp_path / "whole.plynet", PLAN, Show())
    assert [row.step for row in whole.rows] == [1, 2, 3, 4, 5, 6]

    def interrupt(row: Row, speed: float) -> None:
        if row.step == 4:
            raise KeyboardInterrupt

    cut = tmp_path / "cut.plynet"
    with pytest.raises(KeyboardInterrupt):
        refine(taught, cut, PLAN, Show(row=interrupt))
    assert not cut.exists()
    said: list[str] = []
    refine(taught, cut, PLAN, Show(said.append))
    assert "going on after 4 of 6 steps" in said
    one, other = (read(tmp_path / name) for name in ("whole.plynet", "cut.plynet"))
    assert all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)
    image(one, "value")
    assert not np.array_equal(one.arrays["table"], read(SHIPPED).arrays["table"])
    with pytest.raises(InputError, match="another batch"):
        refine(taught, cut, Plan(6, None, 32, 1e-3, 100), Show())


def test_a_network_that_is_there_is_not_overwritten(labels: Path, stockfish: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.plynet"
    out.write_bytes(b"years of work")
    with pytest.raises(InputError, match="name another --out"):
        refine(Taught(labels, SHIPPED, POLICY, stockfish), out, PLAN, Show())
    assert out.read_bytes() == b"years of work"


def test_too_few_games_and_damaged_ones_are_told(labels: Path, stockfish: Path) -> None:
    policy, network = image(read(POLICY), "policy"), read_stockfish(stockfish)
    with pytest.raises(InputError, match="of 1 labelled games none is left"):
        Walks(random_games(1, 40), policy, network, 1)
    games = random_games(60, 40)
    for game in games:
        game.plies[3, 0] = 0
    with pytest.raises(InputError, match="the games are damaged"):
        Walks(games, policy, network, 1).lessons(0, 100)
