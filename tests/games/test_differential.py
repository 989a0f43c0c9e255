"""Random games, compared with python-chess at every position; see `tests/fuzz/differential.py`."""

import pytest

from tests.fuzz.differential import Report, run

SPECIAL = {"promotion", "castling", "en passant", "en passant forbidden by a pin or check"}
ENDS = {"checkmate", "stalemate", "insufficient material", "repetition"}


@pytest.mark.parametrize(
    "variant, positions",
    [
        ("chess", 4_000),
        ("chess960", 2_000),
        ("crazyhouse", 4_000),
        pytest.param("chess", 50_000, marks=pytest.mark.slow),
        pytest.param("chess960", 15_000, marks=pytest.mark.slow),
        pytest.param("crazyhouse", 15_000, marks=pytest.mark.slow),
    ],
)
def test_random_games_are_those_of_python_chess(variant: str, positions: int) -> None:
    """And all that is rare in random games has occurred."""
    total = Report()
    for report in run(variant, positions, seed=positions):
        total += report
    assert total.positions >= positions
    own = ({"drop"}, set()) if variant == "crazyhouse" else (set(), {"fifty moves"})
    assert (SPECIAL | own[0]) - set(total.moves) == set(), "kinds of moves that did not occur"
    if positions > 10_000:
        assert (ENDS | own[1]) - {end for end, n in total.ends.items() if n >= 5} == set(), "ends that were rare"
