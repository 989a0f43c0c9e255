"""The final choice on graphs made by hand: (visits, value, proof of the child) of each move."""

from typing import Any

import numpy as np
import pytest

from plyout.errors import InputError
from plyout.search.choose import RULES, agree, choose, proof_of, rule_named, sample
from plyout.search.graph import DRAWN, PROVEN, UNPROVEN, Graph
from tests.search.graphs import by_hand

Move = tuple[float, float, int]


def root_with(*moves: Move) -> Graph:
    graph = by_hand({0: [1 + i for i in range(len(moves))]}, 1 + len(moves))
    for i, (visits, mean, proof) in enumerate(moves):
        graph.edges["visits"][i], graph.edges["value"][i], graph.nodes["proof"][1 + i] = visits, visits * mean, proof
    return graph


def chosen(rule: str, *moves: Move, secure: float = 1.0) -> Any:
    return choose(root_with(*moves), 0, rule_named(rule), {"secure": secure, "q_weight": 2.0})


OPEN_FIGHT = ((100.0, 0.6, UNPROVEN), (80.0, 0.64, UNPROVEN), (4.0, 0.9, UNPROVEN))


@pytest.mark.parametrize(
    "rule, secure, expected",
    [
        ("robust", 1.0, 0),
        ("max", 1.0, 2),
        ("max-robust", 1.0, 0),
        ("secure", 1.0, 1),  # 0.5, 0.528, 0.4
        ("secure", 0.0, 2),
        ("secure", 100.0, 0),
    ],
)
def test_each_rule_chooses_by_its_own_measure(rule: str, secure: float, expected: int) -> None:
    assert chosen(rule, *OPEN_FIGHT, secure=secure) == expected


def test_of_equals_the_first_is_chosen() -> None:
    for rule in RULES:
        assert chosen(rule, (10, 0.5, UNPROVEN), (10, 0.5, UNPROVEN)) == 0


def test_a_move_never_visited_is_no_choice() -> None:
    for rule in RULES:
        assert chosen(rule, (0, 0.0, UNPROVEN), (10, 0.1, UNPROVEN)) == 1


def win(plies: int) -> int:
    """The proof of a child after a move that wins in so many plies."""
    return -(PROVEN - (plies - 1))


def loss(plies: int) -> int:
    """The proof of a child after a move that loses in so many plies."""
    return PROVEN - (plies - 1)


@pytest.mark.parametrize("rule", RULES)
def test_the_shortest_proven_win_is_played(rule: str) -> None:
    assert chosen(rule, (1000, 0.99, UNPROVEN), (50, 0.8, win(5)), (1, 0.0, win(3)), (9, 0.9, win(7))) == 2


@pytest.mark.parametrize("rule", RULES)
def test_a_proven_loss_is_avoided(rule: str) -> None:
    assert chosen(rule, (1000, 0.99, loss(2)), (3, 0.01, UNPROVEN)) == 1


@pytest.mark.parametrize("rule", RULES)
def test_if_all_is_lost_the_longest_loss_is_played(rule: str) -> None:
    assert chosen(rule, (1000, 0.9, loss(2)), (1, 0.0, loss(6)), (50, 0.5, loss(4))) == 1


@pytest.mark.parametrize("rule", RULES)
def test_a_proven_draw_is_better_than_a_bad_game_and_worse_than_a_good_one(rule: str) -> None:
    assert chosen(rule, (1000, 0.4, UNPROVEN), (1, 0.5, DRAWN)) == 1
    assert chosen(rule, (1000, 0.6, UNPROVEN), (1, 0.5, DRAWN)) == 0
    assert chosen(rule, (1000, 0.1, loss(4)), (1, 0.5, DRAWN)) == 1
    assert chosen(rule, (1000, 0.9, DRAWN), (1, 0.5, win(9))) == 1


@pytest.mark.parametrize("rule", RULES)
def test_a_proven_draw_is_worth_half_a_point_whatever_the_playouts_said(rule: str) -> None:
    """Before the proof its playouts were nearly all won."""
    assert chosen(rule, (1000, 0.9, DRAWN), (990, 0.7, UNPROVEN)) == 1


def test_which_of_several_draws_is_played_does_not_depend_on_how_far_they_are() -> None:
    assert chosen("robust", (10, 0.5, DRAWN), (90, 0.5, DRAWN + 40)) == 1
    assert chosen("robust", (90, 0.5, DRAWN), (10, 0.5, DRAWN + 40)) == 0


def test_a_node_without_children_has_no_choice() -> None:
    assert choose(by_hand({}, 1), 0, rule_named("robust"), 1.0) is None


def test_the_most_visited_and_the_best_agree_or_not() -> None:
    assert not agree(root_with(*OPEN_FIGHT), 0)
    assert agree(root_with((100, 0.6, UNPROVEN), (80, 0.4, UNPROVEN)), 0)


def test_what_is_proven_of_a_move_is_one_ply_longer_for_its_mover() -> None:
    graph = root_with((1, 1, win(3)), (1, 0, loss(4)), (1, 0.5, DRAWN), (1, 0.5, UNPROVEN))
    assert [proof_of(graph, e) for e in range(4)] == [PROVEN - 3, -(PROVEN - 4), DRAWN + 1, UNPROVEN]


def test_an_unknown_choice_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match=r"'best'.*robust"):
        rule_named("best")


@pytest.mark.parametrize("rule, share", [("robust", 80 / 184), ("q-value", 96 / 200)])
def test_a_temperature_draws_by_the_visits_as_the_rule_counts_them(rule: str, share: float) -> None:
    """The second move leads by 0.08 as values run, so that Q-value choice gives it 2 · 0.08 · 100 visits more."""
    graph, rng, draws = root_with(*OPEN_FIGHT), np.random.default_rng(1), 10_000
    numbers = {"temperature": 1.0, "q_weight": 2.0}
    drawn = sum(sample(graph, 0, rule_named(rule), numbers, rng) == 1 for _ in range(draws))
    assert drawn / draws == pytest.approx(share, abs=4 * 0.5 / draws**0.5)  # four standard deviations
