"""Traps: which moves are called so, and in which words."""

from types import SimpleNamespace
from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.events import Event
from plyout.engine.result import MoveStatistics
from plyout.lab.analyse import traps
from plyout.lab.analyse.told import game_data
from plyout.search.graph import PROVEN, UNPROVEN
from tests.explain.test_truth import LEGAL
from tests.lab.analyse.test_judge import QUIET, game, judged, position, table


def test_a_tempting_move_that_is_mated_is_a_trap_by_force() -> None:
    board = chess.Board(LEGAL)
    result = Engine("plyout", hash_mb=16, seed=1).search(board, Limits(nodes=300))
    (trap, *_) = traps.traps_of(result, board)
    assert (trap["move"], trap["mate"], trap["line"]) == ("h5d1", 2, ["c4f7", "e8e7", "c3d5"])
    assert "wins by exchanges" in trap["tempting"]
    lost = chess.Board("k7/8/8/8/8/8/1r5r/K7 w - - 0 1")
    assert traps.traps_of(Engine("plyout", hash_mb=16).search(lost, Limits(nodes=50)), lost) == []


def searched(value: float, proof: int = UNPROVEN) -> Any:
    """A search that liked Bxd1 until it saw the reply, and gives it `value` in the end; the best has 0.6."""
    best, liked, reply = map(chess.Move.from_uci, ("c6e5", "h5d1", "c4f7"))
    moves = [
        MoveStatistics(best, 900, 0.6, 0.1, UNPROVEN, [best]),
        MoveStatistics(liked, 100, value, 0.5, proof, [liked, reply, *map(chess.Move.from_uci, ("e8e7", "c3d5"))]),
    ]
    events = [Event("refutation", 3, 64, liked, reply, 0.7, 0.5), Event("lead", 4, 80, best, liked)]
    return SimpleNamespace(value=0.6, moves=moves, history=SimpleNamespace(events=events))


def test_a_move_that_the_search_liked_and_refuted_is_a_trap_if_it_costs_enough() -> None:
    liked = chess.Move.from_uci("h5d1")
    (trap,) = traps._by_search(searched(0.39), {liked: ("highest prior",)}, set())
    assert (trap["move"], trap["tempting"], trap["before"], trap["after"]) == ("h5d1", ["highest prior"], 0.7, 0.39)
    assert (trap["mate"], trap["proof"], trap["line"]) == (None, None, ["c4f7", "e8e7", "c3d5"])
    assert traps._by_search(searched(0.41), {}, set()) == []
    assert traps._by_search(searched(0.39), {}, {"h5d1"}) == [], "it is one by force already"
    (trap,) = traps._by_search(searched(0.5, -(PROVEN - 4)), {}, set())
    assert trap["proof"] == "loss"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"mate": 2}, "Sets a trap: f6 (highest prior) is mated in 2."),
        ({"mate": None, "proof": "loss"}, "Sets a trap: f6 (highest prior) is lost, as the search has proven."),
        ({"mate": None, "proof": None, "before": 0.62, "after": 0.3},
         "Sets a trap: f6 (highest prior) had up to 62 % in the search, and 30 % in the end."),
    ],
)  # fmt: skip
def test_a_trap_is_told_as_it_was_found(facts: dict[str, Any], words: str) -> None:
    given = game("1. e4 e5 2. Nf3 f6 *")
    trap = {"move": "f7f6", "tempting": ["highest prior"], "line": ["f3e5", "f6e5"], **facts}
    records = table(given, *QUIET[:3], position(0.5, "f7f6", traps=[trap]), position(0.5, "f3e5"))
    told = game_data(judged(given, records))["moves"]
    assert told[2]["notes"] == [words]
    assert [san for _, san in told[2]["traps"][0]["line"]] == ["f6", "Nxe5", "fxe5"]
    assert told[3]["notes"] == [words.replace("Sets", "Falls into").replace(" (highest prior)", "")]
