"""``plyout perft`` and ``plyout playouts``."""

import pytest

from tests.cli.client import answer, mistake
from tests.positions import KIWIPETE


def test_perft_answers_in_json() -> None:
    found = answer("perft", "--fen", KIWIPETE, "--depth", "3", "--divide", "--json")
    assert set(found) == {"nodes", "seconds", "nps", "depth", "fen", "variant", "divide"}
    assert (found["nodes"], found["depth"], found["fen"], found["variant"]) == (97862, 3, KIWIPETE, "chess")
    assert len(found["divide"]) == 48
    assert sum(found["divide"].values()) == 97862


def test_playouts_answer_in_json() -> None:
    found = answer("playouts", "--count", "200", "--seed", "3", "--variant", "tictactoe", "--json")
    wanted = {"white", "draw", "black", "plies", "count", "seconds", "per_second", "seed", "fen", "variant"}
    assert set(found) == wanted
    assert found["white"] + found["draw"] + found["black"] == found["count"] == 200


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("perft", "--fen", "8/8 w"), "not a FEN"),
        (("playouts", "--count", "-5"), "Invalid value for '--count'"),
        (("playouts", "--seed", "1" + "0" * 30), "a seed has at most 64 bits"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str) -> None:
    assert problem in mistake(*arguments)
