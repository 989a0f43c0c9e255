"""Rules of a user's own: compiled to the signature of their place, and watched there.

What a rule returns is checked by a kernel around it, and every index into an array inside it; so a wrong one ends the
search with an `InputError`, and neither the process nor the result. Built-in rules have no such kernel around them, and
``Engine(…, unchecked=True)`` leaves it out.
"""

import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.kernel import INTERPRETED, Ints, inlined, own_kernel
from plyout.search.rules import EVALUATE, PRIOR, SELECT

if not INTERPRETED:
    from numba import types

_PACKAGE = Path(__file__).resolve().parents[1]
MOST = 1e30
"""The greatest prior: the graph keeps them as float32."""

_WANTED = {
    "select": ("(graph, node, parameters) and return the number of an edge", SELECT),
    "evaluate": ("(state, scratch, parameters) and return a score as a float", EVALUATE),
    "prior": ("(state, moves, count, scores, parameters) and return nothing", PRIOR),
}


class WrongEdge(InputError):
    """A selection rule returned something else than an edge of its node."""

    def __str__(self) -> str:
        name, edge, node, first, last = self.args
        return f"select rule {name!r} returned {edge:.17g}, and the edges of node {node} are {first} to {last - 1}"


class WrongScore(InputError):
    """An evaluator returned something else than a score."""

    def __str__(self) -> str:
        name, score = self.args
        return f"evaluate rule {name!r} returned {score:.17g}, and a score lies between 0 (lost) and 1 (won)"


class WrongPrior(InputError):
    """A prior rule wrote something else than a score of a move."""

    def __str__(self) -> str:
        name, score, place = self.args
        return f"prior rule {name!r} wrote {score:.17g} into scores[{place}], and a prior is finite, ±{MOST:g} at most"


class Spoiled(InputError):
    """A prior rule changed what it was only to read."""

    def __str__(self) -> str:
        return f"prior rule {self.args[0]!r} changed the state or the moves: it may write into scores only"


@inlined
def _sum(words: Ints, count: int) -> int:
    """A number that tells whether words have changed."""
    total = 0
    for i in range(count):
        total += words[i] * (2 * i + 1)
    return total


def _checked_select(name: str, rule: Any) -> Any:
    def select(graph: Any, node: int, parameters: Any) -> int:
        answer = rule(graph, node, parameters)
        first = int(graph.nodes[node].first)
        last = first + int(graph.nodes[node].children)
        if not first <= answer < last or int(answer) != answer:
            raise WrongEdge(name, answer, node, first, last)
        return int(answer)

    return select


def _checked_evaluate(name: str, rule: Any) -> Any:
    def evaluate(state: Any, scratch: Any, parameters: Any) -> float:
        score = float(rule(state, scratch, parameters))
        if not 0.0 <= score <= 1.0:
            raise WrongScore(name, score)
        return score

    return evaluate


def _checked_prior(name: str, rule: Any) -> Any:
    def prior(state: Any, moves: Any, count: int, scores: Any, parameters: Any) -> None:
        before = _sum(state, state.size) ^ _sum(moves, count)
        rule(state, moves, count, scores, parameters)
        if _sum(state, state.size) ^ _sum(moves, count) != before:
            raise Spoiled(name)
        for i in range(count):
            if not abs(scores[i]) <= MOST:
                raise WrongPrior(name, scores[i], i)

    return prior


def _cast_select(name: str, rule: Any) -> Any:
    def select(graph: Any, node: int, parameters: Any) -> int:
        return int(rule(graph, node, parameters))

    return select


def _cast_evaluate(name: str, rule: Any) -> Any:
    def evaluate(state: Any, scratch: Any, parameters: Any) -> float:
        return float(rule(state, scratch, parameters))

    return evaluate


_CHECKED = {"select": _checked_select, "evaluate": _checked_evaluate, "prior": _checked_prior}
_CAST = {"select": _cast_select, "evaluate": _cast_evaluate}


def name_of(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


@cache
def compiled(rule: str, function: Any, checked: bool = True) -> Any:
    """A user's own function as a kernel that fits the place of `rule`, or an `InputError` that says why not."""
    name = name_of(function)
    if INTERPRETED:
        return _CHECKED[rule](name, function) if checked else function
    if (function.__module__ or "").startswith("plyout.") and hasattr(function, "py_func"):
        return function  # one of ours, passed by itself and not by its name
    made = function if hasattr(function, "py_func") else own_kernel(function, checked)
    fits = _result_of(rule, name, made) == _WANTED[rule][1].return_type
    if checked:
        return own_kernel(_CHECKED[rule](name, made), checked)
    return made if fits else own_kernel(_CAST[rule](name, made), checked)


def _result_of(rule: str, name: str, made: Any) -> Any:
    """The type that a rule returns, which can be cast to the one it should."""
    text, signature = _WANTED[rule]
    try:
        made.compile(signature.args)
        result = types.unliteral(made.overloads[tuple(signature.args)].signature.return_type)
    except Exception as error:  # Numba raises many kinds
        reason = " ".join(str(error).split())
        raise InputError(f"{rule} rule {name!r} must take {text}; it does not compile: {reason[:300]}") from None
    if result != signature.return_type and (
        not isinstance(result, types.Integer | types.Float) or signature.return_type == types.void
    ):
        raise InputError(f"{rule} rule {name!r} must take {text}: it returns {result}")
    return result


def complaint(error: Exception, own: Mapping[str, str]) -> Exception:
    """What to raise in the place of an error that came out of a search.

    `own` has what is the user's own: how it is called in a message, and the name of its function.
    """
    if isinstance(error, InputError) or not own:
        return error
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _PACKAGE not in Path(f.filename).parents]
    met = {frame.name for frame in frames}
    blamed = [label for label, name in own.items() if name in met] or list(own)
    text = " ".join(str(error).split())
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""  # kernels do not always tell
    return InputError(f"{' or '.join(blamed)} raised {what}{where}")
