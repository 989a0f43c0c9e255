"""Looking ahead: the question is answered as plain negamax would, and what is advised helps the graph search."""

import random
from collections import Counter
from typing import Any

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.evaluate.quiescence import MATE_SCORE
from plyout.evaluate.weighted import load_weights, vector
from plyout.games import CHESS, state_of
from plyout.games.chess.border import decode
from plyout.games.contract import KEY
from plyout.kernel import kernel
from plyout.parameters import values
from plyout.search.aids.advice import Advisor
from plyout.search.alphabeta.null_window import null_window_search
from plyout.search.alphabeta.stack import NODES, TABLE, new_stack
from plyout.search.alphabeta.table import LOWER, UPPER, probe
from plyout.search.graph import NODES as GRAPH_NODES
from plyout.search.graph import ROOT
from tests.positions import KIWIPETE
from tests.sampling import positions, set_up
from tests.search.alphabeta.test_alphabeta import negamax

WEIGHTS = vector(load_weights(None))


@kernel
def remembered(table: Any, key: int) -> tuple[int, int, int, int]:
    return probe(table, key, 0)


def looked(board: chess.Board, preferred: chess.Move, beta: int, look: int) -> tuple[chess.Move, int, int, int]:
    """(move, value, depth, bound) that the table has after a look, by alpha-beta with nothing but the table."""
    stack, table = new_stack(values({"quiet_depth": 2}), TABLE, WEIGHTS), np.zeros(1 << 16, np.int64)
    state, word = state_of(board), np.int64
    first = next(m for m in CHESS.moves(state) if decode(m, False) == preferred)
    null_window_search(state, word(first), word(beta), word(32), word(look), stack, table, np.zeros(1, word))
    move, value, depth, bound = remembered(table, state[KEY])
    return decode(int(move), False), int(value), int(depth), int(bound)


def test_what_a_look_says_is_true_of_plain_negamax() -> None:
    said = Counter[int]()
    rng = random.Random(61)
    for board in set_up(120, seed=61, pieces="RBNPP"):
        preferred = rng.choice(list(board.legal_moves))
        move, value, depth, bound = looked(board, preferred, rng.randrange(-900, 600), rng.choice((60, 150, 300)))
        if depth not in (1, 2) or abs(value) > MATE_SCORE - 100:
            continue
        said[bound] += 1
        truth = negamax(board.copy(), depth)
        assert truth >= value if bound == LOWER else truth <= value, (board.fen(), value, depth, truth)
        if bound == LOWER:
            board.push(move)
            assert -negamax(board, depth - 1, 1) >= value, board.fen()
    assert said[LOWER] >= 5
    assert said[UPPER] >= 5


def test_many_short_looks_get_as_deep_as_a_long_one() -> None:
    """Each goes on where the last one was: the table remembers."""
    numbers = values({"ahead": 1, "hash_mb": 64})
    long_look, slices = Advisor(CHESS, numbers, WEIGHTS), Advisor(CHESS, numbers, WEIGHTS)
    shallower = []
    for board in positions(12, seed=62, every=19):
        state, stop, word = state_of(board), np.zeros(1, np.int64), np.int64
        first = word(CHESS.moves(state)[0])
        depths = []
        for advisor, times in ((long_look, 1), (slices, 24)):
            advisor.forget()
            look, stack, table = advisor.rule, advisor.stacks[0], advisor.table
            depths.append(
                [
                    look(state, first, word(300), word(32), word(24 * 32_768 // times), stack, table, stop)
                    for _ in range(times)
                ]
            )
            assert stack[NODES] <= 24 * 32_768
        shallower.append(depths[0][-1] - depths[1][-1])
    assert sorted(shallower)[6] <= 1, shallower  # a mate in the offing, or a change of heart, may cost one of them more


def test_a_look_ends_when_it_is_told_to_stop() -> None:
    advisor = Advisor(CHESS, values({"ahead": 1}), WEIGHTS)
    look, stack, table = advisor.rule, advisor.stacks[0], advisor.table
    word, start = np.int64, CHESS.start()
    first = word(CHESS.moves(start)[0])
    look(start, first, word(900), word(32), word(1 << 40), stack, table, np.ones(1, word))
    assert stack[NODES] == 0


def test_the_advised_edge_is_one_of_the_node_also_after_pruning_and_new_roots() -> None:
    engine = Engine("plyout", hash_mb=4, ahead=64)
    board = chess.Board(KIWIPETE)
    advised = 0
    for _ in range(4):
        graph = engine.search(board, Limits(nodes=40_000)).tree.graph
        used = int(graph.used[GRAPH_NODES])
        assert (graph.nodes["advised"][:used] >= 0).all()
        assert (graph.nodes["advised"][:used] <= graph.nodes["children"][:used]).all()
        advised += int((graph.nodes["advised"][:used] > 0).sum())
        board.push(engine.search(board, Limits(nodes=1)).move or chess.Move.null())
    assert advised > 0


def test_the_same_seed_looks_the_same_ahead_also_in_a_new_game() -> None:
    engine = Engine("plyout", hash_mb=16, ahead=32)
    visits = []
    for _ in range(2):
        engine.new_game()
        visits.append([(m.move, m.visits) for m in engine.search(chess.Board(), Limits(nodes=24_000)).moves])
    assert visits[0] == visits[1]


def test_where_alpha_beta_cannot_evaluate_a_preset_goes_without_and_a_wish_is_refused() -> None:
    assert Engine("plyout-tactics").parameters["ahead"] > 0
    assert Engine("plyout-tactics", "crazyhouse").parameters["ahead"] == 0
    by_leaves = Engine("plyout-tactics", evaluator=lambda leaves: (np.zeros(len(leaves)), None))
    assert by_leaves.parameters["ahead"] == 0
    with pytest.raises(InputError, match="looking ahead is for chess only: in crazyhouse leave ahead at 0"):
        Engine("plyout", "crazyhouse", ahead=4)


def visits_of_the_last(advised: bool) -> float:
    """The visits of the move that nobody likes, after as many more with or without advice to look at it."""
    engine = Engine("plyout", hash_mb=16, ahead=0)
    board = chess.Board(KIWIPETE)
    for _ in range(2):
        graph = engine.search(board, Limits(nodes=4000)).tree.graph
        root = int(graph.used[ROOT])
        graph.nodes["advised"][root] = graph.nodes["children"][root] if advised else 0
    return float(graph.edges["visits"][graph.nodes["first"][root] + graph.nodes["children"][root] - 1])


def test_a_move_that_is_advised_gets_visits_and_no_more_than_it_deserves() -> None:
    without, with_advice = visits_of_the_last(False), visits_of_the_last(True)
    assert without < 10
    assert 10 * without < with_advice < 1000


def test_threads_look_ahead_together() -> None:
    engine = Engine("plyout", hash_mb=16, ahead=64, threads=2)
    graph = engine.search(chess.Board(KIWIPETE), Limits(nodes=40_000)).tree.graph
    root = int(graph.used[ROOT])
    edges = slice(int(graph.nodes["first"][root]), int(graph.nodes["first"][root] + graph.nodes["children"][root]))
    assert graph.edges["visits"][edges].sum() == pytest.approx(
        graph.nodes["visits"][root] - 1, rel=0.2
    )  # the rest explored
    assert not graph.nodes["in_flight"][: graph.used[GRAPH_NODES]].any()
