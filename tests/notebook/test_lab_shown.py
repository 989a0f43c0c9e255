"""Matches, tournaments, gauntlets, tuning and studies in notebooks."""

import json
from dataclasses import asdict

import numpy as np

from plyout.lab.gauntlet.rungs import Ladder, Rung
from plyout.lab.gauntlet.standing import standing
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.report.plots import bars, beside, counts, running
from plyout.lab.studies import positions, tictactoe
from plyout.lab.studies.answer import Answer
from plyout.lab.traps.study import Study
from plyout.lab.traps.suite import Check
from plyout.lab.tune.axis import Axis
from plyout.lab.tune.plan import TuningPlan
from plyout.lab.tune.result import Tuned
from plyout.lab.tune.spsa import Gains, Spsa
from plyout.notebook.blocks import plot_html
from plyout.search.similarity import MEASURES
from tests.lab.report.test_report import tournament
from tests.notebook.parsed import Parsed

EVIL = "<script>alert(1)</script>\" onload='x'"


def shown(thing: object) -> Parsed:
    return Parsed(thing._repr_html_())  # type: ignore[attr-defined]


def test_a_match_shows_its_score_and_its_elo() -> None:
    games = tournament(["plyout", "mcc"], 30)
    results = Results(["plyout", "mcc"], games)
    e = results.of("plyout")
    told = "".join(shown(results).text())
    assert f"+{e.wins} ={e.draws} −{e.losses}" in told
    assert f"{100 * e.score:.1f} %" in told
    assert "checkmate" in told


def test_a_tournament_shows_its_players_by_rating_and_who_met_whom() -> None:
    names = ["alpha", "beta", "gamma"]
    results = Results(names, tournament(names, 20))
    page = shown(results)
    ratings = page.rows[1:4]
    assert [row[1] for row in ratings] == sorted(names, key=lambda name: -results.of(name).score)
    assert {row[4] for row in ratings} == {"80"}
    assert len(page.html) < 60_000


def test_nothing_played_yet_is_said() -> None:
    assert shown(Results(["a", "b"], [])).text() == ["no game has ended yet"]


def test_names_of_players_are_shown_and_do_nothing() -> None:
    for names in ([EVIL, "b"], [EVIL, "b", "c"]):
        page = shown(Results(names, tournament(names, 4, reason=EVIL)))
        assert "alert(1)" in "".join(page.text())


def test_a_gauntlet_shows_its_rating_and_its_rungs() -> None:
    ladder = Ladder("plyout", "plyout", [Rung("a", "known", 1500.0), Rung("b", EVIL)])
    results = "1-0", "0-1", "1/2-1/2", "1-0"
    games = [
        Game(i, *(("plyout", other) if i % 2 else (other, "plyout")), result, "checkmate")
        for other in ("known", EVIL)
        for i, result in enumerate(results)
    ]
    found = standing(ladder, "10 nodes", games)
    page = shown(found)
    assert found.rating is not None
    assert f"plyout: Elo {found.rating.elo:.0f}" in "".join(page.text())
    assert {row[0] for row in page.rows[1:]} == {"known", EVIL}
    assert [row[2] for row in page.rows[1:]] == ["4", "4"]
    assert "none of them against a rung of known rating" in "".join(shown(standing(ladder, "10 nodes", [])).text())


def test_tuning_shows_its_parameters() -> None:
    spsa = Spsa([Axis("c", 1.5, 0, 10, 0.3), Axis("draw_weight", 0.5, 0, 1, 0.1)], Gains(10))
    plan = TuningPlan.made("mcc", {}, spsa, Conditions(nodes=10))
    page = shown(Tuned(plan, Results(["plus", "minus"], [Game(0, "plus", "minus", "1-0", "checkmate")])))
    assert [row[:3] for row in page.rows[1:]] == [["c", "1.5", "1.5"], ["draw_weight", "0.5", "0.5"]]
    assert any("+1 =0 -0" in text for text in page.text())


def test_a_study_is_plain_data_and_shows_its_table() -> None:
    answer = positions.queen_ending(1000, 0.0, 1, True)
    assert isinstance(answer, dict)
    assert json.loads(json.dumps(answer)) == answer
    page = shown(answer)
    assert page.rows[0] == ["king and queen against king, random play", "ours", "Arenz 2012"]
    assert page.rows[3] == ["playouts", "1,000", "1,000,000"]
    row = tictactoe.Row("UCT", "1 s", 1000.0, 20, 3, 16, 1, 2, tictactoe.PAPER[1.0])
    told = asdict(row) | {"percent": row.percent, "drawn_interval": row.drawn_interval}
    page = shown(Answer({"study": "tictactoe", "games": 20, "seed": 1, "rows": [told]}))
    assert page.rows[2][:3] == ["1 s", "1,000", "  15   80    5"]


def test_a_study_of_traps_shows_its_tables() -> None:
    check = Check(True, True, 1.5)
    observed = {m: np.array([0.5, 0.75]) for m in MEASURES}
    page = shown(Study([], 3, observed, np.array([True, False]), dict.fromkeys(MEASURES, check)))
    assert "0 pairs, a trap of level 3 persists in 1" in page.text()
    assert len(page.rows) > 4 * len(MEASURES) / 2


def test_every_plot_of_the_reports_can_be_shown() -> None:
    """A class that nobody has translated would be an error."""
    line = np.linspace(1, 9, 9)
    for svg in (
        bars(["a", EVIL], [1, 2], [0, 1], [3, 4]),
        running(EVIL, line, line / 10, line / 11, line / 9),
        counts(["a", EVIL], [3, 1], [False, True]),
        beside([("a", (1.0, 0.0, 2.0), 1.5), (EVIL, (1.0, 0.0, 2.0), None)]),
    ):
        page = Parsed(plot_html(svg))
        assert not [given for _, given in page.tags if "class" in given]
