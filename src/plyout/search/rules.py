"""The rules of a search: kernels that the loop calls by address, among them those that a user may replace.

Each has a signature, and a function below that calls it in the words of the loop. A user's own function is compiled to
the signature of its place, and watched there (`plyout.search.own`).
"""

from typing import Any, NamedTuple

from plyout.games.contract import CHECK, LEGAL, OUTCOME, PLAY, REPEATS
from plyout.kernel import INTERPRETED, Ints, f64, floats, i64, inlined, ints, void
from plyout.kernel.pointers import caller
from plyout.parameters import Expansion, Leaf, Selection, for_kernels, values
from plyout.playout.scratch import LEAF, SCRATCH, Scratch
from plyout.search.graph import GRAPH, Graph

if INTERPRETED:
    PARAMETERS = SELECTION = EXPANSION = None
else:
    from numba import typeof

    PARAMETERS = typeof(for_kernels(values({})))
    SELECTION, EXPANSION = PARAMETERS[0], PARAMETERS[1]

SELECT = i64(GRAPH, i64, SELECTION)
"""``select(graph, node, parameters) -> edge``: where to go on from an open node; the parameters are `Selection`."""

EVALUATE = f64(ints, SCRATCH, LEAF)
"""``evaluate(state, scratch, parameters) -> score`` of the side to move, 0 lost to 1 won; the parameters are `Leaf`.

It may spoil `state`; `scratch` is a `plyout.playout.scratch.Scratch`.
"""

PRIOR = void(ints, ints, i64, floats, EXPANSION)
"""``prior(state, moves, count, scores, parameters)`` writes a score for each move, in centipawns for its mover; the
parameters are `Expansion`."""

PROBE = i64(ints, ints)
"""``probe(state, directory) -> code``: what endgame tables say about a position (see `plyout.knowledge.tables.probe`).

Not a rule to be replaced: chess has its tables, other games have none.
"""

MATE = i64(ints, i64, i64, ints)
"""``mate(state, plies, positions, buffer) -> plies``: a mate by checks (see `plyout.search.aids.checks`); likewise."""

LOOK_AHEAD = i64(ints, i64, i64, i64, i64, ints, ints, ints)
"""A null-window search by alpha-beta (see `plyout.search.aids.advice`); likewise."""

BY_ADDRESS, UCT, PUCT = range(3)  # how the loop selects: by a rule at an address, or by our own without the detour


class Rules(NamedTuple):
    """The kernels of a search by their addresses (see `plyout.kernel.pointers`); in interpreted mode themselves."""

    legal: int
    play: int
    outcome: int
    check: int
    repeats: int
    selection: int  # BY_ADDRESS, UCT or PUCT
    select: int
    prior: int
    evaluate: int
    probe: int
    mate: int
    look_ahead: int


RULES: Any = None if INTERPRETED else typeof(Rules(*range(len(Rules._fields))))

_call_legal, _call_play, _call_outcome, _call_check = caller(LEGAL), caller(PLAY), caller(OUTCOME), caller(CHECK)
_call_repeats = caller(REPEATS)
_call_select, _call_prior, _call_evaluate = caller(SELECT), caller(PRIOR), caller(EVALUATE)
_call_probe, _call_mate, _call_look_ahead = caller(PROBE), caller(MATE), caller(LOOK_AHEAD)


@inlined
def legal_moves(rules: Rules, state: Ints, moves: Ints) -> int:
    """Write the legal moves; how many there are."""
    return _call_legal(rules.legal, state, moves)  # type: ignore[no-any-return]


@inlined
def play(rules: Rules, state: Ints, move: int) -> None:
    _call_play(rules.play, state, move)


@inlined
def outcome(rules: Rules, state: Ints, count: int) -> float:
    """The score of the side to move if the game is over, else -1.0; it has `count` legal moves."""
    return _call_outcome(rules.outcome, state, count)  # type: ignore[no-any-return]


@inlined
def in_check(rules: Rules, state: Ints) -> bool:
    return _call_check(rules.check, state) != 0  # type: ignore[no-any-return]


@inlined
def repeats(rules: Rules, state: Ints, plies: int) -> bool:
    """Whether the position was on the board within the last so many plies, or twice before."""
    return _call_repeats(rules.repeats, state, plies) != 0  # type: ignore[no-any-return]


@inlined
def select_by_rule(rules: Rules, g: Graph, node: int, parameters: Selection) -> int:
    return _call_select(rules.select, g, node, parameters)  # type: ignore[no-any-return]


@inlined
def score_moves(rules: Rules, state: Ints, moves: Ints, count: int, scores: Any, parameters: Expansion) -> None:
    """Write what the prior rule says of the first `count` moves."""
    _call_prior(rules.prior, state, moves, count, scores, parameters)


@inlined
def evaluate(rules: Rules, state: Ints, scratch: Scratch, parameters: Leaf) -> float:
    return _call_evaluate(rules.evaluate, state, scratch, parameters)  # type: ignore[no-any-return]


@inlined
def probe(rules: Rules, state: Ints, directory: Ints) -> int:
    return _call_probe(rules.probe, state, directory)  # type: ignore[no-any-return]


@inlined
def find_mate(rules: Rules, state: Ints, plies: int, positions: int, buffer: Ints) -> int:
    return _call_mate(rules.mate, state, plies, positions, buffer)  # type: ignore[no-any-return]


@inlined
def look_ahead(
    rules: Rules, state: Ints, question: tuple[int, int, int, int], stack: Ints, table: Ints, stop: Ints
) -> int:
    """`question` is (the preferred move, beta, margin, positions)."""
    preferred, beta, margin, positions = question
    return _call_look_ahead(rules.look_ahead, state, preferred, beta, margin, positions, stack, table, stop)  # type: ignore[no-any-return]
