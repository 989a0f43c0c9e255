"""A search keeps to its limits."""

from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from tests.engine.conftest import STEP, Clock
from tests.positions import KIWIPETE, START


@pytest.mark.parametrize("nodes", [2, 3, 17, 1000, 4321])
def test_nodes_are_exact(nodes: int) -> None:
    result = Engine("mcc", hash_mb=4).search(START, Limits(nodes=nodes))
    assert result.nodes == nodes
    assert result.tree.graph.nodes["visits"][result.tree.root] == nodes


def test_a_search_of_one_node_still_has_a_move() -> None:
    """Whatever stops a search, there is a legal move to answer with while the game goes on."""
    for nodes in (0, 1):
        assert Engine("mcc", hash_mb=4).search(START, Limits(nodes=nodes)).move in chess.Board().legal_moves


def test_playouts_are_counted() -> None:
    """A mate on the board is counted as an iteration, but nothing is played out there."""
    result = Engine("mcc", hash_mb=16).search("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Limits(playouts=500))
    assert result.playouts >= 500
    assert result.nodes > result.playouts
    assert result.playouts < 500 + 5000, "a slice of a few milliseconds too many, not more"


def test_movetime_is_kept(clock: Clock) -> None:
    """By the engine's own clock; how late the process is on a busy machine, tests/soak measures."""
    engine = Engine("mcc-combined", hash_mb=64)
    engine.prepare()
    for milliseconds in (30, 150, 1000):
        before = clock.looks
        result = engine.search(KIWIPETE, Limits(movetime=milliseconds))
        took = 1000 * STEP * (clock.looks - before)
        assert milliseconds <= 1000 * result.seconds <= took < milliseconds + 10 * 1000 * STEP


def test_the_clock_is_not_used_up(clock: Clock) -> None:
    engine = Engine("mcc-combined", hash_mb=64)
    engine.prepare()
    for left, increment in ((50.0, 0.0), (2000.0, 0.0), (300.0, 200.0)):
        result = engine.search(KIWIPETE, Limits(clock=left, increment=increment))
        assert 1000 * result.seconds < left


def test_a_mate_ends_the_search_for_one() -> None:
    """Even where the preset has no solver."""
    result = Engine("mcc", hash_mb=16).search("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", Limits(mate=2))
    assert (result.proof, result.mate) == ("win", 2)


@pytest.mark.parametrize("preset", ["mcc", "plyout", "alphabeta"])
def test_a_mate_that_is_not_there_ends_the_search_for_one(preset: str) -> None:
    for mate in (1, 2):
        result = Engine(preset, hash_mb=4).search(START, Limits(mate=mate))
        assert (result.no_mate_in, result.proof) == (mate, None)
        assert result.move in chess.Board().legal_moves


def test_a_mate_by_exhaustive_search_is_proven_with_its_line() -> None:
    """After a few iterations, in which playouts could not have proven anything."""
    board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    result = Engine("mcc", hash_mb=16).search(board, Limits(mate=3))
    assert (result.mate, result.mate_is_shortest) == (2, True)
    assert result.nodes < 100
    for move in result.pv:
        board.push(move)
    assert board.is_checkmate()


def test_a_mate_that_the_fifty_move_rule_forbids_is_none() -> None:
    result = Engine("mcc", hash_mb=4).search("7k/8/8/8/8/8/R7/1R2K3 w - - 98 100", Limits(mate=2, nodes=3000))
    assert result.mate is None
    assert result.nodes == 3000 or result.proof == "draw"


def test_only_the_moves_asked_for_are_searched_for_a_mate() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    result = Engine("mcc", hash_mb=4).search(board, Limits(mate=1), moves=[chess.Move.from_uci("a1a7")])
    assert (result.no_mate_in, str(result.move)) == (1, "a1a7")


@pytest.mark.parametrize("limit", [{}, {"nodes": -1}, {"movetime": -5}, {"clock": -1}, {"increment": 5}])
def test_wrong_limits_are_the_users_mistake(limit: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Limits(**limit)


def test_a_search_by_playouts_ends_where_there_is_nothing_to_evaluate() -> None:
    assert Engine("mcc", hash_mb=1).search("k7/8/8/8/8/8/1q6/K7 w - - 0 1", Limits(playouts=10)).playouts <= 10
    assert Engine("mcc", hash_mb=4, threads=2).search(START, Limits(playouts=1000)).playouts == 1000
