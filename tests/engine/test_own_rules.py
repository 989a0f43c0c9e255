"""Rules of one's own, and those that do not fit."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import TICTACTOE
from plyout.kernel import INTERPRETED, kernel
from tests.positions import START


def always_won(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return 1.0


def by_target(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    for i in range(count):
        scores[i] = float(moves[i] // 64 % 64)


def test_a_plain_python_selection_decides_where_to_go() -> None:
    def last(graph, node, parameters):  # type: ignore[no-untyped-def]
        return int(graph.nodes[node].first + graph.nodes[node].children - 1)

    result = Engine("mcc", hash_mb=4, select=last).search(START, Limits(nodes=50))
    visits = result.tree.graph.edges["visits"][result.tree.children(result.tree.root)]
    assert visits.tolist() == [0.0] * 19 + [49.0]


def test_a_plain_python_evaluator_decides_what_a_leaf_is_worth() -> None:
    result = Engine("mcc", hash_mb=4, evaluate=always_won).search(START, Limits(nodes=21))
    assert all(m.value == 0.0 for m in result.moves), "the side to move at each leaf has won: the mover has not"


def test_a_plain_python_prior_is_the_prior_of_the_moves() -> None:
    result = Engine("mcc", hash_mb=4, prior=by_target).search(START, Limits(nodes=30))
    assert all(m.prior == m.move.to_square for m in result.moves)


def test_own_rules_work_in_other_games() -> None:
    result = Engine("mcc", TICTACTOE, hash_mb=4, evaluate=always_won).search("startpos", Limits(nodes=10))
    assert len(result.moves) == 9


def two_arguments(graph, node):  # type: ignore[no-untyped-def]
    return 0


def returns_text(graph, node, parameters):  # type: ignore[no-untyped-def]
    return "e2e4"


def returns_nothing(state, scratch, parameters):  # type: ignore[no-untyped-def]
    pass


def returns_a_whole_number(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return 1


def unknown_name(graph, node, parameters):  # type: ignore[no-untyped-def]
    return nowhere_to_be_found(node)  # type: ignore[name-defined]  # noqa: F821


def not_for_numba(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    scores[0] = open("file").read()  # noqa: SIM115


def returns_something(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    return 1.0


@pytest.mark.parametrize(
    "rule, function",
    [
        ("select", two_arguments),
        ("select", returns_text),
        ("select", unknown_name),
        ("evaluate", returns_nothing),
        ("evaluate", two_arguments),
        ("prior", not_for_numba),
        ("prior", returns_something),
        ("prior", two_arguments),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_in_one_line(rule: str, function: Any) -> None:
    with pytest.raises(InputError) as caught:
        Engine("mcc", hash_mb=1, **{rule: function})
    text = str(caught.value)
    assert text.startswith(f"{rule} rule '{function.__name__}' must take (")
    assert "\n" not in text


@pytest.mark.parametrize("changes", [{"select": "best"}, {"evaluate": "dice"}, {"prior": "stars"}, {"choose": "any"}])
def test_an_unknown_rule_is_the_users_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="there are"):
        Engine("mcc", hash_mb=1, **changes)


@pytest.mark.parametrize(
    "changes, text",
    [
        ({"judge": always_won}, "judge is now called evaluate"),
        ({"judge": "quiescence"}, "judge is now called evaluate"),
        ({"rate": by_target}, "rate is now called prior"),
        ({"rate": "none"}, "rate is now called prior"),
        ({"prior": "promise"}, "the prior rule 'promise' is now called 'ordering'"),
    ],
)
def test_an_old_name_is_answered_with_the_new_one(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        Engine("mcc", hash_mb=1, **changes)
    assert str(caught.value) == text


def test_the_command_line_answers_an_old_name_with_the_new_one() -> None:
    for setting, text in (("rate=policy", "rate is now called prior"), ("prior=promise", "is now called 'ordering'")):
        run = subprocess.run(
            [sys.executable, "-m", "plyout", "search", "--preset", "mcc", "--nodes", "1", "--set", setting],
            capture_output=True, text=True,
        )  # fmt: skip
        assert run.returncode != 0
        assert text in run.stderr
        assert run.stderr.count("\n") == 1, "one line"


def reads_its_group(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first + int(parameters.c) % graph.nodes[node].children


def reads_the_leafs_group(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return parameters.epsilon


def reads_the_expansions_group(state, moves, count, scores, parameters):  # type: ignore[no-untyped-def]
    for i in range(count):
        scores[i] = float(parameters.seed + i)


def test_rules_read_parameters_by_name() -> None:
    rules = {"select": reads_its_group, "evaluate": reads_the_leafs_group, "prior": reads_the_expansions_group}
    engine = Engine("mcc", hash_mb=1, c=3, epsilon=0.25, seed=100, **rules)
    tree = engine.search(START, Limits(nodes=40)).tree
    visits = tree.graph.edges["visits"][list(tree.children(tree.root))]
    assert visits.nonzero()[0].tolist() == [3]
    assert tree.graph.nodes["raw_value"][tree.root] == 0.25
    assert tree.graph.edges["prior"][list(tree.children(tree.root))].tolist() == [100.0 + i for i in range(20)]


def counts_its_draws(state, scratch, parameters):  # type: ignore[no-untyped-def]
    scratch.rng[0] += 1
    return (scratch.rng[0] % 16) / 16.0


def test_an_evaluator_draws_from_the_generator_of_its_thread() -> None:
    values = []
    for seed in (1, 1, 2):
        tree = Engine("mcc", hash_mb=1, evaluate=counts_its_draws, seed=seed).search(START, Limits(nodes=30)).tree
        values.append(tree.nodes["raw_value"].tolist())
    assert values[0] == values[1] != values[2]
    assert len(set(values[0])) > 10


def narrow_edge(graph, node, parameters):  # type: ignore[no-untyped-def]
    return graph.nodes[node].first


def test_a_rule_may_return_any_kind_of_number() -> None:
    result = Engine("mcc", evaluate=returns_a_whole_number, select=narrow_edge, hash_mb=1).search(
        START, Limits(nodes=50)
    )
    assert result.nodes == 50
    assert float(result.moves[0].visits) == 49


def fails_once(graph, node, parameters):  # type: ignore[no-untyped-def]
    if node == 0 and graph.nodes[0].visits >= 3000.0:
        raise ValueError("once")
    return graph.nodes[node].first + int(graph.nodes[node].visits) % graph.nodes[node].children


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_a_rule_ends_the_search_and_reaches_the_caller(threads: int) -> None:
    engine = Engine("mcc", hash_mb=1, threads=threads, select=fails_once)
    with pytest.raises(ValueError, match="once"):
        engine.search(START, Limits(movetime=60_000))


@pytest.mark.skipif(INTERPRETED, reason="plain Python has no types to differ")
def test_a_game_whose_rule_returns_another_type_is_refused_in_one_line() -> None:
    @kernel
    def whole(state: Any, count: int) -> Any:
        return 0 if count == 0 else -1

    game = replace(TICTACTOE, name="odd", outcome=whole)
    with pytest.raises(InputError, match=r"the kernel 'whole' must be .*float64.*mismatch of return type"):
        Engine("mcc-solver", game, hash_mb=1).search(game.start(), Limits(nodes=10))
