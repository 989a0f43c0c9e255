"""As much memory as can be had."""

import pytest

from plyout import Engine, Limits
from plyout.engine import memory
from plyout.engine.memory import as_much_as_fits, free_megabytes
from tests.positions import START


def test_what_is_there_is_granted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_megabytes", lambda: 1000.0)
    assert as_much_as_fits(700, lambda megabytes: megabytes) == 700
    assert capsys.readouterr().err == ""


def test_what_is_not_there_is_not_taken_and_that_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "free_megabytes", lambda: 1000.0)
    monkeypatch.setattr("plyout.progress._reporter", None)
    assert as_much_as_fits(5000, lambda megabytes: megabytes) == 744
    assert capsys.readouterr().err == "plyout: there is no memory of 5000 MB to be had: going on with 744 MB\n"


def test_memory_that_is_refused_is_asked_for_again_in_smaller_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_megabytes", lambda: float("inf"))

    def make(megabytes: float) -> float:
        if megabytes > 100:
            raise MemoryError
        return megabytes

    assert as_much_as_fits(1_000_000, make) == 61


def test_where_there_is_no_memory_at_all_that_is_an_error() -> None:
    def make(megabytes: float) -> float:
        raise MemoryError

    with pytest.raises(MemoryError):
        as_much_as_fits(16, make)


@pytest.mark.parametrize("preset", ["mcc", "alphabeta"])
def test_an_engine_takes_what_there_is(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_megabytes", lambda: 264.0)
    engine = Engine(preset, hash_mb=1_000_000, transpositions=1)
    assert engine.parameters["hash_mb"] == 8
    result = engine.search(START, Limits(nodes=50))
    assert result.tree.parameters["hash_mb"] == 8
    assert result.nodes


def test_the_machine_says_how_much_there_is() -> None:
    assert free_megabytes() > 1
