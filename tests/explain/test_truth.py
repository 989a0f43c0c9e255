"""Every sentence of an explanation is true, as far as python-chess, the tree and brute force can tell."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.explain import Explanation
from plyout.explain.words import SENTENCES
from tests.explain.run import SECOND, by_chance
from tests.explain.sentences import CHECKS, verify
from tests.positions import KIWIPETE, START

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
CORNER = "8/8/8/8/8/5K1k/7p/6R1 w - - 0 1"
MARSHALL = "5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1 b - - 1 23"
TEMPTING = {LEGAL: ("Bxd1",), MARSHALL: ("Qg3",)}
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def explained(fen: str, nodes: int, named: tuple[str, ...] = (), **changes: Any) -> tuple[Result, Any, Explanation]:
    """(a search, what makes the engine of second searches, the explanation)"""
    first, second = (Engine(changes.get("preset", "plyout"), hash_mb=16, seed=n, **rest(changes)) for n in (3, 4))

    def fresh() -> Engine:
        second.new_game()
        return second

    result = first.search(fen, Limits(nodes=nodes))
    return result, fresh, result.explain(named, nodes=SECOND, engine=fresh)


def rest(changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if name != "preset"}


def test_every_type_of_sentence_has_a_check() -> None:
    assert set(CHECKS) == set(SENTENCES)


def test_explanations_of_positions_by_chance_are_true() -> None:
    seen = by_chance(16, seed=5)
    expected = "mate exchange answer material share prior line led deeper"
    assert set(expected.split()) <= set(seen), seen


def test_the_capture_of_the_queen_is_mated_in_two() -> None:
    """Légal's trap."""
    result = Engine("plyout", hash_mb=16, seed=1).search(LEGAL, Limits(nodes=2000))
    explanation = result.explain(["Bxd1"])
    (told,) = (m for m in explanation.why_not if m.san == "Bxd1")
    assert told.tempting[0] == "named"
    assert told.statements[0].kind == "certain"
    assert told.statements[0].text == (
        "After Bxd1 Black is mated in 2: 1...Bxd1 2.Bxf7+ Ke7 3.Nd5# (certificate checked, 1 line)."
    )


def test_a_move_that_had_no_visits_to_speak_of_is_searched_by_itself() -> None:
    """MCC has seen nothing after 100 iterations; the second search, of a preset with a solver, finds the mate."""
    result = Engine("mcc", hash_mb=16).search(LEGAL, Limits(nodes=100))
    second = partial(Engine, "plyout", hash_mb=16, seed=3)
    explanation = result.explain(["h5d1"], most=0, nodes=500, engine=second)
    assert [s.type for s in explanation.why_not[0].statements][:1] == ["mated"]
    verify(result, second, explanation, 500)


@pytest.mark.parametrize(
    "fen, nodes, changes, types",
    [
        (BACK_RANK, 100, {}, {"checkmate"}),
        ("7k/8/8/8/8/8/6q1/7K w - - 0 1", 100, {}, {"forced", "draw"}),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 100, {"tables": 3}, {"table"}),
        ("8/8/8/8/8/6k1/5q2/7K b - - 0 1", 100, {"tables": 3}, {"table"}),
        (START, 400, {"book": "own", "book_use": "best"}, {"book"}),
        (KIWIPETE, 3000, {"preset": "alphabeta"}, {"plies"}),
        (KIWIPETE, 3000, {"preset": "mcc-combined"}, {"share"}),
        (LEGAL, 600, {"preset": "ta-mcc", "trap_level": 3, "trap_root": 1}, {"left_out"}),
        (CORNER, 1000, {"tables": 3}, {"decided"}),
        (MARSHALL, 20_000, {}, {"after_reply"}),
        (LEGAL, 33, {"preset": "mcc"}, {"unvisited"}),
    ],
)
def test_rare_sentences_are_true(fen: str, nodes: int, changes: dict[str, object], types: set[str]) -> None:
    found = explained(fen, nodes, TEMPTING.get(fen, ()), **changes)
    assert types <= set(verify(*found, SECOND))


def changed(value: Any) -> Any:
    """Another value of a fact that is still of its kind."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value + 100
    if isinstance(value, float):
        return value + 0.07 if value < 1 else value + 2
    return value


def test_a_statement_with_other_numbers_is_found_out() -> None:
    """The checks can fail: each number of each sentence is made wrong, one at a time."""
    caught = Counter[str]()
    for fen in (LEGAL, BACK_RANK, KIWIPETE):
        result, second, explanation = explained(fen, 600, TEMPTING.get(fen, ()))
        for told in (explanation.why, *explanation.why_not):
            assert told is not None
            for s in told.statements:
                for name, value in s.facts.items():
                    wrong = replace(s, facts=s.facts | {name: changed(value)})
                    if wrong.text != s.text and name not in ("lines", "nodes"):
                        alone = Explanation(replace(told, statements=(wrong,)), ())
                        with pytest.raises((AssertionError, ValueError)):
                            verify(result, second, alone, SECOND)
                        caught[s.type] += 1
    assert {"mated", "exchange", "answer", "material", "share", "prior", "line", "led", "deeper"} <= set(caught), caught
