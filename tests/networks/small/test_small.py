"""Small networks: the kernels compute what python-chess and NumPy do, to the last digit."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.games import CHESS, state_of
from plyout.games.chess.board import load
from plyout.games.chess.border import decode
from plyout.kernel import Ints, address_of, kernel
from plyout.networks.library import SHIPPED
from plyout.networks.small.file import Network, read, write
from plyout.networks.small.image import image
from plyout.networks.small.policy import network_policy
from plyout.networks.small.quantise import floats_of, policy_network, value_network
from plyout.networks.small.value import ROOM, network_value
from tests.conftest import ROOT
from tests.networks.small import reference
from tests.sampling import positions


@kernel
def _value(state: Ints, net: int, kept: Ints) -> int:
    return network_value(load(state), net, address_of(kept))


@kernel
def _policy(state: Ints, net: int, moves: Ints, count: int, scores: Any) -> None:
    network_policy(load(state), net, moves, count, scores)


class Asked:
    """Networks that can be asked about boards."""

    def __init__(self, value: Network, policy: Network) -> None:
        self._value, self._policy = image(value, "value"), image(policy, "policy")
        self._kept = np.zeros(self._value[ROOM], np.int64)

    def value(self, board: chess.Board) -> int:
        return int(_value(state_of(board), np.int64(self._value.ctypes.data), self._kept))

    def forget(self) -> None:
        self._kept[:] = 0

    def policy(self, board: chess.Board) -> dict[chess.Move, float]:
        state = state_of(board)
        moves = np.array(CHESS.moves(state), np.int64)
        scores = np.zeros(len(moves))
        _policy(state, np.int64(self._policy.ctypes.data), moves, np.int64(len(moves)), scores)
        return {decode(int(m), board.chess960): s for m, s in zip(moves, scores, strict=True)}


@pytest.fixture(scope="module")
def shipped() -> tuple[Network, Network]:
    return read(SHIPPED / "value.plynet"), read(SHIPPED / "policy.plynet")


@pytest.fixture(scope="module")
def asked(shipped: tuple[Network, Network]) -> Asked:
    return Asked(*shipped)


def test_values_are_those_of_numpy_on_ten_thousand_positions(shipped: tuple[Network, Network], asked: Asked) -> None:
    seen = set()
    for board in positions(10_000, seed=3):
        found = asked.value(board)
        assert found == reference.value(shipped[0], board), board.fen()
        seen.add(found)
    assert len(seen) > 500, "the network says the same of most positions"


def test_what_was_evaluated_before_makes_no_difference(asked: Asked) -> None:
    """Sums are kept from position to position, and those of positions far apart are as good as new ones."""
    boards = [board.copy(stack=False) for board in positions(300, seed=12, every=5)]
    found = [asked.value(board) for board in boards]
    for board, value in zip(reversed(boards), reversed(found), strict=True):
        asked.forget()
        assert asked.value(board) == value, board.fen()


def _is_plain(board: chess.Board, move: chess.Move) -> bool:
    return not board.is_castling(move) and move.promotion in (None, chess.QUEEN)


def test_scores_of_moves_are_those_of_numpy(shipped: tuple[Network, Network], asked: Asked) -> None:
    for board in positions(1_000, seed=4, every=3):
        found = asked.policy(board)
        assert set(found) == set(board.legal_moves)
        plain = [m for m in found if _is_plain(board, m)]
        wanted = dict(zip(plain, reference.scores(shipped[1], board, plain), strict=True))
        assert {m: found[m] for m in plain} == wanted, board.fen()


def test_underpromotions_come_behind_the_queen(asked: Asked) -> None:
    scores = asked.policy(chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1"))
    queen = scores[chess.Move.from_uci("a7a8q")]
    assert [queen - scores[chess.Move.from_uci(f"a7a8{p}")] for p in "rbn"] == [400, 400, 400]


def _without_rights(board: chess.Board) -> chess.Board:
    board = board.copy(stack=False)
    board.castling_rights, board.ep_square, board.chess960 = 0, None, False
    return board


def test_colours_and_sides_make_no_difference(asked: Asked) -> None:
    """A network sees a position, its colours reversed, and its left and right exchanged, as one."""
    for board in map(_without_rights, positions(500, seed=5, every=7)):
        reversed_colours, mirrored = board.mirror(), board.transform(chess.flip_horizontal)
        assert asked.value(board) == asked.value(reversed_colours) == asked.value(mirrored), board.fen()
        scores = asked.policy(board)
        for other, turn in ((reversed_colours, 56), (mirrored, 7)):
            turned = {chess.Move(m.from_square ^ turn, m.to_square ^ turn, m.promotion): s for m, s in scores.items()}
            assert asked.policy(other) == turned, board.fen()


def test_integers_lose_little(tmp_path: Path) -> None:
    """The value is within 0.005 of the float network's on average, as a score between 0 and 1."""
    floats, policy = reference.made_by_chance()
    asked = Asked(value_network(floats, {}), policy_network(policy, {}))
    boards = [board.copy(stack=False) for board in positions(300, seed=6, every=5)]
    exact = 1 / (1 + np.exp([-reference.float_value(floats, board) for board in boards]))
    found = 1 / (1 + np.exp([-asked.value(board) / 260 for board in boards]))
    assert np.std(exact) > 0.02, "the network says the same of all positions"
    assert np.abs(found - exact).mean() < 0.005


def test_integers_made_floats_and_integers_again_are_the_same(shipped: tuple[Network, Network]) -> None:
    for network, make in zip(shipped, (value_network, policy_network), strict=True):
        again = make(floats_of(network), network.header["trained"])
        assert again.header["scale"] == pytest.approx(network.header["scale"])
        assert all((again.arrays[name] == array).all() for name, array in network.arrays.items())


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    for network in (f(w, {"by": "chance"}) for f, w in zip((value_network, policy_network), reference.made_by_chance(),
                                                           strict=True)):  # fmt: skip
        write(tmp_path / "a.plynet", network)
        back = read(tmp_path / "a.plynet")
        assert network.header.items() <= back.header.items()
        assert all((back.arrays[name] == a).all() for name, a in network.arrays.items())


def test_shipped_networks_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in SHIPPED.iterdir()}
    assert {"value.plynet", "policy.plynet"} <= set(sizes)
    assert max(sizes.values()) <= 15_000_000, sizes


def _changed(network: Network, **changes: Any) -> Network:
    arrays = {name: changes.pop(name, a) for name, a in network.arrays.items()}
    return Network(network.header | changes, arrays)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kind": "policy"}, "this network is for 'policy', and one for 'value' is wanted"),
        ({"features": "halfka"}, "sees 'halfka'"),
        ({"features": "piece-attacked-defended-108"}, "sees 'piece-attacked-defended-108'"),
        ({"width": 100}, "multiple of 256"),
        ({"width": "many"}, "multiple of 256"),
        ({"scale": 0}, "scale must be a number above 0"),
        ({"scale": float("nan")}, "scale must be a number above 0"),
        ({"width": 512}, "'biases' must be int16"),
        ({"biases": np.full(256, 32_000, np.int16)}, "sums would overflow"),
        ({"two": np.full((8, 16, 256), 1.0)}, "'two' must be int8"),
    ],
)
def test_a_network_that_does_not_fit_is_refused_with_one_line(changes: dict[str, Any], why: str) -> None:
    network = value_network(reference.made_by_chance()[0], {})
    with pytest.raises(InputError, match=why) as error:
        image(_changed(network, **changes), "value")
    assert "\n" not in str(error.value)


def test_no_position_overflows() -> None:
    """The largest weights that are let in give what NumPy's wide integers give."""
    rng = np.random.default_rng(8)
    network = value_network(reference.made_by_chance()[0], {})
    large = {
        name: rng.choice(np.array([-127, 127], np.int8), network.arrays[name].shape) for name in ("table", "views")
    }
    network = _changed(network, **large, two=rng.integers(-127, 128, (8, 16, 256)).astype(np.int8))
    asked = Asked(network, policy_network(reference.made_by_chance()[1], {}))
    for board in positions(200, seed=9, every=11):
        assert asked.value(board) == reference.value(network, board), board.fen()


_DIGEST = """
import numpy as np
from tests.networks.small.test_small import Asked, SHIPPED, read, positions
asked = Asked(read(SHIPPED / "value.plynet"), read(SHIPPED / "policy.plynet"))
boards = list(b.copy() for b in positions({count}, seed=11, every=5))
print([asked.value(b) for b in boards], [sorted(asked.policy(b).values()) for b in boards[:20]])
"""


@pytest.mark.slow
def test_every_processor_and_plain_python_find_the_same() -> None:
    """Compiled for this processor, for the oldest of its family, and not compiled at all."""
    answers = []
    for setting in ({}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, {"PLYOUT_INTERPRET": "1"}):
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST.format(count=60)], cwd=ROOT, env=os.environ | setting, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        answers.append(run.stdout)
    assert len(answers[0]) > 1000
    for one, other in itertools.pairwise(answers):
        assert one == other
