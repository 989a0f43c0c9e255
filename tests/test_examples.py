"""The examples run, and the game of one's own is played by its rules."""

import importlib.util
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plyout import Engine, Limits
from plyout.playout.random import random_games
from tests.conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@cache
def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert run.stderr == ""


def count(columns: tuple[str, ...], player: str, depth: int) -> int:
    """The sequences of so many moves of Connect Four, the slow way: columns of "x" and "o", filled from below."""
    if depth == 0:
        return 1
    other = "o" if player == "x" else "x"
    board = {(x, y): stone for x, column in enumerate(columns) for y, stone in enumerate(column)}
    for (x, y), stone in board.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if stone == other and all(board.get((x + i * dx, y + i * dy)) == other for i in range(4)):
                return 0
    total = 0
    for x in range(7):
        if len(columns[x]) < 6:
            total += count((*columns[:x], columns[x] + player, *columns[x + 1 :]), other, depth - 1)
    return total


def test_connect_four_has_as_many_games_as_brute_force_finds() -> None:
    game = example("connect_four").CONNECT_FOUR
    for depth in range(1, 7):
        assert game.perft(game.start(), depth) == count(("",) * 7, "x", depth)


def test_connect_four_counts_lines_of_four() -> None:
    """Three of x lie side by side: from here on games end, in all four directions."""
    game = example("connect_four").CONNECT_FOUR
    for line in (
        [0, 0, 1, 1, 2, 2],
        [0, 1, 0, 1, 0, 1],
        [0, 1, 1, 2, 2, 3, 2, 3, 3, 6],
        [3, 2, 2, 1, 1, 0, 1, 0, 0, 6],
    ):
        state, columns = game.start(), ["" for _ in range(7)]
        for ply, column in enumerate(line):
            state = game.after(state, column)
            columns[column] += "xo"[ply % 2]
        player = "xo"[len(line) % 2]
        free = [game.perft(state, depth) for depth in (1, 2, 3)]
        assert free == [count(tuple(columns), player, depth) for depth in (1, 2, 3)]
        assert free[1] < 49, "some first moves end the game"


def test_random_connect_four_is_seldom_drawn_and_favours_the_first() -> None:
    """Known of random play: about 56 in 100 for the first player, 44 for the second, a draw in 400 games."""
    game = example("connect_four").CONNECT_FOUR
    tally = random_games(game, game.start(), 1, 0, 20_000)
    assert 0.54 < tally.white / 20_000 < 0.57
    assert 0.001 < tally.draw / 20_000 < 0.005
    assert 20 < tally.plies / 20_000 < 23


def test_connect_four_can_be_searched() -> None:
    """x has three in a row: it wins at once, and o to move must stop it."""
    game = example("connect_four").CONNECT_FOUR
    engine = Engine("mcc-solver", game, hash_mb=16)
    state = game.start()
    for column in (0, 0, 1, 1, 2):
        state = game.after(state, column)
    assert engine.search(state, Limits(nodes=3000)).move == 3
    state = game.after(state, 2)
    result = engine.search(state, Limits(nodes=3000))
    assert (result.move, result.proof, result.mate) == (3, "win", 1)


def test_a_game_of_ones_own_takes_less_than_sixty_lines() -> None:
    assert len((ROOT / "examples/connect_four.py").read_text().splitlines()) < 60
