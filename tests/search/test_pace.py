"""With a clock, a search ends when its choice is settled, and goes on for a while when it is in doubt."""

from typing import Any

import pytest

from plyout.search.graph import ROOT, Graph
from plyout.search.limits import Limits
from plyout.search.pace import Pace, pace_of
from tests.search.graphs import by_hand


def graph_with(*moves: tuple[float, float]) -> Graph:
    """A root whose moves have so many visits, and such a mean."""
    graph = by_hand({0: [-1] * len(moves)}, 1)
    graph.used[ROOT] = 0
    for edge, (visits, mean) in enumerate(moves):
        graph.edges["visits"][edge], graph.edges["value"][edge] = visits, visits * mean
    return graph


def ends(pace: Pace, graph: Graph, *times: float, speed: float = 1000) -> list[bool]:
    """What it says at these times, after `speed` iterations a second."""
    return [pace.over(graph, seconds, int(speed * seconds)) for seconds in times]


def test_a_lead_that_the_second_cannot_make_up_ends_the_search() -> None:
    """After 0.6 of a second of 1,000 iterations each there are 400 to come."""
    assert ends(Pace(1.0, 2.5), graph_with((500, 0.6), (101, 0.5)), 0.6) == [False]
    assert ends(Pace(1.0, 2.5), graph_with((501, 0.6), (99, 0.5)), 0.6) == [True]


def test_no_lead_ends_a_search_that_has_only_begun() -> None:
    assert ends(Pace(1.0, 2.5), graph_with((5000, 0.6), (1, 0.5)), 0.05) == [False]


def test_what_there_is_no_choice_about_needs_no_thought() -> None:
    assert ends(Pace(1.0, 2.5), graph_with((10, 0.5)), 0.15) == [True]


def test_a_favourite_of_long_standing_gets_no_more_than_the_plan() -> None:
    graph = graph_with((600, 0.6), (595, 0.5))
    assert ends(Pace(1.0, 2.5), graph, 0.2, 0.5, 1.0) == [False, False, True]


def change_favourite(graph: Graph) -> None:
    graph.edges["visits"][1], graph.edges["value"][1] = 605, 605 * 0.65


def lose_value(graph: Graph) -> None:
    graph.edges["value"][0] = 600 * 0.56


def overtake_in_value(graph: Graph) -> None:
    graph.edges["value"][1] = 595 * 0.62


@pytest.mark.parametrize("doubt", [change_favourite, lose_value, overtake_in_value])
def test_doubt_gets_more_than_the_plan_but_not_without_end(doubt: Any) -> None:
    pace, graph = Pace(1.0, 2.5), graph_with((600, 0.6), (595, 0.5))
    assert ends(pace, graph, 0.2, 0.9) == [False, False]
    doubt(graph)
    assert ends(pace, graph, 0.95, 1.0, 1.3, 2.5) == [False, False, False, True]


def test_a_new_favourite_is_settled_in_time() -> None:
    pace, graph = Pace(1.0, 2.5), graph_with((600, 0.6), (595, 0.5))
    assert ends(pace, graph, 0.5) == [False]
    change_favourite(graph)
    assert ends(pace, graph, 0.9, 1.0, 1.2, 1.4) == [False, False, False, True]


def test_without_a_clock_the_time_is_kept_whatever_is_found() -> None:
    settled = graph_with((5000, 0.6), (1, 0.5))
    for limits in (Limits(movetime=1000), Limits(movetime=1000, clock=5000), Limits(nodes=7)):
        assert ends(pace_of(limits, 1.0, 2.5, 20), settled, 0.5, 0.99, 1.0) == [False, False, True]
    assert ends(pace_of(Limits(clock=20_000), 1.0, 0, 20), settled, 0.5, 0.99, 1.0) == [False, False, True]


def test_never_more_than_a_quarter_of_the_clock_beyond_the_plan() -> None:
    for clock in (10.0, 50.0, 1000.0, 60_000.0):
        for increment in (0.0, 100.0, 10_000.0):
            limits = Limits(clock=clock, increment=increment)
            planned = limits.seconds(0.05, 20)
            pace = pace_of(limits, planned, 10, 20)
            assert planned <= pace.most <= max(planned, 0.25 * clock / 1000)


def test_what_was_settled_while_pondering_is_played_at_once() -> None:
    settled, pondered = graph_with((9000, 0.6), (1000, 0.5)), 10.0
    assert Pace(1.0, 2.5).over(settled, pondered + 0.001, 10_000, pondered)


def test_after_pondering_a_choice_in_doubt_gets_its_plan_from_the_hit_on() -> None:
    pace, graph, pondered = Pace(1.0, 2.5), graph_with((5000, 0.6), (4990, 0.5)), 10.0
    assert not pace.over(graph, pondered + 0.001, 10_000, pondered)
    assert not pace.over(graph, pondered + 0.9, 10_900, pondered)
    change_favourite(graph)
    graph.edges["visits"][0] = 600
    assert not pace.over(graph, pondered + 1.1, 11_100, pondered), "the favourite has just changed"
    assert pace.over(graph, pondered + 2.5, 12_500, pondered)
