"""Explanations: what can be said truly of the move to play, and of those that tempt."""

from collections.abc import Callable, Iterable, Iterator

import chess

from plyout.engine.engine import Engine
from plyout.engine.result import Result
from plyout.explain import seen
from plyout.explain.certain import after_replies, by_proof, by_rules, by_tables
from plyout.explain.counted import by_exchange, by_material, winning_replies
from plyout.explain.course import course
from plyout.explain.deeper import Second, deeper, place_of
from plyout.explain.statement import CERTAIN, Explained, Explanation, Statement
from plyout.explain.subject import Candidate, board_of, move_named
from plyout.explain.tempting import tempting


def explain(
    result: Result,
    why_not: Iterable[chess.Move | str] = (),
    nodes: int = 20_000,
    most: int = 3,
    engine: Callable[[], Engine] | None = None,
) -> Explanation:
    """Why the move of a result, and why not those that are named in `why_not` and `most` others that tempt.

    A tempting move with few visits is searched by itself, with so many `nodes` (0: it is not). `engine` makes the
    engine for that, a new one, so that the result's tree stays; unless it is given, one of the result's preset.
    """
    board = board_of(result)
    named = [move_named(board, move) for move in why_not]
    if result.move is None:
        return Explanation(None, ())
    best, second = Candidate(result, board, result.move), Second(nodes, engine)
    asked = ("named, and the search's choice",) if best.move in named else ()
    why = Explained(best.move, best.san, asked, tuple(_of_best(best)))
    others = []
    for move, reasons in tempting(result, board, named, most):
        c = Candidate(result, board, move)
        others.append(Explained(move, c.san, reasons, tuple(_of_tempting(c, best, second))))
    return Explanation(why, tuple(others))


def _tables(c: Candidate) -> int:
    """The pieces of the tables that the search was allowed to ask."""
    return int(c.result.tree.parameters["tables"])


def _of_best(c: Candidate) -> Iterator[Statement]:
    yield from by_rules(c)
    known = by_tables(c, _tables(c)) or by_proof(c, c.place)
    yield from known
    if not any(s.kind == CERTAIN for s in known):
        yield from after_replies(c, c.place, winning_replies(c))
    yield from by_exchange(c)
    yield from seen.visits(c, None)
    yield from seen.prior(c)
    yield from course(c)
    yield from seen.others(c)
    if not any("line" in s.facts for s in known):  # that of a mate may be another than the most visited
        yield from _with_material(c, seen.line(c))


def _of_tempting(c: Candidate, best: Candidate, second: Second) -> Iterator[Statement]:
    yield from by_rules(c)
    known = by_tables(c, _tables(c)) or by_proof(c, c.place)
    found = second.search(c) if not known and second.wanted(c) else None
    if found:
        known = by_proof(c, place_of(c, found))
    yield from known
    certain = any(s.kind == CERTAIN for s in known)
    if not certain:
        yield from after_replies(c, place_of(c, found) if found else c.place, winning_replies(c))
    yield from by_exchange(c, replies=not certain)
    yield from seen.visits(c, best)
    yield from seen.prior(c)
    yield from course(c)
    if not certain:
        yield from _with_material(c, deeper(c, found) if found else seen.line(c))


def _with_material(c: Candidate, statements: Iterator[Statement]) -> Iterator[Statement]:
    """Statements, and after each that has a line the pieces that are taken in it."""
    for s in statements:
        yield s
        yield from by_material(c, [chess.Move.from_uci(text) for text in s.facts["line"]])
