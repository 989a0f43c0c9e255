"""Gauntlets that are played: what is missing is named, what was played is kept, what was interrupted goes on."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from plyout.errors import InputError
from plyout.lab.gauntlet.gauntlet import gauntlet
from plyout.lab.gauntlet.rungs import ENGINES, LEVELS, Ladder, ladder
from plyout.lab.match import players
from plyout.lab.match.players import find_program
from plyout.lab.match.store import Store

pytestmark = pytest.mark.slow  # processes and clocks: checking array indices once more would tell nothing
ROGUE = Path(__file__).parents[1] / "match/rogue.py"
FAST: dict[str, Any] = {"nodes": 1, "max_plies": 30, "quiet": True}


def engine(name: str, *faults: str) -> str:
    return f"uci:{sys.executable} {ROGUE} {' '.join(faults)}?name={name}"


def two_rungs() -> Ladder:
    """One that makes an illegal move in every game, and one that is as good as the player."""
    return ladder(
        engine("me"), [engine("weak", "--illegal", "3"), engine("even")], anchors={"weak": 1000, "even": 1500}
    )


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    which = shutil.which
    monkeypatch.setattr(
        players.shutil, "which", lambda name, path=None: which(name, path=path) if "/" in name else None
    )


def test_the_usual_ladder_has_every_level_and_engine_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players.shutil, "which", lambda name, path=None: f"/usr/games/{name}")
    found = ladder("mcc")
    assert [rung.elo for rung in found.rungs] == [*LEVELS, *(None for _ in ENGINES)]
    assert [rung.name for rung in found.rungs[:2]] == ["stockfish-1350", "stockfish-1500"]
    assert [rung.name for rung in found.rungs if rung.elo is None] == list(ENGINES)
    assert not found.left_out


def test_an_engine_that_is_missing_is_named_in_one_line_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        players.shutil, "which", lambda name, path=None: None if name in ("toga2", "glaurung") else f"/usr/games/{name}"
    )
    found = ladder("mcc")
    assert [rung.name for rung in found.rungs if rung.elo is None] == ["gnuchess", "ethereal-chess"]
    assert len(found.left_out) == 2
    for name, line in zip(("toga2", "glaurung"), found.left_out, strict=True):
        assert f"apt install {name}" in line
        assert "\n" not in line


def test_without_any_engine_of_known_rating_it_is_told_what_to_install(nothing_installed: None) -> None:
    with pytest.raises(InputError, match=r"no rung has a known rating: .*apt install stockfish.*--anchor NAME=ELO"):
        ladder("mcc")
    with pytest.raises(InputError, match="apt install toga2"):
        ladder("mcc", ["uci:toga2"])


def test_anchors_are_of_rungs() -> None:
    found = ladder("mcc", [engine("a"), engine("b")], anchors={"a": 1700})
    assert found.anchors == {"a": 1700}
    with pytest.raises(InputError, match="no rung is called 'c': there are a, b"):
        ladder("mcc", [engine("a"), engine("b")], anchors={"a": 1700, "c": 1})


def test_a_gauntlet_rates_its_player_and_counts_faults(tmp_path: Path) -> None:
    found = gauntlet(two_rungs(), 12, out=tmp_path, concurrency=2, **FAST)
    assert found.rating is not None
    assert found.rating.low < found.rating.elo < found.rating.high
    rows = {row.rung.name: row for row in found.rows}
    assert (rows["weak"].met.score, rows["even"].met.score) == (1.0, 0.5), "a game of thirty plies is drawn"
    assert rows["even"].met.games == 10, "the near rung gets the games"
    answer = json.loads((tmp_path / "results.json").read_text())
    assert (answer["games"], answer["illegal"], answer["faults"]["weak"]["illegal"]) == (12, 2, 2)
    assert answer["elo"] == found.rating.elo
    assert [rung["known"] for rung in answer["rungs"]] == [True, True]
    assert answer["settings"]["anchors"] == {"weak": 1000, "even": 1500}


def test_a_gauntlet_goes_on_with_more_games_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    gauntlet(two_rungs(), 6, out=tmp_path / "parts", **FAST)
    gauntlet(two_rungs(), 12, out=tmp_path / "parts", **FAST)
    gauntlet(two_rungs(), 12, out=tmp_path / "whole", concurrency=2, **FAST)
    kept = []
    for name in ("parts", "whole"):
        with Store.read(tmp_path / name) as store:
            numbers = sorted(store.numbers())
            kept.append([(n, g.white, g.opening, g.result) for n, g in zip(numbers, store.games(), strict=True)])
    assert kept[0] == kept[1]
    assert len(kept[0]) == 12
    with pytest.raises(InputError, match="has 12 games"):
        gauntlet(two_rungs(), 6, out=tmp_path / "parts", **FAST)
    other = ladder(engine("me"), [engine("weak", "--illegal", "3"), engine("even")], anchors={"weak": 900})
    with pytest.raises(InputError, match="anchors is"):
        gauntlet(other, 12, out=tmp_path / "parts", **FAST)


def test_too_few_games_for_the_ladder_are_refused() -> None:
    for games in (2, 5):
        with pytest.raises(InputError, match="two for each of the 2 rungs"):
            gauntlet(two_rungs(), games, **FAST)


def test_random_playouts_are_rated_against_stockfish() -> None:
    try:
        find_program("stockfish")
    except InputError as error:
        pytest.skip(str(error))
    rungs = ladder("mcc?nodes=20&hash_mb=8", ["1350,2850"])
    found = gauntlet(rungs, 6, nodes=200, max_plies=160, quiet=True)
    assert [row.rating.elo for row in found.rows] == [1350, 2850]
    assert found.rating is not None
    assert found.rating.elo < 1350
    assert sum(found.results.faults().values()) == 0
