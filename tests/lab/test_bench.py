"""``plyout bench``: rows that two versions can be compared by, whatever is installed."""

import json

from plyout.lab.bench import Contest, Report, contests


def test_rows_have_names_of_their_own_and_stand_in_one_order() -> None:
    """A row that is renamed or left out cannot be compared with that of the version before."""
    assert [c.name for c in contests()] == [
        "perft-start", "perft-kiwipete", "random-chess", "search-mcc", "search-mcc-combined", "search-mcc-threads",
        "search-mcgs", "search-plyout", "search-mcgs-evaluator", "random-crazyhouse", "random-tictactoe",
    ]  # fmt: skip


def test_a_row_has_the_same_keys_whatever_is_installed() -> None:
    speeds = iter((90.0, 110.0, 100.0))
    contest = Contest("walk", "a walk", "m/s", lambda: lambda: next(speeds), {"runner": lambda: lambda: 400.0,
                      "bird": lambda: None})  # fmt: skip
    contest.measure(3)
    row = json.loads(json.dumps(Report([contest], 0.5, 20.0, 0.002).as_dict()))
    assert row["contests"] == [
        {"name": "walk", "work": "a walk", "unit": "m/s", "rates": {"plyout": 100.0, "runner": 400.0, "bird": None},
         "ratios": {"runner": 0.25, "bird": None}}
    ]  # fmt: skip
    assert set(row) == {"contests", "seconds_to_first_perft", "seconds_to_compile", "worst_stop_s"}
