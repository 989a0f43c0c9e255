"""The trap laboratory on the command line: JSON for programs, one line for mistakes."""

from pathlib import Path

import pytest

from tests.cli.client import answer, mistake
from tests.search.traps.test_traps import LEGAL


def test_traps_answer_with_their_refutations() -> None:
    found = answer("traps", "--fen", LEGAL, "--trap-level", "3", "--soft", "300", "--json")
    assert [trap["move"] for trap in found["traps"]] == ["h5d1", "h5e2", "h5f3", "h5g4", "g7g6"]
    assert found["traps"][0]["line"] == ["c4f7", "e8e7", "c3d5"]
    assert found["moves"] == 36
    assert "d6d5" in {trap["move"] for trap in found["soft_traps"]}


def test_similarity_answers_with_eight_measures() -> None:
    found = answer("similarity", "xo./.x./...", "xo./.../..x", "--variant", "tictactoe", "--nodes", "200", "--json")
    assert len(found["similarity"]) == 8
    assert found["similarity"]["legal-actions"] == pytest.approx(5 / 7)


def test_a_study_writes_its_tables(tmp_path: Path) -> None:
    found = answer(
        "trap-study", "--fen", "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1", "--trap-level", "1", "--no-plots", "--json",
        "--out", str(tmp_path / "study"),
    )  # fmt: skip
    assert found["pairs"] > 50
    assert set(found["tables"]) == {"5.1", "5.2", "5.3", "5.5", "5.6"}
    assert all(Path(file).is_file() for file in found["files"])


def test_visits_to_refutation_answer_for_the_presets_asked_for() -> None:
    words = ("--preset", "mcc", "--preset", "ta-mcc-root", "--count", "2", "--nodes", "32", "--json")
    found = answer("visits-to-refutation", *words)
    assert [one["preset"] for one in found["presets"]] == ["mcc", "ta-mcc-root"]
    assert found["steps"] == [16, 32]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("traps", "--trap-level", "4"), "one of 1, 3, 5, 7"),
        (("traps", "--fen", "x"), "not a FEN"),
        (("similarity", "startpos", "startpos", "--threshold", "2"), "between 0 and 1"),
        (("trap-study", "--fen", "startpos", "--positions", "x.csv"), "not both"),
        (("trap-density", "/nowhere/x.pgn"), "cannot read"),
        (("visits-to-refutation", "--preset", "x"), "no preset is called 'x'"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], words: str) -> None:
    assert words in mistake(*arguments)
