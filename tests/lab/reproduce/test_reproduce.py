"""Reproductions: names, the rule of the verdicts, and a reproduction that is killed and goes on."""

import json
from math import inf
from pathlib import Path
from typing import Any

import pytest

from plyout.errors import InputError
from plyout.lab.match.match import tournament
from plyout.lab.reproduce import experiment as parts
from plyout.lab.reproduce.catalogue import EXPERIMENTS, PAPERS, choose
from plyout.lab.reproduce.elo import in_order, over_base
from plyout.lab.reproduce.experiment import NEEDS, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.report import write_report
from plyout.lab.reproduce.run import carry_out
from plyout.lab.reproduce.verdict import AGREES, DIFFERS, RULE, UNDECIDED, Number, Row, claim, overall
from plyout.presets import preset

OPTIONS = {"games": 4, "nodes": 12, "max_plies": 30}
ENGINES = ["mcc?hash_mb=8&name=MCC", "mcc-decisive?hash_mb=8&name=Decisive"]


def _say(found: dict[str, Any]) -> Findings:
    results = found["tiny"]
    return Findings(over_base(results, "MCC", {"Decisive": (336, 77)}), in_order(results, ["Decisive", "MCC"]))


def _tiny(**changes: Any) -> Experiment:
    played = Tournament("tiny", ENGINES, OPTIONS, OPTIONS)
    given: dict[str, Any] = {"name": "tiny", "title": "a match", "parts": [played], "say": _say, "seconds": 1}
    return Experiment(**given | changes)


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


# -- verdicts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paper", "ours", "verdict"),
    [
        (Number.about(150, 60), Number.about(150, 60), AGREES),
        (Number.about(150, 60), Number.about(260, 55), AGREES),  # they meet
        (Number.about(150, 60), Number.about(300, 55), DIFFERS),
        (Number.about(150, 60), Number.about(100, 110), UNDECIDED),  # it may be nothing at all
        (Number.about(300, 60), Number.about(300, 130), UNDECIDED),  # too wide
        (Number.about(10, 60), Number.about(0, 60), AGREES),  # nothing in the paper either
        (Number.about(10, 60), None, ""),
        (None, Number.about(10, 60), ""),
    ],
)
def test_numbers_are_compared_by_their_intervals(paper: Number | None, ours: Number | None, verdict: str) -> None:
    assert Row("Elo", paper, ours, none=0).verdict == verdict


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (Number(50, 10, 90), AGREES),
        (Number(50, -10, 90), UNDECIDED),
        (Number(-50, -90, -10), DIFFERS),
        (Number(500, 100, inf), UNDECIDED),
        (Number(0, 0, 0), UNDECIDED),
    ],
)
def test_statements_are_tested_by_the_whole_interval(ours: Number, verdict: str) -> None:
    assert claim("between 0 and 400", ours, above=0, below=400).verdict == verdict


def test_statements_decide_and_numbers_only_where_there_are_none() -> None:
    good = claim("more", Number.about(10, 5), above=0)
    open_ = claim("more", Number.about(10, 15), above=0)
    bad = claim("more", Number.about(-10, 5), above=0)
    far = Row("Elo", Number.about(500, 10), Number.about(10, 5))
    assert overall([good, good], [far]) == AGREES
    assert overall([good, open_], []) == UNDECIDED
    assert overall([good, open_, bad], []) == DIFFERS
    assert overall([], [far]) == DIFFERS
    assert overall([], []) == ""


# -- runs and reports -------------------------------------------------------------------------------------------


def test_a_run_that_was_killed_goes_on_and_gives_the_same_report(tmp_path: Path) -> None:
    whole, killed = Bench(tmp_path / "whole", quiet=True), Bench(tmp_path / "killed", quiet=True)
    carry_out([_tiny()], whole, lambda line: None)
    answer_of_whole = write_report([_tiny()], whole)

    tournament(ENGINES, out=killed.out / "tiny", seed=1, quiet=True, **OPTIONS | {"games": 2})  # as far as it came
    write_report([_tiny()], killed)
    assert "so far" in _reports(killed.out)[0]
    carry_out([_tiny()], killed, lambda line: None)
    assert write_report([_tiny()], killed) == answer_of_whole
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

    study = _tiny(name="study", parts=[Study("study", work, {"much": 5}, {"much": 500})], say=say)
    bench = Bench(tmp_path, quiet=True)
    for _ in range(2):
        carry_out([study], bench, lambda line: None)
        assert write_report([study], bench)["experiments"][0]["verdict"] == AGREES
    assert calls == [5]
    first = _reports(tmp_path)
    write_report([study], bench)
    assert _reports(tmp_path) == first
    assert not list(tmp_path.rglob("*.new"))


def test_what_is_missing_is_said_and_not_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(bench: Bench) -> None:
        raise InputError("no program is called 'stockfish': install it")

    monkeypatch.setitem(parts.NEEDS, "stockfish", missing)
    bench = Bench(tmp_path, quiet=True)
    lines: list[str] = []
    carry_out([_tiny(needs=["stockfish"])], bench, lines.append)
    assert any("skipped: no program is called 'stockfish'" in line for line in lines)
    told = write_report([_tiny(needs=["stockfish"])], bench)["experiments"][0]
    assert (told["state"], told["verdict"]) == ("skipped", None)
    monkeypatch.setitem(parts.NEEDS, "stockfish", lambda bench: None)
    carry_out([_tiny(needs=["stockfish"])], bench, lines.append)
    assert write_report([_tiny(needs=["stockfish"])], bench)["experiments"][0]["verdict"]


def test_another_seed_or_scale_needs_another_folder(tmp_path: Path) -> None:
    carry_out([], Bench(tmp_path), lambda line: None)
    with pytest.raises(InputError, match="begun with --seed 1, not 2"):
        carry_out([], Bench(tmp_path, seed=2), lambda line: None)
    with pytest.raises(InputError, match="begun with --scale quick, not paper"):
        carry_out([], Bench(tmp_path, scale="paper"), lambda line: None)
    assert set(json.loads((tmp_path / "about.json").read_text())) == {"scale", "seed", "machines"}
