"""The rule of the verdicts."""

from math import inf

import pytest

from plyout.lab.reproduce.verdict import AGREES, DIFFERS, UNDECIDED, Number, Quote, Row, claim, overall

SAID = Quote("A is stronger than B", "p. 26, Table 1")


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
    assert claim(SAID, "A over B", ours, above=0, below=400).verdict == verdict


def test_an_end_that_is_not_known_does_no_harm_where_the_statement_is_open_too() -> None:
    assert claim(SAID, "A over B", Number(500, 100, inf), above=0).verdict == AGREES
    assert claim(SAID, "A over B", Number(-500, -inf, -100), below=0).verdict == AGREES
    assert claim(SAID, "A over B", Number(500, -100, inf), above=0).verdict == UNDECIDED


def test_games_that_are_not_known_to_the_end_decide_nothing() -> None:
    for ours in (10, 500):
        row = Row("Elo", Number.about(10, 10), Number.about(ours, 5, 20), cut=True)
        assert (row.verdict, row.deciding) == (UNDECIDED, None)


def test_a_number_that_differs_forbids_that_the_experiment_agrees() -> None:
    good = claim(SAID, "more", Number.about(10, 5), above=0)
    open_ = claim(SAID, "more", Number.about(10, 15), above=0)
    bad = claim(SAID, "more", Number.about(-10, 5), above=0)
    near, far = (Row("Elo", Number.about(value, 10), Number.about(10, 5)) for value in (10, 500))
    assert overall([good, near]) == AGREES
    assert overall([good, far]) == DIFFERS
    assert overall([good, open_, near]) == UNDECIDED
    assert overall([good, open_, bad]) == DIFFERS
    assert overall([far]) == DIFFERS
    assert overall([]) == ""


@pytest.mark.parametrize(
    ("row", "games"),
    [
        (claim(SAID, "more", Number.about(10, 20, 100), above=0), 400),  # half the interval takes four times as many
        (claim(SAID, "more", Number.about(-10, 20, 100), above=0), 400),  # by which it would differ
        (claim(SAID, "more", Number.about(0, 20, 100), above=0), None),  # exactly on the border, none will do
        (claim(SAID, "more", Number(10, -10, inf, 100), above=0, below=50), None),
        (claim(SAID, "more", Number.about(10, 5, 100), above=0), None),  # it is decided
        (Row("Elo", Number.about(300, 60), Number.about(300, 240, 100)), 400),  # too wide by a factor of two
        (Row("Elo", Number.about(300, 60), Number.about(300, 240)), None),  # samples that nobody counted
    ],
)
def test_what_is_undecided_says_how_many_samples_would_decide(row: Row, games: int | None) -> None:
    assert row.deciding == games or (games is not None and row.deciding == pytest.approx(games, rel=0.01))
    if row.deciding is not None and row.ours is not None:
        times = 1.001 * row.deciding / row.ours.samples
        assert Row(row.what, row.paper, row.ours.after(times), row.none, quote=row.quote).verdict != UNDECIDED
