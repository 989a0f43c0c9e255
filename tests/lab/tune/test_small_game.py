"""Tuning by real games: in tic-tac-toe, an absurd start is left behind, and the tuned player beats the one it was."""

from functools import cache

import pytest

from plyout import Engine, Limits
from plyout.games import TICTACTOE
from plyout.lab.statistics.estimate import estimate_of
from plyout.lab.tune.axis import axes_of
from plyout.lab.tune.spsa import Gains, Point, Spsa, climb
from plyout.playout.playouts import playout_of

pytestmark = pytest.mark.slow
NODES = Limits(nodes=200)
ABSURD = ("temperature=1:0:2:0.2", "squash=400:100:900:80")
"""Moves are drawn by their visits, which throws games away; the second is of the evaluation, and playouts have none."""


@cache
def playout() -> object:
    """The evaluator of the preset: an engine that names it compiles its own, which takes longer than a game."""
    return playout_of(TICTACTOE)


def player(point: Point) -> Engine:
    return Engine("mcc", "tictactoe", hash_mb=1, evaluate=playout(), **point)


def game(first: Engine, second: Engine, seed: int) -> float:
    """The points of who begins."""
    for engine in (first, second):
        engine.new_game(seed)
    state, turn = TICTACTOE.start(), 0
    while (score := TICTACTOE.result(state)) is None:
        move = (first, second)[turn].search(state, NODES).move
        assert isinstance(move, int)
        TICTACTOE.play(state, move)
        turn ^= 1
    return 1 - score if turn else score


def test_the_tuned_player_beats_the_one_it_was() -> None:
    spsa = Spsa(axes_of(ABSURD, {}), Gains(150))
    absurd, pair = spsa.point, iter(range(1000))

    def compare(plus: Point, minus: Point) -> float:
        first, second, seed = player(plus), player(minus), next(pair)
        return 2 * (game(first, second, seed) - game(second, first, seed))

    climb(spsa, compare)
    tuned = {axis.name: axis.final(spsa.point[axis.name]) for axis in spsa.axes}
    assert tuned["temperature"] < 0.3, "the best moves are played"
    assert (tuned["temperature"] - 1) / 0.2 < -3 * spsa.chance, "that is more than chance"
    assert abs(tuned["squash"] - 400) / 80 < 3 * spsa.chance, "and what does not matter moves by chance"
    now, before = player(tuned), player(absurd)
    found = estimate_of([(game(now, before, seed), 1 - game(before, now, seed)) for seed in range(1000, 1060)])
    assert found.low > 100, f"the lower end of the interval: {found}"
