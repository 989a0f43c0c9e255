"""Reproductions: names, a run that is killed and goes on, and reports of several folders."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyout.errors import InputError
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.reproduce import cast
from plyout.lab.reproduce.catalogue import EXPERIMENTS, PAPERS, choose
from plyout.lab.reproduce.elo import over_base, stronger
from plyout.lab.reproduce.experiment import EVENING, SCALES, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.needs import NEEDS
from plyout.lab.reproduce.report import write_report
from plyout.lab.reproduce.run import carry_out
from plyout.lab.reproduce.verdict import AGREES, RULE, Number, Quote, Row
from plyout.presets import preset

OPTIONS = {"games": 4, "nodes": 12, "max_plies": 30}
ENGINES = ["mcc?hash_mb=8&name=MCC", "mcc-decisive?hash_mb=8&name=Decisive"]


def _say(found: dict[str, Any]) -> Findings:
    results = found["tiny"]
    claims = stronger(Quote("Decisive is the best", "p. 28"), results, [("Decisive", "MCC")])
    return Findings(over_base(results, "MCC", {"Decisive": (336, 77)}), claims)


def _tiny(**changes: Any) -> Experiment:
    played = Tournament("tiny", ENGINES, (OPTIONS,) * 3)
    given: dict[str, Any] = {"name": "tiny", "title": "a match", "where": "p. 1", "seconds": (1, 2)}
    return Experiment(**given | {"parts": [played], "say": _say} | changes)


def _reports(out: Path) -> tuple[str, str]:
    return (out / "report.md").read_text(), (out / "report.html").read_text()


# -- names ------------------------------------------------------------------------------------------------------


def test_every_experiment_has_its_name_once_and_aliases_lead_to_it() -> None:
    aliases = [alias for e in EXPERIMENTS.values() for alias in e.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(EXPERIMENTS)
    for e in EXPERIMENTS.values():
        assert [found.name for found in choose([e.name])] == [e.name]
        for alias in e.aliases:
            assert [found.name for found in choose([alias])] == [e.name]


def test_a_paper_means_all_its_experiments_each_but_once() -> None:
    for paper in PAPERS:
        found = choose([paper, next(e.name for e in EXPERIMENTS.values() if e.paper == paper)])
        assert [e.name for e in found] == [e.name for e in EXPERIMENTS.values() if e.paper == paper]
    assert [e.name for e in choose(["arenz-9"])] == ["arenz-7"]


@pytest.mark.parametrize(("wrong", "right"), [("arenz-77", "arenz-7"), ("nonsense", "papers are")])
def test_a_wrong_name_gets_one_line_that_says_what_is_right(wrong: str, right: str) -> None:
    with pytest.raises(InputError, match=right) as error:
        choose([wrong])
    assert "\n" not in str(error.value)


def test_parts_have_names_of_their_own_and_their_presets_exist() -> None:
    by_name: dict[str, Any] = {}
    for e in EXPERIMENTS.values():
        assert set(e.needs) <= set(NEEDS)
        for part in e.parts:
            assert by_name.setdefault(part.name, part) is part, "one folder, one part"
            for text in part.engines if isinstance(part, Tournament) else ():
                if not text.startswith("uci:"):
                    preset(text.partition("?")[0])


# -- runs and reports -------------------------------------------------------------------------------------------


def test_a_run_that_was_killed_goes_on_and_gives_the_same_report(tmp_path: Path) -> None:
    whole, killed = Bench(tmp_path / "whole", quiet=True), Bench(tmp_path / "killed", quiet=True)
    carry_out([_tiny()], whole, lambda line: None)
    answer_of_whole = write_report([_tiny()], whole.out, [whole])

    shorter = replace(_tiny().parts[0], scales=(OPTIONS | {"games": 2},) * 3)  # as far as it came
    shorter.carry_out(killed)
    write_report([_tiny()], killed.out, [killed])
    assert "so far" in _reports(killed.out)[0]
    carry_out([_tiny()], killed, lambda line: None)
    assert write_report([_tiny()], killed.out, [killed]) == answer_of_whole
    assert _reports(killed.out) == _reports(whole.out)
    assert RULE.split(".")[0] in _reports(whole.out)[0]
    assert str(tmp_path) not in "".join(_reports(whole.out)), "no paths"


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    calls = []

    def work(bench: Bench, much: int) -> dict[str, Any]:
        calls.append(much)
        return {"value": much + bench.seed}

    def say(found: dict[str, Any]) -> Findings:
        return Findings([Row("value", Number.about(6, 1), Number.about(found["study"]["value"]))], unit="things")

    study = _tiny(name="study", parts=[Study("study", work, ({"much": 5}, {"much": 50}, {"much": 500}))], say=say)
    bench = Bench(tmp_path, quiet=True)
    for _ in range(2):
        carry_out([study], bench, lambda line: None)
        assert write_report([study], tmp_path, [bench])["experiments"][0]["verdict"] == AGREES
    assert calls == [5]
    first = _reports(tmp_path)
    write_report([study], tmp_path, [bench])
    assert _reports(tmp_path) == first
    assert not list(tmp_path.rglob("*.new"))


def test_what_is_missing_is_said_and_not_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(bench: Bench) -> None:
        raise InputError("no program is called 'stockfish': install it")

    monkeypatch.setitem(NEEDS, "stockfish", missing)
    bench = Bench(tmp_path, quiet=True)
    lines: list[str] = []
    carry_out([_tiny(needs=["stockfish"])], bench, lines.append)
    assert any("skipped: no program is called 'stockfish'" in line for line in lines)
    told = write_report([_tiny(needs=["stockfish"])], tmp_path, [bench])["experiments"][0]
    assert (told["state"], told["verdict"]) == ("skipped", None)
    monkeypatch.setitem(NEEDS, "stockfish", lambda bench: None)
    carry_out([_tiny(needs=["stockfish"])], bench, lines.append)
    assert write_report([_tiny(needs=["stockfish"])], tmp_path, [bench])["experiments"][0]["verdict"]


def test_another_seed_or_scale_needs_another_folder(tmp_path: Path) -> None:
    carry_out([], Bench(tmp_path), lambda line: None)
    with pytest.raises(InputError, match="begun with --seed 1, not 2"):
        carry_out([], Bench(tmp_path, seed=2), lambda line: None)
    with pytest.raises(InputError, match="begun with --scale quick, not paper"):
        carry_out([], Bench(tmp_path, scale="paper"), lambda line: None)
    assert set(json.loads((tmp_path / "about.json").read_text())) == {"scale", "seed", "machines"}


def _played(name: str, seed: int, tmp_path: Path, scale: str = "quick", **options: Any) -> Bench:
    bench = Bench(tmp_path / name, scale, seed, quiet=True)
    played = Tournament("tiny", ENGINES, (OPTIONS | {"games": 2} | options,) * 3)
    carry_out([_tiny(parts=[played])], bench, lambda line: None)
    return bench


def test_games_of_several_places_make_one_report(tmp_path: Path) -> None:
    here, there = _played("here", 1, tmp_path), _played("there", 2, tmp_path)
    part = _tiny().parts[0]
    found = part.found([here, there])
    assert found is not None
    assert [game.pair for game in found.games] == [0, 0, 1, 1], "pairs of two seeds are four games of two openings"
    assert len(part.found([here, here]).games) == 2, "the same games twice are no more games"
    assert not part.is_done([here])
    assert part.is_done([here, there])
    (told,) = write_report([_tiny()], tmp_path / "both", [here, there])["experiments"]
    assert told["state"] == "undecided"
    assert told["why"].endswith(
        "of 4 games were cut short by their length and count as drawn: whole games would decide."
    )
    text = _reports(tmp_path / "both")[0]
    assert "| seed | 1, 2 |" in text
    assert "quick scale, seed 2" in text


def test_games_of_other_settings_are_not_put_together(tmp_path: Path) -> None:
    here, there = _played("here", 1, tmp_path), _played("there", 2, tmp_path, nodes=10)
    with pytest.raises(InputError, match=r"have games of other settings .time control.: report on one of them"):
        write_report([_tiny()], tmp_path / "both", [here, there])


def test_a_report_tells_what_was_done_at_the_largest_scale_and_names_it(tmp_path: Path) -> None:
    quick, evening = _played("quick", 1, tmp_path, games=4), _played("evening", 1, tmp_path, EVENING, games=2)

    def told(*benches: Bench) -> tuple[str, str]:
        (row,) = write_report([_tiny()], tmp_path / "both", benches)["experiments"]
        return row["scale"], row["state"].partition(" so far")[1]

    assert told(quick, evening) == ("quick", ""), "what is complete comes before what is not"
    evening = _played("evening", 1, tmp_path, EVENING, games=4)
    assert told(quick, evening) == told(evening, quick) == (EVENING, "")
    assert "Verdict at evening scale" in _reports(tmp_path / "both")[0]


def test_a_player_that_has_changed_since_is_another_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = _played("here", 1, tmp_path)
    write_report([_tiny()], bench.out, [bench])
    assert "| MCC is | preset mcc, select uct, evaluate playout" in _reports(bench.out)[0]
    changed = replace(preset("mcc"), parameters={"c": 2})
    monkeypatch.setattr(cast, "preset", lambda name: changed if name == "mcc" else preset(name))
    with pytest.raises(InputError, match=r"MCC was another player \(preset mcc.*; now .*c 2, .*\): give another --out"):
        _played("here", 1, tmp_path, games=4)


def test_every_experiment_has_all_scales_and_an_evening_has_no_cap_on_games(tmp_path: Path) -> None:
    for e in EXPERIMENTS.values():
        assert all(0 < seconds <= 3600 for seconds in e.seconds), f"{e.name} takes more than an hour"
        assert e.where
        for part in e.parts:
            assert len(part.scales) == len(SCALES)
            evening = Bench(tmp_path, EVENING).choice(part.scales)
            assert not (isinstance(part, Tournament) and "max_plies" in evening), e.name
    assert 9 * 3600 < sum(e.seconds[1] for e in EXPERIMENTS.values()) < 11 * 3600


def test_a_book_of_the_users_takes_the_place_of_ours() -> None:
    (part,) = EXPERIMENTS["singh-4.2"].parts
    assert isinstance(part, Tournament)
    ours, theirs = (part.engines_of(Bench(Path(), book=book)) for book in (None, "my books/a&b"))
    assert ours[1] == "dm-mcts?book=own&name=DM-MCTS"
    assert theirs[1] == "dm-mcts?book=my%20books%2Fa%26b&name=DM-MCTS"


def test_games_that_were_lost_by_a_fault_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [Game(0, "MCC", "Decisive", "0-1", "checkmate"), Game(0, "Decisive", "MCC", "0-1", "time")]
    monkeypatch.setattr(Tournament, "found", lambda *_: Results(["MCC", "Decisive"], games))
    told: list[Results] = []
    _tiny(say=lambda found: told.append(found["tiny"]) or Findings()).findings([])
    assert [game.reason for game in told[0].games] == ["checkmate"]
