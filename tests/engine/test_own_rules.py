"""Rules of one's own, and those that do not fit."""

from typing import Any

import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import TICTACTOE
from tests.positions import START


def always_won(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    return 1.0


def by_target(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    for i in range(count):
        ratings[i] = float(moves[i] // 64 % 64)


def test_a_plain_python_selection_decides_where_to_go() -> None:
    def last(graph, node, parameters):  # type: ignore[no-untyped-def]
        return int(graph.nodes["first"][node] + graph.nodes["children"][node] - 1)

    result = Engine("mcc", hash_mb=4, select=last).search(START, Limits(nodes=50))
    visits = result.tree.graph.edges["visits"][result.tree.children(result.tree.root)]
    assert visits.tolist() == [0.0] * 19 + [49.0]


def test_a_plain_python_judge_decides_what_a_leaf_is_worth() -> None:
    result = Engine("mcc", hash_mb=4, judge=always_won).search(START, Limits(nodes=21))
    assert all(m.value == 0.0 for m in result.moves), "the side to move at each leaf has won: the mover has not"


def test_a_plain_python_rating_becomes_the_prior() -> None:
    result = Engine("mcc", hash_mb=4, rate=by_target).search(START, Limits(nodes=30))
    assert all(m.prior == m.move.to_square for m in result.moves)


def test_own_rules_work_in_other_games() -> None:
    result = Engine("mcc", TICTACTOE, hash_mb=4, judge=always_won).search("startpos", Limits(nodes=10))
    assert len(result.moves) == 9


def two_arguments(graph, node):  # type: ignore[no-untyped-def]
    return 0


def returns_text(graph, node, parameters):  # type: ignore[no-untyped-def]
    return "e2e4"


def returns_nothing(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    pass


def returns_a_whole_number(state, scratch, rng, parameters):  # type: ignore[no-untyped-def]
    return 1


def unknown_name(graph, node, parameters):  # type: ignore[no-untyped-def]
    return nowhere_to_be_found(node)  # type: ignore[name-defined]  # noqa: F821


def not_for_numba(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    ratings[0] = open("file").read()  # noqa: SIM115


def returns_something(state, moves, count, ratings, parameters):  # type: ignore[no-untyped-def]
    return 1.0


@pytest.mark.parametrize(
    "rule, function",
    [
        ("select", two_arguments),
        ("select", returns_text),
        ("select", unknown_name),
        ("judge", returns_nothing),
        ("judge", two_arguments),
        ("rate", not_for_numba),
        ("rate", returns_something),
        ("rate", two_arguments),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_in_one_line(rule: str, function: Any) -> None:
    with pytest.raises(InputError) as caught:
        Engine("mcc", hash_mb=1, **{rule: function})
    text = str(caught.value)
    assert text.startswith(f"{rule} rule '{function.__name__}' must take (")
    assert "\n" not in text


@pytest.mark.parametrize("changes", [{"select": "best"}, {"judge": "dice"}, {"rate": "stars"}, {"choose": "any"}])
def test_an_unknown_rule_is_the_users_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="there are"):
        Engine("mcc", hash_mb=1, **changes)


def narrow_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes["first"][node]


def test_a_rule_may_return_any_kind_of_number() -> None:
    result = Engine("mcc", judge=returns_a_whole_number, select=narrow_edge, hash_mb=1).search(START, Limits(nodes=50))
    assert result.nodes == 50
    assert float(result.moves[0].visits) == 49


def fails_once(graph, node, parameters):  # type: ignore[no-untyped-def]
    if node == 0 and graph.nodes["visits"][0] >= 3000.0:
        raise ValueError("once")
    return graph.nodes["first"][node] + int(graph.nodes["visits"][node]) % graph.nodes["children"][node]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_a_rule_ends_the_search_and_reaches_the_caller(threads: int) -> None:
    engine = Engine("mcc", hash_mb=1, threads=threads, select=fails_once)
    with pytest.raises(ValueError, match="once"):
        engine.search(START, Limits(movetime=60_000))
