"""The rules that can be replaced: their signatures, and how a user's own function becomes one."""

from functools import cache
from typing import Any

from plyout.errors import InputError
from plyout.kernel import INTERPRETED, f64, floats, i64, ints, kernel, void
from plyout.search.graph import GRAPH

SELECT = i64(GRAPH, i64, floats)
"""``select(graph, node, parameters) -> edge``: where to go on from an open node."""

JUDGE = f64(ints, ints, ints, floats)
"""``judge(state, scratch, rng, parameters) -> score`` of the side to move, 0 lost to 1 won.

It may spoil `state`; `scratch` has SCRATCH words (see `plyout.playout`); `rng` holds one word, the state of the
random generator, and is to be left as the last draw made it.
"""

RATE = void(ints, ints, i64, floats, floats)
"""``rate(state, moves, count, ratings, parameters)`` writes what each move promises its mover, in centipawns."""

KNOWN = i64(ints, ints)
"""``known(state, directory) -> code``: what endgame tables say about a position (see `plyout.knowledge.tables.probe`).

Not a rule to be replaced: chess has its tables, other games have none.
"""

MATE = i64(ints, i64, i64, ints)
"""``mate(state, plies, positions, buffer) -> plies``: a mate by checks (see `plyout.search.aids.checks`); likewise."""

LOOK = i64(ints, i64, i64, i64, i64, ints, ints, ints)
"""``look(state, preferred, beta, margin, positions, stack, table, stop) -> depth``; see `plyout.search.aids.advice`."""

if not INTERPRETED:
    from numba import types

_WANTED = {
    "select": ("(graph, node, parameters) and return the number of an edge", SELECT),
    "judge": ("(state, scratch, rng, parameters) and return a score as a float", JUDGE),
    "rate": ("(state, moves, count, ratings, parameters) and return nothing", RATE),
}


@cache
def compiled(rule: str, function: Any) -> Any:
    """A user's own function as a kernel that fits the place of `rule`, or an `InputError` that says why not."""
    text, signature = _WANTED[rule]
    if INTERPRETED:
        return function
    made = function if hasattr(function, "py_func") else kernel(function)
    name = getattr(function, "__name__", repr(function))
    try:
        made.compile(signature.args)
        result = types.unliteral(made.overloads[tuple(signature.args)].signature.return_type)
    except Exception as error:  # Numba raises many kinds
        reason = " ".join(str(error).split())
        raise InputError(f"{rule} rule {name!r} must take {text}; it does not compile: {reason[:300]}") from None
    if result == signature.return_type:
        return made
    if not isinstance(result, types.Integer | types.Float) or signature.return_type == types.void:
        raise InputError(f"{rule} rule {name!r} must take {text}: it returns {result}")

    return _cast_edge(made) if rule == "select" else _cast_score(made)


def _cast_edge(made: Any) -> Any:
    @kernel
    def select(graph: Any, node: int, parameters: Any) -> int:
        return int(made(graph, node, parameters))

    return select


def _cast_score(made: Any) -> Any:
    @kernel
    def judge(state: Any, scratch: Any, rng: Any, parameters: Any) -> float:
        return float(made(state, scratch, rng, parameters))

    return judge
