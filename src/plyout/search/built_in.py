"""What the names of rules mean: ``select = "puct"`` in a preset is a function from here."""

from collections.abc import Callable
from typing import Any

from plyout.errors import InputError
from plyout.evaluate.policy.priors import evaluation_of, no_prior, ordering_of, policy_of, random_prior
from plyout.games import Game
from plyout.playout.playouts import playout_of
from plyout.playout.singh import singh_evaluator_of
from plyout.playout.singh_network import singh_network_evaluator
from plyout.playout.truncated import quiescence_evaluator_of, static_evaluator_of
from plyout.search.own import compiled
from plyout.search.select import iec, payoff_uct, puct, uct

BUILT_IN: dict[str, dict[str, Callable[[Game], Any]]] = {
    "select": {
        "uct": lambda game: uct,
        "puct": lambda game: puct,
        "iec": lambda game: iec,
        "payoff-uct": lambda game: payoff_uct,
    },
    "evaluate": {
        "playout": playout_of,
        "evaluation": static_evaluator_of,
        "quiescence": quiescence_evaluator_of,
        "singh": singh_evaluator_of,
    },
    "prior": {
        "none": lambda game: no_prior,
        "random": lambda game: random_prior,
        "evaluation": evaluation_of,
        "ordering": ordering_of,
        "policy": policy_of,
    },
}
_ASK_NETWORKS = {"evaluate": ("evaluation", "quiescence", "singh"), "prior": ("policy",)}
_OTHERS_WITH_NETWORK = {"singh": singh_network_evaluator}
"""Rules that are another kernel where there is a network: Stockfish's."""
_RENAMED = {"promise": "ordering"}


def rule_of(game: Game, name: str, rule: Any, checked: bool = True, networked: bool = False) -> Any:
    """The kernel of a rule, which is given by a built-in's name or as a function of the user's own, to be `checked`;
    `networked`: there is a network that it shall ask."""
    if callable(rule):
        return compiled(name, rule, checked)
    if rule in _RENAMED:
        raise InputError(f"the {name} rule {rule!r} is now called {_RENAMED[rule]!r}")
    if rule not in BUILT_IN[name]:
        raise InputError(f"no {name} rule is called {rule!r}: there are {', '.join(BUILT_IN[name])}")
    if networked and rule not in _ASK_NETWORKS[name]:
        raise InputError(f"the {name} rule {rule!r} asks no network: {', '.join(_ASK_NETWORKS[name])} would")
    if networked and rule in _OTHERS_WITH_NETWORK:
        return _OTHERS_WITH_NETWORK[rule]
    return BUILT_IN[name][rule](game)
