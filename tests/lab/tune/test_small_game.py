"""Tuning by real games: in tic-tac-toe, an absurd start is left behind, and the tuned player beats the one it was."""

from dataclasses import replace

import pytest

from plyout import Engine, Limits
from plyout.games import TICTACTOE
from plyout.lab.statistics.estimate import estimate_of
from plyout.lab.tune.axis import axes_of
from plyout.lab.tune.spsa import Gains, Point, Spsa, climb

pytestmark = pytest.mark.slow
NODES = Limits(nodes=60)
ABSURD = ("temperature=3:0:5:0.5", "open_at=30:1:60:5")
"""Moves are drawn nearly at random; and a search of 60 iterations looks hardly beyond the first move."""


def player(point: Point) -> Engine:
    return Engine("mcc", "tictactoe", hash_mb=1, **point)


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
    assert tuned["temperature"] < 1, "from 3: the best moves are played, mostly"
    assert absurd["temperature"] - tuned["temperature"] > 2 * spsa.chance * 0.5, "more than by chance: steps of ½"
    now, before = player(tuned), player(absurd)
    found = estimate_of([(game(now, before, seed), 1 - game(before, now, seed)) for seed in range(1000, 1060)])
    assert found.low > 100, f"Elo, the lower end of 95%: {replace(found, pentanomial=found.pentanomial)}"
