"""Rules, games and evaluators of one's own that do wrong: one line, and the engine goes on."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import CHESS, TICTACTOE
from plyout.kernel import INTERPRETED, kernel
from plyout.networks.positions import Positions
from plyout.search.select import uct
from tests.conftest import ROOT
from tests.positions import START

FEW = Limits(nodes=200)


def far_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return 10**9


def no_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return -1


def anothers_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first + graph.nodes[node].children


def half_an_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first + 0.5


def reads_far_away(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.edges[10**9].child


def sure_and_more(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return 1.5


def not_a_number(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return np.nan


def writes_far_away(state, scratch, parameters):  # type: ignore[no-untyped-def]
    scratch.moves[10**9] = 1
    return 0.5


def raises(state, scratch, parameters):  # type: ignore[no-untyped-def]
    if state[0] == 1:
        raise ValueError("no idea")
    return 0.5


def infinite_prior(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    scores[count - 1] = np.inf


def spoils_the_moves(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    moves[0] = 4095


def spoils_the_state(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    state[2] = 0


def writes_scores_far_away(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    scores[10**9] = 1.0


WRONG: list[tuple[str, Callable[..., Any], str]] = [
    ("select", far_edge, "select rule 'far_edge' returned 1000000000, and the edges of node 0 are 0 to 19"),
    ("select", no_edge, "select rule 'no_edge' returned -1, and the edges of node 0 are 0 to 19"),
    ("select", anothers_edge, "select rule 'anothers_edge' returned 20, and the edges of node 0 are 0 to 19"),
    ("select", half_an_edge, "select rule 'half_an_edge' returned 0.5, and the edges of node 0 are 0 to 19"),
    ("select", reads_far_away, "select rule 'reads_far_away' raised IndexError: "),
    ("evaluate", sure_and_more, "evaluate rule 'sure_and_more' returned 1.5, and a score lies between 0"),
    ("evaluate", not_a_number, "evaluate rule 'not_a_number' returned nan, and a score lies between 0"),
    ("evaluate", writes_far_away, "evaluate rule 'writes_far_away' raised IndexError: "),
    ("evaluate", raises, "evaluate rule 'raises' raised ValueError: no idea ("),
    ("prior", infinite_prior, "prior rule 'infinite_prior' wrote inf into scores[19], and a prior is finite"),
    ("prior", spoils_the_moves, "prior rule 'spoils_the_moves' changed the state or the moves"),
    ("prior", spoils_the_state, "prior rule 'spoils_the_state' changed the state or the moves"),
    ("prior", writes_scores_far_away, "prior rule 'writes_scores_far_away' raised IndexError: "),
]


@pytest.mark.parametrize("rule, function, text", WRONG)
def test_a_rule_that_does_wrong_ends_the_search_in_one_line_and_the_engine_goes_on(
    rule: str, function: Any, text: str
) -> None:
    engine = Engine("mcc", hash_mb=1, **{rule: function})
    for _ in range(2):
        with pytest.raises(InputError) as caught:
            engine.search(START, FEW)
        assert str(caught.value).startswith(text)
        assert "\n" not in str(caught.value)


def wrong_once(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first if graph.nodes[0].visits != 50.0 else -1


@pytest.mark.parametrize("threads", [1, 3])
def test_after_a_wrong_answer_the_graph_begins_anew(threads: int) -> None:
    engine = Engine("mcc", hash_mb=1, threads=threads, select=wrong_once)
    with pytest.raises(InputError, match="select rule 'wrong_once' returned -1"):
        engine.search(START, Limits(nodes=5000))
    result = engine.search(START, Limits(nodes=40))
    assert result.nodes == 40
    assert result.moves[0].visits == 39
    assert int(result.tree.nodes["in_flight"].sum()) == 0


def test_a_prior_that_does_wrong_is_told_when_only_some_moves_are_searched() -> None:
    board = CHESS.parse(START)
    engine = Engine("mcc", hash_mb=1, prior=writes_scores_far_away)
    with pytest.raises(InputError, match="prior rule 'writes_scores_far_away' raised IndexError"):
        engine.search(board, FEW, moves=CHESS.moves(board)[:3])


def test_unchecked_rules_may_use_another_scale() -> None:
    result = Engine("mcc", hash_mb=1, evaluate=sure_and_more, unchecked=True).search(START, Limits(nodes=50))
    assert result.tree.graph.nodes["raw_value"][result.tree.root] == 1.5


@pytest.mark.skipif(INTERPRETED, reason="interpreted, there is no faster way")
def test_a_rule_of_ours_that_is_passed_as_a_function_is_the_built_in_one() -> None:
    ours, named = (
        Engine("mcc", hash_mb=1, select=rule).search(START, Limits(nodes=300)).tree.edges["visits"]
        for rule in (uct, "uct")
    )
    assert np.array_equal(ours, named)


def first_in_turn(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first + int(graph.nodes[node].visits) % graph.nodes[node].children


def test_checks_change_no_result() -> None:
    trees = [
        Engine("mcc", hash_mb=1, select=first_in_turn, unchecked=unchecked).search(START, Limits(nodes=300)).tree
        for unchecked in (False, True)
    ]
    assert np.array_equal(*(tree.nodes["value"] for tree in trees))
    assert np.array_equal(*(tree.edges["visits"] for tree in trees))


@pytest.mark.skipif(INTERPRETED, reason="it is running already")
def test_interpreted_rules_are_checked_alike() -> None:
    program = (
        "from tests.engine.test_checked_rules import *\n"
        "for rule, function, text in WRONG:\n"
        "    try:\n"
        "        Engine('mcc', hash_mb=1, **{rule: function}).search(START, Limits(nodes=30))\n"
        "    except InputError as error:\n"
        "        assert str(error).startswith(text), (str(error), text)\n"
        "    else:\n"
        "        raise AssertionError(text)\n"
    )
    environment = os.environ | {"PLYOUT_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# -- games ------------------------------------------------------------------------------------------------------------


@kernel
def too_many(state: Any, moves: Any) -> int:
    return 10


@kernel
def fewer_than_none(state: Any, moves: Any) -> int:
    return -1


@kernel
def negative_moves(state: Any, moves: Any) -> int:
    moves[0] = -5
    return 1


@kernel
def writes_beyond(state: Any, moves: Any) -> int:
    for i in range(10**6):
        moves[i] = 0
    return 1


@kernel
def more_than_won(state: Any, count: int) -> float:
    return -1.0 if count == 9 else 2.0


@kernel
def plays_beyond(state: Any, move: int) -> None:
    state[10**8] = 1


@pytest.mark.parametrize(
    "rule, text",
    [
        ({"legal": too_many}, "legal of odd returned 10, and a position has 0 to 9 moves"),
        ({"legal": fewer_than_none}, "legal of odd returned -1, and a position has 0 to 9 moves"),
        ({"legal": negative_moves}, r"legal of odd wrote -5 into moves\[0\]"),
        ({"legal": writes_beyond}, "writes_beyond of odd raised IndexError"),
        ({"outcome": more_than_won}, "outcome of odd returned 2, and it is 0, 0.5 or 1"),
        ({"play": plays_beyond}, "plays_beyond of odd raised IndexError"),
    ],
)
def test_a_game_whose_rules_do_wrong_ends_the_search_in_one_line(rule: dict[str, Any], text: str) -> None:
    game = replace(TICTACTOE, name="odd", **rule)
    with pytest.raises(InputError, match=text) as caught:
        Engine("mcc", game, hash_mb=1).search(game.start(), FEW)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "state, text",
    [
        (np.zeros(3, np.int64), "a state of chess is an array of .* int64, not int64 of shape"),
        (np.zeros(CHESS.size), "not float64 of shape"),
        (np.zeros(CHESS.size, np.int64), "illegal position"),
        (np.arange(CHESS.size), "illegal position|not a state of chess"),
    ],
)
def test_a_state_that_is_none_is_refused(state: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        Engine("mcc", hash_mb=1).search(state, FEW)


@pytest.mark.parametrize("word, value", [(0, 7), (10, 1), (12, -3), (14, 10**9), (15, 5), (1, 12345)])
def test_a_state_whose_words_contradict_each_other_is_refused(word: int, value: int) -> None:
    state = CHESS.start()
    state[word] = value
    with pytest.raises(InputError, match=r"illegal position|not a state|not a FEN"):
        CHESS.check_state(state)


# -- evaluators of many leaves ----------------------------------------------------------------------------------------


def nan_value(positions: Positions) -> Any:
    return np.full(len(positions), np.nan), None


def infinite_priors(positions: Positions) -> Any:
    return np.zeros(len(positions)), np.full(positions.moves.shape, np.inf)


def one_array(positions: Positions) -> Any:
    return np.zeros(len(positions) + 7)


def writes_to_the_search(positions: Positions) -> Any:
    positions.moves[:] = 0
    return np.zeros(len(positions)), None


def fails(positions: Positions) -> Any:
    raise RuntimeError("out of\norder")


@pytest.mark.parametrize(
    "evaluator, text",
    [
        (nan_value, "must return a value from -1 to 1"),
        (infinite_priors, "must return finite priors"),
        (one_array, "must return"),
        (writes_to_the_search, "read-only"),
        (fails, "yours raised RuntimeError: out of order"),
    ],
)
def test_an_evaluator_that_does_wrong_ends_the_search_in_one_line(evaluator: Any, text: str) -> None:
    engine = Engine("mcts", hash_mb=1, evaluator=evaluator)
    with pytest.raises(InputError, match=text) as caught:
        engine.search(START, FEW)
    assert "\n" not in str(caught.value)
