"""After any number of iterations the search holds the numbers that a plain re-implementation holds (`mirror.py`)."""

import random
from typing import Any

import pytest

from plyout import Engine, Limits
from plyout.games import TICTACTOE
from tests.search.mirror import RULES, Mirror, compare, legal

STARTS = ("startpos", "x../.o./...", "xo./.x./...", "x.o/.../...", "xox/.x./o..")

SYSTEMS: dict[str, dict[str, float]] = {
    "equation 1": {},
    "little exploration": {"c": 0.2},
    "no exploration": {"c": 0},
    "equation 4, bias": {"bias": 0.01},
    "strong bias": {"bias": 1, "c": 0.5},
    "equations 2 and 3, RAVE": {"rave": 30},
    "RAVE alone nearly": {"rave": 1e6, "c": 0.1},
    "unpruning": {"widen_to": 1, "widen_base": 2},
    "unpruning, wider": {"widen_to": 3, "widen_base": 1.3},
    "widening": {"widen_to": 2, "widen_after": 25, "widen_base": 1.5},
    "children at once": {"open_at": 1},
    "children late": {"open_at": 7},
    "only the root": {"depth": 1},
    "two plies": {"depth": 2},
    "draws count less": {"draw_weight": 0.25},
    "draws count hardly": {"draw_weight": 0.001},
    "solver": {"solver": 1},
    "solver, draws as a floor": {"solver": 1, "draw_floor": 1},
    "draws as a floor with unpruning": {"solver": 1, "draw_floor": 1, "widen_to": 1, "widen_base": 2},
    "solver, children at once": {"solver": 1, "open_at": 1},
    "solver with unpruning": {"solver": 1, "widen_to": 1, "widen_base": 3},
    "all together": {"solver": 1, "rave": 50, "bias": 0.05, "widen_to": 2, "widen_after": 10, "draw_weight": 0.5},
}


def both(start: str, nodes: int, changes: dict[str, Any]) -> int:
    """Search with both and compare; how many nodes there are."""
    engine = Engine("mcc", TICTACTOE, **RULES, hash_mb=8, **changes)
    state = TICTACTOE.parse(start)
    result = engine.search(state, Limits(nodes=nodes))
    mirror = Mirror((int(state[0]), 0, int(state[2]), int(state[3])), changes)
    mirror.run(nodes)
    assert result.nodes == mirror.iterations
    return compare(result.tree.graph, result.tree.root, mirror.root)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_number_of_the_tree_is_that_of_the_mirror(name: str) -> None:
    sizes = [both(start, nodes, SYSTEMS[name]) for start in STARTS for nodes in (1, 2, 3, 30, 400)]
    assert max(sizes) >= (7 if SYSTEMS[name].keys() & {"depth", "draw_weight"} else 40), "too small to test anything"


def test_any_mix_of_parameters_agrees_with_the_mirror() -> None:
    rng = random.Random(1)
    choices: dict[str, tuple[float, ...]] = {
        "c": (0.1, 1, 3),
        "bias": (0, 0.02),
        "rave": (0, 10, 1000),
        "widen_to": (0, 1, 4),
        "widen_after": (0, 5, 60),
        "widen_base": (1.1, 1.7, 5),
        "open_at": (1, 2, 3),
        "depth": (1, 3, 1000),
        "solver": (0, 1),
        "draw_floor": (0, 1),
        "draw_weight": (0.3, 1),
    }
    for _ in range(60):
        changes = {name: rng.choice(options) for name, options in choices.items()}
        try:
            both(rng.choice(STARTS), rng.randrange(1, 300), changes)
        except AssertionError as error:
            raise AssertionError(f"with {changes}: {error}") from error


def test_later_results_count_more_with_each_period() -> None:
    """Result number n counts 1 + n // period times."""
    for nodes in (99, 100, 149, 400):
        both("startpos", nodes, {"later_period": 100})


def test_children_stand_in_the_order_of_their_priors_when_widening() -> None:
    graph = Engine("mcc", TICTACTOE, **RULES, hash_mb=1, widen_to=2).search("startpos", Limits(nodes=50)).tree
    for node in range(len(graph.nodes["key"])):
        priors = [float(graph.graph.edges["prior"][e]) for e in graph.children(node)]
        assert priors == sorted(priors, reverse=True)


def test_without_widening_children_stand_in_the_order_of_the_move_generator() -> None:
    tree = Engine("mcc", TICTACTOE, **RULES, hash_mb=1).search("startpos", Limits(nodes=50)).tree
    assert [int(tree.graph.edges["move"][e]) for e in tree.children(tree.root)] == legal((0, 0, 0, 0))
