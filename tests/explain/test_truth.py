"""Every sentence of an explanation is true, as far as python-chess, the tree and brute force can tell."""

from collections import Counter
from functools import partial

import chess
import pytest

from plyout import Engine, Limits
from plyout.explain.words import SENTENCES
from tests.explain.sentences import CHECKS, verify
from tests.positions import KIWIPETE, START
from tests.sampling import positions, set_up

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
FEW_PIECES = "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"


def met(board: chess.Board | str, nodes: int, preset: str = "plyout", named: tuple[str, ...] = (), **changes: object) -> list[str]:
    """Explain a search, verify every sentence; the types that it had."""
    make = partial(Engine, preset, hash_mb=16, seed=3, **changes)
    result = make().search(board, Limits(nodes=nodes))
    second = partial(Engine, preset, hash_mb=16, seed=3, **changes)
    return verify(result, second, result.explain(named, nodes=200, engine=second))


def test_every_type_of_sentence_has_a_check() -> None:
    assert set(CHECKS) == set(SENTENCES)


def test_explanations_of_positions_by_chance_are_true() -> None:
    seen = Counter[str]()
    engines = [partial(Engine, "plyout", hash_mb=16, seed=n) for n in (1, 2)]
    first, second = engines[0](), engines[1]()
    for i, (played, sparse) in enumerate(zip(positions(30, seed=5, every=7), set_up(30, seed=6), strict=True)):
        for board in (played.copy(stack=False), sparse):
            first.new_game()
            result = first.search(board, Limits(nodes=100 + 37 * i))
            if result.move is not None:
                seen.update(verify(result, lambda: _fresh(second), result.explain(nodes=200, engine=lambda: second)))
    expected = "mate mated checkmate exchange answer material share prior line led proved others deeper"
    assert set(expected.split()) <= set(seen), seen


def _fresh(engine: Engine) -> Engine:
    engine.new_game()
    return engine


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
    verify(result, second, explanation)


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
        (LEGAL, 600, {"preset": "ta-mcc"}, {"left_out"}),
        (LEGAL, 10, {"preset": "mcc"}, {"unvisited"}),
    ],
)
def test_rare_sentences_are_true(fen: str, nodes: int, changes: dict[str, object], types: set[str]) -> None:
    assert types <= set(met(fen, nodes, named=("Bxd1",) if fen == LEGAL else (), **changes))
