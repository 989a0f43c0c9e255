"""The same source gives the same numbers compiled and interpreted.

Run as a program, this file prints the figures that the two are compared by.
"""

import json
import os
import pickle
import subprocess
import sys

import pytest

from plyout.games import CHESS, CRAZYHOUSE, TICTACTOE
from plyout.kernel import INTERPRETED, inlined, kernel
from plyout.playout.random import random_games
from tests.conftest import ROOT
from tests.positions import CASTLING_960, CRAZYHOUSE_CASES, DRAWS, START

PERFT = {
    CHESS: [START, *DRAWS.values(), *CASTLING_960.values()],
    CRAZYHOUSE: [fen for name, fen in CRAZYHOUSE_CASES.items() if name != "full pockets"],
    TICTACTOE: [".../.../...", "xox/.o./..."],
}
GAMES = {
    CHESS: ["startpos", "8/8/4k3/8/8/3QK3/8/8 w - - 60 60", "8/P6k/8/8/8/8/6pK/8 b - - 40 1"],
    CRAZYHOUSE: [CRAZYHOUSE_CASES["full pockets"]],
    TICTACTOE: ["startpos"],
}
SEED = -(2**62) - 1


def figures() -> dict[str, object]:
    perfts = {
        f"perft of {game.name} {text}": game.perft(game.parse(text), 2)
        for game, texts in PERFT.items()
        for text in texts
    }
    tallies = {
        f"random games of {game.name} {text}": list(random_games(game, game.parse(text), SEED, first, first + 2))
        for game, texts in GAMES.items()
        for text in texts
        for first in (0, 2**40)
    }
    return perfts | tallies


def interpreted(*arguments: str) -> str:
    """What Python prints in interpreted mode."""
    environment = os.environ | {"PLYOUT_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(INTERPRETED, reason="there is nothing to compare with")
def test_interpreted_kernels_count_and_play_like_compiled_ones() -> None:
    assert json.loads(interpreted("-m", "tests.kernel.test_door")) == figures()


@pytest.mark.skipif(INTERPRETED, reason="it is running already")
def test_the_python_twins_of_machine_instructions_pass_the_same_tests() -> None:
    files = (f"tests/kernel/test_{name}.py" for name in ("bits", "pointers", "random", "records", "views"))
    interpreted("-m", "pytest", "-q", *files)


@inlined
def twice(x: int) -> int:
    return 2 * x


@kernel
def four_times(x: int) -> int:
    return twice(twice(x))


@pytest.mark.skipif(INTERPRETED, reason="interpreted, it is a plain Python function")
def test_an_inlined_function_refuses_to_be_called_from_python_and_says_what_to_do() -> None:
    """Before and after kernels were compiled with it; Numba would jump to address 0."""
    for _ in range(2):
        with pytest.raises(TypeError, match=r"^twice is inlined into kernels .* wrap it in a kernel$"):
            twice(1)
        with pytest.raises(TypeError, match="twice is inlined"):
            twice(x=1)
        assert four_times(3) == 12


@pytest.mark.skipif(INTERPRETED, reason="interpreted, it is a plain Python function")
def test_an_inlined_function_survives_pickling() -> None:
    """Numba pickles what a kernel closes over, to find the kernel in its cache."""
    copy = pickle.loads(pickle.dumps(twice))

    @kernel
    def doubled(x: int) -> int:
        return copy(x)

    assert doubled(21) == 42
    with pytest.raises(TypeError, match="twice is inlined"):
        copy(1)


if __name__ == "__main__":
    print(json.dumps(figures()))
