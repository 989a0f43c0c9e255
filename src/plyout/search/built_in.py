"""What the names of rules mean: ``select = "puct"`` in a preset is a function from here."""

from collections.abc import Callable
from typing import Any

from plyout.errors import InputError
from plyout.evaluate.policy.priors import evaluation_of, no_rating, policy_of, promise_of, random_rating
from plyout.playout.singh import singh_judge_of
from plyout.games import Game
from plyout.playout.truncated import evaluation_judge_of, quiescence_judge_of
from plyout.playout.playouts import judge_of
from plyout.search.iec import iec
from plyout.search.rules import compiled
from plyout.search.select import payoff_uct, puct, uct

BUILT_IN: dict[str, dict[str, Callable[[Game], Any]]] = {
    "select": {
        "uct": lambda game: uct,
        "puct": lambda game: puct,
        "iec": lambda game: iec,
        "payoff-uct": lambda game: payoff_uct,
    },
    "judge": {
        "playout": judge_of,
        "evaluation": evaluation_judge_of,
        "quiescence": quiescence_judge_of,
        "singh": singh_judge_of,
    },
    "rate": {
        "none": lambda game: no_rating,
        "random": lambda game: random_rating,
        "evaluation": evaluation_of,
        "promise": promise_of,
        "policy": policy_of,
    },
}


def rule_of(game: Game, name: str, rule: Any) -> Any:
    """The kernel of a rule, which is given by a built-in's name or as a function of the user's own."""
    if callable(rule):
        return compiled(name, rule)
    if rule not in BUILT_IN[name]:
        raise InputError(f"no {name} rule is called {rule!r}: there are {', '.join(BUILT_IN[name])}")
    return BUILT_IN[name][rule](game)
